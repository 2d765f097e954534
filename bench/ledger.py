"""ledger: what do a long ledger, and a hundred new lines of it, cost a request that was answered before?"""

from __future__ import annotations

import http.client
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from bench.lines import LIVE, append
from bench.page import SETTLING
from bench.pairs import Figure, alternate
from bench.serving import PAGE, served, timed
from cockpit.demo import build

TARGET_LONG, TARGET_NEW = 1.2, 1.3
ROUNDS = 15
SHORT, LONG, NEW = 1_000, 1_000_000, 100
ROUTE = "/api/v1/lifecycle/episodes"


def measure(folder: Path) -> Iterator[Figure]:
    """Two servers of the same demonstration, one with a thousand lines more and one with a million."""
    short, long = (build(folder / name, datetime.now(UTC)) for name in ("short", "long"))
    append(short / LIVE, 0, SHORT)
    append(long / LIVE, 0, LONG)
    time.sleep(SETTLING)
    with served(short) as little, served(long) as much:
        for path in (PAGE, ROUTE):
            what, against = f"{path}, {LONG:,} lines, warm", f"{SHORT:,} lines"
            yield alternate(what, timed(much, path), against, timed(little, path), ROUNDS, TARGET_LONG)
        for path in (PAGE, ROUTE):
            grown, quiet = _Growing(long, much, path), timed(much, path)
            what = f"{path} after {NEW} new lines of {LONG:,}"
            target = TARGET_NEW if path == PAGE else None
            yield alternate(what, grown, "without new lines", _settled(quiet), ROUNDS // 3, target)


def _settled(ask: Callable[[], float]) -> Callable[[], float]:
    """Asks until the ledger counts as settled and need not be opened again, and then once more."""

    def settled() -> float:
        time.sleep(SETTLING)
        ask()
        return ask()

    return settled


class _Growing:
    """Asks right after lines were appended."""

    _written = LONG

    def __init__(self, repository: Path, connection: http.client.HTTPConnection, path: str) -> None:
        self._ledger, self._ask = repository / LIVE, timed(connection, path)

    def __call__(self) -> float:
        append(self._ledger, _Growing._written, NEW)
        _Growing._written += NEW
        return self._ask()
