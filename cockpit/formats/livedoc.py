"""A document that people append to: its dated entries and its summary section, as spans of its bytes.

Rules (the project's ``state-lifecycle``): an entry is a level-two heading that holds an ISO date, up to the next
level-two heading or a line ``---``. The latest entry is the one with the newest date, the higher one first where dates
tie. A heading that begins "Summary of earlier" is never an entry. Front matter, fenced code and HTML comments hide what
stands in them (https://spec.commonmark.org/0.31.2/#fenced-code-blocks, #html-blocks). Everything is an offset into
the bytes, so that what is cut out and what stays are the very bytes that were there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from itertools import pairwise

from msgspec import Struct

from cockpit.formats.text import BOM

SUMMARY = "summary of earlier"

_DASH = "[-\u2010\u2011\u2012\u2013\u2212]"  # what word processors make of the hyphen of a date
DATE = re.compile(rf"(?<!\d)(\d{{4}}){_DASH}(\d\d){_DASH}(\d\d)(?!\d)", re.ASCII)
_MARK = re.compile(
    rb"(?:\A\xef\xbb\xbf|^)(?:"
    rb" {0,3}(?P<fence>`{3,}(?=[^`\n]*$)|~{3,})"
    rb"| {0,3}(?P<hashes>#{1,6})(?P<title>[ \t][^\n]*)?\r?$"
    rb"| {0,3}(?P<comment><!--)"
    rb"|(?P<rule>---[ \t]*\r?$))",
    re.MULTILINE,
)
_OPENING = re.compile(r"\ufeff? {0,3}(?:`{3,}[^`]*$|~{3}|<!--)")  # of _MARK, a fence or a comment
_RULE = re.compile(rb"^---[ \t]*\r?$", re.MULTILINE)
_CLOSING = {char: re.compile(rb"^ {0,3}(" + char + rb"{3,})[ \t]*\r?$", re.MULTILINE) for char in (b"`", b"~")}


class Entry(Struct, frozen=True):
    """One dated entry: ``date`` as ``YYYY-MM-DD``, its heading's text, and its span."""

    date: str
    title: str
    start: int
    end: int


class Section(Struct, frozen=True):
    """The summary section: its heading's start, where its body begins, and its end."""

    start: int
    body: int
    end: int


class LiveDocument(Struct, frozen=True):
    """What a document is made of. ``entries`` stand in the order of their age, the latest last.

    ``sealed`` is where a fence or comment begins that is never closed; nothing may be put behind it.
    """

    data: bytes
    entries: tuple[Entry, ...]
    summary: Section | None
    sealed: int | None

    @property
    def latest(self) -> Entry | None:
        """The entry that stays."""
        return self.entries[-1] if self.entries else None

    @property
    def waiting(self) -> tuple[Entry, ...]:
        """The entries that a rotation moves, oldest first."""
        return self.entries[:-1]

    @property
    def ending(self) -> bytes:
        """How the document ends its lines."""
        return b"\r\n" if self.data[: self.data.find(b"\n") + 1].endswith(b"\r\n") else b"\n"

    def bytes_of(self, entry: Entry) -> bytes:
        """An entry, whole."""
        return self.data[entry.start : entry.end]

    @property
    def block(self) -> bytes:
        """The body of the summary section; empty where there is none."""
        return self.data[self.summary.body : self.summary.end] if self.summary else b""


class _Mark(Struct, frozen=True):
    """A heading (level 1 to 6) or a line ``---`` (level 0), and the start of the line after it."""

    level: int
    title: str
    start: int
    after: int


def text(raw: bytes) -> str:
    """Bytes as text that :func:`raw` turns back into the same bytes, whatever they are."""
    return raw.decode("utf-8", "surrogateescape")


def raw(words: str) -> bytes:
    """The bytes of a text that came from :func:`text`."""
    return words.encode("utf-8", "surrogateescape")


def dated(title: str) -> tuple[str, tuple[int, int]] | None:
    """The first date in a text that the calendar has, as ``YYYY-MM-DD``, and its span."""
    for found in DATE.finditer(title):
        try:
            return date(int(found[1]), int(found[2]), int(found[3])).isoformat(), found.span()
        except ValueError:
            continue
    return None


def summary_title(name: str) -> str:
    """The heading of the summary section of a surface."""
    return f"Summary of earlier {name}"


def parse(data: bytes, title: str = "") -> LiveDocument:
    """The document in ``data``; ``title`` is the heading of its summary section. Never raises."""
    marks, sealed = _marks(data)
    summary = _summary(marks, title)
    entries = [
        (found[0], -number, Entry(found[0], mark.title, mark.start, _end(marks, number, len(data), summary)))
        for number, mark in enumerate(marks)
        if mark.level == 2 and not _summarises(mark, title) and (found := dated(mark.title))
    ]
    section = None
    if summary is not None:
        mark = marks[summary]
        section = Section(mark.start, mark.after, _section_end(marks, summary, len(data), title))
    return LiveDocument(data, tuple(entry for *_, entry in sorted(entries, key=lambda e: e[:2])), section, sealed)


def _summarises(mark: _Mark, title: str) -> bool:
    words = mark.title.casefold()
    return mark.level in (1, 2) and (words.startswith(SUMMARY) or (bool(title) and words == title.casefold()))


def _summary(marks: list[_Mark], title: str) -> int | None:
    """The place of the summary's heading: the one of that title, else the first that reads like one."""
    candidates = [number for number, mark in enumerate(marks) if _summarises(mark, title)]
    exact = [number for number in candidates if marks[number].title.casefold() == title.casefold()]
    return next(iter(exact or candidates), None)


def _end(marks: list[_Mark], number: int, size: int, summary: int | None) -> int:
    """Where an entry ends: at the next level-two heading, line ``---`` or summary section."""
    for place in range(number + 1, len(marks)):
        if marks[place].level in (0, 2) or place == summary:
            return marks[place].start
    return size


def _section_end(marks: list[_Mark], number: int, size: int, title: str) -> int:
    """Where the summary ends: at the next heading of its level or above, at an entry, or at a line ``---``."""
    level = marks[number].level
    for mark in marks[number + 1 :]:
        entry = mark.level == 2 and dated(mark.title) and not _summarises(mark, title)
        if mark.level <= level or entry:
            return mark.start
    return size


def _marks(data: bytes) -> tuple[list[_Mark], int | None]:
    """The headings and rules that count, and where something begins that is never closed."""
    marks: list[_Mark] = []
    at = _front_matter(data)
    while found := _MARK.search(data, at):
        start = at = found.start()
        if found["fence"] or found["comment"]:
            closed = _closed(data, found)
            if closed is None:
                return marks, start
            at = closed
            continue
        after = data.find(b"\n", found.end()) + 1 or len(data)
        title = _open_heading(text(found["title"] or b"").strip())
        marks.append(
            _Mark(len(found["hashes"] or b""), title, start + (3 if data.startswith(BOM, start) else 0), after)
        )
        at = found.end()
    return marks, None


def _open_heading(title: str) -> str:
    """The text of a heading without the hashes that may close it."""
    before = title.rstrip("#")
    return before.rstrip() if not before or before[-1] in " \t" else title


def _closed(data: bytes, found: re.Match[bytes]) -> int | None:
    """Where a fence or comment that was opened ends; None where it never does."""
    if found["comment"]:
        end = data.find(b"-->", found.end())
        return None if end < 0 else _line_end(data, end)
    fence = found["fence"]
    for closing in _CLOSING[fence[:1]].finditer(data, _line_end(data, found.end())):
        if len(closing[1]) >= len(fence):
            return closing.end()
    return None


def _line_end(data: bytes, at: int) -> int:
    end = data.find(b"\n", at)
    return len(data) if end < 0 else end


def _front_matter(data: bytes) -> int:
    """The end of the front matter; 0 where there is none (a document may begin with a rule)."""
    rules = _RULE.finditer(data, len(BOM) if data.startswith(BOM) else 0)
    start = len(BOM) if data.startswith(BOM) else 0
    if not re.match(rb"---[ \t]*\r?\n", data[start : start + 80]):
        return 0
    ends = [rule for rule in _taken(rules, 2) if rule.start() > start]
    if not ends or re.search(rb"^## ", data[start : ends[0].start()], re.MULTILINE):
        return 0
    return ends[0].end()


def _taken(found: Iterator[re.Match[bytes]], number: int) -> Iterator[re.Match[bytes]]:
    for _, each in zip(range(number), found, strict=False):
        yield each


def hidden(lines: list[str]) -> list[bool]:
    """For each line of a passage, whether it belongs to fenced code or an HTML comment."""
    data = raw("".join(f"{line}\n" for line in lines))
    flags: list[bool] = []
    at, until = 0, 0
    for line in lines:
        if at >= until and _OPENING.match(line) and (found := _MARK.match(data, at)):
            until = _closed(data, found) or len(data)
        flags.append(at < until)
        at += len(line if line.isascii() else raw(line)) + 1
    return flags


def without(data: bytes, spans: list[tuple[int, int]]) -> bytes:
    """``data`` without some spans of it, which do not overlap."""
    edges = [0, *(edge for span in sorted(spans) for edge in span), len(data)]
    return b"".join(data[start:end] for start, end in list(pairwise(edges))[::2])
