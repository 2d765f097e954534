"""A repository to look at: built on the spot, thrown away when the looking is over."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from cockpit.demo.morning import build

__all__ = ["build", "demonstration"]


@contextmanager
def demonstration(now: datetime) -> Iterator[Path]:
    """Build the demonstration repository in a temporary folder and answer its path; the folder goes at the end.

    ``now`` is aware: every date in the repository is counted back from it. The folder goes too when building or
    looking is ended by an exception, KeyboardInterrupt and SystemExit included.
    """
    with tempfile.TemporaryDirectory(prefix="cockpit-demo-") as folder:
        yield build(Path(folder), now)
