"""What each file held before ``cockpit init`` wrote into it: kept in ``.ai/local/init.json``, for ``--undo``.

It is local: another worktree or clone keeps nothing of it.
"""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Iterable

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from cockpit.recorder import durable
from cockpit.recorder.changes import Change, emptied, read
from cockpit.recorder.site import Site, confined

JOURNAL = ".ai/local/init.json"


class Kept(Struct, frozen=True):
    """What is kept of a file: what it held (base64; None: it was not there), and the SHA-256 of what init left.

    ``exact``: nobody else changed it between two runs of init.
    """

    before: str | None
    after: str
    exact: bool

    def untouched(self, now: bytes) -> bool:
        """Whether a file is still what init left, so that what it held before can be restored."""
        return self.exact and _digest(now) == self.after

    def restored(self) -> bytes | None:
        """What the file held before; None: it was not there."""
        return None if self.before is None else base64.b64decode(self.before)


class _Journal(Struct, frozen=True):
    files: dict[str, Kept]


def kept(site: Site) -> dict[str, Kept]:
    """What is kept of each file that init wrote; empty where nothing is."""
    try:
        return msgspec.json.decode(read(site, JOURNAL) or b"", type=_Journal).files
    except msgspec.DecodeError:
        return {}


def remember(site: Site, changes: Iterable[Change]) -> None:
    """Keep what the files held before the first init. Raises OSError."""
    journal = kept(site)
    for change in changes:
        assert change.after is not None
        before = None if change.before is None else base64.b64encode(change.before).decode()
        known = journal.get(change.path)
        if known is None:
            known = Kept(before, "", exact=True)
        elif change.before is None or _digest(change.before) != known.after:
            known = Kept(None, "", exact=change.before is None)
        journal[change.path] = replace(known, after=_digest(change.after))
    _keep(site, journal)


def forget(site: Site, changes: Iterable[Change]) -> None:
    """Follow what was taken out for some of the providers: a file that they share stays known. Raises OSError."""
    journal = kept(site)
    for change in changes:
        known = journal.pop(change.path, None)
        if known and change.before is not None and change.after is not None:
            after = _digest(change.after) if known.untouched(change.before) else known.after
            journal[change.path] = replace(known, after=after)
    if journal:
        _keep(site, journal)


def close(site: Site) -> None:
    """Remove the journal, and the folder where that leaves it empty. Raises OSError."""
    path = os.path.join(site.root, JOURNAL)
    if os.path.lexists(path):
        os.unlink(path)
        emptied(site, os.path.dirname(JOURNAL))


def _keep(site: Site, journal: dict[str, Kept]) -> None:
    path = confined(os.path.join(site.root, JOURNAL))
    durable.folder(os.path.dirname(path))
    durable.replace(path, msgspec.json.format(msgspec.json.encode(_Journal(journal)), indent=1))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
