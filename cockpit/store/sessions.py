"""The sessions section: closed records, what a killed close left beside them, and the index that is served.

``Section`` is what lies in the folder now. ``Index`` is a section together with the position it was read at:
what this process answers about closed records from.
"""

from __future__ import annotations

import threading
from bisect import insort
from collections.abc import Callable, Container, Iterable, Mapping, Set

from msgspec import Struct
from msgspec.structs import replace

from cockpit.formats import frontmatter, instants, names, records
from cockpit.formats.records import Mismatch, SessionRecord
from cockpit.formats.text import shown
from cockpit.store.files import Fault, Listing, listing
from cockpit.store.git import GitFailed
from cockpit.store.memory import Gathered, Memory
from cockpit.store.position import Ask, Position, Status
from cockpit.store.tracked import Tracking

TEMPORARY = ".tmp."


class Found(Struct, frozen=True, gc=False):
    """A closed record and the file it is in; ``tracked`` is whether git tracks that file (None: git does not say)."""

    name: str
    path: str
    record: SessionRecord
    tracked: bool | None


class Left(Struct, frozen=True):
    """What a temporary file holds: a whole record and the name it should have, or neither."""

    size: int
    session_id: str = ""
    name: str = ""


class Orphan(Struct, frozen=True):
    """A regular ``.tmp.*`` file: what it holds, or the reason why it was not read."""

    path: str
    size: int
    holds: Left | Fault


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


Tracked = Callable[[], Set[str] | GitFailed]
"""Gives git's list of the tracked files of a folder, see :class:`Tracking`, or why there is none."""
Records = Gathered[SessionRecord | Mismatch]


class Sessions:
    """The reader of one checkout's sessions section, and the holder of its index."""

    def __init__(self, root: str, git_dir: str) -> None:
        self._lock = threading.Lock()
        self._building = threading.Lock()
        self._tracking = Tracking(root, git_dir)
        self._listing: Listing | None = None
        self._found: dict[str, Found] = {}
        self._records: Memory[SessionRecord | Mismatch] = Memory(
            lambda data: records.session_record(frontmatter.parse(data))
        )
        self._orphans: Memory[Left] = Memory(_left_by_a_close)
        self._last: tuple[object, object, object, Section] | None = None
        self._index: Index | None = None

    def tracked(self, ask: Ask, path: str) -> Set[str]:
        """What git tracks in the folder, see :class:`Tracking`. Raises GitFailed."""
        return self._tracking.files(ask, path)

    def section(self, tracked: Tracked, root: str, path: str, status: Callable[[], Status], now: int) -> Section:
        """What lies in the folder now; ``tracked`` gives what git tracks in it, ``status`` git's status.

        That is asked for last: git works on it while the folder and its list of tracked files are read.
        """
        with self._lock:
            found = self._listing = listing(root, path, self._listing)
            read = self._records.of_listing(root, path, found, _is_record, now)
            left = self._orphans.of_listing(root, path, found, _is_temporary, now)
        known, failure = self._known(tracked, status)
        if found.fault:
            return Section(path, failure=f"{found.fault.path} {found.fault.reason}")
        if not found.present:
            return Section(path)
        with self._lock:
            return self._sorted(path, read, left, known, failure)

    def _known(self, tracked: Tracked, status: Callable[[], Status]) -> tuple[Set[str] | None, str]:
        """What git tracks, or None and why that is not known.

        What is known of a git that fails is asked again, and an empty list is believed only of one that answers.
        """
        listed, said = tracked(), status()
        if not said.sure and not isinstance(listed, GitFailed):
            self._tracking.forget()
            listed = tracked()
        if isinstance(listed, GitFailed):
            return None, f"git does not say which records it tracks: {listed}"
        if not listed and not said.position.branch:
            self._tracking.forget()
            return None, f"git does not say which records it tracks: {said.position.failure}"
        return listed, ""

    def _sorted(
        self, path: str, read: Records, left: Gathered[Left], tracked: Set[str] | None, failure: str
    ) -> Section:
        last = self._last
        if last and not failure and last[0] is read and last[1] is left and last[2] is tracked:
            return last[3]
        found, faults = _sorted(path, read.values, tracked, self._found)
        self._found = {each.name: each for each in found}
        orphans, strangers = _left(path, left)
        section = Section(
            path=path,
            records=tuple(found),
            faults=tuple(faults),
            orphans=tuple(orphans),
            strangers=tuple(strangers),
            names=frozenset(read.listing.entries),
            absent=_absent(path, read.listing.entries, tracked or ()),
            ids=frozenset(each.record.session_id for each in found),
            failure=failure,
        )
        self._last = None if failure else (read, left, tracked, section)
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
            index = Index(section, position, moment, failure, tracked=_tracked(section, last))
            self._index = None if failure or position.failure else index
            return index


def _left_by_a_close(data: bytes) -> Left:
    read = frontmatter.parse(data)
    record = records.session_record(read)
    if read is None or not isinstance(record, SessionRecord):
        return Left(len(data))
    return Left(len(data), record.session_id, names.record(read.header, data))


def _absent(path: str, names: Container[str], tracked: Iterable[str]) -> int:
    start = f"{path}/"
    inside = (each.removeprefix(start) for each in tracked if each.startswith(start))
    return sum("/" not in name and _is_record(name) and name not in names for name in inside)


def _is_record(name: str) -> bool:
    return name.endswith(".md") and name != "README.md" and not name.startswith(TEMPORARY)


def _is_temporary(name: str) -> bool:
    return name.startswith(TEMPORARY)


def _where(position: Position) -> tuple[str, str]:
    return position.head, position.branch


def _sorted(
    path: str,
    values: Mapping[str, SessionRecord | Mismatch | Fault],
    known: Set[str] | None,
    before: Mapping[str, Found],
) -> tuple[list[Found], list[Fault]]:
    """The records among what was read, and what is none though it should be; those of ``before`` are kept."""
    found, faults = [], []
    for name, value in values.items():
        whole = f"{path}/{name}"
        if isinstance(value, SessionRecord):
            tracked, same = None if known is None else whole in known, before.get(name)
            if same is None or same.record is not value or same.tracked is not tracked:
                same = Found(name, whole, value, tracked)
            found.append(same)
        elif isinstance(value, Fault):
            faults.append(value)
        elif not value.other:
            faults.append(Fault(shown(whole), f"is no session record: {value.reason}"))
    return found, faults


def _left(path: str, left: Gathered[Left]) -> tuple[list[Orphan], list[Fault]]:
    """The regular temporary files, and whatever else has such a name or cannot be opened."""
    orphans, strangers = [], []
    for name, holds in left.values.items():
        whole = f"{path}/{name}"
        if isinstance(holds, Fault) and holds.size is None:
            strangers.append(Fault(whole, holds.reason, hidden=holds.hidden))
        else:
            orphans.append(Orphan(whole, holds.size or 0, holds))
    return orphans, strangers


def _tracked(section: Section, last: Index | None) -> tuple[Found, ...]:
    """The tracked records, newest first; a few that are new find their place among those that were there."""
    now = {id(found): found for found in section.records if found.tracked}
    kept = [found for found in last.tracked if now.pop(id(found), None) is found] if last else []
    if len(now) > len(kept) // 8:
        return tuple(sorted([*kept, *now.values()], key=newest_first))
    for found in now.values():
        insort(kept, found, key=newest_first)
    return tuple(kept)


def newest_first(found: Found) -> tuple[int, str, str]:
    """The order of records: newest ``created_at`` by instant, then ``session_id``, then path."""
    created = instants.parse(found.record.created_at)
    return -(created if created is not None else -(1 << 63)), found.record.session_id, found.path
