"""``INDEX.md`` of the archive of letters: one line a letter, found by the first letter's name on it.

``- [NAME](NAME): effort E, leg L; consumed INSTANT; sha256:DIGEST; was sha256:DIGEST``: the digests are those of the
archived letter and of the same letter before it was marked as consumed. No two names are shown alike. Of a line that a
person wrote the name alone is wanted. Where a letter has two lines the last one counts.
"""

from __future__ import annotations

import os
import re
from urllib.parse import quote, unquote

from msgspec import Struct

from cockpit.formats.letter import PREFIX, is_letter
from cockpit.formats.text import BOM, lines, shown, sound, visible

INDEX = "INDEX.md"
TITLE = "# Consumed handoffs\n\n"
_TARGET = re.compile(r"\]\(<?([^()<>\s]{1,2048})>?\)")
_BARE = re.compile(r"HANDOFF-[^\s|()\[\]`<>]{1,512}?\.md\b")
_LABEL = {code: f"\\u{code:04x}" for code in range(0xAE) if not chr(code).isprintable() or chr(code) in "\\[]`<>"}
"""What ends a link's text or a line, and what else might be taken for the escape of a byte that is no UTF-8."""
_DIGEST = re.compile(r"(was )?sha256:([0-9a-f]{64})(?![0-9a-f])")


class Noted(Struct, frozen=True):
    """What a line says of a letter; a digest is empty where the line has none."""

    line: int
    digest: str = ""
    was: str = ""


def parse(data: bytes) -> dict[str, Noted]:
    """What is noted of each letter, by its file name."""
    found: dict[str, Noted] = {}
    for number, raw in enumerate(lines(data), 1):
        text = raw.decode("utf-8", "surrogateescape")
        name = _named(text) if PREFIX in text or "%" in text else ""
        if name:
            digests = {bool(was): digest for was, digest in _DIGEST.findall(text)}
            found[name] = Noted(number, digests.get(False, ""), digests.get(True, ""))
    return found


def _named(text: str) -> str:
    """The first letter that a line names; empty where it names none."""
    for target in _TARGET.finditer(text):
        name = unquote(target[1], errors="surrogateescape").rpartition("/")[2]
        if is_letter(name):
            return name
    bare = _BARE.search(text)
    return bare[0] if bare else ""


def entry(name: str, about: str, digest: str, was: str) -> str:
    """The line of a letter, without its end; ``about`` is prose without a digest."""
    label = visible(shown(name.translate(_LABEL)))
    before = f"; was sha256:{was}" if was and was != digest else ""
    return f"- [{label}]({quote(os.fsencode(name))}): {_line(about)}; sha256:{digest}{before}"


def _line(words: str) -> str:
    return " ".join(visible(sound(words)).split())


def with_entry(data: bytes, name: str, line: str) -> bytes:
    """An index with one line for a letter, in place of the one it had; else at the end. Its other bytes stay."""
    noted = parse(data).get(name)
    ending = b"\r\n" if b"\r\n" in data else b"\n"
    new = line.encode() + ending
    if noted is None:
        parted = b"" if not data or data.endswith(b"\n") else ending
        return (data or TITLE.encode()) + parted + new
    kept = data.split(b"\n")
    last = noted.line == len(kept)
    mark = BOM if noted.line == 1 and data.startswith(BOM) else b""
    kept[noted.line - 1] = mark + (line.encode() if last else new[:-1])
    return b"\n".join(kept)
