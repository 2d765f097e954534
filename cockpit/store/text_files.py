"""The text of one file below a root, also a large one; what is no text has none."""

from __future__ import annotations

import os
from codecs import BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE

from cockpit.formats.text import shown
from cockpit.store.files import Fault, folder, gone, kind, opened, read_all, unread

LARGEST = 16 << 20  # bytes
_START = 8000  # bytes in which git looks for a NUL to tell data from text (buffer_is_binary in git's xdiff-interface.c)


def text(root: str, path: str) -> str | Fault | None:
    """The text of a file, or where a link leads; None for data, for a folder, and where nothing is.

    A Fault where it cannot be read, or is a text of more than ``LARGEST`` bytes. What is no UTF-8 keeps its bytes as
    surrogates.
    """
    head, _, name = path.rpartition("/")
    try:
        with folder(root, head) as at:
            what = kind(os.stat(name, dir_fd=at, follow_symlinks=False).st_mode)
            if what == "link":
                return os.readlink(name, dir_fd=at)
            return None if what == "folder" else _read(at, name, path)
    except OSError as error:
        return None if gone(error) else unread(path, error)


def _read(at: int, name: str, path: str) -> str | Fault | None:
    with opened(at, name) as (descriptor, status):
        data = read_all(descriptor, _START)
        if b"\0" in data and not _wide(data):
            return None
        data += read_all(descriptor, LARGEST + 1 - len(data))
    if len(data) > LARGEST:
        size = f"is larger than {LARGEST >> 20} MiB ({status.st_size:,} bytes) and was not read"
        return Fault(shown(path), size, status.st_size)
    return decoded(data)


def decoded(data: bytes) -> str:
    """A text from its bytes: UTF-32 or UTF-16 where its start says so, else UTF-8 with other bytes as surrogates."""
    wide = _wide(data)
    return data.decode(wide, "replace") if wide else data.decode("utf-8", "surrogateescape")


def _wide(data: bytes) -> str:
    """The encoding of more than a byte that a text begins with; of UTF-16 without a mark most of one half are NUL."""
    if data.startswith((BOM_UTF32_LE, BOM_UTF32_BE)):
        return "utf-32"
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return "utf-16"
    for name, half, other in (
        ("utf-16-le", data[1:_START:2], data[:_START:2]),
        ("utf-16-be", data[:_START:2], data[1:_START:2]),
    ):
        if len(half) > 3 and 2 * half.count(0) > len(half) and not other.count(0):
            return name
    return ""
