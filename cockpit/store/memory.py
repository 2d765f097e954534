"""What the files of a checkout were parsed to, kept until they change."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from msgspec import Struct

from cockpit.formats.text import shown
from cockpit.store.files import (
    LIMIT,
    UNSEEN,
    Entry,
    Fault,
    Listing,
    Signature,
    folder,
    gone,
    kind,
    listing,
    opened,
    read_all,
    settled,
    signature,
    unread,
)

T = TypeVar("T")


_Kept = tuple[Signature, bool, T | Fault]
"""How a file looked when it was read, whether a change would have to show in that, and what it parsed to."""


class Gathered(Struct, Generic[T], frozen=True, eq=False):
    """A folder's listing, and what those of its files that are wanted parsed to, by name.

    The same object while nothing changed.
    """

    listing: Listing
    values: dict[str, T | Fault]


class Memory(Generic[T]):
    """What each file of one kind parsed to, kept until the file changes.

    ``parse`` takes the bytes of a file and returns a value. A file that looks as it did is not opened again,
    unless it had changed so shortly before it was read that a further change may have left no trace. One thread at a
    time reads; who waits for it finds what it read.
    """

    def __init__(self, parse: Callable[[bytes], T], limit: int = LIMIT) -> None:
        self._parse, self._limit, self._lock = parse, limit, threading.Lock()
        self._kept: dict[str, _Kept[T]] = {}
        self._last: Gathered[T] | None = None

    def file(self, root: str, path: str, now: int) -> T | Fault | None:
        """The value of one file; None where there is none, a Fault where it cannot be read. ``now`` in ns."""
        head, _, name = path.rpartition("/")
        try:
            with self._lock, folder(root, head) as at:
                status = os.stat(name, dir_fd=at, follow_symlinks=False)
                entry = Entry(name, kind(status.st_mode), status.st_size, signature(status))
                return self.entry(at, path, entry, now)
        except OSError as error:
            self._kept.pop(path, None)
            return None if gone(error) else unread(path, error)

    def of_folder(self, root: str, path: str, wanted: Callable[[str], bool], now: int) -> Gathered[T]:
        """A folder as it is now, with the value of each file whose name is ``wanted``, in the order of their names.

        A memory that is asked for folders is asked for one of them alone.
        """
        return self.of_listing(root, path, listing(root, path, self._last.listing if self._last else None), wanted, now)

    def of_listing(self, root: str, path: str, found: Listing, wanted: Callable[[str], bool], now: int) -> Gathered[T]:
        """The same for a folder that was listed already."""
        last = self._last
        if last and found is last.listing:
            return last
        names = sorted(filter(wanted, found.entries))
        contents = Gathered(found, self.files(root, found, path, names, now))
        kept = ((name, self._lasting(f"{path}/{name}", found.entries[name])) for name in names)
        whole = all(each and each[2] is contents.values.get(name) for name, each in kept)
        self._last = contents if whole else None
        return contents

    def _lasting(self, path: str, entry: Entry) -> _Kept[T] | None:
        """What is kept of a file, where it will hold that for as long as it looks like this."""
        kept = self._kept.get(path)
        return kept if kept and kept[1] and kept[0] == entry.signature else None

    def files(self, root: str, found: Listing, path: str, names: list[str], now: int) -> dict[str, T | Fault]:
        """The value of each named entry of a folder that was listed; those not named are forgotten.

        What went away since the folder was listed has none.
        """
        if not names:
            self._kept = {}
            return {}
        try:
            with self._lock, folder(root, path) as at:
                read = {name: self.entry(at, f"{path}/{name}", found.entries[name], now) for name in names}
                self._kept = {key: kept for name in names if (kept := self._kept.get(key := f"{path}/{name}"))}
        except OSError as error:
            return {} if gone(error) else {name: unread(f"{path}/{name}", error) for name in names}
        return {name: value for name, value in read.items() if value is not None}

    def entry(self, at: int, path: str, entry: Entry, now: int) -> T | Fault | None:
        """The value of a file in an open folder, whose looks are known already; None where it went away since."""
        if kept := self._lasting(path, entry):
            return kept[2]
        value, seen = self._read(at, path, entry)
        if value is None:
            self._kept.pop(path, None)
        else:
            self._kept[path] = (seen, settled(seen, now), value)
        return value

    def _read(self, at: int, path: str, entry: Entry) -> tuple[T | Fault | None, Signature]:
        if entry.kind != "file":
            what = {"link": "is a link, which is not followed", "folder": "is a folder"}
            return Fault(shown(path), what.get(entry.kind, "is not a regular file")), entry.signature
        try:
            with opened(at, entry.name) as (descriptor, status):
                if status.st_size > self._limit:
                    size = f"is larger than {self._limit >> 20} MiB ({status.st_size:,} bytes) and was not read"
                    return Fault(shown(path), size, status.st_size), signature(status)
                length = status.st_size or self._limit  # a file system may not know how long a file is
                return self._parse(read_all(descriptor, length)), signature(status)
        except OSError as error:
            return None if gone(error) else unread(path, error), UNSEEN
