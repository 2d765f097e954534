"""Requests run side by side over one checkout: none waits for another's git, and none sees half a rotation."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from cockpit.reads import episodes, recovery
from cockpit.store.checkout import Checkout
from cockpit.store.ledger import Ledger
from tests.builders import STATE, Scene
from tests.looking import checkout


def _all_at_once(number: int, action: object) -> float:
    """How long ``action`` takes in so many threads that begin together."""
    threads = [threading.Thread(target=action) for _ in range(number)]  # type: ignore[arg-type]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - began


def test_a_git_that_hangs_holds_every_request_once_and_none_after_another(
    scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = checkout(scene)
    slow = tmp_path / "bin" / "git"
    slow.parent.mkdir()
    slow.write_text("#!/bin/sh\nexec sleep 60\n")
    slow.chmod(0o755)
    monkeypatch.setattr("cockpit.store.git._program", lambda: str(slow))
    opened.git.timeout = 1.0
    assert _all_at_once(6, lambda: opened.look().section) < 4


def test_a_rotation_in_the_middle_of_a_reading_loses_no_line(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    scene.ledger(*(scene.event("session.started", f"s-{number}") for number in range(4)))
    ledger, state = Ledger(), scene.root / STATE
    live = state / "ledger.jsonl"
    real = Ledger._live

    def rotated_meanwhile(self: Ledger, *arguments: object) -> object:
        lines = live.read_bytes().splitlines(keepends=True)
        if len(lines) == 4:
            (state / "ledger.20260911T000000Z.jsonl.archived").write_bytes(b"".join(lines[:2]))
            (state / "fresh").write_bytes(b"".join(lines[2:]))
            os.rename(state / "fresh", live)
        return real(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(Ledger, "_live", rotated_meanwhile)
    facts = ledger.follow(str(scene.root), STATE, time.time_ns())
    assert (facts.started, len(facts.episodes)) == (4, 4)


def _add(scene: Scene, number: int) -> None:
    scene.open_episode(f"k{number}", f"s-{number}")
    scene.ledger(scene.event("session.started", f"s-{number}"))


def test_readers_beside_a_writer_never_fail_and_never_go_back(scene: Scene) -> None:
    opened: Checkout = checkout(scene)
    faults: list[BaseException] = []
    done = threading.Event()

    def read() -> None:
        seen = 0
        try:
            while not done.is_set():
                snapshot = opened.look()
                count = len(episodes.answer(snapshot).episodes)
                assert count >= seen
                seen = count
                recovery.answer(snapshot)
        except BaseException as error:  # it is told below, in the test's own thread
            faults.append(error)

    readers = [threading.Thread(target=read) for _ in range(4)]
    for reader in readers:
        reader.start()
    for number in range(60):
        _add(scene, number)
    done.set()
    for reader in readers:
        reader.join()
    assert not faults
    assert recovery.answer(opened.look()).balance.agrees
