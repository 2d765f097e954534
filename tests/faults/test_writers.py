"""A writer killed in the middle: of a line, of a rotation, of a rename."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from cockpit.recorder import rotation
from tests.builders import SESSIONS, STATE, Scene
from tests.faults.matrix import CONTINUITY, EPISODES, RECOVERY, Answers, Still, answers, crowded, process
from tests.recorder.test_kills import killed_before

FIRST, SECOND = "ledger.20260911T000000Z.jsonl.archived", "ledger.20260912T000000Z.jsonl.archived"


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return crowded(tmp_path / "repo")


@pytest.fixture
def server(scene: Scene) -> Still:
    """A process that has read everything before the writer was killed."""
    warm = process(scene)
    answers(warm)
    return warm


def _counted(given: Answers) -> tuple[object, ...]:
    """What the ledger's lines come to, wherever they stand."""
    facts = ("session_id", "events", "last_activity", "last_event", "tasks")
    episodes = [[each.get(key) for key in facts] for each in given[EPISODES]["episodes"]]
    return episodes, given[RECOVERY]["balance"]


# ---------------------------------------------------------------------- of a line
def test_a_line_that_is_being_written_is_no_event_and_no_fault_until_it_ends(scene: Scene, server: Still) -> None:
    before = answers(server)
    line = b'{"ts":"2026-09-11T03:00:00Z","event":"task.finished","session":"s-20260911000001-aaaa","task_id":"t-3"}'
    for cut in (1, len(line) // 2, len(line)):
        with (scene.state / "ledger.jsonl").open("r+b") as file:
            file.seek(0, os.SEEK_END)
            file.write(line[:cut])
        assert answers(server) == answers(process(scene)) == before
        os.truncate(scene.state / "ledger.jsonl", (scene.state / "ledger.jsonl").stat().st_size - cut)
    scene.ledger(line)
    after = answers(server)
    assert after == answers(process(scene))
    assert after[CONTINUITY]["tallies"]["ledger_lines"] == before[CONTINUITY]["tallies"]["ledger_lines"] + 1


def test_a_line_that_a_kill_left_open_costs_only_itself_once_the_next_writer_ended_it(
    scene: Scene, server: Still
) -> None:
    before = answers(server)
    scene.ledger('{"ts":"2026-09-11T03:0', end="")
    assert answers(server) == before
    scene.ledger("", scene.event("task.checkpoint", "s-20260911000001-aaaa", "2026-09-11T04:00:00Z"))
    after = answers(server)
    assert after == answers(process(scene))
    assert "1 ledger line does not parse; each costs only itself." in after[EPISODES]["findings"]
    events = {each["session_id"]: each["events"] for each in after[EPISODES]["episodes"]}
    assert events["s-20260911000001-aaaa"] == 5


# ---------------------------------------------------------------------- of a rotation
def test_the_recorder_s_rotationkilled_before_each_step_counts_every_line_once(scene: Scene, server: Still) -> None:
    state, ts, on = str(scene.state), "2026-11-30T12:00:00Z", ("0" * 40, "main")
    before = _counted(answers(server))
    step, keep = 0, 7
    while killed_before(step, lambda: rotation.rotate(state, keep, ts, "mara", on)):
        assert _counted(answers(process(scene))) == before, step
        assert _counted(answers(server)) == before, step
        step += 1
    assert step > 5
    assert _counted(answers(server)) == _counted(answers(process(scene))) == before


def _halved(data: bytes) -> bytes:
    return data[: len(data) // 2 - 7]


@pytest.mark.parametrize("part", [bytes, _halved], ids=["whole", "in the middle of a line"])
def test_an_archive_that_was_copied_and_not_yet_cut_is_not_counted_twice(
    scene: Scene, server: Still, part: Callable[[bytes], bytes]
) -> None:
    before = answers(server)
    live = scene.state / "ledger.jsonl"
    lines = live.read_bytes().splitlines(keepends=True)
    (scene.state / FIRST).write_bytes(part(b"".join(lines[:5])))
    assert answers(server) == answers(process(scene)) == before
    scene.ledger(scene.event("x", "s-1"))
    assert answers(server) == answers(process(scene))
    (scene.state / FIRST).write_bytes(b"".join(lines[:5]))
    (scene.state / "fresh").write_bytes(b"".join(lines[5:]))
    os.rename(scene.state / "fresh", live)
    assert _counted(answers(server)) == _counted(answers(process(scene))) == _counted(before)


@pytest.mark.parametrize("second", [3, 5, 7], ids=["fewer lines", "as many", "more lines"])
def test_what_a_killed_rotation_copied_and_the_next_one_archived_is_counted_once(
    scene: Scene, server: Still, second: int
) -> None:
    before = answers(server)
    live = scene.state / "ledger.jsonl"
    lines = live.read_bytes().splitlines(keepends=True)
    (scene.state / f"{FIRST}.rotating").write_bytes(b"".join(lines[:5]))
    assert answers(server) == before
    (scene.state / SECOND).write_bytes(b"".join(lines[:second]))
    live.write_bytes(b"".join(lines[second:]))
    assert _counted(answers(server)) == _counted(answers(process(scene))) == _counted(before)


def test_two_archives_that_begin_alike_are_both_counted(scene: Scene, server: Still) -> None:
    scene.ledger(scene.event("a", "s-1"), scene.event("b", "s-1"), name=FIRST)
    scene.ledger(scene.event("a", "s-1"), scene.event("c", "s-1"), name=SECOND)
    facts = server.look().ledger
    assert (facts.episodes["s-1"].events, process(scene).look().ledger.archived) == (4, 6)


# ---------------------------------------------------------------------- of a rename
REPLACED = [
    f"{STATE}/current.yaml",
    f"{STATE}/open-questions.md",
    f"{STATE}/sessions-open/here.yaml",
    f"{STATE}/handovers/h.md",
    ".ai/repo/policy.yaml",
]


@pytest.mark.parametrize("path", REPLACED)
def test_a_file_whose_replacement_was_not_renamed_yet_is_the_one_it_was(scene: Scene, server: Still, path: str) -> None:
    before, whole = answers(server), scene.root / path
    temporary = whole.with_name(".tmp.ABC123")
    temporary.write_bytes(whole.read_bytes()[:20])
    seen = answers(server)
    for each in (seen, before):  # git calls an untracked temporary file of the tracked half what it is
        for read in each.values():
            for key in [key for key in read if key.endswith("working_tree")]:
                del read[key]
    assert seen == before
    os.rename(temporary, whole)
    assert answers(server) == answers(process(scene)) != before


def test_a_record_that_was_linked_and_whose_temporary_name_is_left_is_counted_once(scene: Scene, server: Still) -> None:
    before = answers(server)
    os.link(scene.root / SESSIONS / "closed.md", scene.root / SESSIONS / ".tmp.ABC123")
    after = answers(server)
    assert after == answers(process(scene))
    assert after["lifecycle.closed"]["total"] == before["lifecycle.closed"]["total"]
    assert [each["holds"] for each in after[RECOVERY]["orphans"]] == ["record", "published"]
