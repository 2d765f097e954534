"""The section "Repository process declaration" of a document: who owns what, and which of it is the work map.

An owner is a line ``Name: where`` (a bullet and ``**bold**`` are tolerated) or a row ``| Name | where |`` of a table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from cockpit.formats import letter
from cockpit.formats.letter import Section
from cockpit.formats.livedoc import hidden

TITLE = "repository process declaration"
_OWNER = re.compile(r"[ \t]*(?:[-*+][ \t]+|\d{1,3}[.)][ \t]+)?([^:|`]{1,80}?)[ \t]*:(?!//)[ \t]*(\S.*)")
_ROW = re.compile(r"[ \t]*\|([^|]{1,120})\|([^|]{1,1024})\|.*")
_RULE = re.compile(r"[\s:-]*")
_LINK = re.compile(r"\[[^\]]{0,512}\]\(<?([^()<>]{1,1024})>?\)")
_CODE = re.compile(r"`([^`]{1,1024})`")
_MAP = re.compile(r"\bwork[- ]?map\b", re.IGNORECASE)
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[(.)\][ \t]+)?(\S.*)")
_NOTHING = re.compile(r"(?:none|nothing|n/?a|-)\W*", re.IGNORECASE)


class Owner(Struct, frozen=True):
    """What is owned, where that is said to be, as it is written, and the line that says it."""

    name: str
    stated: str
    line: int

    @property
    def maps_work(self) -> bool:
        """Whether it is the work map."""
        return bool(_MAP.search(self.name))


class Item(Struct, frozen=True):
    """An item of a list that is not ticked, and its line."""

    text: str
    line: int


def declared(data: bytes) -> tuple[int, list[Owner]] | None:
    """The line of the declaration in a document and the owners it names; None where there is no such section."""
    sections = letter.parse(data).sections if TITLE.encode() in data.lower() else ()
    first = next((n for n, each in enumerate(sections) if each.level and TITLE in each.heading.casefold()), None)
    if first is None:
        return None
    found = list(_owners(sections[first]))
    for inner in sections[first + 1 :]:
        if inner.level <= sections[first].level:
            break
        found += _owners(inner)
    return sections[first].line, found


def open_items(section: Section) -> list[Item]:
    """The items of a section's lists that are not ticked; "none" is no item."""
    lines = section.text.split("\n")
    found = ((number, _ITEM.fullmatch(line)) for number, line in _seen(lines, section.first))
    items = ((number, each[1] or " ", each[2].strip()) for number, each in found if each)
    return [Item(text, number) for number, tick, text in items if tick == " " and not _NOTHING.fullmatch(text)]


def _owners(section: Section) -> Iterator[Owner]:
    lines = section.text.split("\n")
    for number, line in _seen(lines, section.first):
        row = _ROW.fullmatch(line)
        stated = row or _OWNER.fullmatch(line)
        if stated is None or (row and (_RULE.fullmatch(row[1]) or _heads(lines, number - section.first))):
            continue
        name, where = stated[1].strip(" \t*_`"), _plain(stated[2].strip().removeprefix("**").strip())
        if name and where:
            yield Owner(name, where, number)


def _heads(lines: list[str], at: int) -> bool:
    """Whether the line is the head of a table: the next one is its rule."""
    rule = _ROW.fullmatch(lines[at + 1]) if at + 1 < len(lines) else None
    return bool(rule and _RULE.fullmatch(rule[1]))


def _seen(lines: list[str], first: int) -> Iterator[tuple[int, str]]:
    """The lines outside fenced code and comments, with their numbers."""
    covered = hidden(lines)
    return ((number, line) for number, (line, over) in enumerate(zip(lines, covered, strict=True), first) if not over)


def _plain(stated: str) -> str:
    """A path out of a link, or out of the backquotes that a value begins with."""
    link, code = _LINK.match(stated), _CODE.match(stated)
    return (link[1] if link else code[1] if code else stated).removeprefix("./")
