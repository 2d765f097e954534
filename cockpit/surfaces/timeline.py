"""Where the bars of the open episodes stand on a line of time. Pure geometry: no words are judged here.

A horizontal position is a percentage of the plot's width, a vertical one a number of CSS pixels.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from cockpit.formats import instants
from cockpit.formats.text import cut, visible
from cockpit.reads.answers import Episode
from cockpit.surfaces import words

HEAD, ROW, FOOT = 22, 20, 6
NARROWEST = 0.4
SHORTEST = 10 * 60 * words.SECOND
MOST_TICKS = 7
_DAY = 86400
_STEPS = (60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, _DAY, 2 * _DAY, 7 * _DAY, 14 * _DAY)
_LONG_STEPS = (30 * _DAY, 91 * _DAY, 182 * _DAY, 365 * _DAY, 5 * 365 * _DAY, 25 * 365 * _DAY, 100 * 365 * _DAY)


class Tick(Struct, frozen=True):
    """A line of the axis at ``x`` per cent, with its label."""

    x: float
    label: str


class Bar(Struct, frozen=True):
    """One episode: its row's top, its extent in per cent (none where no time is known) and its facts in words."""

    y: int
    x: float
    width: float
    drawn: bool
    standing: str
    label: str
    facts: str


class Timeline(Struct, frozen=True):
    """The whole drawing: ``height`` in pixels, the first and the last moment of its axis in words."""

    height: int
    ticks: list[Tick]
    bars: list[Bar]
    begins: str
    ends: str


class Axis(Struct, frozen=True):
    """The stretch of time that the plot's width stands for, in nanoseconds since the epoch."""

    first: int
    last: int

    def at(self, instant: int) -> float:
        """The position of an instant in per cent; one beyond an end is drawn at that end."""
        inside = min(max(instant, self.first), self.last)
        return round(100 * (inside - self.first) / (self.last - self.first), 2)


def draw(episodes: Sequence[Episode], taken: int) -> Timeline:
    """One bar an episode, in the given order, from its start to its last ledger line; the axis ends at ``taken``."""
    extents = [extent(episode) for episode in episodes]
    first = min([begin for begin, _ in filter(None, extents)], default=taken)
    axis = Axis(min(first, taken - SHORTEST), taken)
    bars = [_bar(row, episode, span, axis) for row, (episode, span) in enumerate(zip(episodes, extents, strict=True))]
    height = HEAD + ROW * len(bars) + FOOT
    return Timeline(height, _ticks(axis), bars, _label(axis.first, "%Y-%m-%d %H:%M"), _label(taken, "%Y-%m-%d %H:%M"))


def extent(episode: Episode) -> tuple[int, int] | None:
    """From the start to the last activity, as far as either is an instant; None where neither is."""
    recorded = [instants.parse(text) for text in (episode.started_at, episode.last_activity) if text]
    known = [instant for instant in recorded if instant is not None]
    return (min(known), max(known)) if known else None


def _bar(row: int, episode: Episode, span: tuple[int, int] | None, axis: Axis) -> Bar:
    y = HEAD + ROW * row
    label = f"{cut(visible(episode.provider or 'no provider'), 14)} {_tail(episode.session_id)}"
    if span is None:
        return Bar(y, 0, 0, False, episode.standing, label, f"{_facts(episode)}, no time recorded")
    left, right = axis.at(span[0]), axis.at(span[1])
    width = max(right - left, NARROWEST)
    facts = f"{_facts(episode)}, {_between(*span)}"
    return Bar(y, round(min(left, 100 - width), 2), round(width, 2), True, episode.standing, label, facts)


def _tail(session_id: str) -> str:
    return cut(visible(session_id.rpartition("-")[2] or session_id), 8)


def _facts(episode: Episode) -> str:
    return f"{cut(episode.session_id, 80)}, {episode.standing}, {episode.events} events"


def _between(first: int, last: int) -> str:
    begin, end = (_label(instant, "%Y-%m-%d %H:%M") for instant in (first, last))
    return f"{begin} to {end} UTC ({words.duration(last - first)})"


def _ticks(axis: Axis) -> list[Tick]:
    step = _step((axis.last - axis.first) // words.SECOND) * words.SECOND
    start = -(-axis.first // step) * step
    form = "%H:%M" if step < _DAY * words.SECOND else "%Y-%m-%d"
    return [
        Tick(axis.at(instant), _label(instant, form if instant % (_DAY * words.SECOND) else "%Y-%m-%d"))
        for instant in range(start, axis.last + 1, step)
    ]


def _step(seconds: int) -> int:
    """The shortest sensible distance between ticks that needs no more than ``MOST_TICKS`` of them."""
    steps = (*_STEPS, *_LONG_STEPS)
    return next((step for step in steps if seconds / step <= MOST_TICKS), max(steps[-1], seconds // MOST_TICKS))


def _label(instant: int, form: str) -> str:
    known = words.moment(instant)
    return known.strftime(form) if known else "?"
