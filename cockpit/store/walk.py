"""Every folder below a root, each entered without following a link, relative to the one above it.

Not entered: ``.git``, ``node_modules``, virtual environments (``pyvenv.cfg``), and checkouts of their own, which have
a ``.git`` in them: linked worktrees, submodules, other repositories. No file is opened, none is even looked at.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from msgspec import Struct

from cockpit.formats.text import shown
from cockpit.store.files import Fault, why

DEEPEST = 128  # folders above one another; each holds a descriptor while its own are visited
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEVER = frozenset((".git", "node_modules"))


class Folder(Struct, frozen=True):
    """An open folder: its repository-relative path (empty for the root), and what lies in it besides folders.

    ``at`` is closed when the next folder is asked for, and with it what the entries can be asked. ``folders`` are the
    names of those in it.
    """

    path: str
    at: int
    entries: list[os.DirEntry[str]]
    folders: list[str]

    def within(self, name: str) -> str:
        """The path of an entry."""
        return f"{self.path}/{name}" if self.path else name


def walk(root: str, skip: Callable[[str], bool]) -> Iterator[Folder | Fault]:
    """Each folder before those in it, in the order of their names; a Fault for one that cannot be entered.

    ``skip`` is asked with the path of each folder. Raises OSError where the root itself cannot be entered.
    """
    open_ones: list[tuple[Folder, list[str]]] = []
    try:
        open_ones.append(_entered(os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC), "", skip))
        yield open_ones[0][0]
        while open_ones:
            above, left = open_ones[-1]
            if not left:
                os.close(open_ones.pop()[0].at)
                continue
            found = _inner(above, left.pop(), len(open_ones), skip)
            if isinstance(found, Fault):
                yield found
            elif found:
                open_ones.append(found)
                yield found[0]
    finally:
        for folder, _ in open_ones:
            os.close(folder.at)


def _inner(
    above: Folder, name: str, depth: int, skip: Callable[[str], bool]
) -> tuple[Folder, list[str]] | Fault | None:
    """A folder in an open one; None where it is none to enter."""
    path = above.within(name)
    if depth >= DEEPEST:
        return Fault(shown(path), f"lies more than {DEEPEST} folders deep and was not looked at")
    try:
        at = os.open(name, _FOLDER, dir_fd=above.at)
    except FileNotFoundError:
        return None
    except OSError as error:
        return Fault(shown(path), why(error))
    try:
        found = _entered(at, path, skip)
    except OSError as error:
        os.close(at)
        return Fault(shown(path), why(error))
    if _foreign(found[0]):
        os.close(at)
        return None
    return found


def _entered(at: int, path: str, skip: Callable[[str], bool]) -> tuple[Folder, list[str]]:
    """A folder, and the names in it that are to be entered, the first one last."""
    entries, names = [], []
    with os.scandir(at) as scan:
        for entry in scan:
            if entry.is_dir(follow_symlinks=False):
                names.append(entry.name)
            else:
                entries.append(entry)
    names.sort(reverse=True)
    folder = Folder(path, at, entries, names)
    return folder, [name for name in names if name not in _NEVER and not skip(folder.within(name))]


def _foreign(folder: Folder) -> bool:
    """Whether a folder is a checkout of its own, or a virtual environment."""
    return ".git" in folder.folders or any(entry.name in (".git", "pyvenv.cfg") for entry in folder.entries)
