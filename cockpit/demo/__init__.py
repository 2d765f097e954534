"""A repository to look at: built on the spot, thrown away when the looking is over."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from cockpit.demo.morning import build

__all__ = ["build", "demonstration"]

_TURNS = 40


@contextmanager
def demonstration(now: datetime) -> Iterator[Path]:
    """Build the demonstration repository in a temporary folder and answer its path; the folder goes at the end.

    ``now`` is aware: every date in the repository is counted back from it. The folder goes too when building or
    looking is ended by an exception, KeyboardInterrupt and SystemExit included.
    """
    folder = Path(tempfile.mkdtemp(prefix="cockpit-demo-"))
    try:
        yield build(folder, now)
    finally:
        _gone(folder)


def _gone(folder: Path) -> None:
    """Remove a folder; a git that was ended a moment ago may have a child that still writes in it."""
    for _ in range(_TURNS):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(0.05)
