"""crowd: how long do fifty clients wait for the page while a writer appends, against one client alone?"""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from http.client import HTTPConnection
from pathlib import Path

from bench.lines import LIVE, append
from bench.pairs import Figure, figure
from bench.serving import PAGE, fetch, started, timed
from cockpit.demo import build

CLIENTS, SECONDS, LINES_A_SECOND, ALONE = 50, 30, 1_000, 40
TARGET = 10.0
_TICK = 0.05  # seconds


def measure(folder: Path) -> Iterator[Figure]:
    """The 99th percentile of what fifty clients wait, over the median of one; an error or a step back ends it all."""
    repository = build(folder, datetime.now(UTC))
    append(repository / LIVE, 0, 1)
    with started(repository) as (_, connect):
        one = timed(connect(), PAGE)
        one()
        alone = statistics.median(one() for _ in range(ALONE))
        waits = _together(repository, connect)
        worst = statistics.quantiles(waits, n=100)[98]
        what = f"p99 of {CLIENTS} clients, {LINES_A_SECOND:,} lines a second, {len(waits):,} pages"
        yield figure(what, "p50 of one client alone", [(worst, alone)], TARGET)


def _together(repository: Path, connect: Callable[[], HTTPConnection]) -> list[float]:
    """What each request of each client waited, in seconds."""
    waits: list[float] = []
    failures: list[str] = []
    until = time.monotonic() + SECONDS

    def client() -> None:
        connection, seen = connect(), 0
        while time.monotonic() < until and not failures:
            began = time.perf_counter()
            try:
                counted = _lines(fetch(connection, PAGE))
            except Exception as error:  # whatever it is, it is what the bench is about
                failures.append(f"{type(error).__name__}: {error}")
                return
            waits.append(time.perf_counter() - began)
            if counted < seen:
                failures.append(f"an answer went back from {seen} to {counted} lines")
            seen = counted

    clients = [threading.Thread(target=client) for _ in range(CLIENTS)]
    for each in clients:
        each.start()
    _write(repository / LIVE, until)
    for each in clients:
        each.join()
    if failures:
        raise RuntimeError(f"{len(failures)} failures, the first: {failures[0]}")
    return waits


def _write(path: Path, until: float) -> None:
    written, began = 1, time.monotonic()
    while (now := time.monotonic()) < until:
        due = int((now - began) * LINES_A_SECOND) - written + 1
        append(path, written, due)
        written += due
        time.sleep(_TICK)


def _lines(page: bytes) -> int:
    """How many ledger lines a page counts; told without searching all of it, since fifty clients share this process."""
    end = page.find(b" ledger lines</dd>")
    assert end > 0, "the page does not say how many lines the ledger has"
    return int(page[:end].rpartition(b" ")[2])
