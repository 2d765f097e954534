"""Which archives hold lines of the ledger that no later file holds, also where a rotation was killed.

A rotation copies the oldest lines into an archive and then cuts them from the live file. Killed in between it leaves an
archive, whole or in part, with which the files after it begin (the live file, or the archive that the next rotation
made of the same lines): such a copy is not counted. Cockpit's own recorder gives an archive its name last; killed
before that, the lines that were cut are in the pending archive alone, and are read there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from cockpit.store.files import Listing, Signature, folder, opened

LIVE = "ledger.jsonl"
_ARCHIVE = re.compile(r"(ledger\..+\.jsonl\.archived)(?:\.rotating)?")
_HEAD = 4096  # bytes; two files that differ do so at once
_PIECE = 1 << 20

Archive = tuple[str, Signature]


class Rotations:
    """The archives of one checkout's ledger; what was compared is remembered."""

    def __init__(self) -> None:
        self._heads: dict[Signature, bytes] = {}
        self._copies: dict[Signature, tuple[list[Archive], bool]] = {}

    def archives(self, root: str, path: str, state: Listing) -> tuple[Archive, ...]:
        """The archives to be counted beside the live file, in the order of their lines, and how each looks.

        ``state`` is the listing of the state folder ``path``. The names carry the moment of rotation.
        """
        named: dict[str, Archive] = {}
        for name in sorted(state.entries):  # a pending name comes after the name it waits for
            found = _ARCHIVE.fullmatch(name)
            if found:
                named.setdefault(found[1], (name, state.entries[name].signature))
        seen = tuple(named[name] for name in sorted(named))
        if not seen:
            return ()
        self._forget({looks for _, looks in seen})
        try:
            with folder(root, path) as at:
                return self._without_copies(at, seen, state)
        except OSError:
            return seen  # whoever reads them says why they cannot be read

    def _forget(self, there: set[Signature]) -> None:
        """Remember nothing of an archive that is not there any more."""
        if not there >= self._heads.keys():
            self._heads = {looks: head for looks, head in self._heads.items() if looks in there}
            self._copies = {key: copied for key, copied in self._copies.items() if key in there}

    def _without_copies(self, at: int, seen: tuple[Archive, ...], state: Listing) -> tuple[Archive, ...]:
        live = state.entries.get(LIVE)
        later: list[Archive] = [(LIVE, live.signature)] if live and live.kind == "file" else []
        for archive in reversed(seen):
            if not self._is_copy(at, archive, later):
                later.insert(0, archive)
        return tuple(each for each in later if each[0] != LIVE)

    def _is_copy(self, at: int, archive: Archive, later: list[Archive]) -> bool:
        """Whether the files after an archive begin with it; a file that cannot be read is no copy."""
        name, looks = archive
        try:
            if not later or not _alike(self._head(at, *archive), self._head(at, *later[0])):
                return False
            kept = self._copies.get(looks)
            if kept is None or kept[0] != later:
                self._copies[looks] = kept = later[:], _begin(at, [file for file, _ in later], name)
            return kept[1]
        except OSError:
            return False

    def _head(self, at: int, name: str, looks: Signature) -> bytes:
        """How a file begins; that of an archive is read once."""
        head = self._heads.get(looks)
        if head is None:
            with opened(at, name) as (descriptor, _):
                head = os.pread(descriptor, _HEAD, 0)
            if name != LIVE:
                self._heads[looks] = head
        return head


def _alike(one: bytes, other: bytes) -> bool:
    """Whether two beginnings are the same as far as both go, and say anything."""
    length = min(len(one), len(other))
    return length > 0 and one[:length] == other[:length]


def _begin(at: int, files: list[str], name: str) -> bool:
    """Whether files begin with another one's bytes; the last line of the live file may lack its end there."""
    whole = _pieces(at, files)
    kept = b""
    for piece in _pieces(at, [name]):
        while len(kept) < len(piece) and (more := next(whole, b"")):
            kept += more
        if not kept.startswith(piece):
            return kept + b"\n" == piece
        kept = kept[len(piece) :]
    return True


def _pieces(at: int, files: list[str]) -> Iterator[bytes]:
    for name in files:
        with opened(at, name) as (descriptor, _):
            while piece := os.read(descriptor, _PIECE):
                yield piece
