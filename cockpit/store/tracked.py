"""Which files of a folder git tracks, and what they hold: asked again only when git's own index file changed."""

from __future__ import annotations

import os
from collections.abc import Mapping

from cockpit.store.files import signature
from cockpit.store.position import Ask

_SHARED = "sharedindex."


class Tracking:
    """The reader of git's list for one checkout. The answer is the same object while nothing changed.

    It holds the tracked files by repository-relative path, each with the id of what git's index holds of it. The id is
    empty where git does not look whether the file still holds that: one that is unmerged, or marked
    ``assume-unchanged`` or ``skip-worktree``.
    """

    def __init__(self, git_dir: str) -> None:
        self._git_dir = git_dir
        self._kept: tuple[object, Mapping[str, str]] = None, {}

    def files(self, ask: Ask, path: str, *, anew: bool = False) -> Mapping[str, str]:
        """What git tracks below a folder; ``anew`` asks git again, whatever is known. Raises GitFailed."""
        seen, (asked, kept) = (path, self._index()), self._kept
        if anew or seen[1] is None or seen != asked:
            out = ask("ls-files", "-z", "--cached", "--stage", "-v", "--", path).out
            found = dict(_entry(line) for line in os.fsdecode(out).split("\0") if line)
            kept = kept if kept == found else found
            self._kept = seen, kept
        return kept

    def _index(self) -> object:
        """How git's index looks now; None where it cannot be seen."""
        try:
            names = ["index", *(name for name in os.listdir(self._git_dir) if name.startswith(_SHARED))]
            return tuple((name, signature(os.stat(os.path.join(self._git_dir, name)))) for name in sorted(names))
        except OSError:
            return None


def _entry(line: str) -> tuple[str, str]:
    """``H 100644 <id> 0\t<path>``; the letter is H where git looks at the file."""
    about, _, path = line.partition("\t")
    return path, about[9:-2] if about[0] == "H" and about[-1] == "0" else ""
