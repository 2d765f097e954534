"""What the ledger says of each episode, folded over its lines in their order."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Mapping
from copy import copy

from msgspec import UNSET, Struct, UnsetType, field

from cockpit.formats import instants
from cockpit.formats.ledger import Line, parse_lines

MOMENTS = 64  # instants kept of one episode's events
_NONE = -(1 << 63)  # in the place of an instant
_MANY = 4  # lines that are worth comparing as texts
_DIGITS = str.maketrans("123456789", "000000000")
_PRINTED = "0000-00-00T00:00:00Z"
_TURNS = frozenset({"session.started", "session.closed", "session.recovered"})


class EpisodeFacts(Struct):
    """What the ledger says of one episode. What ended it follows the order of the lines, not their times."""

    events: int = 0
    last_instant: int | None = None
    last_activity: str = ""
    last_event: str = ""
    tasks: dict[str, None] = field(default_factory=dict)
    started: int = 0
    closed: int = 0
    recovered: int = 0
    """How many of its starts ended with a recovery and without a ``session.closed``."""
    ended: bool = False
    """Whether a close or a recovery of it comes after its last start."""
    closed_last: bool = False
    """Whether a ``session.closed`` of it comes after its last start."""
    slots: array[int] = field(default_factory=lambda: array("q"))
    """For every ``stride``-th of its events the instant in whole seconds, or ``_NONE``; at most ``MOMENTS`` of them."""
    stride: int = 1

    @property
    def moments(self) -> array[int]:
        """The instants of some of its events in whole seconds, in the order of the lines."""
        return array("q", [second for second in self.slots if second != _NONE])

    def pass_one(self, instant: int | None) -> None:
        """Take the instant of one further event; None where its time is none."""
        self.events += 1
        if self.events % self.stride == 0:
            self._keep(instant)
            self._thin()

    def pass_many(self, times: list[str | UnsetType]) -> None:
        """Take the times of further events: the same as one after the other, without reading those that do not stay."""
        first = -(self.events + 1)
        self.events += len(times)
        self._thin()
        for ts in times[first % self.stride :: self.stride]:
            self._keep(instants.first_parse(ts) if ts else None)

    def _keep(self, instant: int | None) -> None:
        self.slots.append(_NONE if instant is None else instant // instants.NANOSECONDS)  # in ns far years do not fit

    def _thin(self) -> None:
        while self.events // self.stride > MOMENTS:
            self.slots = self.slots[1::2]
            self.stride *= 2

    def heard(self, line: Line, instant: int) -> None:
        """Take a line as the last that was heard, unless a newer one was; of one instant the later line counts."""
        if self.last_instant is None or instant >= self.last_instant:
            self.last_instant, self.last_activity, self.last_event = instant, line.ts or "", line.event or ""


NOTHING = EpisodeFacts()


class Fold:
    """Facts being gathered over lines. ``began`` are those of the lines before; they are never changed.

    ``events``, ``torn``, ``started`` and ``closed`` count the lines that were taken.
    """

    def __init__(self, began: Mapping[str, EpisodeFacts]) -> None:
        self._began = began
        self._touched: dict[str, EpisodeFacts] = {}
        self.events, self.torn, self.started, self.closed = 0, 0, 0, 0

    @property
    def episodes(self) -> Mapping[str, EpisodeFacts]:
        """What it began with and the lines since, as one."""
        return {**self._began, **self._touched} if self._touched else self._began

    def take(self, text: bytes) -> None:
        """Take whole lines, each with its ``\\n``."""
        read, torn = parse_lines(text)
        self.torn += torn
        self.events += len(read)
        written: defaultdict[str | UnsetType, list[Line]] = defaultdict(list)
        for line in read:
            written[line.session].append(line)
            if line.event in _TURNS:
                self._turn(line)
        written.pop(UNSET, None)
        written.pop("", None)
        for session_id, lines in written.items():
            facts = self._touched.get(session_id) or self._episode(session_id)  # type: ignore[arg-type]
            if len(lines) < _MANY or not _together(facts, lines):
                for line in lines:
                    _stamped(facts, line)

    def _episode(self, session_id: str) -> EpisodeFacts:
        facts = self._touched.get(session_id)
        if facts is None:
            kept = self._began.get(session_id)
            facts = copy(kept) if kept else EpisodeFacts()
            facts.tasks, facts.slots = dict(facts.tasks), facts.slots[:]
            self._touched[session_id] = facts
        return facts

    def _turn(self, line: Line) -> None:
        """Take what starts or ends an episode."""
        if line.event == "session.recovered":
            if line.session_id:
                facts = self._episode(line.session_id)
                facts.recovered += not facts.ended
                facts.ended = True
            return
        facts = self._episode(line.session) if line.session else EpisodeFacts()
        if line.event == "session.started":
            self.started += 1
            facts.started += 1
            facts.ended = facts.closed_last = False
        else:
            self.closed += 1
            facts.closed += 1
            facts.recovered -= facts.ended and not facts.closed_last
            facts.ended = facts.closed_last = True


def _stamped(facts: EpisodeFacts, line: Line) -> None:
    """Take a line that an episode wrote."""
    if line.task_id and line.task_id not in facts.tasks:
        facts.tasks[line.task_id] = None
    instant = instants.first_parse(line.ts) if line.ts else None
    facts.pass_one(instant)
    if instant is not None:
        facts.heard(line, instant)


def _together(facts: EpisodeFacts, lines: list[Line]) -> bool:
    """Take many lines that an episode wrote, all with times that compare as their texts do; False where they do not."""
    times = [line.ts for line in lines]
    newest = max(times) if _plain(times) else ""  # type: ignore[type-var]
    instant = instants.first_parse(newest) if newest else None
    if instant is None:  # it only looks like a time
        return False
    facts.tasks |= dict.fromkeys([line.task_id for line in lines if line.task_id])
    facts.pass_many(times)
    facts.heard(lines[len(times) - 1 - times[::-1].index(newest)], instant)
    return True


def _plain(times: list[str | UnsetType]) -> bool:
    """Whether all times are written as the writers print them."""
    try:
        together = "|".join(times)  # type: ignore[arg-type]
    except TypeError:  # one of them is absent
        return False
    return together.translate(_DIGITS) == "|".join([_PRINTED] * len(times))
