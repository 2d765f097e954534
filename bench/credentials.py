"""credentials: how much of the corpus is found, and does a hostile letter take time in proportion to its size?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click

from bench.pairs import Figure, Timed, alternate, seconds
from cockpit.formats.credentials import find
from tests.formats.credentials_corpus import negatives, positives

TARGET = 2.6
ROUNDS = 5
WHOLE = 1 << 20
HOSTILE = ("eyJa.", "pass" + "word= ", "sk-", "https://hooks.slack.com/services/Ta/Ba/", "= ", "a_token")


def measure(folder: Path) -> Iterator[Figure]:
    """Print precision and recall of each kind; then a letter of one line of 1 MiB against one of half of it."""
    _ = folder
    click.echo(_recalled())
    for piece in HOSTILE:
        yield alternate(
            f"1 MiB of “{piece}”", _timed(piece, WHOLE), "half of it", _timed(piece, WHOLE // 2), ROUNDS, TARGET
        )


def _timed(piece: str, size: int) -> Timed:
    text = (piece * (size // len(piece) + 1))[:size]
    return lambda: seconds(lambda: find(text))


def _recalled() -> str:
    """A line for each kind: how many there are, precision, recall."""
    there: Counter[str] = Counter()
    right: Counter[str] = Counter()
    named: Counter[str] = Counter()
    for kind, line in positives():
        found = {each.kind for each in find(line)}
        there[kind] += 1
        right[kind] += kind in found
        named.update(found)
    ordinary = negatives()
    named.update(each.kind for line in ordinary for each in find(line))
    head = f"{'kind':36} there  precision  recall   (beside {len(ordinary)} lines that hold none)"
    rows = [
        f"{kind:36} {there[kind]:5}  {right[kind] / max(named[kind], 1):9.2f}  {right[kind] / max(there[kind], 1):6.2f}"
        for kind in sorted(there | named)
    ]
    return "\n".join([head, *rows, ""])
