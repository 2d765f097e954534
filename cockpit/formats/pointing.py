"""Whether a text points at a file: told so that a doubt counts as a pointer, for whoever wants to remove the file."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from urllib.parse import quote

from cockpit.formats.run_manifest import run_of

_WORD = re.compile(r"[\w.@+~-]+")
_PATTERN = re.compile(r"[^\s`'\"<>()]*/[^\s`'\"<>()]*\*[^\s`'\"<>()]*|[^\s`'\"<>()]*\*[^\s`'\"<>()]*/[^\s`'\"<>()]*")
_EDGES = "._-~"


class Pointers:
    """What one text points at; ``path`` is where the text lies, repository-relative."""

    def __init__(self, path: str, text: str) -> None:
        self.path, self._text = path, text
        words = frozenset(_WORD.findall(text))
        self._words = words | {each.strip(_EDGES) for each in words} | {each.rstrip(".") for each in words}
        self._patterns = [each.lstrip("./") for each in _PATTERN.findall(text)] if "*" in text else []

    def lead_to(self, path: str, run: str) -> bool:
        """Whether the text names a file by its name, a folder that it lies in (the run's or below), or a pattern.

        A name alone is enough, wherever it is meant to lie.
        """
        name = posixpath.basename(path)
        plain = _WORD.fullmatch(name)
        if name in self._words if plain else (name in self._text or quote(name, errors="replace") in self._text):
            return True
        if any(fnmatchcase(path, each) or fnmatchcase(path, f"*/{each}") for each in self._patterns):
            return True
        return any(self._names_folder(folder) for folder in _folders(path, run))

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


def _folders(path: str, run: str) -> Iterator[str]:
    """The folders on the way from a run to a file of it, the run's own included; not one that holds runs by rule."""
    folder = posixpath.dirname(path)
    while folder.startswith(run):
        held = run_of(folder)
        if held and held[1]:
            yield folder
        folder = posixpath.dirname(folder)
