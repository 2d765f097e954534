"""Paths and commits that a text names, each with its line: what is certain, never what might be meant.

A path has a slash and ends in a file's ending or in a slash; an address, a pattern, an absolute path and one that leads
out are none. A bare name (``letter.py``) is none either: it does not say where it lies. A commit is 7 to 64 lowercase
hex digits that stand alone, with a letter and a digit among them or behind the word "commit"; digits that follow
``sha256:`` are a digest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

_BETWEEN = re.compile(r"[\s`'\"()\[\]<>{}|,;=“”„‘’«»]+")
_COMMIT = re.compile(r"(?<![\w/:@=#-])(?<!\w\.)[0-9a-f]{7,64}(?![\w/:@=-])(?!\.\w)")
_CALLED = re.compile(r"\bcommits?\W{1,4}$", re.IGNORECASE)
_PLACE = re.compile(r"[:#]")  # `:12`, `::test_name` and `#L12` behind a file's name
_FILE = re.compile(r"[^.].*\.[A-Za-z][A-Za-z0-9]{0,9}|\.[A-Za-z][\w.-]*")
_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)*\.(?:ai|app|co|com|dev|example|io|net|org|rs)(?::\d+)?")
_NO_PATH = re.compile(r"[*?$~\\%!&^\x00-\x1f…]|://|^[/-]|^\w:")
_LONGEST = 1024


class Mention(Struct, frozen=True):
    """A path (repository-relative with ``/``) or a commit id, and the line that names it."""

    name: str
    line: int


def paths(lines: Iterable[str], first: int = 1) -> Iterator[Mention]:
    """The paths that lines name, in order; ``first`` is the number of the first line."""
    for number, line in enumerate(lines, first):
        if "/" not in line:
            continue
        for token in _BETWEEN.split(line):
            if "/" in token and (path := _path(token)):
                yield Mention(path, number)


def commits(lines: Iterable[str], first: int = 1) -> Iterator[Mention]:
    """The commit ids that lines name, in order."""
    for number, line in enumerate(lines, first):
        for found in _COMMIT.finditer(line):
            mixed = not found[0].isdigit() and not found[0].isalpha()
            if mixed or _CALLED.search(line, max(0, found.start() - 12), found.start()):
                yield Mention(found[0], number)


def _path(token: str) -> str:
    """The path that a token is; empty where it is none."""
    path = token.strip("*").rstrip(".:!?*").removeprefix("./")
    if len(path) > _LONGEST or _NO_PATH.search(path) or ("@" in path and ":" in path):
        return ""
    above, _, last = path.rpartition("/")
    parts = above.split("/")
    if "" in parts or ".." in parts or _HOST.fullmatch(parts[0]):
        return ""
    name = _PLACE.split(last, 1)[0]
    return f"{above}/{name}" if not name or _FILE.fullmatch(name) else ""
