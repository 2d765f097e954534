"""Whether a text points at a file: told so that a doubt counts as a pointer, for whoever wants to remove the file."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Set
from itertools import chain

from cockpit.formats.path_patterns import matcher, patterns
from cockpit.formats.run_manifest import run_of
from cockpit.formats.spellings import spellings

_WORD = re.compile(r"[\w.@+~-]+")
_MOST = 500  # patterns of one text that are tried on one path
_SPACE = re.compile(r"\s")
_EDGES = "._-~"
_FEW = 64  # names that are looked for one by one, before the words of a text are told apart
_BLOCK = 1 << 20  # characters
_LAP = 6 * 4096 + 16  # characters: PATH_MAX of Linux, each as \uXXXX, and what stands around it


class Sought:
    """Files that texts may point at, each with its run, in such an order that a text is asked once for all of them."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._paths = sorted(files)
        self._plain, self._odd = dict[str, list[str]](), dict[str, list[str]]()
        self._folders = dict[str, list[str]]()
        self._places = dict[str, list[str]]()
        for path in self._paths:
            for name in spellings(posixpath.basename(path)):
                (self._plain if _WORD.fullmatch(name) else self._odd).setdefault(name, []).append(path)
            folders = [each for folder in _folders(path, files[path]) for each in spellings(folder)]
            for folder in folders:
                self._folders.setdefault(folder, []).append(path)
            self._places[path] = [*spellings(path), *_SPACE.split(path)[1:], *folders]
        self._together = "\n".join("\n".join(self._places[path]) for path in self._paths)

    def named_by(self, text: str, place: str) -> set[str]:
        """Those that a text names by their name, a folder that they lie in (the run's or below), or a pattern.

        A name alone is enough, wherever it is meant to lie, and however it is spelt. ``place`` is the path of the text,
        repository-relative. A large text is taken in blocks, so that what is held beside it has a bound; what a cut
        makes of one is a doubt.
        """
        own = posixpath.dirname(place)
        return {path for block in _blocks(text) for each in spellings(block) for path in self._named(each, own)}

    def _named(self, text: str, own: str) -> Iterator[str]:
        yield from chain.from_iterable(self._plain[name] for name in self._words(text))
        for name, paths in self._odd.items():
            if name in text:
                yield from paths
        for folder, paths in self._folders.items():
            if _names_folder(text, folder, own):
                yield from paths
        yield from self._fitting(text)

    def _words(self, text: str) -> Set[str]:
        """The plain names that are words of a text."""
        names = self._plain.keys()
        if len(names) <= _FEW and not any(name in text for name in names):
            return frozenset()
        words = frozenset(_WORD.findall(text))
        return names & (words | {each.strip(_EDGES) for each in words} | {each.rstrip(".") for each in words})

    def _fitting(self, text: str) -> Iterator[str]:
        """Those that a pattern fits, or a folder of theirs; where very many may fit one: a doubt."""
        found = patterns(text)
        likely = {each: parts for each, parts in found.items() if all(part in self._together for part in parts)}
        for path in self._paths if likely else ():
            spelt = "\n".join(self._places[path])
            tried = (each for each, parts in likely.items() if all(part in spelt for part in parts))
            if any(number >= _MOST or self._fits(path, each) for number, each in enumerate(tried)):
                yield path

    def _fits(self, path: str, pattern: str) -> bool:
        return any(map(matcher(pattern), self._places[path]))


def _blocks(text: str) -> Iterator[str]:
    """A text in parts that lap over one another by more than the longest path, also one written as a link."""
    for start in range(0, max(len(text) - _LAP, 1), _BLOCK - _LAP):
        yield text[start : start + _BLOCK]


def _names_folder(text: str, folder: str, own: str) -> bool:
    """A folder by its path, or by its path from where the text lies (``own``); one bare word must end in a slash."""
    near = folder.removeprefix(f"{own}/") if own else folder
    slashed = near if "/" in near else f"{near}/"
    return any(
        re.search(rf"(?<![\w-]){re.escape(each)}/?(?![\w/-]|\.\w)", text) for each in {folder, slashed} if each in text
    )


def _folders(path: str, run: str) -> Iterator[str]:
    """The folders on the way from a run to a file of it, the run's own included; not one that holds runs by rule."""
    folder = posixpath.dirname(path)
    while folder.startswith(run):
        held = run_of(folder)
        if held and held[1]:
            yield folder
        folder = posixpath.dirname(folder)
