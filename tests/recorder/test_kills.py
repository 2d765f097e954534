"""SIGKILL at any moment of a start, a compaction, a close, a rotation, a recovery: nothing is lost, the books agree."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cockpit.recorder import ledger, rotation
from tests.builders import STATE, Scene
from tests.recorder.team import (
    NOW,
    answers,
    closed_records,
    contents,
    events,
    fire,
    healthy,
    open_records,
    recovered,
    site_of,
    team,
)

KILLS = 200
ON = ("0" * 40, "main")


@pytest.fixture
def here(tmp_path: Path) -> Scene:
    return team(tmp_path / "repo")


def _rotated(root: Path) -> None:
    site = site_of(root)
    with ledger.Lock(site.state, 10):
        rotation.rotate(site.state, 5, NOW, "mara", ON)


def _in_a_child(act: Callable[[], object]) -> int:
    """Start a process that does one thing and ends."""
    child = os.fork()
    if child == 0:
        try:
            act()
        finally:
            os._exit(0)
    return child


def _acts(root: Path, turn: int) -> dict[str, Callable[[], object]]:
    return {
        "start": lambda: fire("claude-code", "start", f"new-{turn}", root),
        "end": lambda: fire("claude-code", "end", f"old-{turn}", root),
        "compact": lambda: fire("claude-code", "compact", f"old-{turn}", root),
        "rotation": lambda: _rotated(root),
        "recovery": lambda: recovered(root),
    }


def _mended(root: Path, before: set[str]) -> None:
    """What holds after a recovery: nothing that existed is lost, nothing needs a hand, a second one does nothing."""
    lost = contents(root)
    recovered(root)
    kept = contents(root)
    assert before - kept == set()
    assert lost - kept == set()
    _complete(root)
    assert recovered(root) == []


def _complete(root: Path) -> None:
    seen = healthy(root)["lifecycle.recovery"]
    for part in ("stranded", "orphans", "unreadable", "unaccounted"):
        assert seen[part] == [], part
    started = {line["session"] for line in _every_event(root, "session.started")}
    known = " ".join(p.name for p in closed_records(root)) + " ".join(p.read_text() for p in open_records(root))
    assert {session for session in started if session not in known} == set()


def _every_event(root: Path, name: str) -> list[dict[str, str]]:
    import json

    files = [*sorted((root / STATE).glob("ledger.*.archived")), root / STATE / "ledger.jsonl"]
    lines = [line for file in files if file.exists() for line in file.read_bytes().splitlines()]
    return [line for each in lines if each.strip() and (line := json.loads(each))["event"] == name]


def test_two_hundred_kills_at_random_moments_are_mended(here: Scene) -> None:
    chance = random.Random(20261130)
    turns = {"start": 0.012, "end": 0.02, "compact": 0.012, "rotation": 0.004, "recovery": 0.02}
    killed = 0
    for turn in range(KILLS):
        what = chance.choice(list(turns))
        if what in ("end", "compact"):
            fire("claude-code", "start", f"old-{turn}", here.root)
        before = {p.read_bytes() for p in closed_records(here.root)}
        child = _in_a_child(_acts(here.root, turn)[what])
        time.sleep(chance.uniform(0, turns[what]))
        os.kill(child, signal.SIGKILL)
        killed += os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
        if turn % 10 == 9:
            _mended(here.root, contents(here.root))
        assert before <= {p.read_bytes() for p in closed_records(here.root)}
    _mended(here.root, contents(here.root))
    assert killed > KILLS / 2


STEPS = ("open", "write", "link", "unlink", "rename", "symlink", "mkdir", "fsync", "rmdir", "ftruncate")


def killed_before(step: int, act: Callable[[], object]) -> bool:
    """Do ``act`` in a process that is killed before its n-th call that changes a disk; whether it came that far."""

    def counted() -> None:
        left, opens = step, os.open

        def deadly(original: Callable[..., object]) -> Callable[..., object]:
            def call(*arguments: object, **named: object) -> object:
                nonlocal left
                if original is not opens or _creates(*arguments):
                    left -= 1
                if left < 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                return original(*arguments, **named)

            return call

        for name in STEPS:
            setattr(os, name, deadly(getattr(os, name)))
        act()

    child = _in_a_child(counted)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def _creates(_: object, flags: int, *__: object) -> bool:
    return bool(flags & os.O_CREAT)


@pytest.mark.parametrize("what", ["start", "end", "compact", "rotation"])
def test_a_kill_before_each_single_step_is_mended(tmp_path: Path, what: str) -> None:
    scene = team(tmp_path / "repo")
    step, more = 0, True
    while more:
        for _ in range(4):
            fire("claude-code", "start", f"old-{step}", scene.root)
        more = killed_before(step, _acts(scene.root, step)[what])
        _mended(scene.root, contents(scene.root))
        step += 1
    assert step > (8 if what != "rotation" else 6)


def test_a_recoverykilled_before_each_single_step_is_completed_by_the_next(tmp_path: Path) -> None:
    scene = team(tmp_path / "repo")
    step, more = 0, True
    while more:
        _damage(scene, step)
        more = killed_before(step, lambda: recovered(scene.root))
        _mended(scene.root, contents(scene.root))
        step += 3
    assert step > 30


def _damage(scene: Scene, number: int) -> None:
    """A start without a record, a stranded record, an orphan that is the only copy, a fragment, a pointer to nothing."""
    lost, gone, only = (f"s-2026091100{number:04}-{letter * 4}" for letter in "abc")
    scene.ledger(*(scene.event("session.started", each) for each in (lost, gone, only)))
    scene.open_episode(f"gone-{number}", gone, worktree=scene.root.parent / "vanished")
    scene.closed_record(only, name=f".tmp.{number:06}")
    scene.write(f".ai/repo/sessions/.tmp.F{number:05}", "---\nschema: session/v1\nkind: ses")
    scene.write(f"{STATE}/sessions-open/.tmp.G{number:05}", "session_id: s-")
    scene.point_to("sessions-open/nowhere.yaml")
    assert not answers(scene.root)["lifecycle.recovery"]["balance"]["agrees"]


def test_a_killed_start_is_found_again(here: Scene) -> None:
    assert killed_before(5, lambda: fire("claude-code", "start", "a", here.root))
    fire("claude-code", "start", "a", here.root)
    assert len(open_records(here.root)) == 1
    _mended(here.root, contents(here.root))
    assert events(here.root, "session.started")
