"""Whenever a run is killed: no entry is in no file, and the next runs end in the bytes of a run that was not."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cockpit.formats import livedoc
from cockpit.formats.surfaces import Surface
from cockpit.housekeeping import checking, rotating
from cockpit.recorder import durable
from tests.examples import examples
from tests.housekeeping import killing
from tests.housekeeping.documents import LIVE, TITLE, declare, documents, surface, three_months, tree

SMALL = b"""# Log

## 2026-01-03 - three

Outcome: c

## 2026-01-02 - two

## 2026-01-02 - two again

## 2026-01-01 - one

- text"""


def entries(data: bytes) -> list[bytes]:
    document = livedoc.parse(data, TITLE)
    return [document.bytes_of(entry) for entry in document.entries]


def rotate(about: Surface) -> None:
    rotating.rotate(about, dry_run=False)


def unbroken(data: bytes, folder: Path) -> dict[str, bytes]:
    """The tree that a run leaves which is not killed."""
    rotate(surface(folder, data))
    return tree(folder)


def test_a_kill_at_every_system_call_loses_nothing_and_the_next_run_ends_the_same(tmp_path: Path) -> None:
    expected = unbroken(SMALL, tmp_path / "whole")
    counted = surface(tmp_path / "counted", SMALL)
    calls = killing.run(lambda: rotate(counted))
    assert calls is not None
    assert calls > 50
    for number in range(calls):
        root = tmp_path / str(number)
        about = surface(root, SMALL)
        assert killing.run(lambda about=about: rotate(about), number) is None
        files = tree(root).values()
        assert all(any(entry in data for data in files) for entry in entries(SMALL)), number
        rotate(about)
        assert tree(root) == expected, number
        assert checking.check(about)[1], number


def test_a_kill_of_every_second_run_at_every_call_ends_the_same(tmp_path: Path) -> None:
    expected = unbroken(SMALL, tmp_path / "whole")
    about = surface(tmp_path / "killed", SMALL)
    number = 0
    while killing.run(lambda: rotate(about), number) is None:
        files = tree(tmp_path / "killed").values()
        assert all(any(entry in data for data in files) for entry in entries(SMALL))
        number += 1
    assert tree(tmp_path / "killed") == expected


@examples(120)
@given(documents(), st.lists(st.integers(0, 140), min_size=1, max_size=3))
def test_any_document_killed_at_any_moments_ends_the_same(data: bytes, moments: list[int]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        expected = unbroken(data, Path(folder, "whole"))
        root = Path(folder, "killed")
        about = surface(root, data)
        for moment in moments:
            if killing.run(lambda: rotate(about), moment) is not None:
                break
            files = tree(root).values()
            assert all(any(entry in kept for kept in files) for entry in entries(data))
        rotate(about)
        assert tree(root) == expected


@pytest.mark.parametrize("seed", range(6))
def test_a_real_program_that_is_killed_at_random_ends_the_same(seed: int, tmp_path: Path) -> None:
    data = three_months()
    expected = unbroken(data, tmp_path / "whole")
    root = tmp_path / "killed"
    about = surface(root, data)
    declare(root, ("sessions", about.live, about.archive))
    command = [sys.executable, "-m", "cockpit", "housekeep", str(root)]
    chance = random.Random(seed)
    for _ in range(5):
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ | {"HOME": str(tmp_path)}) as process:
            time.sleep(chance.uniform(0.05, 0.45))
            process.send_signal(signal.SIGKILL)
        files = tree(root).values()
        assert all(any(entry in kept for kept in files) for entry in entries(data))
    subprocess.run(command, check=True, capture_output=True, env=os.environ | {"HOME": str(tmp_path)})
    left = {path: kept for path, kept in tree(root).items() if not path.startswith(".ai/")}
    assert left == expected


def test_what_a_killed_run_left_beside_the_live_document_goes_with_the_next(tmp_path: Path) -> None:
    about = surface(tmp_path, SMALL)
    (tmp_path / "docs" / durable.temporary("progress.md")).write_bytes(b"half")
    rotate(about)
    assert [path for path in tree(tmp_path) if ".tmp." in path] == []
    assert b"three" in (tmp_path / LIVE).read_bytes()
