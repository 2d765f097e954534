"""Files that are whole or not there: what every writing command writes with.

A file is written under a temporary name in its own folder, flushed, given its name, and the folder is flushed. A kill
at any moment leaves nothing, the whole file, or a ``.tmp.`` beside it. Files are 0600 and folders 0700 unless told
otherwise. Every function raises OSError and then has changed nothing under the final name.
"""

from __future__ import annotations

import errno
import hashlib
import os
from contextlib import suppress

PREFIX = ".tmp."


def folder(path: str) -> None:
    """Make a folder and those above it, where they are missing."""
    if os.path.isdir(path):
        return
    above = os.path.dirname(path)
    if above and above != path:
        folder(above)
    with suppress(FileExistsError):
        os.mkdir(path, 0o700)


def create(path: str, data: bytes, mode: int = 0o600) -> None:
    """A new file; raises FileExistsError where the name is taken, whatever takes it."""
    temporary = _written(path, data, mode)
    try:
        os.link(temporary, path)
    finally:
        os.unlink(temporary)
    flush(os.path.dirname(path))


def replace(path: str, data: bytes, mode: int = 0o600) -> None:
    """A file in place of the one that has the name, in one step."""
    temporary = _written(path, data, mode)
    try:
        os.rename(temporary, path)
    except OSError:
        os.unlink(temporary)
        raise
    flush(os.path.dirname(path))


def link(path: str, target: str) -> None:
    """A symbolic link with exactly that text in place of what has the name; a file where there can be no links.

    It is not flushed: a link is aimed anew from the records that are.
    """
    temporary = os.path.join(os.path.dirname(path), _temporary())
    try:
        os.symlink(target, temporary)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS):
            raise
        replace(path, f"{target}\n".encode())
        return
    os.rename(temporary, path)


def flush(path: str) -> None:
    """Flush a folder, so that the names in it survive a power cut; a file system that cannot is let be."""
    descriptor = os.open(path or ".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_all(descriptor: int, data: bytes) -> None:
    """Write every byte to an open file."""
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


def temporary(name: str) -> str:
    """The temporary name of a file that one run at a time writes: short, however long its own name is.

    It is the same each time, so that what a killed run left goes away with the next.
    """
    return f"{PREFIX}{hashlib.sha256(os.fsencode(name)).hexdigest()[:12].upper()}"


def _temporary() -> str:
    return f"{PREFIX}{os.urandom(3).hex().upper()}"


def _written(path: str, data: bytes, mode: int) -> str:
    """The path of a flushed temporary file beside ``path``; removed again where writing it fails."""
    temporary = os.path.join(os.path.dirname(path), _temporary())
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
    try:
        os.fchmod(descriptor, mode)
        write_all(descriptor, data)
        os.fsync(descriptor)
    except OSError:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    finally:
        os.close(descriptor)
    return temporary
