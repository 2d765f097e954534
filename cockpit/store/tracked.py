"""Which files of a folder git tracks: asked again only when git's own index file changed."""

from __future__ import annotations

import os
from collections.abc import Set

from cockpit.store.files import signature
from cockpit.store.flights import Flights
from cockpit.store.git import Answer, fields
from cockpit.store.position import Ask

_SHARED = "sharedindex."


class Tracking:
    """The reader of git's list for one checkout: repository-relative paths. The same object while nothing changed."""

    def __init__(self, root: str, git_dir: str) -> None:
        self._gate, self._git_dir = os.path.join(root, ".git"), git_dir
        self._opened = self._leads()
        self._kept: tuple[object, Set[str]] = None, frozenset()
        self._asking: Flights[Set[str]] = Flights()

    def files(self, ask: Ask, path: str) -> Set[str]:
        """What git tracks below a folder. Raises GitFailed.

        Of those who ask at once about one index one asks git, and the others wait for its answer.
        """
        index, (asked, kept) = self._index(), self._kept
        if index is None:
            return self._asked(ask, path)
        seen = path, index
        return kept if seen == asked else self._asking.join(seen, lambda: self._keep(seen, self._asked(ask, path)))

    def _asked(self, ask: Ask, path: str) -> Set[str]:
        return _paths(ask("ls-files", "-z", "--cached", "--", path), path)

    def _keep(self, seen: object, found: Set[str]) -> Set[str]:
        kept = self._kept[1]
        self._kept = seen, kept if kept == found else found
        return self._kept[1]

    def forget(self) -> None:
        """Ask again, whatever the index looks like."""
        self._kept = None, frozenset()

    def _index(self) -> object:
        """How git's index looks now; None where it cannot be seen, or is perhaps not the one that git reads."""
        try:
            if self._leads() != self._opened:
                return None
            names = ["index", *(name for name in os.listdir(self._git_dir) if name.startswith(_SHARED))]
            return tuple((name, signature(os.stat(os.path.join(self._git_dir, name)))) for name in sorted(names))
        except OSError:
            return None

    def _leads(self) -> object:
        """Where the ``.git`` of the checkout leads now: a folder, a link to one, or a file that names one."""
        try:
            there = os.stat(self._gate)
            return (there.st_dev, there.st_ino) if os.path.isdir(self._gate) else signature(there)
        except OSError:
            return None


def _paths(answer: Answer, path: str) -> frozenset[str]:
    """The paths of a list of what lies below ``path``. Raises GitFailed."""
    found = frozenset(map(os.fsdecode, fields(answer)))
    if not all(each.startswith(f"{path}/") or each == path for each in found):
        raise answer.garbled()
    return found
