"""The ledger, followed: read once, then only what was appended.

What is kept are facts per episode, not lines. The files are read in their order: the rotated archives by name
(their names carry the moment of rotation), then the live ledger. A live ledger is continued where its device and
inode are the same, it has not become shorter, and blocks of it hold the bytes they held (:class:`Sums` says which, and
why that is enough); anything else is read anew.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterable, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from cockpit.formats.facts import EpisodeFacts, Fold
from cockpit.formats.text import shown
from cockpit.store.blocks import BLOCK, Sums
from cockpit.store.files import Fault, Listing, Signature, folder, gone, listing, opened, settled, signature, why
from cockpit.store.rotations import LIVE, Archive, Rotations

_NAMED = re.compile(rb"[A-Za-z0-9._-]+\.md")  # a note's name as a line holds it
_TURNS = 3  # how often the files are read again while they are being rotated
_LONGEST = 16 << 20  # bytes; a longer line is no event and is counted as torn


class LedgerFacts(Struct, frozen=True):
    """The ledger as far as it is written. ``live`` counts the events of the live file, ``torn`` lines of all."""

    episodes: Mapping[str, EpisodeFacts] = {}
    live: int = 0
    archived: int = 0
    torn: int = 0
    started: int = 0
    closed: int = 0
    faults: tuple[Fault, ...] = ()

    def with_lines(self, fold: Fold, *, live: bool) -> LedgerFacts:
        """These facts and the lines of a fold that began with them."""
        return LedgerFacts(
            episodes=fold.episodes,
            live=self.live + (fold.events if live else 0),
            archived=self.archived + (0 if live else fold.events),
            torn=self.torn + fold.torn,
            started=self.started + fold.started,
            closed=self.closed + fold.closed,
            faults=self.faults,
        )


class _Tail(Struct):
    """How far a file was read: ``offset`` bytes, of which ``rest`` are the beginning of a line that has no end yet."""

    file: tuple[int, int] = (0, 0)
    seen: Signature | None = None
    trusted: bool = False
    offset: int = 0
    rest: bytes = b""
    skipping: bool = False
    sums: Sums = field(default_factory=Sums)


class Ledger:
    """The follower of one checkout's ledger. Its facts are immutable; asking twice reads nothing twice."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rotations = Rotations()
        self._archives: tuple[Archive, ...] = ()
        self._unread: tuple[str, ...] = ()
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
        if seen == self._archives and not any(_readable(root, state.path, name) for name in self._unread):
            return False
        known = self._archives
        fresh = self._unread or not known or seen[: len(known)] != known
        base = LedgerFacts() if fresh else self._base
        unread = []
        for name, _ in seen if fresh else seen[len(known) :]:
            before, base = base, _archive(root, state.path, name, base)
            if len(base.faults) > len(before.faults):
                unread.append(name)
        self._base, self._archives, self._unread = base, seen, tuple(unread)
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
        seen, began = signature(status), self._facts
        tail = replace(self._tail, sums=self._tail.sums.copy())  # what fails on the way leaves nothing half read
        same = tail.file == seen[:2] and (status.st_size > tail.offset or seen == tail.seen)
        if not (same and tail.offset and tail.sums.hold(descriptor)):
            began, tail = self._base, _Tail(file=seen[:2])
        fold = Fold(began.episodes)
        _read_on(descriptor, tail, fold)
        tail.seen, tail.trusted = seen, settled(seen, now) and tail.offset == status.st_size
        self._facts, self._tail = began.with_lines(fold, live=True), tail

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
    fold = Fold(began.episodes)
    tail = _Tail()
    try:
        with folder(root, path) as at, opened(at, name) as (descriptor, _):
            _read_on(descriptor, tail, fold)
    except OSError as error:
        return _with_fault(began, Fault(shown(f"{path}/{name}"), why(error)))
    _finish(tail, b"\n", fold)  # nobody will end this line any more
    return began.with_lines(fold, live=False)


def _readable(root: str, path: str, name: str) -> bool:
    """Whether an archive that could not be read perhaps can be now: its last byte can."""
    try:
        with folder(root, path) as at, opened(at, name) as (descriptor, status):
            os.pread(descriptor, 1, max(0, status.st_size - 1))
    except OSError:
        return False
    return True


def _read_on(descriptor: int, tail: _Tail, fold: Fold) -> None:
    """Take every whole line from where the tail stands; what has no end yet is kept as its rest."""
    os.lseek(descriptor, tail.offset, os.SEEK_SET)
    while piece := os.read(descriptor, BLOCK - tail.offset % BLOCK):
        tail.offset += len(piece)
        tail.sums.add(piece)
        whole = piece.rfind(b"\n") + 1
        if whole:
            _finish(tail, piece[:whole], fold)
        _grow(tail, piece[whole:])


def _grow(tail: _Tail, piece: bytes) -> None:
    """A piece without an end of line: keep it, unless the line is longer than any event."""
    tail.skipping = tail.skipping or len(tail.rest) + len(piece) > _LONGEST
    tail.rest = b"" if tail.skipping else tail.rest + piece


def _finish(tail: _Tail, piece: bytes, fold: Fold) -> None:
    """Take a piece of whole lines, of which the first may have begun in an earlier piece."""
    end = piece.index(b"\n") if tail.rest or tail.skipping else 0
    if tail.skipping or len(tail.rest) + end > _LONGEST:
        fold.torn += 1
        piece = piece[end + 1 :]
    elif tail.rest:
        piece = tail.rest + piece
    tail.rest, tail.skipping = b"", False
    fold.take(piece)


def _whole_lines(root: str, path: str, name: str) -> Iterable[bytes]:
    rest = b""
    try:
        with folder(root, path) as at, opened(at, name) as (descriptor, _):
            while piece := os.read(descriptor, BLOCK):
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
