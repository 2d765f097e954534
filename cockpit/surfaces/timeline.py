"""Where the bars of the open episodes stand on a line of time. Pure geometry: no words are judged here.

A horizontal position is a percentage of the plot's width; those of an episode's events are thousandths of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from itertools import pairwise

from msgspec import Struct

from cockpit.formats import instants
from cockpit.formats.text import counted, cut, visible
from cockpit.reads.answers import Episode
from cockpit.surfaces import words

NARROWEST = 0.4
SHORTEST = 10 * 60 * words.SECOND
MOST_TICKS = 7
SQUEEZED = 4
"""An old start that would make the axis so many times longer is left outside it."""
Moments = Callable[[str], Sequence[int]]
FINE = 1000
_EDGE = 5  # per cent; nearer to an end, a label stands beside its tick and not around it
_DAY = 86400
_WEEK = 7 * _DAY
_MONDAY = 4 * _DAY * words.SECOND  # the first Monday after the epoch
_STEPS = (60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, _DAY, 2 * _DAY, _WEEK, 2 * _WEEK)
_MONTHS = (1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400, 6000, 12000, 24000)
_MONTH = 2629746  # seconds, on average


class Tick(Struct, frozen=True):
    """A line of the axis at ``x`` per cent, with its label, which is placed by ``anchor``."""

    x: float
    label: str
    anchor: str


class Bar(Struct, frozen=True):
    """One episode: its extent in per cent (none where no time is known) and its facts in words.

    ``broken``: it began before the axis does. ``events`` draws a line for each moment something was heard of it.
    """

    x: float
    width: float
    drawn: bool
    broken: bool
    standing: str
    label: str
    facts: str
    events: str


class Timeline(Struct, frozen=True):
    """The whole drawing: the first and the last moment of its axis in words, and what the axis leaves out."""

    ticks: list[Tick]
    bars: list[Bar]
    begins: str
    ends: str
    note: str


class Axis(Struct, frozen=True):
    """The stretch of time that the plot's width stands for, in nanoseconds since the epoch."""

    first: int
    last: int

    def at(self, instant: int) -> float:
        """The position of an instant in per cent; one beyond an end is drawn at that end."""
        return round(100 * self._share(instant), 2)

    def finely(self, instant: int) -> int:
        """The same in whole thousandths."""
        return round(FINE * self._share(instant))

    def _share(self, instant: int) -> float:
        inside = min(max(instant, self.first), self.last)
        return (inside - self.first) / (self.last - self.first)


def draw(episodes: Sequence[Episode], taken: int, moments: Moments | None = None) -> Timeline:
    """One bar an episode, in the given order, from its start to its last ledger line; the axis ends at ``taken``.

    ``moments`` tells the seconds of some events of an episode by its id.
    """
    extents = [extent(episode) for episode in episodes]
    begins = sorted(begin for begin, _ in filter(None, extents))
    axis = Axis(_first(begins, taken), taken)
    bars = [
        _bar(episode, span, axis, moments(episode.session_id) if moments else ())
        for episode, span in zip(episodes, extents, strict=True)
    ]
    note = _note([begin for begin in begins if begin < axis.first])
    return Timeline(_ticks(axis), bars, _minute(axis.first), _minute(taken), note)


def extent(episode: Episode) -> tuple[int, int] | None:
    """From the start to the last activity, as far as either is an instant; None where neither is."""
    recorded = [instants.parse(text) for text in (episode.started_at, episode.last_activity) if text]
    known = [instant for instant in recorded if instant is not None]
    return (min(known), max(known)) if known else None


# ------------------------------------------------------------------ the axis
def _first(begins: Sequence[int], taken: int) -> int:
    """Where the axis begins: at the oldest start, unless a few old ones (at most a third) would squeeze the others."""
    latest = taken - SHORTEST
    if not begins:
        return latest
    first, few = begins[0], max(1, len(begins) // 3)
    for old, younger in pairwise(begins[: few + 1]):
        if taken - old > SQUEEZED * max(taken - younger, SHORTEST):
            first = younger - max(taken - younger, SHORTEST) // 20
    return min(first, latest)


def _note(outside: Sequence[int]) -> str:
    if not outside:
        return ""
    one = len(outside) == 1
    begun = f"at {_minute(outside[0])} UTC" if one else f"the oldest at {_minute(outside[0])} UTC"
    bars = "its bar is broken at the left" if one else "their bars are broken at the left"
    return f"{counted(len(outside), 'episode')} began before this axis does, {begun}: {bars}."


def _ticks(axis: Axis) -> list[Tick]:
    seconds = (axis.last - axis.first) // words.SECOND
    step = next((step for step in _STEPS if seconds / step <= MOST_TICKS), None)
    return _even(axis, step) if step else _months(axis, seconds)


def _even(axis: Axis, step: int) -> list[Tick]:
    """Ticks of one distance in seconds; weeks begin on Monday, and a midnight among hours has its date."""
    distance, origin = step * words.SECOND, _MONDAY if step % _WEEK == 0 else 0
    start = axis.first + (origin - axis.first) % distance
    labelled = ((instant, words.moment(instant)) for instant in range(start, axis.last + 1, distance))
    return [_tick(axis.at(instant), _day_or_hour(known)) for instant, known in labelled if known]


def _day_or_hour(known: datetime) -> str:
    return f"{known.day} {known:%b}" if (known.hour, known.minute) == (0, 0) else f"{known:%H:%M}"


def _months(axis: Axis, seconds: int) -> list[Tick]:
    """Ticks at the first of a month, or of a year."""
    begin, end = words.moment(axis.first), words.moment(axis.last)
    if not begin or not end:
        return []
    step = next((step for step in _MONTHS if seconds / (step * _MONTH) <= MOST_TICKS), _MONTHS[-1])
    start = -(-(begin.year * 12 + begin.month) // step) * step
    firsts = [datetime(n // 12, n % 12 + 1, 1, tzinfo=UTC) for n in range(start, end.year * 12 + end.month, step)]
    form = "%Y" if step % 12 == 0 else "%b %Y"
    return [_tick(axis.at(instants.of(first)), first.strftime(form)) for first in firsts]


def _tick(x: float, label: str) -> Tick:
    return Tick(x, label, "start" if x < _EDGE else "end" if x > 100 - _EDGE else "middle")


# ------------------------------------------------------------------ a bar
def _bar(episode: Episode, span: tuple[int, int] | None, axis: Axis, moments: Sequence[int]) -> Bar:
    label = f"{cut(visible(episode.provider or 'no provider'), 14)} {_tail(episode.session_id)}"
    if span is None:
        return Bar(0, 0, False, False, episode.standing, label, f"{_facts(episode)}, no time recorded", "")
    left, right = axis.at(span[0]), axis.at(span[1])
    width = max(right - left, NARROWEST)
    return Bar(
        x=round(min(left, 100 - width), 2),
        width=round(width, 2),
        drawn=True,
        broken=span[0] < axis.first,
        standing=episode.standing,
        label=label,
        facts=f"{_facts(episode)}, {_between(*span)}",
        events=_events(moments, axis),
    )


def _events(moments: Sequence[int], axis: Axis) -> str:
    """An SVG path with a line for each place that an event stands at; one before the axis has none."""
    inside = (second * words.SECOND for second in moments)
    return "".join(f"M{x} 0V1" for x in sorted({axis.finely(each) for each in inside if each >= axis.first}))


def _tail(session_id: str) -> str:
    return cut(visible(session_id.rpartition("-")[2] or session_id), 8)


def _facts(episode: Episode) -> str:
    return f"{cut(episode.session_id, 80)}, {episode.standing}, {counted(episode.events, 'event')}"


def _between(first: int, last: int) -> str:
    return f"{_minute(first)} to {_minute(last)} UTC ({words.duration(last - first)})"


def _minute(instant: int) -> str:
    known = words.moment(instant)
    return f"{known:%Y-%m-%d %H:%M}" if known else "?"
