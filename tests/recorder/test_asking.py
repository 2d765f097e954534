"""git is asked for a time and no longer, whatever it does with its output."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from cockpit.recorder import asking


@pytest.fixture
def git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What stands in git's place."""
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    program = tmp_path / "git"
    program.touch(0o755)
    return program


@pytest.mark.parametrize(
    "script", ["exec sleep 60", "exec >&-; exec sleep 60", "echo x; exec >&-; exec sleep 60", "sleep 60 & echo x"]
)
def test_a_git_that_does_not_end_is_ended(git: Path, script: str) -> None:
    git.write_text(f"#!/bin/sh\n{script}\n")
    began = time.monotonic()
    assert asking.ask("/", ("status",), timeout=0.3) == [None]
    assert time.monotonic() - began < 30


@pytest.mark.parametrize(("script", "said"), [("echo x", b"x\n"), ("echo x; exit 1", None), ("kill -9 $$", None)])
def test_what_git_printed_counts_only_where_it_ended_well(git: Path, script: str, said: bytes | None) -> None:
    git.write_text(f"#!/bin/sh\n{script}\n")
    assert asking.ask("/", ("status",), timeout=20) == [said]
