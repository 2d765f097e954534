"""Counts as one stacked bar. Pure geometry over the numbers that an answer states."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from cockpit.reads import tallies
from cockpit.reads.answers import Balance


class Segment(Struct, frozen=True):
    """One part of the bar: a word, its number and its extent in per cent of the bar's width."""

    word: str
    count: int
    x: float
    width: float

    @property
    def told(self) -> str:
        """Its number and its word."""
        return tallies.told(self.word, self.count)


def segments(balance: Balance) -> list[Segment]:
    """The parts of ``started``, side by side."""
    parts = [("closed", balance.closed), ("open", balance.open), ("unaccounted", balance.unaccounted)]
    if balance.recovered:
        parts.insert(1, ("recovered", balance.recovered))
    return stacked(parts)


def stacked(parts: Sequence[tuple[str, int]]) -> list[Segment]:
    """Words and their numbers, side by side; a number that is not above nothing is kept and takes no room."""
    whole = sum(max(count, 0) for _, count in parts)
    drawn: list[Segment] = []
    x = 0.0
    for word, count in parts:
        width = 100 * max(count, 0) / whole if whole else 0.0
        drawn.append(Segment(word, count, round(x, 2), round(width, 2)))
        x += width
    return drawn
