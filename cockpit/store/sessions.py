"""The sessions section: closed records, what a killed close left beside them, and the index that is served.

``Section`` is what lies in the folder now. ``Index`` is a section together with the position it was read at:
what this process answers about closed records from.
"""

from __future__ import annotations

import threading
from collections.abc import Container, Iterable, Mapping, Set

from msgspec import Struct
from msgspec.structs import replace

from cockpit.formats import frontmatter, instants, records
from cockpit.formats.records import Mismatch, SessionRecord
from cockpit.formats.text import shown
from cockpit.store.files import Fault, blocked, gone
from cockpit.store.git import GitFailed
from cockpit.store.position import Ask, Position
from cockpit.store.shelf import Contents, Shelf, Vouched
from cockpit.store.tracked import Tracking

TEMPORARY = ".tmp."


class Found(Struct, frozen=True, gc=False):
    """A closed record and the file it is in; ``tracked`` is whether git tracks that file (None: git does not say)."""

    name: str
    path: str
    record: SessionRecord
    tracked: bool | None


class Orphan(Struct, frozen=True):
    """A regular ``.tmp.*`` file: its bytes, or the reason why they were not read."""

    name: str
    path: str
    size: int
    data: bytes | Fault


class Section(Struct, frozen=True):
    """The sessions folder as it is now. ``path`` is None where the manifest names one that is refused."""

    path: str | None
    records: tuple[Found, ...] = ()
    faults: tuple[Fault, ...] = ()
    orphans: tuple[Orphan, ...] = ()
    strangers: tuple[Fault, ...] = ()
    """What is named ``.tmp.*`` and is no regular file, or cannot be opened."""
    names: frozenset[str] = frozenset()
    ids: frozenset[str] = frozenset()
    """The ``session_id`` of every record."""
    absent: int = 0
    """How many records git tracks that do not lie on disk."""
    failure: str = ""
    """Why the folder or git's list could not be read; empty in the good case."""


class Index(Struct, frozen=True):
    """The section as it was when the index was built, and where the repository stood then."""

    section: Section
    position: Position
    built_at: str
    failure: str = ""
    """Why it could not be built as a whole; empty in the good case."""
    stale: bool = False
    """Whether it is the last good one, since it could not be rebuilt."""
    tracked: tuple[Found, ...] = ()
    """The records that git tracks, newest first: what a clone receives."""


class Sessions:
    """The reader of one checkout's sessions section, and the holder of its index."""

    def __init__(self, git_dir: str) -> None:
        self._lock = threading.Lock()
        self._building = threading.Lock()
        self._tracking = Tracking(git_dir)
        self._records: Shelf[SessionRecord | Mismatch] = Shelf(
            _is_record, lambda data: records.session_record(frontmatter.parse(data))
        )
        self._orphans: Shelf[bytes] = Shelf(lambda name: name.startswith(TEMPORARY), lambda data: data)
        self._last: tuple[object, object, object, Section] | None = None
        self._index: Index | None = None

    def section(self, ask: Ask, root: str, path: str | None, changed: Set[str] | None, now: int) -> Section:
        """What lies in the folder now; ``changed`` is what git's status names, None where git did not say."""
        if path is None:
            return Section(None)
        failure, blobs = "", None
        try:
            blobs = self._tracking.files(ask, path)
        except GitFailed as error:
            failure = f"git does not say which records it tracks: {error}"
        vouched = Vouched() if blobs is None or changed is None else Vouched(blobs, changed)
        with self._lock:
            try:
                read = self._records.read(root, path, vouched, now)
                left = self._orphans.read(root, path, Vouched(), now)
            except OSError as error:
                return (
                    Section(path)
                    if gone(error)
                    else Section(path, failure=f"{shown(path)} {blocked(root, path, error)}")
                )
            return self._sorted(path, read, left, blobs, failure)

    def _sorted(
        self,
        path: str,
        read: Contents[SessionRecord | Mismatch],
        left: Contents[bytes],
        blobs: Mapping[str, str] | None,
        failure: str,
    ) -> Section:
        last = self._last
        if last and not failure and last[0] is read and last[1] is left and last[2] is blobs:
            return last[3]
        found, faults = _sorted(path, read.values, blobs)
        orphans, strangers = _left(path, left)
        section = Section(
            path=path,
            records=tuple(found),
            faults=tuple(faults),
            orphans=tuple(orphans),
            strangers=tuple(strangers),
            names=frozenset(read.names.found),
            absent=_absent(path, read.names.found, blobs or {}),
            ids=frozenset(each.record.session_id for each in found),
            failure=failure,
        )
        self._last = None if failure else (read, left, blobs, section)
        return section

    def index(self, section: Section, position: Position, moment: str, *, pin: bool) -> Index:
        """The index that answers now: rebuilt where HEAD or the section moved, unless it is pinned.

        Where the repository cannot be read, the last good index goes on answering and says why.
        """
        with self._building:
            last = self._index
            if last and pin:
                return last
            failure = section.failure or (position.failure if not position.branch else "")
            if failure and last:
                return replace(last, failure=failure, stale=True)
            if last and not failure and last.section == section and _where(last.position) == _where(position):
                return last
            tracked = sorted((found for found in section.records if found.tracked), key=newest_first)
            index = Index(section, position, moment, failure, tracked=tuple(tracked))
            self._index = None if failure else index
            return index


def _absent(path: str, names: Container[str], blobs: Iterable[str]) -> int:
    start = f"{path}/"
    inside = (blob.removeprefix(start) for blob in blobs if blob.startswith(start))
    return sum("/" not in name and _is_record(name) and name not in names for name in inside)


def _is_record(name: str) -> bool:
    return name.endswith(".md") and name != "README.md" and not name.startswith(TEMPORARY)


def _where(position: Position) -> tuple[str, str]:
    return position.head, position.branch


def _sorted(
    path: str, values: Mapping[str, SessionRecord | Mismatch | Fault], blobs: Mapping[str, str] | None
) -> tuple[list[Found], list[Fault]]:
    """The records among what was read, and what is none though it should be."""
    found, faults = [], []
    for name, value in values.items():
        whole = f"{path}/{name}"
        if isinstance(value, SessionRecord):
            found.append(Found(name, whole, value, None if blobs is None else whole in blobs))
        elif isinstance(value, Fault):
            faults.append(value)
        elif not value.other:
            faults.append(Fault(shown(whole), f"is no session record: {value.reason}"))
    return found, faults


def _left(path: str, left: Contents[bytes]) -> tuple[list[Orphan], list[Fault]]:
    """The regular temporary files, and whatever else has such a name or cannot be opened."""
    orphans, strangers = [], []
    for name, data in left.values.items():
        whole = f"{path}/{name}"
        if isinstance(data, Fault) and data.size is None:
            strangers.append(Fault(whole, data.reason))
        else:
            size = (data.size or 0) if isinstance(data, Fault) else len(data)
            orphans.append(Orphan(name, whole, size, data))
    return orphans, strangers


def newest_first(found: Found) -> tuple[int, str, str]:
    """The order of records: newest ``created_at`` by instant, then ``session_id``, then path."""
    created = instants.parse(found.record.created_at)
    return -(created if created is not None else -(1 << 63)), found.record.session_id, found.path
