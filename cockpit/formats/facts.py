"""What the ledger says of each episode, folded over its lines in their order."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from copy import copy

from msgspec import Struct, field

from cockpit.formats import instants
from cockpit.formats.ledger import Line, parse_lines

MOMENTS = 64  # instants kept of one episode's events
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
    moments: array[int] = field(default_factory=lambda: array("q"))
    """The instants of some of its events in whole seconds: every ``stride``-th line, at most ``MOMENTS`` of them."""
    stride: int = 1

    def passed(self, instant: int) -> None:
        """Take the instant of the newest event, a ``stride``-th one; where there are too many, every other one goes."""
        if len(self.moments) == MOMENTS:
            self.moments = self.moments[1::2]
            self.stride *= 2
            if self.events % self.stride:
                return
        self.moments.append(instant // instants.NANOSECONDS)  # nanoseconds of far years do not fit


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
        touched = self._touched
        for line in read:
            if line.event in _TURNS:
                self._turn(line)
            session_id = line.session
            if session_id:
                _stamped(touched.get(session_id) or self._episode(session_id), line)

    def _episode(self, session_id: str) -> EpisodeFacts:
        facts = self._touched.get(session_id)
        if facts is None:
            kept = self._began.get(session_id)
            facts = copy(kept) if kept else EpisodeFacts()
            facts.tasks, facts.moments = dict(facts.tasks), facts.moments[:]
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
    facts.events = events = facts.events + 1
    task, ts = line.task_id, line.ts
    if task and task not in facts.tasks:
        facts.tasks[task] = None
    instant = instants.first_parse(ts) if ts else None
    if instant is None:
        return
    if not events % facts.stride:
        facts.passed(instant)
    last = facts.last_instant
    if last is None or instant >= last:
        facts.last_instant, facts.last_activity, facts.last_event = instant, ts or "", line.event or ""
