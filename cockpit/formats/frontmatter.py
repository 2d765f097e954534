"""Front matter: the lines between a first line ``---`` and the next line ``---``, and the body after them."""

from __future__ import annotations

import re

from msgspec import Struct

from cockpit.formats import document
from cockpit.formats.text import lines

_FENCE = re.compile(r"\s*(`{3,}|~{3,})(.*)")


class FrontMatter(Struct, frozen=True):
    """A file's front matter as a document, and the text below it (bytes that are no UTF-8 as ``\\xNN``)."""

    header: document.Document
    body: str


def parse(data: bytes) -> FrontMatter | None:
    """The front matter and body of a file; None where one of the two fences is missing."""
    split = lines(data)
    if not split or split[0].rstrip() != b"---":
        return None
    for number in range(1, len(split)):
        if split[number].startswith(b"---") and split[number].rstrip() == b"---":
            body = b"\n".join(split[number + 1 :]).decode("utf-8", "backslashreplace")
            return FrontMatter(document.parse_lines(split[1:number]), body)
    return None


def section(body: str, title: str) -> str:
    """The text below the level-one heading ``title``, up to the next level-one heading, stripped.

    Headings inside fenced code are text (https://spec.commonmark.org/0.31.2/#fenced-code-blocks). Empty where there is
    no such section, or nothing in it.
    """
    found: list[str] = []
    inside, fence = False, ""
    for line in body.split("\n"):
        marks = _FENCE.fullmatch(line)
        if fence:
            fence = "" if marks and marks[1].startswith(fence) and not marks[2].strip() else fence
        elif marks and not (marks[1][0] == "`" and "`" in marks[2]):
            fence = marks[1]
        elif line.startswith("# ") or line.rstrip() == "#":
            inside = line[2:].strip().rstrip("#").rstrip().casefold() == title.casefold()
            continue
        if inside:
            found.append(line)
    return "\n".join(found).strip()
