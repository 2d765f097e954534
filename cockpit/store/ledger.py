"""The ledger, followed: read once, then only what was appended.

What is kept are facts per episode, not lines. The files are read in their order: the rotated archives by name
(their names carry the moment of rotation), then the live ledger. A live ledger is continued where its device and
inode are the same, it has not become shorter, and the blocks at its start and before the point that was read hold the
bytes they held; anything else is read anew.
"""

from __future__ import annotations

import os
import re
import threading
from array import array
from collections.abc import Iterable, Mapping
from copy import copy

from msgspec import Struct, field
from msgspec.structs import replace

from cockpit.formats import instants
from cockpit.formats import ledger as format_
from cockpit.formats.text import shown
from cockpit.store.files import Fault, Listing, Signature, folder, gone, listing, opened, settled, signature, why
from cockpit.store.rotations import LIVE, Archive, Rotations

_PIECE = 4 << 20
_PROOF = 64 << 10  # bytes compared at the start and before the point that was read
_NAMED = re.compile(rb"[A-Za-z0-9._-]+\.md")  # a note's name as a line holds it
_TURNS = 3  # how often the files are read again while they are being rotated
_LONGEST = 16 << 20  # bytes; a longer line is no event and is counted as torn
MOMENTS = 64  # instants kept of one episode's events


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
        """Take the instant of the newest event; where there are too many, every other one goes."""
        if self.events % self.stride:
            return
        if len(self.moments) == MOMENTS:
            self.moments = self.moments[1::2]
            self.stride *= 2
            if self.events % self.stride:
                return
        self.moments.append(instant // instants.NANOSECONDS)  # nanoseconds of far years do not fit


class LedgerFacts(Struct, frozen=True):
    """The ledger as far as it is written. ``live`` counts the events of the live file, ``torn`` lines of all."""

    episodes: Mapping[str, EpisodeFacts] = {}
    live: int = 0
    archived: int = 0
    torn: int = 0
    started: int = 0
    closed: int = 0
    faults: tuple[Fault, ...] = ()


NOTHING = EpisodeFacts()


class _Fold:
    """Facts being gathered over lines; what it began with is never changed."""

    def __init__(self, began: LedgerFacts) -> None:
        self._began = began
        self._touched: dict[str, EpisodeFacts] = {}
        self.events, self.torn = 0, began.torn
        self.started, self.closed = began.started, began.closed

    def line(self, raw: bytes) -> None:
        """Take one line."""
        stripped = format_.strip(raw)
        if not stripped:
            return
        read = format_.parse(stripped)
        if read is None:
            self.torn += 1
            return
        self.events += 1
        if read.event == "session.started":
            self.started += 1
        elif read.event == "session.closed":
            self.closed += 1
        elif read.event == "session.recovered" and read.session_id:
            self._recovered(self._episode(read.session_id))
        if read.session:
            self._stamped(self._episode(read.session), read)

    def _episode(self, session_id: str) -> EpisodeFacts:
        facts = self._touched.get(session_id)
        if facts is None:
            kept = self._began.episodes.get(session_id)
            facts = copy(kept) if kept else EpisodeFacts()
            facts.tasks, facts.moments = dict(facts.tasks), facts.moments[:]
            self._touched[session_id] = facts
        return facts

    @staticmethod
    def _recovered(facts: EpisodeFacts) -> None:
        if not facts.ended:
            facts.recovered += 1
            facts.ended = True

    @staticmethod
    def _stamped(facts: EpisodeFacts, read: format_.Line) -> None:
        facts.events += 1
        if read.event == "session.started":
            facts.started += 1
            facts.ended = facts.closed_last = False
        elif read.event == "session.closed":
            facts.closed += 1
            facts.recovered -= facts.ended and not facts.closed_last
            facts.ended = facts.closed_last = True
        if read.task_id:
            facts.tasks[read.task_id] = None
        instant = instants.first_parse(read.ts) if read.ts else None
        if instant is None:
            return
        facts.passed(instant)
        if facts.last_instant is None or instant >= facts.last_instant:
            facts.last_instant, facts.last_activity = instant, read.ts or ""
            facts.last_event = read.event or ""

    def facts(self, *, live: bool) -> LedgerFacts:
        """What it began with and the lines since, as one."""
        return LedgerFacts(
            episodes={**self._began.episodes, **self._touched} if self._touched else self._began.episodes,
            live=self._began.live + (self.events if live else 0),
            archived=self._began.archived + (0 if live else self.events),
            torn=self.torn,
            started=self.started,
            closed=self.closed,
            faults=self._began.faults,
        )


class _Tail(Struct):
    """How far a file was read: ``offset`` bytes, of which ``rest`` are the beginning of a line that has no end yet."""

    file: tuple[int, int] = (0, 0)
    seen: Signature | None = None
    trusted: bool = False
    offset: int = 0
    rest: bytes = b""
    skipping: bool = False
    proof: tuple[bytes, bytes] = (b"", b"")
    """The first and the last ``_PROOF`` bytes of what was read."""


class Ledger:
    """The follower of one checkout's ledger. Its facts are immutable; asking twice reads nothing twice."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rotations = Rotations()
        self._archives: tuple[Archive, ...] = ()
        self._base = LedgerFacts()
        self._facts = LedgerFacts()
        self._tail = _Tail()
        self._mentioned: tuple[LedgerFacts, dict[frozenset[str], dict[str, int]]] = self._facts, {}

    def follow(self, root: str, path: str, now: int) -> LedgerFacts:
        """The facts as of now; ``path`` is the state folder, ``now`` in ns.

        A rotation moves lines from the live ledger into an archive: where the archives changed while the files were
        read, they are read again.
        """
        with self._lock:
            state = listing(root, path)
            archives = self._rotations.archives(root, path, state)
            for _ in range(_TURNS):
                if state.fault:
                    return LedgerFacts(faults=(state.fault,))
                if self._rotated(root, state, archives):
                    self._facts, self._tail = self._base, _Tail()
                facts = self._live(root, state, now)
                state = listing(root, path)
                archives = self._rotations.archives(root, path, state)
                if archives == self._archives:
                    break
            return facts

    def _rotated(self, root: str, state: Listing, seen: tuple[Archive, ...]) -> bool:
        """Read the archives that were not read yet, or could not be; whether the facts are others now."""
        if seen == self._archives and not self._base.faults:
            return False
        known = self._archives
        fresh = self._base.faults or not known or seen[: len(known)] != known
        base = LedgerFacts() if fresh else self._base
        for name, _ in seen if fresh else seen[len(known) :]:
            base = _archive(root, state.path, name, base)
        self._base, self._archives = base, seen
        return True

    def _live(self, root: str, state: Listing, now: int) -> LedgerFacts:
        entry = state.entries.get(LIVE)
        if entry is None:
            self._tail, self._facts = _Tail(), self._base
            return self._facts
        if self._tail.trusted and self._tail.seen == entry.signature:
            return self._facts
        path = f"{state.path}/{LIVE}"
        try:
            with folder(root, state.path) as at, opened(at, LIVE) as (descriptor, status):
                self._continue(descriptor, status, now)
        except OSError as error:
            if gone(error):
                self._tail, self._facts = _Tail(), self._base
                return self._facts
            self._tail = _Tail()  # read anew when it can be read again
            return _with_fault(self._base, Fault(shown(path), why(error)))
        return self._facts

    def _continue(self, descriptor: int, status: os.stat_result, now: int) -> None:
        tail, facts = copy(self._tail), self._facts  # what fails on the way leaves nothing half read
        seen = signature(status)
        same = tail.file == seen[:2] and (status.st_size > tail.offset or seen == tail.seen)
        if not (same and _continues(descriptor, tail)):
            tail, facts = _Tail(file=seen[:2]), self._base
        fold = _Fold(facts)
        _read_on(descriptor, tail, fold)
        tail.seen, tail.trusted = seen, settled(seen, now) and tail.offset == status.st_size
        tail.proof = _proof(descriptor, tail.offset)
        self._facts, self._tail = fold.facts(live=True), tail

    def mentions(self, root: str, path: str, names: Iterable[str], facts: LedgerFacts) -> dict[str, int]:
        """The number of the last ledger line that holds each name, counted over all files; absent where none does.

        The ledger is read for it, once for the same ``facts``: only notes of one instant need it.
        """
        asked = frozenset(names)
        kept = self._mentioned
        if kept[0] is not facts:
            kept = self._mentioned = facts, {}
        if asked not in kept[1]:
            files = [name for name, _ in self._rotations.archives(root, path, listing(root, path))]
            try:
                kept[1][asked] = _last_lines(root, path, [*files, LIVE], asked)
            except OSError:
                return {}
        return kept[1][asked]


def _last_lines(root: str, path: str, files: list[str], names: Iterable[str]) -> dict[str, int]:
    """See :meth:`Ledger.mentions`. Raises OSError."""
    wanted = {name: os.fsencode(name) for name in names}
    plain = {raw: name for name, raw in wanted.items() if _NAMED.fullmatch(raw)}
    odd = {name: raw for name, raw in wanted.items() if raw not in plain}
    found: dict[str, int] = {}
    number = 0
    for file in files:
        for line in _whole_lines(root, path, file):
            number += 1
            if b".md" in line:
                found.update((plain[raw], number) for raw in _NAMED.findall(line) if raw in plain)
                found.update((name, number) for name, raw in odd.items() if raw in line)
    return found


def _with_fault(facts: LedgerFacts, fault: Fault) -> LedgerFacts:
    return replace(facts, faults=(*facts.faults, fault))


def _archive(root: str, path: str, name: str, began: LedgerFacts) -> LedgerFacts:
    """The facts with an archive's lines added; an archive that cannot be read adds a fault."""
    fold = _Fold(began)
    tail = _Tail()
    try:
        with folder(root, path) as at, opened(at, name) as (descriptor, _):
            _read_on(descriptor, tail, fold)
    except OSError as error:
        return _with_fault(began, Fault(shown(f"{path}/{name}"), why(error)))
    _finish(tail, b"", fold)  # nobody will end this line any more
    return fold.facts(live=False)


def _read_on(descriptor: int, tail: _Tail, fold: _Fold) -> None:
    """Take every whole line from where the tail stands; what has no end yet is kept as its rest."""
    os.lseek(descriptor, tail.offset, os.SEEK_SET)
    while piece := os.read(descriptor, _PIECE):
        tail.offset += len(piece)
        if b"\n" not in piece:
            _grow(tail, piece)
            continue
        first, *more = piece.split(b"\n")
        _finish(tail, first, fold)
        tail.rest = more.pop()
        for line in more:
            fold.line(line)


def _grow(tail: _Tail, piece: bytes) -> None:
    """A piece without an end of line: keep it, unless the line is longer than any event."""
    tail.skipping = tail.skipping or len(tail.rest) + len(piece) > _LONGEST
    tail.rest = b"" if tail.skipping else tail.rest + piece


def _finish(tail: _Tail, piece: bytes, fold: _Fold) -> None:
    """The piece that ends a line, wherever its pieces were cut."""
    _grow(tail, piece)
    if tail.skipping:
        fold.torn += 1
    else:
        fold.line(tail.rest)
    tail.rest, tail.skipping = b"", False


def _proof(descriptor: int, offset: int) -> tuple[bytes, bytes]:
    length = min(_PROOF, offset)
    return os.pread(descriptor, length, 0), os.pread(descriptor, length, offset - length)


def _continues(descriptor: int, tail: _Tail) -> bool:
    return tail.offset > 0 and _proof(descriptor, tail.offset) == tail.proof


def _whole_lines(root: str, path: str, name: str) -> Iterable[bytes]:
    rest = b""
    try:
        with folder(root, path) as at, opened(at, name) as (descriptor, _):
            while piece := os.read(descriptor, _PIECE):
                first, *more = piece.split(b"\n")
                if not more:
                    rest = rest + first if len(rest) < _LONGEST else rest
                    continue
                yield rest + first
                rest = more.pop()
                yield from more
    except OSError as error:
        if not gone(error):
            raise
