"""The plan of a rotation: which archive files come to be, and what the live document then holds. Text in, plan out.

The order of writes that goes with it: archive files first, each created exclusively, and the live document replaced
last, in one step. Until then it holds every entry, so that a kill loses nothing, and the same plan comes out again.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Mapping

from msgspec import Struct

from cockpit.formats import livedoc, summary
from cockpit.formats.livedoc import Entry, LiveDocument, raw, text
from cockpit.formats.summary import LIMIT, Collapsed, Piece, Shelf
from cockpit.formats.text import BOM

_ARCHIVED = re.compile(r"\d{4}-\d\d-\d\d(?:-\d+)?\.md", re.ASCII)


class Archived(Struct, frozen=True):
    """An entry and the archive file that holds it; ``there`` where that file already does."""

    date: str
    title: str
    name: str
    data: bytes
    there: bool


class Archive(Struct, frozen=True):
    """What an archive folder holds before a rotation.

    ``names`` are all names in it, ``held`` the bytes of those files that the dates of the waiting entries may be
    named for, ``digests`` what is noted of each file.
    """

    names: frozenset[str] = frozenset()
    held: Mapping[str, bytes] = {}
    digests: Mapping[str, str] = {}


class Plan(Struct, frozen=True):
    """What a rotation does. ``data`` is the live document after it, ``summary_lines`` the size of its summary."""

    archived: tuple[Archived, ...]
    collapsed: tuple[Collapsed, ...]
    before: bytes
    data: bytes
    summary_lines: int

    @property
    def idle(self) -> bool:
        """Whether there is nothing to do."""
        return self.data == self.before and not self.archived


def digest(data: bytes) -> str:
    """What an archive file is known by: the SHA-256 of its bytes, in hex."""
    return hashlib.sha256(data).hexdigest()


def candidates(document: LiveDocument, names: frozenset[str]) -> list[str]:
    """The names in an archive folder whose bytes :func:`plan` wants to know."""
    dates = {entry.date for entry in document.waiting}
    return sorted(name for name in names if name[:10] in dates and _ARCHIVED.fullmatch(name))


def plan(document: LiveDocument, title: str, folder: str, archive: Archive, limit: int = LIMIT) -> Plan:
    """The rotation of a document whose archive folder is ``folder``; ``title`` heads its summary where it has none."""
    pointed = summary.pointers(document.block, folder)
    archived = _archived(document, archive, pointed)
    names = {*(name for name in archive.names if name.endswith(".md")), *(each.name for each in archived)}
    shelf = Shelf(folder, names, document.ending.decode())
    data, collapsed = _live(document, title, _items(archived, shelf.expand(pointed), shelf), shelf, limit)
    after = document if data == document.data else livedoc.parse(data, title)
    return Plan(archived, tuple(collapsed), document.data, data, summary.count(after.block))


# ---------------------------------------------------------------------- archive files
def _archived(document: LiveDocument, archive: Archive, pointed: list[str]) -> tuple[Archived, ...]:
    """The waiting entries with the names of their files, oldest first.

    A file that holds an entry's very bytes is its archive. A name that is taken by other bytes, or by a file that is
    gone and that something still points to, is never given again.
    """
    held = dict(archive.held)
    lost = {name for name in pointed if name not in archive.names}
    found = []
    for entry in document.waiting:
        data = document.bytes_of(entry)
        name, there = _name(entry, data, archive, held, lost)
        held[name] = data
        found.append(Archived(entry.date, entry.title, name, data, there))
    return tuple(found)


def _name(entry: Entry, data: bytes, archive: Archive, held: dict[str, bytes], lost: set[str]) -> tuple[str, bool]:
    number = 1
    while True:
        name = f"{entry.date}.md" if number == 1 else f"{entry.date}-{number}.md"
        if name in held:
            if held[name] == data:
                return name, True
        elif name not in archive.names:
            noted = archive.digests.get(name)
            if noted == digest(data) if noted else name not in lost:
                return name, False
        number += 1


# ---------------------------------------------------------------------- the live document
def _live(
    document: LiveDocument, title: str, items: list[Piece], shelf: Shelf, limit: int
) -> tuple[bytes, list[Collapsed]]:
    """The live document after the rotation, and the phases that were made."""
    spans = [(entry.start, entry.end) for entry in document.waiting]
    rest = livedoc.without(document.data, spans)
    section = document.summary
    if section is None:
        block, made = _grown(document.ending, items, shelf, limit)
        return (_with_section(document, rest, title, block) if items else rest), made
    start, end = _moved(section.body, spans), _moved(section.end, spans)
    sealed = end if document.sealed is None else min(end, _moved(document.sealed, spans))
    room = limit - summary.count(rest[sealed:end])
    block, made = _grown(rest[start:sealed], items, shelf, room)
    if not items and not made:
        return rest, []
    lead = b"" if rest[:start].endswith(b"\n") else document.ending
    return _spliced(document, rest[:start], lead + block, rest[sealed:]), made


def _items(archived: tuple[Archived, ...], known: set[str], shelf: Shelf) -> list[Piece]:
    """The summaries of the entries whose archive the section does not lead to yet."""
    found: dict[str, Piece] = {}
    for each in archived:
        if each.name not in known and each.name not in found:
            body = text(each.data).split("\n")[1:]
            pointer = f"{posixpath.basename(shelf.folder)}/{each.name}"
            found[each.name] = summary.item(each.date, each.title, body, pointer, shelf.ending)
    return list(found.values())


def _moved(at: int, spans: list[tuple[int, int]]) -> int:
    """Where an offset lies after the spans are cut out."""
    return at - sum(min(end, at) - start for start, end in spans if start < at)


def _grown(block: bytes, items: list[Piece], shelf: Shelf, limit: int) -> tuple[bytes, list[Collapsed]]:
    """A section with further items behind its last line, collapsed where it is too long."""
    solid = len(block.rstrip(b" \t\r\n"))
    end = block.find(b"\n", solid) + 1 or len(block)
    core, blank = block[:end], block[end:]
    if core and items and not core.endswith(b"\n"):
        core += raw(shelf.ending)
    found = summary.pieces(core, shelf.folder)
    if items and (not found or (solid and found[-1].kind == "hand")):
        found.append(Piece("hand", (shelf.ending,)))
    found, made = summary.collapse([*found, *items], shelf, limit)
    return raw("".join(line for piece in found for line in piece.lines)) + blank, made


def with_empty_section(document: LiveDocument, title: str) -> bytes:
    """The document with a summary section in it, which is empty where there was none; it may have no entry at all."""
    if document.summary is not None or (document.sealed is not None and not document.entries):
        return document.data
    if document.latest is None:
        parted = _parted(document.data, document.ending)
        return _spliced(document, document.data, parted + raw(f"## {title}") + document.ending, b"")
    at = _place(document, [])
    lead = _parted(document.data[:at], document.ending) + raw(f"## {title}") + document.ending
    return _spliced(document, document.data[:at], lead, document.data[at:])


def _place(document: LiveDocument, spans: list[tuple[int, int]]) -> int:
    """Where a summary section goes, once some spans are cut out: behind the latest entry, if it may stand there."""
    latest = document.latest
    assert latest is not None
    open_end = document.sealed is not None and document.sealed < latest.end
    return _moved(latest.start if open_end else latest.end, spans)


def _with_section(document: LiveDocument, rest: bytes, title: str, block: bytes) -> bytes:
    """What is left of the document with a summary section of that body."""
    end = document.ending
    at = _place(document, [(entry.start, entry.end) for entry in document.waiting])
    return _spliced(document, rest[:at], _parted(rest[:at], end) + raw(f"## {title}") + end + block, rest[at:])


def _parted(before: bytes, ending: bytes) -> bytes:
    """The line ends that it takes for a blank line behind ``before``."""
    if not before or before.endswith((b"\n\n", b"\n\r\n")) or before == BOM:
        return b""
    return ending if before.endswith(b"\n") else ending + ending


def _spliced(document: LiveDocument, before: bytes, block: bytes, behind: bytes) -> bytes:
    """The three joined: a blank line parts the block from what follows, and the document ends as it did."""
    ending = document.ending
    if behind.strip():
        blank = block[len(block.rstrip(b" \t\r\n")) :].count(b"\n")
        return before + block + ending * max(0, 2 - blank) + behind
    if not behind and not document.data.endswith(b"\n") and block == block.rstrip(b" \t\r\n") + ending:
        block = block.removesuffix(ending)
    return before + block + behind
