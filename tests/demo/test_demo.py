"""The demonstration repository holds what it promises, is the same every time, and leaves nothing behind."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

import pytest

from cockpit.demo import build, demonstration
from cockpit.formats import credentials
from cockpit.housekeeping import rotating
from cockpit.reads.letter_rules import Code
from cockpit.store import surfaces
from tests import looking
from tests.builders import SESSIONS, STATE, Scene
from tests.serving import ask, served

PROJECT = Path(__file__).parents[2]
NOW = datetime(2026, 11, 30, 9, 12, 44, 123456, tzinfo=UTC)


@pytest.fixture(scope="module")
def morning(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    return Scene(build(tmp_path_factory.mktemp("demo"), NOW))


# ---------------------------------------------------------------------- what it holds
def test_six_episodes_of_three_providers_are_open_and_one_was_opened_by_hand(morning: Scene) -> None:
    records = _open(morning)
    assert sorted(record.get("provider", "by hand") for record in records) == [
        "by hand", "claude-code", "claude-code", "codex", "codex", "gemini",
    ]  # fmt: skip


def test_the_pointer_leads_to_an_episode_of_this_worktree(morning: Scene) -> None:
    pointer = morning.state / "session-current.yaml"
    assert pointer.is_symlink()
    assert _fields(pointer.read_text())["worktree"] == str(morning.root)


def test_episodes_are_here_in_another_checkout_in_none_and_in_a_folder_that_is_gone(morning: Scene) -> None:
    places = Counter(_kind_of_place(Path(record["worktree"]), morning.root) for record in _open(morning))
    assert places == {"here": 3, "a linked worktree": 1, "no checkout": 1, "gone": 1}


def test_one_open_record_names_no_episode(morning: Scene) -> None:
    files = list((morning.state / "sessions-open").iterdir())
    assert len(files) == 7
    assert sum(not _fields(path.read_text())["session_id"] for path in files) == 1


def test_thirty_records_are_tracked_and_two_episodes_have_two(morning: Scene) -> None:
    tracked = [_fields((morning.root / path).read_text()) for path in _tracked(morning)]
    assert len(tracked) == 30
    assert sorted(Counter(record["session_id"] for record in tracked).values())[-3:] == [1, 2, 2]
    assert len({record["branch"] for record in tracked}) >= 4
    assert {record["outcome"] for record in tracked} == {"closed", "interrupted", "abandoned"}


def test_one_record_is_not_tracked_yet(morning: Scene) -> None:
    on_disk = {f"{SESSIONS}/{path.name}" for path in (morning.root / SESSIONS).glob("2*.md")}
    assert len(on_disk - set(_tracked(morning))) == 1


def test_the_orphans_are_an_only_copy_a_double_and_a_fragment(morning: Scene) -> None:
    published = {_fields((morning.root / path).read_text())["session_id"] for path in _tracked(morning)}
    orphans = [path.read_text() for path in (morning.root / SESSIONS).glob(".tmp.*")]
    whole = [_fields(text)["session_id"] for text in orphans if text.count("---\n") >= 2]
    assert len(orphans) == 3
    assert sorted(session in published for session in whole) == [False, True]


def test_the_books_miss_one_episode(morning: Scene) -> None:
    events = Counter(line["event"] for line in _ledger(morning))
    started, closed, recovered = (events[f"session.{word}"] for word in ("started", "closed", "recovered"))
    assert started - closed - recovered - len(_open(morning)) == 1


def test_one_ledger_line_is_torn_and_older_lines_are_in_an_archive(morning: Scene) -> None:
    assert sum(not _parses(line) for line in (morning.state / "ledger.jsonl").read_text().splitlines()) == 1
    assert len(list(morning.state.glob("ledger.*.jsonl.archived"))) == 1


def test_every_open_episode_was_heard_of_in_the_last_two_days(morning: Scene) -> None:
    heard = {line["session"]: line["ts"] for line in _ledger(morning) if "session" in line}
    assert {heard[record["session_id"]] > "2026-11-28T09:12:44Z" for record in _open(morning)} == {True}
    assert max(heard.values()) == "2026-11-30T09:08:44Z"


def test_the_newest_handover_of_the_branch_is_stale_and_head_has_left_it_behind(morning: Scene) -> None:
    handover = _newest_note(morning, "handovers")
    assert _minutes_old(handover) >= 2880
    assert handover["head"] != morning.head
    morning.git("merge-base", "--is-ancestor", handover["head"], "HEAD")


def test_the_newest_checkpoint_of_the_branch_is_fresh_and_exact(morning: Scene) -> None:
    checkpoint = _newest_note(morning, "checkpoints")
    assert _minutes_old(checkpoint) < 720
    assert checkpoint["head"] == morning.head


def test_a_task_is_active_and_two_questions_block_it(morning: Scene) -> None:
    assert _fields((morning.state / "current.yaml").read_text())["id"].startswith("t-")
    questions = (morning.state / "open-questions.md").read_text().split("-->")[1]
    assert questions.count("- [unresolved] ") == 2


def test_every_commit_that_is_named_exists(morning: Scene) -> None:
    named = {line["head"] for line in _ledger(morning) if set(line["head"]) != {"0"}}
    named |= {_fields((morning.root / path).read_text()).get("head", morning.head) for path in _tracked(morning)}
    assert set(morning.git("rev-list", "--all").split()) >= named


def test_letters_go_on_wait_lie_in_the_archive_and_break_every_rule_once(morning: Scene) -> None:
    found = looking.ask(morning, "handoffs.state", NOW)
    assert ("labels", "advanced") in [(each.effort, each.stand) for each in found.active]
    assert [(each.effort, each.status) for each in found.waiting] == [("returns", "awaiting-human")]
    assert sorted(each.code for each in found.findings) == sorted(get_args(Code))
    assert (len(found.archive), found.faults) == (6, [])


def test_the_credential_of_a_letter_stands_in_no_source_and_is_masked(morning: Scene) -> None:
    sources = "\n".join(path.read_text("utf-8") for path in (PROJECT / "cockpit/demo").glob("*.py"))
    (said,) = [each.sentence for each in looking.ask(morning, "handoffs.state", NOW).findings if each.code == "secret"]
    assert credentials.find(sources) == []
    assert "Demonstration" not in said


def test_of_three_documents_one_waits_one_is_in_order_and_one_lost_an_archive_file(morning: Scene) -> None:
    found = looking.ask(morning, "surfaces.state", NOW)
    assert found.present
    assert [(each.name, each.states, each.archived) for each in found.surfaces] == [
        ("decisions", ["waiting"], 0), ("progress", ["in order"], 2), ("incidents", ["broken"], 1),
    ]  # fmt: skip


def test_a_rotation_changes_nothing_of_what_was_rotated(morning: Scene) -> None:
    for surface in surfaces.below(str(morning.root)).surfaces:
        assert rotating.rotate(surface, dry_run=True).idle == (surface.name != "decisions")


def test_periodic_hygiene_is_overdue(morning: Scene) -> None:
    hygiene = looking.ask(morning, "handoffs.state", NOW).hygiene
    assert (hygiene.due, hygiene.overdue_minutes) == ("overdue", 2 * 1440)


# ---------------------------------------------------------------------- how it is built
def test_two_builds_with_one_now_differ_in_the_folder_alone(tmp_path: Path) -> None:
    one, other = (build(tmp_path / name, NOW) for name in ("one", "other"))
    assert _texts(one) == _texts(other)
    assert Scene(one).head == Scene(other).head


def test_the_users_own_git_does_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Scene(build(tmp_path / "plain", NOW)).head
    home = tmp_path / "home"
    (home / "hooks").mkdir(parents=True)
    hook = home / "hooks" / "pre-commit"
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    (home / ".gitconfig").write_text(
        f"[commit]\n\tgpgsign = true\n[init]\n\tdefaultBranch = trunk\n[user]\n\tname = Somebody\n"
        f"[core]\n\thooksPath = {home}/hooks\n\texcludesFile = {home}/ignore\n\tautocrlf = true\n"
    )
    (home / "ignore").write_text("*.py\n")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_DIR", str(home / "elsewhere"))
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Somebody")
    assert Scene(build(tmp_path / "configured", NOW)).head == plain
    assert not (home / "elsewhere").exists()


def test_it_is_built_in_under_three_seconds(tmp_path: Path) -> None:
    begun = time.monotonic()
    build(tmp_path / "demo", NOW)
    assert time.monotonic() - begun < 3


# ---------------------------------------------------------------------- that it goes away
@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that temporary folders are made in, for this process and for what it starts."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return folder


def test_nothing_is_left_when_the_looking_is_over(temporary: Path) -> None:
    with demonstration(NOW) as root:
        assert root.is_relative_to(temporary.resolve())
        assert (root / STATE).is_dir()
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("end", [KeyboardInterrupt, SystemExit, OSError])
def test_nothing_is_left_when_the_looking_is_cut_short(temporary: Path, end: type[BaseException]) -> None:
    with pytest.raises(end), demonstration(NOW):
        raise end
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_command_serves_the_page_and_takes_everything_away_when_ended(temporary: Path, number: int) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a run in the background would hand on "ignored"
    with served([sys.executable, "-m", "cockpit", "demo", "--port", "0"], PROJECT) as (address, process):
        page = ask(f"{address}/cockpit/continuity")
        assert len(list(temporary.glob("cockpit-demo-*"))) == 1
        process.send_signal(number)
        process.communicate(timeout=10)
    assert page.status == 200
    assert list(temporary.iterdir()) == []


def test_the_command_takes_everything_away_when_it_is_ended_while_it_builds(temporary: Path) -> None:
    command = [sys.executable, "-m", "cockpit", "demo", "--port", "0"]
    with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while not list(temporary.glob("cockpit-demo-*/parcels/.git/config")) and process.poll() is None:
            time.sleep(0.002)
        process.terminate()
    assert list(temporary.iterdir()) == []


# ---------------------------------------------------------------------- looking at the files
def _fields(text: str) -> dict[str, str]:
    """The top-level fields of a record, without their quotes: the demonstration writes none that needs more care."""
    return {key: value.strip('"') for key, value in re.findall(r"^(\w+): ?(.*)$", text, re.MULTILINE)}


def _open(morning: Scene) -> list[dict[str, str]]:
    records = (_fields(path.read_text()) for path in (morning.state / "sessions-open").iterdir())
    return [record for record in records if record["session_id"]]


def _kind_of_place(worktree: Path, root: Path) -> str:
    if worktree == root:
        return "here"
    if not worktree.exists():
        return "gone"
    return "a linked worktree" if (worktree / ".git").is_file() else "no checkout"


def _tracked(morning: Scene) -> list[str]:
    return [path for path in morning.git("ls-files", SESSIONS).split() if not path.endswith("README.md")]


def _ledger(morning: Scene) -> list[dict[str, str]]:
    """All whole lines, those of the archive first."""
    files = (*morning.state.glob("ledger.*.jsonl.archived"), morning.state / "ledger.jsonl")
    return [json.loads(line) for path in files for line in path.read_text().splitlines() if _parses(line)]


def _parses(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def _newest_note(morning: Scene, kind: str) -> dict[str, str]:
    notes = (_fields(path.read_text()) for path in (morning.state / kind).iterdir())
    return max((note for note in notes if note["branch"] == "main"), key=lambda note: note["created_at"])


def _minutes_old(note: dict[str, str]) -> float:
    return (NOW - datetime.fromisoformat(note["created_at"])).total_seconds() / 60


def _texts(root: Path) -> dict[str, str]:
    """Every file and link beside and below the repository, git's own left out, with the folder's name taken out.

    A note's file name ends in a digest of its text, which holds the folder's name: that is taken out too.
    """
    digest = re.compile(r"--[0-9a-f]{16}\.md$")
    return {digest.sub("", str(path.relative_to(root.parent))): text for path, text in _contents(root.parent)}


def _contents(folder: Path) -> Iterator[tuple[Path, str]]:
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            yield path, str(path.readlink())
        elif path.is_file() and ".git" not in path.parts and path.name != ".git":
            yield path, path.read_text().replace(os.fspath(folder), "")
