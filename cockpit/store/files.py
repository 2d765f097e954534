"""Files below one root: never through a link, never blocking, never more than a cap.

A path is repository-relative with ``/``. Each folder on the way is opened without following a link, relative to
the one above it, so that nothing which is exchanged meanwhile leads outside. Only regular files are opened, with
``O_NONBLOCK``: a FIFO cannot hold a request.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from operator import is_
from typing import Literal

from msgspec import Struct

from cockpit.formats.text import shown

LIMIT = 1 << 20  # bytes; a larger file is a finding, see the layer's rules
_SETTLED = 2_000_000_000  # ns; a file changed this recently may change again within one tick of its clock
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NOCTTY

Kind = Literal["file", "folder", "link", "other"]
Signature = tuple[int, int, int, int, int]
UNSEEN: Signature = (0, 0, 0, 0, 0)  # of what could not be looked at


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
    return seen != UNSEEN and now - max(seen[3], seen[4]) > _SETTLED


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
            raise OSError(errno.EISDIR if stat.S_ISDIR(status.st_mode) else errno.EINVAL, "not a regular file")
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


def listing(root: str, path: str, before: Listing | None = None) -> Listing:
    """What lies directly in a folder, without entering it through a link; ``before`` where that looks the same."""
    name = shown(path)
    known = before.entries if before else {}
    try:
        with folder(root, path) as at:
            entries = _entries(at, known)
        same = before and before.present and before.path == name and len(entries) == len(known)
        if before and same and all(map(is_, entries.values(), known.values())):
            return before
        return Listing(name, entries, present=True)
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


def _entries(at: int, known: Mapping[str, Entry]) -> dict[str, Entry]:
    """The entries of an open folder; those of ``known`` that look as they did are the same objects."""
    found = {}
    with os.scandir(at) as scan:
        for item in scan:
            name = item.name
            try:
                status = item.stat(follow_symlinks=False)
            except OSError as error:
                if not gone(error):  # else it went away between the two calls
                    found[name] = Entry(name, kind_of(item), 0, UNSEEN)
                continue
            seen, before = signature(status), known.get(name)
            same = before is not None and before.signature == seen
            found[name] = before if before and same else Entry(name, kind(status.st_mode), status.st_size, seen)
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
