"""Documents that agents are given to read: which ones they are, and what their first lines must say."""

from __future__ import annotations

import posixpath
import re
from datetime import date

from cockpit.formats.livedoc import DATE
from cockpit.formats.text import lines

LARGE = 15 << 10  # bytes
STATE = "state.md"
STATE_LINES = 120
FRESH_WITHIN = 12  # lines
HEAD = 4 << 10  # bytes in which a canonical key may stand
STATE_HEAD = 64 << 10  # bytes that are read of a STATE.md: more than its lines may fill

ENDINGS = (".md", ".mdc", ".markdown")
NAMES = frozenset((".cursorrules", ".windsurfrules", ".clinerules"))
_AGENTS = frozenset(("agents.md", "claude.md", "gemini.md", "codex.md", "skill.md", "memory.md", "context.md", STATE))
_AGENTS_TOO = frozenset(("copilot-instructions.md", "agents.override.md", "claude.local.md")) | NAMES
_FOLDERS = frozenset((".claude", ".codex", ".gemini", ".cursor", ".agents", ".windsurf", ".ai"))
_KEY = re.compile(rb"[ \t]{0,3}(?:[-*+>][ \t]{1,3})?(?:\*\*)?canonical key(?:\*\*)?[ \t]*:(?:\*\*)?[ \t]*(\S.*)", re.I)
_FRESH = re.compile(
    r"\b(?:as of|fresh|freshness|(?:last[ -])?(?:updated?|verified|reviewed|refreshed|checked|modified)|current)\b",
    re.I,
)


def is_document(name: str) -> bool:
    """Whether a file name is one of a document."""
    low = name.lower()
    return low.endswith(ENDINGS) or low in NAMES


def for_agents(path: str) -> bool:
    """Whether the document at a path is one that agents are given as such."""
    folder, name = posixpath.split(path)
    low = name.lower()
    return low in _AGENTS or low in _AGENTS_TOO or not _FOLDERS.isdisjoint(folder.lower().split("/"))


def is_state(path: str) -> bool:
    """Whether a path is one of a STATE.md."""
    return posixpath.basename(path).lower() == STATE


def canonical_key(head: bytes) -> tuple[str, int] | None:
    """The key of a ``Canonical key: …`` line as it is written, and its line from 1; None where there is none.

    A line that ``head`` cuts off is none.
    """
    if b"anonical " not in head and b"ANONICAL " not in head:  # most documents: told at once
        return None
    whole = head if len(head) < HEAD else head[: head.rfind(b"\n") + 1]
    for number, line in enumerate(lines(whole), 1):
        if stated := _KEY.fullmatch(line):
            key = stated[1].decode("utf-8", "backslashreplace").strip(" \t*`")
            return (key, number) if key else None
    return None


def line_count(data: bytes) -> int:
    """How many lines ``data`` has; a last one needs no newline."""
    return data.count(b"\n") + (not data.endswith(b"\n") and bool(data))


def fresh(head: bytes) -> bool:
    """Whether one of the first lines says with a date how fresh the document is."""
    first = (line.decode("utf-8", "replace") for line in lines(head)[:FRESH_WITHIN])
    return any(_FRESH.search(line) and any(_real(*found) for found in DATE.findall(line)) for line in first)


def _real(year: str, month: str, day: str) -> bool:
    try:
        date(int(year), int(month), int(day))
    except ValueError:
        return False
    return True
