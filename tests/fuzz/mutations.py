"""Single changes of a store, as values that can be written down, tried again and made smaller."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Callable
from contextlib import suppress

from hypothesis import strategies as st
from msgspec import Struct

from tests.fuzz import payloads
from tests.fuzz.places import Place
from tests.fuzz.rewrites import REWRITES

SHAPES = ("nothing", "folder", "FIFO", "socket", "closed", "read-only", "empty file")


class Rewrite(Struct, frozen=True, tag=True):
    """The bytes of a file go wrong in the way ``how``, see :mod:`tests.fuzz.rewrites`."""

    path: str
    how: str
    at: int
    more: bytes

    @property
    def kind(self) -> str:
        return self.how

    def apply(self, place: Place) -> None:
        at = place.whole / self.path
        if at.is_file() and not at.is_symlink():
            at.write_bytes(REWRITES[self.how](at.read_bytes(), self.at, filled(place, self.more)))


class Replace(Struct, frozen=True, tag=True):
    """Something else stands at a path; ``closed`` is what nobody may read."""

    path: str
    shape: str

    @property
    def kind(self) -> str:
        return f"made {self.shape}" if self.shape != "nothing" else "removed"

    def apply(self, place: Place) -> None:
        at = os.fsencode(place.whole / self.path)
        if self.shape in ("closed", "read-only"):
            os.chmod(at, 0o000 if self.shape == "closed" else 0o444)
            return
        _away(at)
        if self.shape == "folder":
            os.mkdir(at)
        elif self.shape == "FIFO":
            os.mkfifo(at)
        elif self.shape == "socket":
            _socket(at)
        elif self.shape == "empty file":
            _write(at, b"")


class Link(Struct, frozen=True, tag=True):
    """A link stands at a path."""

    path: str
    target: str
    kind = "made a link"

    def apply(self, place: Place) -> None:
        at = os.fsencode(place.whole / self.path)
        _away(at)
        os.symlink(filled(place, os.fsencode(self.target)), at)


class Add(Struct, frozen=True, tag=True):
    """A new file stands in a folder."""

    folder: str
    name: bytes
    data: bytes
    kind = "added"

    def apply(self, place: Place) -> None:
        at = os.path.join(os.fsencode(place.whole / self.folder), self.name)
        if not os.path.lexists(at):
            _write(at, filled(place, self.data))


class Copy(Struct, frozen=True, tag=True):
    """What a file holds stands under another name as well, in a folder of the store."""

    path: str
    folder: str
    name: bytes
    kind = "copied"

    def apply(self, place: Place) -> None:
        at = os.path.join(os.fsencode(place.whole / self.folder), self.name)
        if (place.whole / self.path).is_file() and not os.path.lexists(at):
            _write(at, (place.whole / self.path).read_bytes())


class Rename(Struct, frozen=True, tag=True):
    """A file or folder has another name."""

    path: str
    name: bytes
    kind = "renamed"

    def apply(self, place: Place) -> None:
        at = os.fsencode(place.whole / self.path)
        os.rename(at, os.path.join(os.path.dirname(at), self.name))


class Exchange(Struct, frozen=True, tag=True):
    """Two files or folders have each other's name."""

    path: str
    other: str
    kind = "exchanged"

    def apply(self, place: Place) -> None:
        one, other = place.whole / self.path, place.whole / self.other
        between = place.whole / "between"
        one.rename(between)
        try:
            other.rename(one)
        finally:
            between.rename(other if not os.path.lexists(other) else one)


class Redate(Struct, frozen=True, tag=True):
    """A file's time is set, in seconds since the epoch."""

    path: str
    seconds: int
    kind = "redated"

    def apply(self, place: Place) -> None:
        os.utime(place.whole / self.path, (self.seconds, self.seconds), follow_symlinks=False)


class Call(Struct, frozen=True, tag=True):
    """git was used meanwhile."""

    arguments: tuple[str, ...]

    @property
    def kind(self) -> str:
        return f"git {self.arguments[0]}"

    def apply(self, place: Place) -> None:
        with suppress(subprocess.SubprocessError, UnicodeError):
            place.scene.git(*self.arguments, timeout=5)


Mutation = Rewrite | Replace | Link | Add | Copy | Rename | Exchange | Redate | Call


def apply(mutation: Mutation, place: Place) -> None:
    """Do it, as far as what lies there now lets it be done."""
    with suppress(OSError):
        mutation.apply(place)


def filled(place: Place, data: bytes) -> bytes:
    """A text with the names of this place put in, see :mod:`tests.fuzz.payloads`."""
    known = {
        b"{root}": str(place.root),
        b"{whole}": str(place.whole),
        b"{head}": place.head,
        b"{short}": place.head[:7],
    }
    for name, value in known.items():
        data = data.replace(name, value.encode())
    return data


def mutations(place: Place) -> st.SearchStrategy[Mutation]:
    """Any change of a place's store; what Hypothesis tries last is what is told first, so the plain ones lead."""
    of_git = [path for path in place.files if "/.git" in path]
    of_layer = [path for path in place.files if path not in of_git]
    files, paths = st.sampled_from(of_layer), st.sampled_from([*place.files, *place.folders])
    linked = st.sampled_from(
        [path for path in (*place.files, *place.folders) if "/" in path]
    )  # else one asks elsewhere
    folders = st.sampled_from([path for path in place.folders if "/.ai" in path or path.endswith("/.git")])
    hows, at = st.sampled_from(sorted(REWRITES)), st.integers(0, 255)
    rewrite: Callable[..., st.SearchStrategy[Mutation]] = st.builds
    in_layer = rewrite(Rewrite, files, hows, at, payloads.layers)
    return st.one_of(
        in_layer,
        in_layer,
        in_layer,
        rewrite(
            Rewrite, files, st.sampled_from(["value replaced", "text replaced", "key doubled"]), at, payloads.pieces
        ),
        rewrite(Rewrite, st.sampled_from(of_git), hows, at, payloads.gits),
        rewrite(Replace, paths, st.sampled_from(SHAPES)),
        rewrite(Link, linked, payloads.targets),
        rewrite(Add, folders, payloads.names, payloads.layers),
        rewrite(Copy, st.sampled_from(place.files), folders, payloads.names),
        rewrite(Rename, paths, payloads.names),
        rewrite(Exchange, paths, paths),
        rewrite(Redate, paths, st.sampled_from([0, 1, 10**9, 4 * 10**9, 1 << 33])),
        st.sampled_from(payloads.CALLS).map(Call),
    )


def _away(at: bytes) -> None:
    """Whatever stands there goes; a folder is kept whole under a name beside it."""
    if os.path.isdir(at) and not os.path.islink(at):
        os.rename(at, at + b".was")
    elif os.path.lexists(at):
        os.unlink(at)


def _write(at: bytes, data: bytes) -> None:
    with open(at, "xb") as file:
        file.write(data)


def _socket(at: bytes) -> None:
    with socket.socket(socket.AF_UNIX) as bound, suppress(OSError):
        bound.bind(at)
