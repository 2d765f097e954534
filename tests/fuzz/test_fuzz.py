"""The search itself: a few inputs of it break nothing, and a defect that is planted does not pass."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cockpit.reads import catalog, closed, episodes
from cockpit.reads.remedies import Remedies
from cockpit.store.memory import Memory
from cockpit.surfaces import markdown
from tests.builders import STATE
from tests.fuzz.__main__ import Search
from tests.fuzz.commands import check as check_command
from tests.fuzz.holding import Broken
from tests.fuzz.mutations import Add, Call, Exchange, Link, Mutation, Redate, Rename, Replace, Rewrite, apply
from tests.fuzz.pages import check as check_page
from tests.fuzz.trial import Input, Trials

TASK = f"repo/{STATE}/current.yaml"
HERE = f"repo/{STATE}/sessions-open/here.yaml"
STORE = f"repo/{STATE}/sessions-open"
RENAMED = Input(((Rewrite(TASK, "value replaced", 0, b"t-other"),),))


@pytest.fixture(scope="module")
def trials(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trials]:
    with ExitStack() as stack:
        yield Trials(tmp_path_factory.mktemp("fuzz"), stack)


def test_a_few_inputs_break_nothing(trials: Trials) -> None:
    search = Search(trials, 10)
    search.round(4)
    assert (search.found, search.number) == ({}, 4)


def test_a_live_ledger_that_became_unreadable_is_not_told_from_memory(trials: Trials) -> None:
    trials.run(Input(((Replace(f"repo/{STATE}/ledger.jsonl", "folder"),),)))


@pytest.mark.parametrize("settled", [True, False])
def test_a_change_of_each_kind_can_be_made_and_mended(trials: Trials, settled: bool) -> None:
    changes: tuple[Mutation, ...] = (
        Rewrite(TASK, "text replaced", 9, b"<hostile-x>"),
        Add(STORE, b"a\nb.yaml", b"session_id: <hostile-x onload=x()>\nworktree: {root}\n"),
        Link(f"repo/{STATE}/session-current.yaml", "..\n"),
        Rename(f"repo/{STATE}/sessions-open/beside.yaml", b"--help.yaml"),
        Exchange(f"repo/{STATE}/handovers", f"repo/{STATE}/checkpoints"),
        Redate(HERE, 0),
        Call(("checkout", "-q", "-b", "on")),
    )
    trials.run(Input((changes[:3], changes[3:]), settled))


def test_a_mended_store_holds_what_it_held(trials: Trials) -> None:
    trials.place.mend()
    before = _picture(trials.place.whole)
    for change in (Replace(HERE, "FIFO"), Replace("repo/.git", "folder"), Replace("repo/.ai", "closed")):
        apply(change, trials.place)
    assert _picture(trials.place.whole) != before
    trials.place.mend()
    assert _picture(trials.place.whole) == before


def _picture(whole: Path) -> str:
    done = subprocess.run(["tar", "-C", whole, "-c", "--sort=name", "--mtime=@0", "."], capture_output=True, check=True)
    return done.stdout.hex()


# ---------------------------------------------------------------------- what is planted is found
def _forgetful(patch: pytest.MonkeyPatch) -> None:
    """A file that was read once is never read again."""
    entry = Memory.entry

    def kept(self: Any, at: int, path: str, looks: Any, now: int) -> Any:
        return self._kept[path][2] if path in self._kept else entry(self, at, path, looks, now)

    patch.setattr(Memory, "entry", kept)


def _writing(patch: pytest.MonkeyPatch) -> None:
    """A reading leaves a trace."""
    _asking(patch, "lifecycle.closed", lambda look: (Path(look.root, ".git/trace").touch(), closed.answer(look))[1])


def _failing(patch: pytest.MonkeyPatch) -> None:
    """A read cannot take a task of that name."""

    def answer(look: Any) -> Any:
        assert look.task.id != "t-other"
        return episodes.answer(look)

    _asking(patch, "lifecycle.episodes", answer)


def _unsorted(patch: pytest.MonkeyPatch) -> None:
    """Answers come in the order of a listing."""

    def answer(look: Any) -> Any:
        names = os.listdir(os.path.join(look.root, STATE))
        return msgspec.structs.replace(episodes.answer(look), findings=names)

    _asking(patch, "lifecycle.episodes", answer)


def _miscounted(patch: pytest.MonkeyPatch) -> None:
    """Two answers disagree."""
    _asking(patch, "lifecycle.closed", lambda look: msgspec.structs.replace(closed.answer(look), total=3))


def _deleting(patch: pytest.MonkeyPatch) -> None:
    """A command removes what it clears."""
    patch.setattr(Remedies, "set_aside", lambda self, path, *_, **__: f"rm -- {self._at(path)}")


def _telling(patch: pytest.MonkeyPatch) -> None:
    """The note names where the repository lies."""
    patch.setattr(markdown.Writer, "redacted", lambda _, text: text)


def _asking(patch: pytest.MonkeyPatch, name: str, ask: Callable[[Any], Any]) -> None:
    changed = [msgspec.structs.replace(each, ask=ask) if each.id == name else each for each in catalog.CATALOG]
    for module in ("asking", "trial", "invariants"):
        patch.setattr(f"tests.fuzz.{module}.CATALOG", tuple(changed))


@pytest.mark.parametrize("plant", [_forgetful, _writing, _failing, _unsorted, _miscounted, _deleting, _telling])
def test_a_planted_defect_is_found(
    trials: Trials, monkeypatch: pytest.MonkeyPatch, plant: Callable[[pytest.MonkeyPatch], None]
) -> None:
    trials.run(RENAMED)
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        trials.run(RENAMED)


@pytest.mark.parametrize(
    "command",
    [
        "mv -- /r/a /r/b &&",
        "mv -- /r/a /elsewhere",
        "mv -- /r/a /r/../b",
        "rm -- /r/a",
        "echo 'a",
        "mkdir -p -- r",
        "true\n",
    ],
)
def test_a_command_that_does_more_than_it_may_is_found(command: str) -> None:
    check_command("mkdir -p -- /r/c && test ! -e /r/c/a && mv -- '/r/a b' /r/c/a", "/r")
    with pytest.raises(Broken):
        check_command(command, "/r")


@pytest.mark.parametrize(
    "body",
    [
        "<p>",
        "<p></b></p>",
        "<hostile-x></hostile-x>",
        "<p onclick='x'></p>",
        "<script>x</script>",
        "<p>\u202e</p>",
        "<a href='//x'></a>",
    ],
)
def test_a_page_that_is_not_its_own_is_found(body: str) -> None:
    assert check_page("/", "<p class='a'>text<br></p>") == "text"
    with pytest.raises(Broken):
        check_page("/", body)


def test_what_is_found_is_made_small_and_can_be_tried_again(trials: Trials, monkeypatch: pytest.MonkeyPatch) -> None:
    _miscounted(monkeypatch)
    search = Search(trials, 3)
    search.round(1)
    (found,) = search.found.values()
    assert msgspec.json.decode(msgspec.json.encode(found.smallest), type=Input) == found.smallest
    assert len(found.smallest.steps[0]) == 1
