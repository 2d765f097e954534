"""ledger: what do a hundred new lines cost a request, against a request without new lines?"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bench.lines import LIVE, append
from bench.pairs import Figure, alternate, seconds
from cockpit.demo import build
from cockpit.reads import episodes
from cockpit.store.checkout import Checkout

TARGET = 1.5
ROUNDS = 40
LINES = 100_000
NEW = 100


def measure(folder: Path) -> Iterator[Figure]:
    """``lifecycle.episodes`` of a fresh reading: right after lines were appended, and while nothing happens."""
    repository = build(folder, datetime.now(UTC))
    append(repository / LIVE, 0, LINES)
    checkout = Checkout.open(str(repository))
    written = LINES

    def grown() -> float:
        nonlocal written
        append(repository / LIVE, written, NEW)
        written += NEW
        return seconds(lambda: episodes.answer(checkout.look()))

    def quiet() -> float:
        later = datetime.now(UTC) + timedelta(minutes=1)  # all files count as settled, without waiting for it
        episodes.answer(checkout.look(later))
        return seconds(lambda: episodes.answer(checkout.look(later)))

    what = f"lifecycle.episodes after {NEW} new lines of {LINES:,}"
    yield alternate(what, grown, "without new lines", quiet, ROUNDS, TARGET)
