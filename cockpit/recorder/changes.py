"""What a file of the layer holds and is to hold: read, written, and told as a diff or in words."""

from __future__ import annotations

import os

from msgspec import Struct

from cockpit.formats import diffs
from cockpit.recorder import durable
from cockpit.recorder.site import Refused, Site, confined


class Change(Struct, frozen=True):
    """A file as it is and as it is to be; None: it is not there."""

    path: str
    before: bytes | None
    after: bytes | None

    @property
    def diff(self) -> str:
        """The unified diff."""
        return diffs.unified(self.before, self.after, self.path)

    def __str__(self) -> str:
        """What is done, on one line."""
        word = "removed" if self.after is None else "written" if self.before is None else "changed"
        return f"{self.path} {word}"


def read(site: Site, path: str) -> bytes | None:
    """A file's bytes; None where there is none. Raises Refused where it is a link or no regular file."""
    whole = os.path.join(site.root, path)
    if os.path.islink(whole) or os.path.realpath(whole) != whole:
        raise Refused(
            f"{path} is a link, or lies behind one: it is left alone. Wire what it leads to by hand, or copy it."
        )
    if os.path.lexists(whole) and not os.path.isfile(whole):
        raise Refused(f"{path} is no regular file and is left alone.")
    try:
        with open(whole, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def write(site: Site, change: Change) -> None:
    """Carry out a change; the folders that it leaves empty go too. Raises OSError."""
    path = confined(os.path.join(site.root, change.path))
    if change.after is None:
        os.unlink(path)
        emptied(site, os.path.dirname(change.path))
    elif change.before is None:
        durable.folder(os.path.dirname(path))
        durable.create(path, change.after)
    else:
        durable.replace(path, change.after, os.stat(path).st_mode & 0o777)


def emptied(site: Site, folder: str) -> None:
    """Remove a folder and those above it, from the innermost outwards, as far as they are empty."""
    while folder:
        try:
            os.rmdir(os.path.join(site.root, folder))
        except OSError:
            return
        folder = os.path.dirname(folder)
