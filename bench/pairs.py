"""Taking turns: two things timed in alternation, and what the ratios of neighbours say."""

from __future__ import annotations

import gc
import statistics
from collections.abc import Callable
from time import perf_counter

from msgspec import Struct

Timed = Callable[[], float]
"""Does a thing once and answers how long that took, in seconds; what it must prepare first is not counted."""


class Figure(Struct, frozen=True):
    """One line of the table. ``target`` is the most that the median may be; None where nothing is promised yet."""

    what: str
    against: str
    ratios: tuple[float, ...]
    target: float | None
    milliseconds: tuple[float, float]
    """The medians of both sides on this machine: for the reader's sense of scale, compared with nothing."""

    @property
    def median(self) -> float:
        """The median of the ratios."""
        return statistics.median(self.ratios)

    @property
    def verdict(self) -> str:
        """Whether the target is met, in a word."""
        if self.target is None:
            return "-"
        return "met" if self.median <= self.target else "not met"


def alternate(what: str, one: Timed, against: str, other: Timed, rounds: int, target: float | None = None) -> Figure:
    """Time both in turns, after one turn each that does not count."""
    pairs = [(one(), other()) for _ in range(rounds + 1)][1:]
    return figure(what, against, pairs, target)


def figure(what: str, against: str, pairs: list[tuple[float, float]], target: float | None) -> Figure:
    """The figure of pairs that were timed already (seconds)."""
    ones, others = zip(*pairs, strict=True)
    scale = 1000 * statistics.median(ones), 1000 * statistics.median(others)
    return Figure(what, against, tuple(one / other for one, other in pairs), target, scale)


def seconds(action: Callable[[], object]) -> float:
    """How long one call takes. What is collected as garbage meanwhile is its own, not its predecessor's."""
    gc.collect()
    began = perf_counter()
    action()
    return perf_counter() - began
