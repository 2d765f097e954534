"""What was read of a growing file is proved by its blocks: a change is seen at once, or when its block has its turn."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from cockpit.store.blocks import BLOCK, Sums
from cockpit.store.ledger import Ledger, LedgerFacts
from tests.builders import STATE, Scene

SIZE = 20 * BLOCK + 1000


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "file"
    path.write_bytes(bytes(range(250)) * (SIZE // 250 + 1))
    os.truncate(path, SIZE)
    return path


def _read(path: Path) -> Sums:
    sums, data = Sums(), path.read_bytes()
    for at in range(0, len(data), BLOCK):
        sums.add(data[at : at + BLOCK])
    return sums


def _holds(sums: Sums, path: Path) -> bool:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return sums.hold(descriptor)
    finally:
        os.close(descriptor)


def _put(path: Path, at: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(data)


def test_what_did_not_change_holds_also_when_more_follows(file: Path) -> None:
    sums = _read(file)
    with file.open("ab") as more:
        more.write(b"more")
    assert [_holds(sums, file) for _ in range(5)] == [True] * 5


@pytest.mark.parametrize("at", [0, BLOCK - 1, 19 * BLOCK, 20 * BLOCK, SIZE - 1])
def test_a_change_at_the_edges_is_seen_at_once(file: Path, at: int) -> None:
    sums = _read(file)
    _put(file, at, b"\xff")
    assert not _holds(sums, file)


@pytest.mark.parametrize("block", range(20))
def test_a_change_anywhere_is_seen_within_a_round(file: Path, block: int) -> None:
    sums = _read(file)
    _put(file, block * BLOCK + 7, b"\xff")
    assert not all(_holds(sums, file) for _ in range(3))


def test_a_file_that_became_shorter_does_not_hold(file: Path) -> None:
    sums = _read(file)
    os.truncate(file, SIZE - 1)
    assert not _holds(sums, file)


def test_a_copy_goes_on_by_itself(file: Path) -> None:
    sums = _read(file)
    sums.copy().add(b"more")
    assert _holds(sums, file)


def _follow(ledger: Ledger, root: Path) -> LedgerFacts:
    return ledger.follow(str(root), STATE, time.time_ns())


def test_a_line_edited_in_the_middle_while_others_are_appended_is_seen(scene: Scene) -> None:
    event = scene.event("task.checkpoint", "s-1", note="x" * 900)
    scene.ledger(*[event] * 5000)
    ledger, path = Ledger(), scene.root / STATE / "ledger.jsonl"
    assert path.stat().st_size > 16 * BLOCK
    _follow(ledger, scene.root)
    _put(path, path.read_bytes().index(b"s-1", 10 * BLOCK), b"s-2")
    for _ in range(3):
        scene.ledger(event)
        told = _follow(ledger, scene.root)
    assert told.episodes["s-2"].events == 1
    assert told == _follow(Ledger(), scene.root)
