"""``lifecycle.closed``: which closed records does a clone receive?"""

from __future__ import annotations

from collections import Counter
from urllib.parse import quote, unquote

from msgspec import Struct, structs

from cockpit.formats import frontmatter
from cockpit.formats.document import Value
from cockpit.formats.text import counted, shown
from cockpit.reads.answers import Closed, ClosedEpisode, Untracked, optional
from cockpit.reads.remedies import track
from cockpit.store.files import Fault
from cockpit.store.sessions import Found, Index, Section, newest_first
from cockpit.store.snapshot import Snapshot

WINDOW = 20
_SCHEME = "majordomus://session/"


class ObjectRecord(Struct, frozen=True):
    """One record of a closed episode, whole: its front matter in order, and its body as text.

    ``damage`` says what could not be read; empty in the good case.
    """

    path: str
    tracked: bool
    fields: list[tuple[str, str | list[str]]]
    body: str
    damage: str


def answer(snapshot: Snapshot) -> Closed:
    """The tracked records of the index, counted; the newest in full; the untracked with the command to add them."""
    index = snapshot.index
    return structs.replace(
        snapshot.derived(_counted, index.tracked, index.position.branch),
        untracked=_untracked(snapshot, index.section),
        findings=_findings(snapshot, index),
    )


def _counted(known: tuple[Found, ...], branch: str) -> Closed:
    """The answer as far as the tracked records make it, newest first."""
    return Closed(
        total=len(known),
        on_this_branch=sum(bool(branch) and found.record.branch == branch for found in known),
        episodes=len({found.record.session_id for found in known}),
        window=WINDOW,
        newest=[row(found) for found in known[:WINDOW]],
        untracked=[],
        findings=[],
    )


def uri(session_id: str) -> str:
    """The address of a closed episode."""
    return _SCHEME + quote(session_id, safe="")


def records_of(snapshot: Snapshot, address: str) -> list[ObjectRecord]:
    """Every record of the episode that an address names, newest first; empty where there is none."""
    if not address.startswith(_SCHEME):
        return []
    session_id = unquote(address.removeprefix(_SCHEME))
    found = [item for item in snapshot.index.section.records if item.record.session_id == session_id]
    return [_whole(snapshot, item) for item in sorted(found, key=newest_first)]


def row(found: Found) -> ClosedEpisode:
    """A record as a row of the answer."""
    record = found.record
    return ClosedEpisode(
        session_id=record.session_id,
        uri=uri(record.session_id),
        path=shown(found.path),
        created_at=optional(record.created_at),
        branch=optional(record.branch),
        head=optional(record.head),
        outcome=optional(record.outcome),
        title=optional(record.title),
    )


def _untracked(snapshot: Snapshot, section: Section) -> list[Untracked]:
    return [
        Untracked(session_id=f.record.session_id, path=shown(f.path), remedy=track(snapshot.root, f.path))
        for f in snapshot.derived(_unknown_to_git, section.records)
    ]


def _unknown_to_git(records: tuple[Found, ...]) -> list[Found]:
    return sorted((found for found in records if found.tracked is False), key=newest_first)


def _findings(snapshot: Snapshot, index: Index) -> list[str]:
    section, found = index.section, list(snapshot.layer.sessions_findings)
    failure = index.failure or section.failure
    found += [f"The sessions section cannot be read as it is now: {failure}."] if failure else []
    found += [f"{shown(fault.path)} {fault.reason}; it was skipped." for fault in section.faults]
    found += snapshot.derived(_damages, section.records)
    if section.absent:
        absent = counted(section.absent, "record that git tracks does", "records that git tracks do")
        found.append(f"{absent} not lie on disk here (deleted, or outside a sparse checkout), and is not counted.")
    return found + snapshot.derived(_doubles, index.tracked)


def _damages(records: tuple[Found, ...]) -> list[str]:
    return [f"{shown(found.path)} {found.record.damage}." for found in records if found.record.damage]


def _doubles(tracked: tuple[Found, ...]) -> list[str]:
    times = Counter(found.record.session_id for found in tracked)
    doubled = sorted(session_id for session_id, count in times.items() if count > 1)
    return [f"{each} has {counted(times[each], 'record')}; all are counted, as one episode." for each in doubled]


def _whole(snapshot: Snapshot, found: Found) -> ObjectRecord:
    path, tracked = shown(found.path), found.tracked is True
    data = snapshot.whole(found.path)
    if data is None or isinstance(data, Fault):
        said = f"It {data.reason}." if data else "It was in the index, and is gone from disk now."
        return ObjectRecord(path, tracked, [], "", said)
    read = frontmatter.parse(data)
    if read is None:
        return ObjectRecord(
            path, tracked, [], data.decode("utf-8", "backslashreplace"), "It has no front matter any more."
        )
    fields = [(name, _flat(value)) for name, value in read.header.fields.items()]
    damage = f"It {read.header.damage}." if read.header.damage else ""
    if read.header.text("session_id") != found.record.session_id:
        damage = "It was rewritten since the index was built, and is another episode's record now."
    return ObjectRecord(path, tracked, fields, read.body.strip("\n"), damage)


def _flat(value: Value) -> str | list[str]:
    """A value as text or as a list of texts; anything deeper as Python writes it, cut by whoever shows it."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return [item if isinstance(item, str) else _written(item) for item in value]
    return [f"{key}: {item if isinstance(item, str) else _written(item)}" for key, item in value.items()]


def _written(value: object) -> str:
    return f"({type(value).__name__} of {len(value)})" if isinstance(value, list | dict) else str(value)
