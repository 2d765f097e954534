"""The sessions section: closed records, what a killed close left beside them, and the index that is served.

``Section`` is what lies in the folder now. ``Index`` is a section together with the position it was read at:
what this process answers about closed records from.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping

from msgspec import Struct

from cockpit.formats import frontmatter, records
from cockpit.formats.records import Mismatch, SessionRecord
from cockpit.formats.text import shown
from cockpit.store.files import LIMIT, Entry, Fault, Listing, Memory, listing
from cockpit.store.git import GitFailed
from cockpit.store.position import Ask, Position

TEMPORARY = ".tmp."


class Found(Struct, frozen=True):
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
    failure: str = ""
    """Why the folder or git's list could not be read; empty in the good case."""


class Index(Struct, frozen=True):
    """The section as it was when the index was built, and where the repository stood then."""

    section: Section
    position: Position
    built_at: str
    failure: str = ""
    """Why the last rebuild failed; the index is then the last good one."""


class _Tracked:
    """The files of a folder that git tracks, asked again only when git's index file changed."""

    def __init__(self) -> None:
        self._asked: tuple[str, object] | None = None
        self._names: frozenset[str] = frozenset()

    def names(self, ask: Ask, git_dir: str, path: str) -> frozenset[str]:
        """Repository-relative paths. Raises GitFailed."""
        state = listing(git_dir, "").entries
        seen = (
            path,
            tuple((n, e.signature) for n, e in sorted(state.items()) if n == "index" or n[:12] == "sharedindex."),
        )
        if not state or self._asked != seen:
            out = ask("ls-files", "-z", "--cached", "--", path).out
            self._names = frozenset(name.decode("utf-8", "surrogateescape") for name in out.split(b"\0") if name)
            self._asked = seen
        return self._names


class Sessions:
    """The reader of one checkout's sessions section, and the holder of its index."""

    def __init__(self, git_dir: str) -> None:
        self._git_dir = git_dir
        self._lock = threading.Lock()
        self._building = threading.Lock()
        self._records: Memory[SessionRecord | Mismatch] = Memory(
            lambda data: records.session_record(frontmatter.parse(data))
        )
        self._orphans: Memory[bytes] = Memory(lambda data: data)
        self._tracked = _Tracked()
        self._section: tuple[object, Section] | None = None
        self._index: Index | None = None

    def section(self, ask: Ask, root: str, path: str | None, now: int) -> Section:
        """What lies in the folder now; a file that looks as it did is not opened again."""
        if path is None:
            return Section(None)
        with self._lock:
            found = listing(root, path)
            if found.fault:
                return Section(path, failure=f"{found.fault.path} {found.fault.reason}")
            if not found.present:
                return Section(path)
            return self._read(ask, root, path, found, now)

    def _read(self, ask: Ask, root: str, path: str, found: Listing, now: int) -> Section:
        failure, tracked = "", None
        try:
            tracked = self._tracked.names(ask, self._git_dir, path)
        except GitFailed as error:
            failure = f"git does not say which records it tracks: {error}"
        names = sorted(
            n for n in found.entries if n.endswith(".md") and n != "README.md" and not n.startswith(TEMPORARY)
        )
        values = self._records.files(root, found, path, names, now)
        key = values, tracked, {n: e.signature for n, e in found.entries.items()}
        if self._section and self._section[0] == key and not failure:
            return self._section[1]
        kept, faults = _sorted(path, values, tracked)
        orphans, strangers = _left(path, self._temporary(root, path, found, now))
        section = Section(
            path,
            tuple(kept),
            tuple(faults),
            tuple(orphans),
            tuple(strangers),
            frozenset(found.entries),
            failure,
        )
        self._section = None if failure else (key, section)
        return section

    def _temporary(self, root: str, path: str, found: Listing, now: int) -> dict[Entry, bytes | Fault]:
        names = sorted(n for n in found.entries if n.startswith(TEMPORARY))
        read = self._orphans.files(root, found, path, names, now)
        return {found.entries[name]: value for name, value in read.items()}

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
                return Index(last.section, last.position, last.built_at, failure)
            if last and not failure and last.section == section and _where(last.position) == _where(position):
                return last
            index = Index(section, position, moment, failure)
            self._index = None if failure else index
            return index


def _where(position: Position) -> tuple[str, str]:
    return position.head, position.branch


def _sorted(
    path: str, values: Mapping[str, SessionRecord | Mismatch | Fault], tracked: frozenset[str] | None
) -> tuple[list[Found], list[Fault]]:
    """The records among what was read, and what is none though it should be."""
    found, faults = [], []
    for name, value in values.items():
        whole = f"{path}/{name}"
        if isinstance(value, SessionRecord):
            found.append(Found(name, whole, value, None if tracked is None else whole in tracked))
        elif isinstance(value, Fault):
            faults.append(value)
        elif not value.other:
            faults.append(Fault(shown(whole), f"is no session record: {value.reason}"))
    return found, faults


def _left(path: str, temporary: Mapping[Entry, bytes | Fault]) -> tuple[list[Orphan], list[Fault]]:
    """The regular temporary files, and whatever else has such a name or cannot be opened."""
    orphans, strangers = [], []
    for entry, data in temporary.items():
        whole = f"{path}/{entry.name}"
        if isinstance(data, Fault) and (entry.kind != "file" or entry.size <= LIMIT):
            strangers.append(Fault(whole, data.reason))
        else:
            orphans.append(Orphan(entry.name, whole, entry.size, data))
    return orphans, strangers
