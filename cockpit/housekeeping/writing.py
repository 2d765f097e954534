"""The writes of a rotation, in an order in which a kill at any moment loses nothing and the next run goes on.

Archive files come first, each created exclusively under a name that was free; then the digests; then the live document
in one rename, and only if it is still the one that was read. Temporary files have names that follow from the file's own
(``.tmp.<name>`` of an archive file, ``.tmp.<digest of the name>`` of any other), so that what a killed run left is
known and goes away with the next. One run at a time works on a folder: it holds a lock on it, which ends with the
process.

Every folder is entered without following a link, and what is written is written relative to it.
"""

from __future__ import annotations

import fcntl
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from cockpit.recorder import durable
from cockpit.store import files
from cockpit.store.files import opened, read_all, signature
from cockpit.store.surfaces import LARGEST, File

_OURS = re.compile(r"\d{4}-\d\d-\d\d(?:-\d{1,9})?\.md", re.ASCII)
_MANY = 16  # files; more are flushed in one go where that waits for the disk, see sync(2) of Linux
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class Changed(Exception):
    """What was read is no longer what is there."""


class Busy(Exception):
    """Another run works here."""


@contextmanager
def alone(root: str, path: str) -> Iterator[int]:
    """A descriptor of a folder, locked for this process; raises Busy where another holds it, and OSError."""
    with files.folder(root, path) as at:
        try:
            fcntl.flock(at, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Busy from error
        yield at


def make_folder(root: str, path: str) -> None:
    """A folder below ``root`` and those above it, where they are missing; a link on the way is an OSError."""
    above = ""
    for part in path.split("/"):
        with files.folder(root, above) as at:
            try:
                os.mkdir(part, 0o777, dir_fd=at)
            except FileExistsError:
                pass
            else:
                _flush(at)
        above = f"{above}/{part}" if above else part


def create(root: str, path: str, new: list[tuple[str, bytes]], mode: int) -> None:
    """Files in a folder, each whole or not there; raises Changed where a name was taken meanwhile.

    All are written and flushed before the first has its name, and the folder is flushed once.
    """
    together = len(new) > _MANY and sys.platform == "linux"
    with files.folder(root, path) as at:
        for name, data in new:
            _written(at, name, data, mode, flush=not together)
        if together:
            os.sync()
        for name, _ in new:
            try:
                os.link(_temporary(name), name, src_dir_fd=at, dst_dir_fd=at, follow_symlinks=False)
            except FileExistsError as error:
                raise Changed from error
            finally:
                os.unlink(_temporary(name), dir_fd=at)
        _flush(at)


def withdraw(root: str, path: str, new: dict[str, bytes]) -> None:
    """Remove files from a folder that hold just these bytes."""
    with files.folder(root, path) as at:
        for name, data in new.items():
            with suppress(OSError):
                with opened(at, name) as (descriptor, _):
                    same = read_all(descriptor, LARGEST) == data
                if same:
                    os.unlink(name, dir_fd=at)


def sweep(root: str, path: str, names: frozenset[str]) -> None:
    """Remove the temporary files that a killed run left in an archive folder."""
    left = [name for name in names if name.startswith(durable.PREFIX) and _OURS.fullmatch(name[len(durable.PREFIX) :])]
    if left:
        with files.folder(root, path) as at:
            for name in left:
                with suppress(FileNotFoundError):
                    os.unlink(name, dir_fd=at)


def replace(root: str, path: str, data: bytes, read: File | None, mode: int) -> None:
    """A file in place of the one that was read (None: of none), in one step, with its owner and ``mode``.

    Raises Changed where the file is not the one that was read.
    """
    head, _, name = path.rpartition("/")
    with files.folder(root, head) as at:
        _written(at, name, data, mode, read.owner if read else None)
        try:
            with _unchanged(at, name, read) as before:
                os.rename(_temporary(name), name, src_dir_fd=at, dst_dir_fd=at)
                if read and before is not None and _written_to(before, read):
                    _put_back(at, name, before, read)
        finally:
            with suppress(FileNotFoundError):
                os.unlink(_temporary(name), dir_fd=at)
        _flush(at)


def _temporary(name: str) -> str:
    return durable.PREFIX + name if _OURS.fullmatch(name) else durable.temporary(name)


def _written(  # noqa: PLR0913
    at: int, name: str, data: bytes, mode: int, owner: tuple[int, int] | None = None, *, flush: bool = True
) -> None:
    """The temporary file of a name, flushed unless told otherwise; what a killed run left there is removed first."""
    with suppress(FileNotFoundError):
        os.unlink(_temporary(name), dir_fd=at)
    descriptor = os.open(_temporary(name), _NEW, 0o600, dir_fd=at)
    try:
        if owner and owner != (os.geteuid(), os.getegid()):
            with suppress(PermissionError):
                os.fchown(descriptor, *owner)
        os.fchmod(descriptor, mode)
        durable.write_all(descriptor, data)
        if flush:
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _unchanged(at: int, name: str, read: File | None) -> Iterator[int | None]:
    """A descriptor of a file that is, byte for byte and by its times, the one that was read; else raises Changed."""
    try:
        with opened(at, name) as (descriptor, _):
            same = read is not None and read_all(descriptor, LARGEST) == read.data
            if not same or read is None or signature(os.stat(name, dir_fd=at, follow_symlinks=False)) != read.signature:
                raise Changed
            yield descriptor
    except FileNotFoundError as error:
        if read is not None:
            raise Changed from error
        yield None


def _written_to(descriptor: int, read: File) -> bool:
    """Whether somebody wrote to the file that was replaced between the last look and its replacement."""
    status = os.fstat(descriptor)
    return (status.st_size, status.st_mtime_ns) != read.signature[2:4]


def _put_back(at: int, name: str, descriptor: int, read: File) -> None:
    """Give the name back to the file that was written to meanwhile, and raise Changed."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    _written(at, name, read_all(descriptor, LARGEST), read.mode, read.owner)
    os.rename(_temporary(name), name, src_dir_fd=at, dst_dir_fd=at)
    _flush(at)
    raise Changed


def _flush(at: int) -> None:
    with suppress(OSError):
        os.fsync(at)
