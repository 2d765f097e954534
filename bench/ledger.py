"""ledger: what do a hundred new lines cost a request, against a request without new lines?"""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from bench.lines import LIVE, append
from bench.page import SETTLING
from bench.pairs import Figure, alternate, seconds
from bench.serving import PAGE, fetch, served
from cockpit.demo import build

TARGET = 1.5
ROUNDS = 7
LINES = 100_000
NEW = 100
ROUTE = "/api/v1/lifecycle/episodes"


def measure(folder: Path) -> Iterator[Figure]:
    """A request over a kept connection: right after lines were appended, and the same again while nothing happens."""
    repository = build(folder, datetime.now(UTC))
    append(repository / LIVE, 0, LINES)
    time.sleep(SETTLING)
    written = LINES
    with served(repository) as connection:
        for path in (PAGE, ROUTE):

            def grown(path: str = path) -> float:
                nonlocal written
                append(repository / LIVE, written, NEW)
                written += NEW
                return seconds(lambda: fetch(connection, path))

            def quiet(path: str = path) -> float:
                time.sleep(SETTLING)  # until the ledger counts as settled, and need not be opened again
                fetch(connection, path)
                return seconds(lambda: fetch(connection, path))

            yield alternate(
                f"{path} after {NEW} new lines of {LINES:,}", grown, "without new lines", quiet, ROUNDS, TARGET
            )
