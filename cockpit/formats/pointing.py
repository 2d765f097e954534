"""Whether a text points at a file: told so that a doubt counts as a pointer, for whoever wants to remove the file."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from fnmatch import translate
from functools import lru_cache
from urllib.parse import quote

from cockpit.formats.run_manifest import run_of

_WORD = re.compile(r"[\w.@+~-]+")
_TOKEN = re.compile(r"[^\s`'\"<>()]+")
_LONGEST = 512  # characters of a pattern: what is longer is no path, such as a program on one line
_MOST = 500  # patterns of one text that are tried on one path
_STARS = re.compile(r"\*{2,}")
_WILD = re.compile(r"[*?]|\[!?\]?[^\]]*\]")
_EDGES = "._-~"


class Pointers:
    """What one text points at; ``path`` is where the text lies, repository-relative."""

    def __init__(self, path: str, text: str) -> None:
        self.path, self._text = path, text
        words = frozenset(_WORD.findall(text))
        self._words = words | {each.strip(_EDGES) for each in words} | {each.rstrip(".") for each in words}
        self._patterns = _patterns(text) if "*" in text else {}

    def lead_to(self, path: str, run: str) -> bool:
        """Whether the text names a file by its name, a folder that it lies in (the run's or below), or a pattern.

        A name alone is enough, wherever it is meant to lie.
        """
        name = posixpath.basename(path)
        plain = _WORD.fullmatch(name)
        if name in self._words if plain else (name in self._text or quote(name, errors="replace") in self._text):
            return True
        return self._fits(path) or any(self._names_folder(folder) for folder in _folders(path, run))

    def _fits(self, path: str) -> bool:
        """Whether a pattern fits a path; where very many may, they are not tried: that is a doubt."""
        likely = [each for each, parts in self._patterns.items() if all(part in path for part in parts)]
        return len(likely) > _MOST or any(_matcher(each)(path) for each in likely)

    def _names_folder(self, folder: str) -> bool:
        """A folder by its path, or by its path from where the text lies; one bare word must end in a slash."""
        own = posixpath.dirname(self.path)
        near = folder.removeprefix(f"{own}/") if own else folder
        slashed = near if "/" in near else f"{near}/"
        return any(
            re.search(rf"(?<![\w-]){re.escape(each)}/?(?![\w/-]|\.\w)", self._text)
            for each in {folder, slashed}
            if each in self._text
        )


def _patterns(text: str) -> dict[str, list[str]]:
    """The patterns of paths in a text, each with its parts that are no wildcards.

    One without a word among them, such as the end of a comment in C, names nothing.
    """
    tokens = {each for each in _TOKEN.findall(text) if "*" in each and "/" in each}
    found = {_STARS.sub("*", each).lstrip("./") for each in tokens}
    parts = {each: list(filter(None, _WILD.split(each))) for each in found if len(each) <= _LONGEST}
    return {each: plain for each, plain in parts.items() if any(map(_WORD.search, plain))}


@lru_cache(1024)
def _matcher(pattern: str) -> Callable[[str], object]:
    """What tells whether a path, or its end from a folder on, matches; in time in proportion to both."""
    return re.compile(f"(?s:.*/)?{translate(pattern)}").match


def _folders(path: str, run: str) -> Iterator[str]:
    """The folders on the way from a run to a file of it, the run's own included; not one that holds runs by rule."""
    folder = posixpath.dirname(path)
    while folder.startswith(run):
        held = run_of(folder)
        if held and held[1]:
            yield folder
        folder = posixpath.dirname(folder)
