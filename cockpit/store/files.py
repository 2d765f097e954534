"""Files below one root: never through a link, never blocking, never more than a cap.

A path is repository-relative with ``/``. Each folder on the way is opened without following a link, relative to
the one above it, so that nothing which is exchanged meanwhile leads outside. Only regular files are opened, with
``O_NONBLOCK``: a FIFO cannot hold a request.
"""

from __future__ import annotations

import errno
import os
import stat
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Generic, Literal, TypeVar

from msgspec import Struct

from cockpit.formats.text import shown

LIMIT = 1 << 20  # bytes; a larger file is a finding, see the layer's rules
_SETTLED = 2_000_000_000  # ns; a file changed this recently may change again within one tick of its clock
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NOCTTY

T = TypeVar("T")
Kind = Literal["file", "folder", "link", "other"]
Signature = tuple[int, int, int, int, int]
_UNSEEN: Signature = (0, 0, 0, 0, 0)  # of what could not be looked at


class Fault(Struct, frozen=True):
    """Something that is there and cannot be read as what it should be; ``reason`` continues "it …".

    ``size`` is in bytes, of a regular file that is too large to be read; None for anything else. ``hidden`` is whether
    it was the machine that let nobody see what it is (a broken disk, a missing permission, no descriptor left): it may
    be as good as any.
    """

    path: str
    reason: str
    size: int | None = None
    hidden: bool = False


class Entry(Struct, frozen=True, gc=False):
    """A name in a folder, what it is, and how it looked (device, inode, size, mtime, ctime)."""

    name: str
    kind: Kind
    size: int
    signature: Signature


class Listing(Struct, frozen=True):
    """The entries of a folder by name; ``fault`` where there is one and it could not be listed."""

    path: str
    entries: dict[str, Entry]
    present: bool
    fault: Fault | None = None


def signature(status: os.stat_result) -> Signature:
    """What changes when a file is replaced or written."""
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def settled(seen: Signature, now: int) -> bool:
    """Whether a file last changed long enough before ``now`` (ns) that a further change must show in its times."""
    return seen != _UNSEEN and now - max(seen[3], seen[4]) > _SETTLED


def kind(mode: int) -> Kind:
    """What a mode says a thing is."""
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISDIR(mode):
        return "folder"
    return "link" if stat.S_ISLNK(mode) else "other"


class Uprooted(OSError):
    """The root itself is not there: nothing can be said of what lies below it."""


@contextmanager
def folder(root: str, path: str) -> Iterator[int]:
    """A descriptor of a folder below ``root``. Raises OSError; a link on the way is ELOOP or ENOTDIR."""
    at = _root(root)
    try:
        for part in path.split("/") if path else []:
            inner = os.open(part, _FOLDER, dir_fd=at)
            os.close(at)
            at = inner
        yield at
    finally:
        os.close(at)


def _root(root: str) -> int:
    try:
        return os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except FileNotFoundError as error:
        raise Uprooted(errno.ESTALE, "the root is gone") from error


@contextmanager
def opened(at: int, name: str) -> Iterator[tuple[int, os.stat_result]]:
    """A descriptor of a regular file in an open folder. Raises OSError, also where it is no regular file."""
    descriptor = os.open(name, _FILE, dir_fd=at)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        yield descriptor, status
    finally:
        os.close(descriptor)


def read_all(descriptor: int, limit: int) -> bytes:
    """At most ``limit`` bytes of an open file, from where it stands."""
    pieces, left = [], limit
    while left and (piece := os.read(descriptor, min(left, LIMIT))):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


_NO_FILE = {
    errno.ELOOP: "is a link, which is not followed",
    errno.EMLINK: "is a link, which is not followed",
    errno.ENOTDIR: "lies below something that is no folder, or below a link",
    errno.EINVAL: "is not a regular file",
    errno.ENXIO: "is not a regular file",
    errno.ENAMETOOLONG: "has a name that is too long",
    errno.EISDIR: "is a folder",
}
"""What an error says of the thing itself; every other one says only that it was not seen."""


def why(error: OSError) -> str:
    """A failed open or read in words that continue "it …"."""
    if error.errno in (errno.EACCES, errno.EPERM):
        return "may not be read by this user"
    if isinstance(error, Uprooted):
        return "cannot be read: the checkout it lies in was moved away or removed"
    return _NO_FILE.get(error.errno or 0) or f"cannot be read ({os.strerror(error.errno or 0)})"


def unread(path: str, error: OSError) -> Fault:
    """The fault of a file that could not be opened or read."""
    return Fault(shown(path), why(error), hidden=error.errno not in _NO_FILE)


def gone(error: OSError) -> bool:
    """Whether an error says that nothing is there."""
    return error.errno == errno.ENOENT


def listing(root: str, path: str) -> Listing:
    """What lies directly in a folder, without entering it through a link."""
    name = shown(path)
    try:
        with folder(root, path) as at:
            return Listing(name, _entries(at), present=True)
    except OSError as error:
        if gone(error):
            return Listing(name, {}, present=False)
        fault = Fault(name, blocked(root, path, error), hidden=error.errno not in _NO_FILE)
        return Listing(name, {}, present=False, fault=fault)


def blocked(root: str, path: str, error: OSError) -> str:
    """Why a folder cannot be entered, in words that continue "it …"."""
    try:
        status = os.lstat(os.path.join(root, path))
    except OSError:
        return why(error)
    return {"link": "is a link, which is not followed", "folder": why(error)}.get(kind(status.st_mode), "is no folder")


def _entries(at: int) -> dict[str, Entry]:
    found = {}
    with os.scandir(at) as scan:
        for item in scan:
            try:
                status = item.stat(follow_symlinks=False)
            except OSError as error:
                if not gone(error):  # else it went away between the two calls
                    found[item.name] = Entry(item.name, kind_of(item), 0, _UNSEEN)
                continue
            found[item.name] = Entry(item.name, kind(status.st_mode), status.st_size, signature(status))
    return found


def kind_of(item: os.DirEntry[str]) -> Kind:
    """What a folder says that one of its entries is; a file where it says nothing, so that opening it tells."""
    try:
        if item.is_symlink():
            return "link"
        if item.is_dir(follow_symlinks=False):
            return "folder"
        return "file" if item.is_file(follow_symlinks=False) else "other"
    except OSError:
        return "file"


class Memory(Generic[T]):
    """What each file of one kind parsed to, kept until the file changes.

    ``parse`` takes the bytes of a file and returns a value. A file that looks as it did is not opened again,
    unless it had changed so shortly before it was read that a further change may have left no trace. One thread at a
    time reads; who waits for it finds what it read.
    """

    def __init__(self, parse: Callable[[bytes], T], limit: int = LIMIT) -> None:
        self._parse, self._limit, self._lock = parse, limit, threading.Lock()
        self._kept: dict[str, tuple[Signature, bool, T | Fault]] = {}

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

    def retain(self, paths: Collection[str]) -> None:
        """Forget every file but these."""
        if len(self._kept) > len(paths):
            self._kept = {path: kept for path in paths if (kept := self._kept.get(path))}

    def entry(self, at: int, path: str, entry: Entry, now: int) -> T | Fault | None:
        """The value of a file in an open folder, whose looks are known already; None where it went away since."""
        kept = self._kept.get(path)
        if kept and kept[0] == entry.signature and kept[1]:
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
                return self._parse(read_all(descriptor, self._limit)), signature(status)
        except OSError as error:
            return None if gone(error) else unread(path, error), _UNSEEN
