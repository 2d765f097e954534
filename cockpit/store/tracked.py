"""Which files of a folder git tracks, and what they hold: asked again only when git's own index file changed."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from cockpit.store.files import signature
from cockpit.store.flights import Flights
from cockpit.store.git import Answer
from cockpit.store.position import Ask

_SHARED = "sharedindex."
_ENTRY = re.compile(r"([A-Za-z]) \d{6} ([0-9a-f]{40}(?:[0-9a-f]{24})?) ([0-3])\t([^\0]+)\0")


class Tracking:
    """The reader of git's list for one checkout. The answer is the same object while nothing changed.

    It holds the tracked files by repository-relative path, each with the id of what git's index holds of it. The id is
    empty where git does not look whether the file still holds that: one that is unmerged, or marked
    ``assume-unchanged`` or ``skip-worktree``.
    """

    def __init__(self, git_dir: str) -> None:
        self._git_dir = git_dir
        self._kept: tuple[object, Mapping[str, str]] = None, {}
        self._asking: Flights[Mapping[str, str]] = Flights()

    def files(self, ask: Ask, path: str) -> Mapping[str, str]:
        """What git tracks below a folder. Raises GitFailed.

        Of those who ask at once about one index one asks git, and the others wait for its answer.
        """
        index, (asked, kept) = self._index(), self._kept
        if index is None:
            return self._asked(ask, path)
        seen = path, index
        return kept if seen == asked else self._asking.join(seen, lambda: self._keep(seen, self._asked(ask, path)))

    def _asked(self, ask: Ask, path: str) -> Mapping[str, str]:
        return _entries(ask("ls-files", "-z", "--cached", "--stage", "-v", "--", path))

    def _keep(self, seen: object, found: Mapping[str, str]) -> Mapping[str, str]:
        kept = self._kept[1]
        self._kept = seen, kept if kept == found else found
        return self._kept[1]

    def forget(self) -> None:
        """Ask again, whatever the index looks like."""
        self._kept = None, {}

    def _index(self) -> object:
        """How git's index looks now; None where it cannot be seen."""
        try:
            names = ["index", *(name for name in os.listdir(self._git_dir) if name.startswith(_SHARED))]
            return tuple((name, signature(os.stat(os.path.join(self._git_dir, name)))) for name in sorted(names))
        except OSError:
            return None


def _entries(answer: Answer) -> dict[str, str]:
    """Fields such as ``H 100644 <id> 0\t<path>``; the letter is H where git looks at the file. Raises GitFailed."""
    text = os.fsdecode(answer.out)
    if _ENTRY.sub("", text):
        raise answer.garbled()
    entries = _ENTRY.findall(text)
    return {path: oid if letter == "H" and stage == "0" else "" for letter, oid, stage, path in entries}
