"""Never lose, never tear: real processes on one ledger, a full disk, a read-only one, a lock that is not given back."""

from __future__ import annotations

import errno
import fcntl
import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from cockpit.recorder import ledger
from tests.builders import STATE, Scene
from tests.recorder.team import (
    NOW,
    answers,
    cockpit,
    events,
    fire,
    healthy,
    hooked,
    open_records,
    payload,
    recovered,
    team,
)

ON = ("0" * 40, "main")
PROCESSES, EACH = 16, 500


@pytest.fixture
def here(tmp_path: Path) -> Scene:
    scene = team(tmp_path / "repo")
    (scene.root / STATE).mkdir(parents=True, mode=0o700)
    return scene


def _appends(state: str, number: int) -> None:
    for count in range(EACH):
        with ledger.Lock(state, 60):
            ledger.append(
                state, [ledger.event("test", NOW, "mara", ON, note=f"{number}-{count}", more="x" * (count % 97))]
            )


def test_sixteen_processes_of_five_hundred_events_leave_eight_thousand_whole_lines(here: Scene) -> None:
    state = str(here.root / STATE)
    fork = multiprocessing.get_context("fork")
    processes = [fork.Process(target=_appends, args=(state, number)) for number in range(PROCESSES)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * PROCESSES
    notes = [line["note"] for line in events(here.root)]
    assert len(notes) == len(set(notes)) == PROCESSES * EACH
    for number in range(PROCESSES):
        assert [n for n in notes if n.startswith(f"{number}-")] == [f"{number}-{count}" for count in range(EACH)]
    assert answers(here.root)["continuity.state"]["tallies"]["ledger_lines"] == PROCESSES * EACH


def test_a_torn_last_line_costs_only_itself(here: Scene) -> None:
    here.ledger('{"ts":"2026-11-30T11:00:00Z","event":"task.che', end="")
    fire("claude-code", "start", "a", here.root)
    lines = (here.root / STATE / "ledger.jsonl").read_bytes().split(b"\n")
    assert lines[0].endswith(b"task.che")
    assert lines[-1] == b""
    assert answers(here.root)["lifecycle.episodes"]["episodes"][0]["events"] == 1


def test_a_full_disk_is_said_and_leaves_no_torn_line(here: Scene) -> None:
    fire("claude-code", "start", "a", here.root)
    path = here.root / STATE / "ledger.jsonl"
    before = path.read_bytes()

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 40, len(before) + 40))

    done = subprocess.run(
        [sys.executable, "-m", "cockpit", "hook", "claude-code"],
        input=_json(payload("claude-code", "start", "b", here.root)),
        preexec_fn=small,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"File too large" in done.stderr
    assert path.read_bytes() == before
    assert [p.stem for p in open_records(here.root)] == ["a"]
    healthy(here.root)


def test_a_full_disk_at_a_close_keeps_the_episode_open(here: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    fire("claude-code", "start", "a", here.root)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr("cockpit.recorder.durable.write_all", full)
        fire("claude-code", "end", "a", here.root)
    assert "No space left" in events(here.root, "provider.event.failed")[0]["reason"]
    assert [p.stem for p in open_records(here.root)] == ["a"]
    healthy(here.root)
    fire("claude-code", "end", "a", here.root)
    assert open_records(here.root) == []
    healthy(here.root)


@pytest.mark.skipif(os.getuid() != 0, reason="only root may mount")
def test_a_disk_without_space_and_a_read_only_one(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "none", disk], check=False, capture_output=True
    ).returncode:
        pytest.skip("no file system can be mounted here")
    try:
        scene = team(disk / "repo")
        fire("claude-code", "start", "a", scene.root)
        filler = disk / "filler"
        with filler.open("wb", buffering=0) as file, suppress(OSError):
            while file.write(b"x" * 4096):
                pass
        for kind in ("end", "start", "compact"):
            done = hooked("claude-code", payload("claude-code", kind, "a" if kind != "start" else "b", scene.root))
            assert (done.returncode, done.stdout) == (0, b"")
        by_hand = cockpit("handover", "--derive", "--repo", scene.root)
        assert by_hand.returncode == 1
        filler.unlink()
        recovered(scene.root)
        assert [p.stem for p in open_records(scene.root)][:1] == ["a"]
        assert answers(scene.root)["lifecycle.recovery"]["balance"]["agrees"]
        before = scene.picture()
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        done = hooked("claude-code", payload("claude-code", "end", "a", scene.root))
        assert (done.returncode, done.stdout) == (0, b"")
        assert b"Read-only" in done.stderr
        assert cockpit("checkpoint", "--repo", scene.root, stdin=b"x").returncode == 1
        assert scene.picture() == before
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


def test_a_lock_held_by_a_stopped_process_is_not_waited_for(here: Scene) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(here.root / STATE / ledger.LOCK)], stdout=subprocess.PIPE
    )
    try:
        assert holder.stdout
        assert holder.stdout.readline() == b"held\n"
        os.kill(holder.pid, signal.SIGSTOP)
        for kind in ("start", "compact", "end"):
            began = time.monotonic()
            done = hooked("claude-code", payload("claude-code", kind, "a", here.root))
            assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
            assert time.monotonic() - began < 3  # 0.3 s of waiting, and what a busy machine adds
        fire("claude-code", "start", "b", here.root)
        assert len(list((here.root / STATE).glob("ledger.spool.*"))) == 4
        assert events(here.root) == []
    finally:
        os.kill(holder.pid, signal.SIGCONT)
        holder.kill()
        holder.communicate()
    fire("claude-code", "start", "c", here.root)
    assert list((here.root / STATE).glob("ledger.spool.*")) == []
    assert sorted(p.stem for p in open_records(here.root)) == ["b", "c"]
    assert len(events(here.root, "session.closed")) == 1
    assert len(events(here.root, "provider.event.received")) == 5
    healthy(here.root)


def test_a_spooled_event_that_cannot_be_read_is_kept(here: Scene) -> None:
    (here.root / STATE / "ledger.spool.1.json").write_text("{torn")
    fire("claude-code", "start", "a", here.root)
    assert (here.root / STATE / "ledger.spool.1.json.unreadable").read_text() == "{torn"
    healthy(here.root)


def test_by_hand_a_held_lock_is_an_error(here: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cockpit.recorder.commands.WAIT", 0.05)
    from click.testing import CliRunner

    from cockpit.cli import main

    descriptor = os.open(here.root / STATE / ledger.LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        done = CliRunner().invoke(main, ["episode", "start", "--repo", str(here.root)])
    finally:
        os.close(descriptor)
    assert done.exit_code == 1
    assert open_records(here.root) == []


_HOLD = """
import fcntl, os, sys, time
fcntl.flock(os.open(sys.argv[1], os.O_RDWR | os.O_CREAT, 0o600), fcntl.LOCK_EX)
print("held", flush=True)
time.sleep(60)
"""


def _json(value: object) -> bytes:
    import json

    return json.dumps(value).encode()
