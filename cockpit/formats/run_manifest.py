"""The manifest of a run folder, ``manifest.json``: what the run owns, and which of it may go when.

One JSON object. ``run`` and ``owner`` are texts, ``created`` is an RFC 3339 time; ``files`` lists objects with ``path``
(below the run folder), ``class`` (``ephemeral`` or ``retained``) and, where one can go, ``expires_at`` (RFC 3339);
``receipts`` lists the paths of what proves what the run did. Other members are passed over. A manifest in which one
thing is wrong owns nothing: whoever wrote it may have meant something else.
"""

from __future__ import annotations

import posixpath
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from cockpit.formats import instants, surfaces
from cockpit.formats.credentials import masked
from cockpit.formats.text import cut, visible

NAME = "manifest.json"
HOLDERS = ((".agent-run",), (".work", "wf"))
"""The folders that hold runs, or are one: the last parts of their paths."""

_Text = Annotated[str, Meta(min_length=1)]


class Owned(Struct, frozen=True):
    """A file of a run by its path below the run folder; ``expires`` in ns, None where it never does."""

    path: str
    ephemeral: bool
    expires: int | None = None


class Manifest(Struct, frozen=True):
    """A manifest; ``created`` in ns, ``receipts`` as paths below the run folder."""

    run: str
    owner: str
    created: int
    files: tuple[Owned, ...]
    receipts: tuple[str, ...]

    @property
    def paths(self) -> frozenset[str]:
        """Every path that the run owns, its manifest and receipts included."""
        return frozenset((NAME, *(each.path for each in self.files), *self.receipts))


class _File(Struct):
    path: str
    kind: Literal["ephemeral", "retained"] = msgspec.field(name="class")
    expires_at: str | None = None


class _Written(Struct):
    run: _Text
    owner: _Text
    created: str
    files: list[_File]
    receipts: list[str]


class _Wrong(Exception):
    pass


def parse(data: bytes) -> Manifest | str:
    """The manifest in ``data``, or what is wrong with it in words that continue "it …"."""
    try:
        read = msgspec.json.decode(data, type=_Written)
        files = tuple(_owned(each) for each in read.files)
        receipts = tuple(_below(each) for each in read.receipts)
        created = _instant(read.created, "created")
    except _Wrong as error:
        return str(error)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        return f"is not the JSON of a run's manifest ({visible(cut(masked(str(error)), 200))})"
    paths = [each.path for each in files]
    twice = next((path for path in paths if paths.count(path) > 1), None) if len(set(paths)) < len(paths) else None
    if twice is not None:
        return f"names {_quoted(twice)} twice"
    return Manifest(read.run, read.owner, created, files, receipts)


def _owned(file: _File) -> Owned:
    expires = None if file.expires_at is None else _instant(file.expires_at, "expires_at")
    return Owned(_below(file.path), file.kind == "ephemeral", expires)


def _instant(stated: str, name: str) -> int:
    instant = instants.parse(stated)
    if instant is None:
        raise _Wrong(f"states {_quoted(stated)} as {name}, which is no RFC 3339 time")
    return instant


def _below(stated: str) -> str:
    """A path as it lies below the run folder; the manifest itself is none of its files."""
    path = surfaces.path(stated)
    if path is None or posixpath.basename(path) == NAME:
        raise _Wrong(f"names {_quoted(stated)}, which is no path of a file below its run folder")
    return path


def _quoted(text: str) -> str:
    return f"“{visible(cut(masked(text), 80))}”"


def run_of(path: str) -> tuple[str, str] | None:
    """The holder that a folder's path leads into or to, and the run in it (empty at the holder); None outside."""
    parts = path.split("/")
    for number in range(len(parts)):
        for holder in HOLDERS:
            if tuple(parts[number : number + len(holder)]) == holder:
                end = number + len(holder)
                return "/".join(parts[:end]), "/".join(parts[: end + 1]) if len(parts) > end else ""
    return None
