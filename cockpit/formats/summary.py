"""The summary section of a live document: its items, what they point to, and how the oldest become a phase.

An item is ``- **<date> - <headline>**`` with the indented lines below it; a phase is
``- **<phase> (<M> sessions, <first date> → <last date>)**``. A pointer is a name in the archive folder behind an arrow
or behind "Archive:"; in a phase it may hold ``*``. Whatever else stands in the section was written by hand, and is
kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from cockpit.formats import insights, livedoc
from cockpit.formats.livedoc import raw, text

LIMIT = 200  # lines of the summary section
FEWEST, MOST = 10, 20  # items that one phase takes
_WIDTH = 110

_D = livedoc.DATE.pattern
_ITEM = re.compile(rf" {{0,3}}[-*+][ \t]+(?:\*\*|__)?(?={_D})", re.ASCII)
_PHASE = re.compile(
    r" {0,3}[-*+][ \t]+(?:\*\*|__)?(?P<name>[^(\n]{0,200}?)\s{0,3}\((?P<count>\d{1,9}) [^(),\n]{1,60}, "
    r"(?P<first>\d{4}-\d\d-\d\d)\s*(?:→|->|–|—|-|to)\s*(?P<last>\d{4}-\d\d-\d\d)\)",
    re.ASCII,
)
_ARROW = re.compile(r"\s*(?:→|->)(?P<rest>.*)")
_ARCHIVE = re.compile(r"archives?\**:\**(?P<rest>.*)", re.IGNORECASE)
_TOKEN = re.compile(r"[^\s`'\"<>(),;\[\]]+")
_NUMBER = re.compile(r"(\d{1,6})\s*$", re.ASCII)

Kind = Literal["entry", "phase", "hand"]


class Piece(Struct, frozen=True):
    """A run of lines: an item that points into the archive, a phase, or what was written by hand."""

    kind: Kind
    lines: tuple[str, ...]
    first: str = ""
    last: str = ""
    sessions: int = 0
    name: str = ""
    pointers: tuple[str, ...] = ()


class Collapsed(Struct, frozen=True):
    """A phase that was made: of how many items, and which dates it covers."""

    items: int
    name: str
    first: str
    last: str


def count(block: bytes) -> int:
    """The lines of a summary section, without the blank ones at its edges."""
    body = block.strip(b" \t\r\n")
    return body.count(b"\n") + 1 if body else 0


def pointers(block: bytes, archive: str) -> list[str]:
    """Every name and pattern that a passage points to in the archive folder, in order; ``archive`` is its path."""
    lines = _split(block)
    plain = [line for line, code in zip(lines, _hidden(lines), strict=True) if not code]
    return list(dict.fromkeys(name for line in plain for name in _pointers(line, archive)))


def reached(names: Iterable[str], found: Iterable[str]) -> set[str]:
    """Those of ``names`` that a pointer or pattern covers."""
    plain = set(names)
    pointing = list(found)
    exact = plain.intersection(pointing)
    for pattern in (name for name in pointing if "*" in name or "?" in name):
        exact.update(name for name in plain if fnmatchcase(name, pattern))
    return exact


def pieces(block: bytes, archive: str) -> list[Piece]:
    """The section in pieces; their lines, joined, are the section."""
    found: list[tuple[Piece | None, list[str]]] = []
    lines = _split(block)
    for line, code in zip(lines, _hidden(lines), strict=True):
        begins = None if code else _begins(line)
        if begins is None and found and (found[-1][0] is None or code or not line.strip() or line[:1] in " \t"):
            found[-1][1].append(line)
        else:
            found.append((begins, [line]))
    return [_piece(begun, lines, archive) for begun, lines in found]


def _split(block: bytes) -> list[str]:
    """The lines with their ends."""
    return re.findall(r"[^\n]*\n|[^\n]+", text(block))


def _hidden(lines: list[str]) -> list[bool]:
    return livedoc.hidden([line.rstrip("\n") for line in lines])


def _begins(line: str) -> Piece | None:
    """The piece that a line begins; None where it begins none."""
    if _ITEM.match(line) and (found := livedoc.dated(line)):
        return Piece("entry", (line,), found[0], found[0], 1)
    if phase := _PHASE.match(line):
        return Piece("phase", (line,), phase["first"], phase["last"], int(phase["count"]), phase["name"].strip("*_ "))
    return None


def _piece(begun: Piece | None, lines: list[str], archive: str) -> Piece:
    """A piece, whole; an item that points to nothing in the archive was written by hand, and is kept as such."""
    names = tuple(dict.fromkeys(name for line in lines for name in _pointers(line, archive))) if begun else ()
    if begun is None or not names:
        return Piece("hand", tuple(lines))
    return replace(begun, lines=tuple(lines), pointers=names)


def _pointers(line: str, archive: str) -> list[str]:
    """The names in the archive folder that a line points to."""
    after = _ARROW.match(line) or _ARCHIVE.search(line)
    if after is None and _begins(line):
        after = re.search(r"(?:\*\*|__)\s*(?:→|->|:)(?P<rest>.*)", line)
    if after is None:
        return []
    tokens = [each.rstrip(".:*_").rpartition("/") for each in _TOKEN.findall(after["rest"])]
    return [name for folder, _, name in tokens if len(name) > 3 and name.endswith(".md") and _leads(folder, archive)]


def _leads(folder: str, archive: str) -> bool:
    """Whether the folder of a pointer is the archive, by the last part of its path or by more of it."""
    stated = re.sub(r"^(?:\.{1,2}/)+", "", folder)
    return bool(stated) and (archive == stated or archive.endswith(f"/{stated}"))


# ---------------------------------------------------------------------- writing
def item(date: str, title: str, body: list[str], pointer: str, ending: str) -> Piece:
    """The summary of one entry; ``pointer`` is its archive as it is written, such as ``archive/2026-03-01.md``."""
    said = insights.headline(title, body)
    head = f"- **{date} - {said}**" if said else f"- **{date}**"
    lines = [head, *(f"  - {words}" for words in insights.lines(title, body)), f"  → {pointer}"]
    name = pointer.rpartition("/")[2]
    return Piece("entry", tuple(line + ending for line in lines), date, date, 1, pointers=(name,))


class Shelf:
    """An archive folder as the summary sees it: its path, the names in it, and how the document ends its lines."""

    def __init__(self, folder: str, names: Iterable[str], ending: str) -> None:
        self.folder, self.ending = folder, ending
        self.names = set(names)
        self._by: dict[str, set[str]] = {}
        for name in self.names:
            for length in (4, 7, 9):
                self._by.setdefault(name[:length], set()).add(name)

    def expand(self, found: Iterable[str]) -> set[str]:
        """The names that pointers and patterns stand for; a pointer to nothing stands for itself."""
        names: set[str] = set()
        for pattern in found:
            if "*" in pattern or "?" in pattern:
                pool = self._by.get(pattern[:7]) or self._by.get(pattern[:4]) or self.names
                names.update(name for name in pool if fnmatchcase(name, pattern))
            else:
                names.add(pattern)
        return names

    def patterns(self, names: set[str], *, years: bool) -> list[str]:
        """The fewest patterns that cover ``names`` and nothing else here; what no pattern can cover is listed."""
        left, found = set(names), []
        for length, tail in ((4, "-*.md"), (7, "-*.md"), (9, "*.md"))[0 if years else 1 :]:
            for start in sorted({name[:length] for name in left if livedoc.DATE.match(name)}):
                here = {name for name in left if name.startswith(start)}
                if len(here) > 1 and self._by.get(start, set()) <= names:
                    found.append(start + tail)
                    left -= here
        return sorted([*found, *left])


def collapse(found: list[Piece], shelf: Shelf, limit: int = LIMIT) -> tuple[list[Piece], list[Collapsed]]:
    """The section with its oldest items as phases, as far as it takes to fit into ``limit`` lines and can be done.

    Items that were written by hand are never taken. Where there are too few entries left to make a phase of, or
    phases take more than half of the room, the oldest phases become one.
    """
    made: list[Collapsed] = []
    while (surplus := _size(found) - limit) > 0:
        first, second = _turn(found)
        step = _step(found, first, shelf, surplus) or _step(found, second, shelf, surplus)
        if step is None:
            break
        found, phase = step
        made.append(phase)
    return found, made


def collapsible(block: bytes, shelf: Shelf) -> bool:
    """Whether a section that is too long can become shorter."""
    return count(block) > LIMIT and bool(collapse(pieces(block, shelf.folder), shelf)[1])


def _size(found: list[Piece]) -> int:
    return count(raw("".join(line for piece in found for line in piece.lines)))


def _turn(found: list[Piece]) -> tuple[Kind, Kind]:
    phases = sum(len(piece.lines) for piece in found if piece.kind == "phase")
    return ("phase", "entry") if phases > LIMIT // 2 else ("entry", "phase")


def _step(found: list[Piece], kind: Kind, shelf: Shelf, surplus: int) -> tuple[list[Piece], Collapsed] | None:
    """One phase made of the oldest pieces of a kind: as few as make the section fit, at least ten, at most twenty."""
    places = [number for number, piece in enumerate(found) if piece.kind == kind]
    oldest = sorted(places, key=lambda number: (found[number].first, number))
    best = None
    for number in range(FEWEST, min(MOST, len(oldest)) + 1):
        taken = sorted(oldest[:number])
        phase = _phase(found, taken, shelf)
        saved = sum(len(found[place].lines) for place in taken) - len(phase.lines)
        if saved > 0:
            best = taken, phase
        if saved >= surplus:
            break
    if best is None:
        return None
    taken, phase = best
    gone = set(taken[1:])
    kept = [phase if place == taken[0] else piece for place, piece in enumerate(found) if place not in gone]
    return kept, Collapsed(len(taken), phase.name, phase.first, phase.last)


def _phase(found: list[Piece], taken: list[int], shelf: Shelf) -> Piece:
    those = [found[place] for place in taken]
    first, last = min(piece.first for piece in those), max(piece.last for piece in those)
    sessions = sum(piece.sessions for piece in those)
    names = shelf.expand(name for piece in those for name in piece.pointers)
    patterns = shelf.patterns(names, years=those[0].kind == "phase")
    name = _named(found, those)
    lines = [
        f"- **{name} ({sessions} sessions, {first} → {last})**",
        *(f"  - {words}" for words in _outcomes(those)),
        *_arrows(patterns, shelf.folder.rpartition("/")[2]),
    ]
    whole = (*(line + shelf.ending for line in lines), *_trailing(those[-1].lines))
    return Piece("phase", whole, first, last, sessions, name, tuple(patterns))


def _named(found: list[Piece], those: list[Piece]) -> str:
    """``Phase N``, the next number; phases that become one are ``Phases N-M``, by the numbers that they had."""
    numbers = [int(number) for piece in those for number in re.findall(r"[0-9]{1,6}", piece.name)]
    if those[0].kind == "phase" and numbers:
        return f"Phases {min(numbers)}-{max(numbers)}"
    taken = [int(each[1]) for piece in found if piece.kind == "phase" and (each := _NUMBER.search(piece.name))]
    return f"Phase {max(taken, default=-1) + 1}"


def _outcomes(those: list[Piece]) -> list[str]:
    """Up to three lines for a phase: of its milestones, else of its first, middle and last item, in their own words."""
    order = sorted(those, key=lambda piece: piece.first)
    stones = [piece for piece in order if insights.milestone(piece.lines[0])]
    spread = [order[0], order[len(order) // 2], order[-1]]
    chosen = sorted(list(dict.fromkeys([*stones[:3], *spread]))[:3], key=lambda piece: piece.first)
    return list(dict.fromkeys(filter(None, map(_said, chosen))))


def _said(piece: Piece) -> str:
    """A piece in one line: its first line below the headline, else the headline."""
    below = [line for line in piece.lines[1:] if line.strip() and not _ARROW.match(line) and not _ARCHIVE.search(line)]
    if below:
        return insights.cut(insights.clean(re.sub(r"^\s*(?:[-*+]\s+)?", "", below[0])), insights.LINE)
    head = re.sub(r"^\s*[-*+]\s+", "", piece.lines[0])
    return insights.headline(head, []) if piece.kind == "entry" else ""


def _arrows(names: list[str], folder: str) -> list[str]:
    """Pointer lines, several names a line as far as the width allows."""
    lines: list[str] = []
    for name in names:
        words = f"{folder}/{name}"
        if lines and len(lines[-1]) + 2 + len(words) <= _WIDTH:
            lines[-1] += f", {words}"
        else:
            lines.append(f"  → {words}")
    return lines


def _trailing(lines: tuple[str, ...]) -> tuple[str, ...]:
    """The blank lines at the end of a piece."""
    number = len(lines)
    while number and not lines[number - 1].strip():
        number -= 1
    return lines[number:]
