"""The parsed files of a large folder that git tracks, without looking at each of them on every request.

A folder whose times did not change has the names and inodes it had. A file of the same inode, which git tracks, whose
id in git's index is the one it was read under, and which ``git status`` does not call changed, holds what it held: git
has looked at it in this very request. Every other file is looked at here. (A file that changed within the last moments
is never taken on git's word: it may have changed after git looked.)
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Set
from typing import Generic, TypeVar

from msgspec import Struct

from cockpit.store.files import Entry, Fault, Kind, Signature, gone, kind, kind_of, settled, signature, unread
from cockpit.store.memory import Memory

T = TypeVar("T")


class Vouched(Struct, frozen=True):
    """What git says of the files below the root: the id of each in its index, and which its status calls changed."""

    blobs: Mapping[str, str]
    changed: Set[str]

    def blob(self, path: str) -> str:
        """The id under which git vouches for a file; empty where it does not."""
        return "" if path in self.changed else self.blobs.get(path, "")


UNVOUCHED = Vouched({}, frozenset())
"""What a git says that says nothing; one object, so that nothing seems to have changed."""


class Names(Struct, frozen=True, eq=False):
    """The names in a folder, each with its kind and inode."""

    found: dict[str, tuple[Kind, int]]


class Contents(Struct, Generic[T], frozen=True, eq=False):
    """What the wanted files of a folder parsed to, and every name in it. The same object while nothing changed."""

    names: Names
    values: dict[str, T | Fault]


class _Kept(Struct, Generic[T]):
    inode: int
    blob: str
    value: T | Fault


class _Last(Struct, Generic[T], eq=False):
    names: Names
    blobs: Mapping[str, str]
    changed: Set[str]
    contents: Contents[T]
    doubtful: list[str]
    """The files that git does not vouch for: these are looked at each time."""


class Watch:
    """The names in one folder, scanned again only when the folder's own times changed."""

    def __init__(self) -> None:
        self._folder: tuple[str, Signature, bool, Names] | None = None

    def names(self, at: int, path: str, now: int) -> Names:
        """The names in an open folder. The same object while nothing changed."""
        seen = signature(os.fstat(at))
        if self._folder and self._folder[:3] == (path, seen, True):
            return self._folder[3]
        with os.scandir(at) as scan:
            names = Names({item.name: (kind_of(item), item.inode()) for item in scan})
        if self._folder and self._folder[0] == path and self._folder[3].found == names.found:
            names = self._folder[3]
        self._folder = path, seen, settled(seen, now), names
        return names


class Shelf(Generic[T]):
    """The reader of one folder. ``wanted`` says which names are parsed, ``parse`` what a file's bytes are."""

    def __init__(self, wanted: Callable[[str], bool], parse: Callable[[bytes], T]) -> None:
        self._wanted, self._memory = wanted, Memory(parse)
        self._kept: dict[str, _Kept[T]] = {}
        self._last: _Last[T] | None = None

    def read(self, at: int, path: str, names: Names, vouched: Vouched, now: int) -> Contents[T]:
        """The files in an open folder as they are now. ``now`` in ns."""
        below = frozenset(name for name in vouched.changed if name.startswith(f"{path}/"))
        vouched = Vouched(vouched.blobs, below)
        last = self._last
        if last and last.names is names and last.blobs is vouched.blobs and last.changed == below:
            read = {name: self._look(at, path, name, vouched, now) for name in last.doubtful}
            if all(value == last.contents.values[name] for name, value in read.items()):
                last.doubtful = self._doubtful(last.doubtful)
                return last.contents
        return self._all(at, path, names, vouched, now)

    def _all(self, at: int, path: str, names: Names, vouched: Vouched, now: int) -> Contents[T]:
        values: dict[str, T | Fault] = {}
        looked = []
        for name in sorted(filter(self._wanted, names.found)):
            kept, blob = self._kept.get(name), vouched.blob(f"{path}/{name}")
            if kept and blob and kept.blob == blob and kept.inode == names.found[name][1]:
                values[name] = kept.value
                continue
            value = self._look(at, path, name, vouched, now)
            if value is not None:
                values[name] = value
                looked.append(name)
        self._kept = {name: self._kept[name] for name in values}
        self._memory.retain([f"{path}/{name}" for name in values])
        contents = Contents(names, values)
        self._last = _Last(names, vouched.blobs, vouched.changed, contents, self._doubtful(looked))
        return contents

    def _doubtful(self, names: list[str]) -> list[str]:
        return [name for name in names if not self._kept[name].blob]

    def _look(self, at: int, path: str, name: str, vouched: Vouched, now: int) -> T | Fault | None:
        """What one file holds, looked at here; None where it went away."""
        whole = f"{path}/{name}"
        try:
            status = os.stat(name, dir_fd=at, follow_symlinks=False)
        except OSError as error:
            if gone(error):
                return None
            self._kept[name] = _Kept(0, "", unread(whole, error))
            return self._kept[name].value
        entry = Entry(name, kind(status.st_mode), status.st_size, signature(status))
        value = self._memory.entry(at, whole, entry, now)
        if value is None:
            return None
        seen = settled(entry.signature, now) and not (isinstance(value, Fault) and value.hidden)
        blob = vouched.blob(whole) if seen else ""
        self._kept[name] = _Kept(status.st_ino, blob, value)
        return value
