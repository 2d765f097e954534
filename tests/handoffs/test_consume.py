"""``cockpit handoff consume``: marked, moved, indexed; nothing deleted, nothing overwritten, nothing committed."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cockpit.formats import instants, letter_index, letter_text
from cockpit.formats.letter import CONSUMED, HEAD, parse
from cockpit.handoffs import archiving, creating
from cockpit.handoffs.desk import Desk, alone_here
from cockpit.housekeeping import writing
from cockpit.reads.handoffs_state import HandoffsState
from cockpit.store.git import Answer
from tests.builders import Scene, paste
from tests.handoffs.letters import ARCHIVE, DAY, LIVE, NAME, OTHER, archived, body, consumed, letter, live
from tests.handoffs.running import TEXT, handoff, kept, new, pasted, written
from tests.housekeeping import killing
from tests.looking import ask, checkout
from tests.reads.test_handoffs_state import RULES
from tests.store.test_files import without_power

WHEN = "2026-09-12T12:00:00Z"


def answer(scene: Scene) -> HandoffsState:
    found = ask(scene, "handoffs.state", datetime.now(UTC))
    assert isinstance(found, HandoffsState)
    return found


# ---------------------------------------------------------------------- what it does
@pytest.mark.parametrize("tracked", [True, False])
def test_a_letter_is_marked_moved_and_indexed(scene: Scene, tracked: bool) -> None:
    text = letter(status="active - mind the printer")
    live(scene, text)
    if tracked:
        scene.commit("Hand over")
    head = scene.head
    ran = handoff(scene, "consume", f"{LIVE}/{NAME}")
    (path,) = kept(scene)
    after = path.read_text()
    read = parse(after.encode())
    assert (ran.exit_code, written(scene), read.status.word, read.status.prose) == (
        0,
        [],
        "consumed",
        "mind the printer",
    )
    assert instants.parse(read.text("Consumed-at")) is not None
    assert after.replace("consumed -", "active -").replace(read.text("Consumed-at"), "pending") == text
    noted = letter_index.parse((scene.root / ARCHIVE / "INDEX.md").read_bytes())[NAME]
    assert (noted.digest, noted.was) == (read.digest, hashlib.sha256(text.encode()).hexdigest())
    assert scene.head == head
    assert scene.git("ls-files", "docs").split() == ([f"{ARCHIVE}/{NAME}", f"{ARCHIVE}/INDEX.md"] if tracked else [])
    assert answer(scene).findings == []


def test_the_diff_is_printed_and_it_is_the_change(scene: Scene) -> None:
    live(scene, letter())
    said = handoff(scene, "consume", f"{LIVE}/{NAME}").stdout
    for line in (
        f"rename from {LIVE}/{NAME}",
        "-Status: active",
        "+Status: consumed",
        "-Consumed-at: pending",
        f"+++ b/{ARCHIVE}/INDEX.md",
    ):
        assert line in said.split("\n")


@pytest.mark.parametrize("named", [f"{LIVE}/{NAME}", f"{ARCHIVE}/{NAME}"])
def test_consuming_twice_says_so_and_changes_nothing(scene: Scene, named: str) -> None:
    live(scene, letter())
    handoff(scene, "consume", f"{LIVE}/{NAME}")
    before = scene.picture()
    ran = handoff(scene, "consume", named)
    assert (ran.exit_code, "was consumed at" in ran.stdout, scene.picture() == before) == (0, True, True)


def test_a_letter_is_named_from_where_one_stands(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    live(scene, letter())
    monkeypatch.chdir(scene.root / LIVE)
    assert handoff(scene, "consume", NAME).exit_code == 0
    assert len(kept(scene)) == 1


def test_a_file_that_has_the_name_in_the_archive_is_not_overwritten(scene: Scene) -> None:
    live(scene, letter())
    archived(scene, consumed(effort="other"))
    before = scene.picture()
    ran = handoff(scene, "consume", f"{LIVE}/{NAME}")
    assert (ran.exit_code, "nothing is overwritten" in ran.stderr, scene.picture() == before) == (3, True, True)


@pytest.mark.parametrize("what", ["letter", "archive", "index"])
def test_nothing_is_read_or_written_through_a_link(scene: Scene, tmp_path: Path, what: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / NAME).write_text(letter())
    if what == "letter":
        (scene.root / LIVE).mkdir(parents=True)
        (scene.root / LIVE / NAME).symlink_to(outside / NAME)
    else:
        live(scene, letter())
        (scene.root / ARCHIVE).parent.mkdir(exist_ok=True)
        if what == "archive":
            (scene.root / ARCHIVE).symlink_to(outside)
        else:
            (scene.root / ARCHIVE).mkdir()
            (scene.root / ARCHIVE / "INDEX.md").symlink_to(outside / NAME)
    before, there = scene.picture(), (outside / NAME).read_text()
    ran = handoff(scene, "consume", f"{LIVE}/{NAME}")
    assert (ran.exit_code in (1, 3), scene.picture() == before, (outside / NAME).read_text()) == (True, True, there)
    assert len(list(outside.iterdir())) == 1


def test_a_letter_whose_bytes_are_not_those_of_the_index_is_left_alone(scene: Scene) -> None:
    archived(scene, consumed(consumed_at="pending"), noted=f"; sha256:{'0' * 64}")
    before = scene.picture()
    assert (handoff(scene, "consume", f"{ARCHIVE}/{NAME}").exit_code, scene.picture() == before) == (3, True)


def test_a_line_that_a_person_wrote_into_the_index_stays(scene: Scene) -> None:
    archived(scene, letter(), noted=" - went well")
    handoff(scene, "consume", f"{ARCHIVE}/{NAME}")
    assert (scene.root / ARCHIVE / "INDEX.md").read_text().endswith(f"- [{NAME}]({NAME}) - went well\n")
    assert answer(scene).findings == []


def test_a_tracked_letter_that_was_moved_by_hand_is_moved_in_gits_index_too(scene: Scene) -> None:
    live(scene, letter())
    scene.commit("Hand over")
    (scene.root / ARCHIVE).mkdir(parents=True)
    (scene.root / LIVE / NAME).rename(scene.root / ARCHIVE / NAME)
    handoff(scene, "consume", f"{ARCHIVE}/{NAME}")
    assert scene.git("ls-files", "docs").split() == [f"{ARCHIVE}/{NAME}", f"{ARCHIVE}/INDEX.md"]
    assert "D " not in scene.git("status", "--porcelain", "--no-renames").replace("D  docs/handoffs", "")


def test_what_a_letter_leaves_open_is_said_before_it_is_archived_as_it_is(scene: Scene) -> None:
    live(scene, letter(body(more="\nTBD\n"), status="awaiting-human - A5 or A6?"))
    ran = handoff(scene, "consume", f"{LIVE}/{NAME}")
    said = ran.stderr.split("\n")
    assert (ran.exit_code, len(kept(scene))) == (0, 1)
    assert said[0] == f"{LIVE}/{NAME}: the question of this letter is unanswered."
    assert (": placeholder: " in said[1], said[1].endswith("The archive keeps it as it is.")) == (True, True)
    assert "unanswered" not in handoff(scene, "consume", NAME).stderr


def test_a_letter_that_is_not_there_is_said(scene: Scene) -> None:
    live(scene, letter())
    ran = handoff(scene, "consume", "README.md")
    assert (ran.exit_code, f"There is no letter README.md in {LIVE} or {ARCHIVE}." in ran.stderr) == (3, True)


class _Meddled(Desk):
    """A desk beside which somebody writes into the letter while git moves it."""

    def git(self, *arguments: str, codes: tuple[int, ...] = (0,)) -> Answer:
        answered = super().git(*arguments, codes=codes)
        if arguments[0] == "mv":
            with open(os.path.join(self.root, ARCHIVE, NAME), "a", encoding="utf-8") as file:
                file.write("A word more.\n")
        return answered


def test_what_somebody_writes_meanwhile_is_not_lost(scene: Scene) -> None:
    live(scene, letter())
    scene.commit("Hand over")
    desk = _Meddled(checkout(scene), datetime(2026, 9, 12, 12, tzinfo=UTC), str(scene.root))
    with pytest.raises(writing.Changed):
        archiving.consume(desk, desk.find(f"{LIVE}/{NAME}"))
    assert (scene.root / ARCHIVE / NAME).read_text() == f"{letter()}A word more.\n"


def test_one_run_waits_for_another_and_not_for_ever(scene: Scene) -> None:
    with alone_here(str(scene.root)), pytest.raises(writing.Busy), alone_here(str(scene.root), 0.05):
        pass
    with alone_here(str(scene.root), 0):
        pass


# ---------------------------------------------------------------------- what the next commit holds
def _cloned(scene: Scene) -> Scene:
    to = scene.root.parent / "clone"
    subprocess.run(["git", "clone", "--quiet", str(scene.root), str(to)], check=True)
    return Scene(to)


@pytest.mark.parametrize("superseded", [False, True])
def test_an_ordinary_commit_publishes_an_archive_that_is_whole(scene: Scene, superseded: bool) -> None:
    for name, leg in ((NAME, "1"), (OTHER, "2")):
        live(scene, letter(leg=leg), name)
    scene.commit("Hand over")
    handoff(scene, "consume", f"{LIVE}/{OTHER}")
    if superseded:
        new(scene, "--write", "--supersedes", f"{LIVE}/{NAME}", slug="two")
    else:
        handoff(scene, "consume", f"{LIVE}/{NAME}")
    scene.git("commit", "--quiet", "--message", "x")
    checked = handoff(_cloned(scene), "check")
    assert (checked.exit_code, checked.stdout) == (0, "0 letters in force, 2 in the archive: 0 errors, 0 warnings.\n")


def _printed(said: str) -> list[str]:
    return [line.strip() for line in said.split("\n") if line.startswith("    git ")]


@pytest.mark.parametrize("name", [NAME, f"HANDOFF-{DAY}-a b'[c]*.md"])
@pytest.mark.parametrize("tracked", ["committed", "added", "not"])
def test_the_commands_that_are_printed_commit_the_letter_and_nothing_else(
    scene: Scene, tracked: str, name: str
) -> None:
    live(scene, letter(), name)
    if tracked == "committed":
        scene.commit("Hand over")
    elif tracked == "added":
        scene.git("add", LIVE)
    scene.write("other.txt", "staged by somebody else")
    scene.git("add", "other.txt")
    commands = _printed(handoff(scene, "consume", f"{LIVE}/{name}").stderr)
    assert [" add " in each for each in commands] == ([True, False] if tracked == "not" else [False])
    for each in commands:
        ran = paste(each)
        assert ran.returncode == 0, ran.stderr
    assert handoff(_cloned(scene), "check").stdout.startswith("0 letters in force, 1 in the archive: 0 errors, 0 warn")
    assert scene.git("status", "--porcelain").split("\n") == ["A  other.txt"]
    assert _printed(handoff(scene, "consume", name).stderr) == []


def test_what_a_person_wrote_into_the_index_is_left_to_that_person_to_stage(scene: Scene) -> None:
    live(scene, letter())
    scene.write(f"{ARCHIVE}/INDEX.md", "# Done\n")
    scene.commit("Hand over")
    scene.write(f"{ARCHIVE}/INDEX.md", "# Done\n\nA draft.\n")
    ran = handoff(scene, "consume", f"{LIVE}/{NAME}")
    assert scene.git("show", f":{ARCHIVE}/INDEX.md") == "# Done"
    assert "Status: consumed" in scene.git("show", f":{ARCHIVE}/{NAME}")
    assert _printed(ran.stderr)[0].endswith(f" add -- {ARCHIVE}/INDEX.md")


def test_letters_that_git_ignores_are_left_out_of_git(scene: Scene) -> None:
    scene.write(".gitignore", "docs/\n")
    live(scene, letter())
    assert handoff(scene, "consume", f"{LIVE}/{NAME}").stderr == ""


# ---------------------------------------------------------------------- folders that may not be written to
@pytest.fixture
def theirs(monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    """A scene with a letter and an archive, owned by a user to whom permissions apply, where every user may go."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        monkeypatch.setenv("HOME", folder)
        scene = Scene.create(Path(folder) / "repo")
        live(scene, letter())
        archived(scene, consumed(leg="0"), OTHER)
        handoff(scene, "check")  # what is imported late is imported while that is allowed
        for path in (scene.root, *scene.root.rglob("*")) if os.geteuid() == 0 else ():
            os.chown(path, 65534, 65534, follow_symlinks=False)
        yield scene


@pytest.mark.parametrize("closed", [LIVE, ARCHIVE, "docs"])
@pytest.mark.parametrize("tracked", [True, False])
def test_a_letter_that_may_not_be_moved_has_one_name_and_both_folders_are_said(
    theirs: Scene, closed: str, tracked: bool
) -> None:
    if tracked:
        with without_power():
            theirs.git("add", LIVE)
    if closed == "docs":
        shutil.rmtree(theirs.root / ARCHIVE)
    before = _bytes(theirs)
    (theirs.root / closed).chmod(0o555)
    with without_power():
        ran = handoff(theirs, "consume", f"{LIVE}/{NAME}")
        (theirs.root / closed).chmod(0o755)
        assert (ran.exit_code, _bytes(theirs) == before) == (1, True)
        assert f"{NAME} cannot be moved from {LIVE} to {ARCHIVE}: " in ran.stderr
        assert "ermission denied. It is where it was, unchanged. " in ran.stderr
        assert handoff(theirs, "consume", f"{LIVE}/{NAME}").exit_code == 0


# ---------------------------------------------------------------------- how a letter is marked
@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("Status: active\nConsumed-at: pending\n", f"Status: consumed\nConsumed-at: {WHEN}\n"),
        (
            "**Status**: ACTIVE; x\r\n- **Consumed-at:** pending\r\n",
            f"**Status**: consumed; x\r\n- **Consumed-at:** {WHEN}\r\n",
        ),
        ("**Status: active**\n**Consumed-at: pending**\n", f"**Status: consumed**\n**Consumed-at: {WHEN}**\n"),
        ("# T\n\nEffort: e\n", f"# T\n\nConsumed-at: {WHEN}\nStatus: consumed\nEffort: e\n"),
        ("# T\n", f"Consumed-at: {WHEN}\nStatus: consumed\n\n# T\n"),
        ("Status: 42\nConsumed-at:\n", f"Status: consumed\nConsumed-at: {WHEN}\n"),
        (
            "Status: active\nConsumed-at: 2026-01-01T00:00:00Z\n",
            "Status: consumed\nConsumed-at: 2026-01-01T00:00:00Z\n",
        ),
        ("\ufeffStatus: active\nConsumed-at: pending", f"\ufeffStatus: consumed\nConsumed-at: {WHEN}"),
    ],
)
def test_a_letter_is_marked_and_no_other_byte_changes(text: str, marked: str) -> None:
    assert letter_text.consumed(text.encode(), WHEN).decode() == marked


_PIECES = [
    b"Status: active\n",
    b"**Leg:** 1\r\n",
    b"Consumed-at: x\n",
    b"# T\n",
    b"\xff\n",
    b"\n",
    b"```\n",
    b"a" * HEAD,
    b"<!--\n",
]


@given(st.lists(st.sampled_from(_PIECES), max_size=12).map(b"".join))
def test_whatever_is_marked_is_consumed_and_marking_again_changes_nothing(data: bytes) -> None:
    once = letter_text.consumed(data, WHEN)
    read = parse(once)
    assert (read.status.word, read.text("Consumed-at")) == (CONSUMED, WHEN)
    assert letter_text.consumed(once, "2027-01-01T00:00:00Z") == once
    kept_lines = [line for line in data.split(b"\n") if not line.startswith((b"Status", b"Consumed"))]
    assert [line for line in once.split(b"\n") if line in kept_lines or not line]  # nothing but fields is touched
    assert len(once.split(b"\n")) - len(data.split(b"\n")) in (0, 1, 2, 3)


@given(
    st.lists(
        st.sampled_from([b"# x\n", b"- a\r\n", b"- [x](x.md)\n", b"HANDOFF-2026-01-01-b.md\n", b"\xff", b"\n"])
    ).map(b"".join)
)
def test_an_index_keeps_every_other_line(data: bytes) -> None:
    line = letter_index.entry("HANDOFF-2026-01-01-é \n.md", "effort e", "1" * 64, "2" * 64)
    once = letter_index.with_entry(data, "HANDOFF-2026-01-01-é \n.md", line)
    assert letter_index.parse(once)["HANDOFF-2026-01-01-é \n.md"].was == "2" * 64
    assert once.startswith(data)
    other = letter_index.entry("HANDOFF-2026-01-01-é \n.md", "effort e", "3" * 64, "")
    assert (
        letter_index.with_entry(once, "HANDOFF-2026-01-01-é \n.md", other).replace(other.encode(), line.encode())
        == once
    )


# ---------------------------------------------------------------------- every command settles its finding
@pytest.mark.parametrize("name", [NAME, f"HANDOFF-{DAY}-a b'c.md", f"HANDOFF-{DAY}-$(touch x)\udcff\n.md"])
@pytest.mark.parametrize("tracked", [True, False])
def test_a_command_works_for_any_name_and_place(tmp_path: Path, name: str, tracked: bool) -> None:
    scene = Scene.create(tmp_path / "it's a \n place")
    live(scene, consumed(), name)
    if tracked:
        scene.commit("Hand over")
    (found,) = answer(scene).findings
    assert isinstance(found.remedy, str)
    ran = paste(pasted(found.remedy))
    assert (ran.returncode, answer(scene).findings) == (0, [])
    for each in _printed(ran.stderr.decode()):
        assert paste(each).returncode == 0
    assert scene.git("status", "--porcelain") == ""
    assert not (scene.root / "x").exists()
    assert os.listdir(scene.root / LIVE) == []


@pytest.mark.parametrize("code", RULES)
def test_the_command_of_a_finding_settles_it(scene: Scene, code: str) -> None:
    RULES[code][0](scene)
    (found,) = answer(scene).findings
    if not found.remedy:
        assert code not in {"consumed-live", "consumed-undated", "active-archived", "superseded-active", "not-indexed"}
        return
    ran = paste(pasted(found.remedy))
    assert (ran.returncode, answer(scene).findings) == (0, [])


# ---------------------------------------------------------------------- a kill at any moment
def _bytes(scene: Scene) -> dict[str, bytes]:
    folders = (scene.root / LIVE, scene.root / ARCHIVE)
    return {f"{each.name}/{p.name}": p.read_bytes() for each in folders if each.is_dir() for p in each.iterdir()}


def _desk(scene: Scene) -> Desk:
    return Desk(checkout(scene), datetime(2026, 9, 12, 12, tzinfo=UTC), str(scene.root))


def _consume(scene: Scene) -> object:
    desk = _desk(scene)
    return archiving.consume(desk, desk.find(f"{LIVE}/{NAME}"))


def _supersede(scene: Scene) -> object:
    desk = _desk(scene)
    wanted = creating.Wanted("labels", "1", "two", f"{LIVE}/{NAME}", datetime(2026, 9, 12, tzinfo=UTC).date())
    return creating.write(desk, creating.draft(desk, wanted, TEXT.encode()))


@pytest.mark.parametrize("work", [_consume, _supersede])
@pytest.mark.parametrize("tracked", [True, False])
def test_a_kill_at_any_moment_loses_nothing_and_the_next_run_ends_the_same(
    tmp_path: Path, work: Callable[[Scene], object], tracked: bool
) -> None:
    start = Scene.create(tmp_path / "start")
    live(start, letter())
    archived(start, consumed(effort="other"), OTHER)
    if tracked:
        start.commit("Hand over")
    calm = _copy(start, tmp_path / "calm")
    calls = killing.run(lambda: work(calm), calls=killing.WRITES)
    assert calls
    ended, index = _bytes(calm), calm.git("ls-files", "--stage", "docs")
    for moment in range(calls):
        scene = _copy(start, tmp_path / "killed")
        if killing.run(lambda scene=scene: work(scene), dies_at=moment, calls=killing.WRITES) is None:  # type: ignore[misc]
            held = [data for name, data in _bytes(scene).items() if NAME in name]
            assert held
            assert all(
                letter().encode() == data or data == ended[f"archive/{NAME}"]
                for data in held
                if b"\n## Verification" in data
            )
            if work is _consume or not (scene.root / LIVE / "HANDOFF-2026-09-12-two.md").exists():
                work(scene)
        assert {name: data for name, data in _bytes(scene).items() if ".tmp." not in name} == ended, moment
        assert scene.git("ls-files", "--stage", "docs") == index, moment
        shutil.rmtree(scene.root)


def _copy(scene: Scene, to: Path) -> Scene:
    shutil.copytree(scene.root, to, symlinks=True)
    return Scene(to)


# ---------------------------------------------------------------------- from the first letter to the last
def test_two_efforts_three_legs_a_superseded_letter_and_a_consumed_one(scene: Scene) -> None:
    assert new(scene, "--write", slug="labels-1").exit_code == 0
    assert new(scene, "--write", effort="returns", slug="returns-1").exit_code == 0
    scene.commit("Two letters")
    first = next(path for path in written(scene) if "labels" in path.name)
    assert new(scene, "--write", "--supersedes", f"{LIVE}/{first.name}", leg="2", slug="labels-2").exit_code == 0
    returns = next(path for path in written(scene) if "returns" in path.name)
    assert handoff(scene, "consume", f"{LIVE}/{returns.name}").exit_code == 0
    found = answer(scene)
    assert [(each.effort, each.leg, each.stand) for each in found.active] == [("labels", "2", "exact")]
    assert sorted(str(each.effort) for each in found.archive) == ["labels", "returns"]
    checked = handoff(scene, "check")
    assert (checked.exit_code, checked.stdout) == (0, "1 letter in force, 2 in the archive: 0 errors, 0 warnings.\n")
