"""memory: how much does a long ledger add to an idle server, and does it grow with requests and lines?"""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from pathlib import Path

from bench.lines import LIVE, append
from bench.pairs import Figure, figure
from bench.serving import PAGE, fetch, started
from cockpit.demo.scene import Scene

LINES, REQUESTS, PORTIONS = 1_000_000, 10_000, 100
MOST = 100 << 20  # bytes above an idle server
GROWTH = 1.05
ROUTE = "/api/v1/lifecycle/episodes"


def measure(folder: Path) -> Iterator[Figure]:
    """The resident memory of an idle server, after a million lines, and after two more in ten thousand requests each.

    Every hundredth of the requests is for the page, and a portion of lines is appended before it.
    """
    scene = Scene.create(folder / "repository")
    scene.open_episode("key", "s-open")
    append(scene.root / LIVE, 0, 1)
    with started(scene.root) as (process, connect):
        connection = connect()
        fetch(connection, PAGE)
        idle = _resident(process)
        append(scene.root / LIVE, 1, LINES - 1)
        fetch(connection, PAGE)
        long = _resident(process)
        yield figure(f"memory above idle, {LINES:,} lines", "100 MB", [((long - idle) / 1e6, MOST / 1e6)], 1.0)
        after = []
        for _ in range(2):
            for portion in range(PORTIONS):
                _portion(scene.root, connection, portion)
            after.append(_resident(process) / 1e6)
        what = f"memory after {REQUESTS:,} more requests and {LINES:,} more lines"
        yield figure(what, "after as many before", [(after[1], after[0])], GROWTH)
        connection.close()


def _portion(root: Path, connection: http.client.HTTPConnection, number: int) -> None:
    """A hundredth of the lines and of the requests. The lines are of episodes that are there: those are kept."""
    append(root / LIVE, number * (LINES // PORTIONS), LINES // PORTIONS)
    fetch(connection, PAGE)
    for _ in range(REQUESTS // PORTIONS - 1):
        fetch(connection, ROUTE)


def _resident(process: int) -> int:
    """Bytes of memory that a process holds now (Linux)."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * 4096
