"""The open-episode store, and the pointer that names one of its records."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from cockpit.formats import document, records
from cockpit.formats.records import Mismatch, OpenRecord
from cockpit.formats.text import shown
from cockpit.store.files import Fault, Listing, Memory, gone, listing, unread
from cockpit.store.worktrees import Place, place, same

STATE = ".ai/local/state"
STORE = f"{STATE}/sessions-open"
POINTER = f"{STATE}/session-current.yaml"
ASIDE = ".ai/local/set-aside"

Shape = Literal["link", "text", "inline", "absent", "odd"]


class Open(Struct, frozen=True):
    """An open record, its file, and where the worktree stands that it names (None: it names none)."""

    path: str
    record: OpenRecord
    place: Place | None


class Pointer(Struct, frozen=True):
    """``session-current.yaml``. ``names`` is the path of the record it leads to, empty where it leads to none.

    ``shape``: a link; a regular file that holds just a link's text; a record itself (the older layout); nothing;
    or something else, with ``fault`` saying what. ``fault`` also says what it leads to that is hidden.
    """

    shape: Shape
    target: str = ""
    names: str = ""
    leads: bool = False
    """Whether there is anything at all where a link leads."""
    fault: str = ""
    hidden: bool = False
    """Whether the machine lets nobody see what it is or leads to."""


class Store(Struct, frozen=True):
    """Every open record of the checkout, wherever the pointer leads."""

    present: bool
    records: tuple[Open, ...] = ()
    faults: tuple[Fault, ...] = ()
    pointer: Pointer = Pointer("absent")
    failure: str = ""
    names: frozenset[str] = frozenset()


class Episodes:
    """The reader of one checkout's open store; unchanged records are not read again."""

    def __init__(self) -> None:
        self._records: Memory[OpenRecord | Mismatch] = Memory(lambda data: records.open_record(document.parse(data)))
        self._pointer: Memory[bytes] = Memory(lambda data: data)

    def read(self, root: str, common_dir: str, state: Listing, now: int) -> Store:
        """The store as it is now; ``state`` is the listing of the state folder."""
        found = listing(root, STORE)
        names = sorted(name for name in found.entries if name.endswith(".yaml") and not name.startswith(".tmp."))
        values: Mapping[str, OpenRecord | Mismatch | Fault] = self._records.files(root, found, STORE, names, now)
        pointer, inline = self._pointed(root, state, found, values, now)
        paths = {f"{STORE}/{name}": value for name, value in values.items()} | inline
        places: dict[str, Place] = {}
        opened = [
            Open(path, record, _place(record.worktree, root, common_dir, places))
            for path, record in paths.items()
            if isinstance(record, OpenRecord)
        ]
        return Store(
            present=found.present,
            records=tuple(opened),
            faults=tuple(_fault(f"{STORE}/{n}", v) for n, v in values.items() if not isinstance(v, OpenRecord)),
            pointer=pointer,
            failure=f"{found.fault.path} {found.fault.reason}" if found.fault else "",
            names=frozenset(found.entries),
        )

    def _pointed(
        self,
        root: str,
        state: Listing,
        found: Listing,
        values: Mapping[str, OpenRecord | Mismatch | Fault],
        now: int,
    ) -> tuple[Pointer, dict[str, OpenRecord]]:
        entry = state.entries.get(os.path.basename(POINTER))
        if entry is None:
            return Pointer("absent"), {}
        if entry.kind == "link":
            try:
                target = os.readlink(os.path.join(root, POINTER))
            except OSError as error:
                if gone(error):
                    return Pointer("absent"), {}
                return Pointer("odd", fault=unread(POINTER, error).reason, hidden=True), {}
            return _aimed("link", target, root, found, values), {}
        data = self._pointer.file(root, POINTER, now)
        if data is None or isinstance(data, Fault):
            if data is None:
                return Pointer("absent"), {}
            return Pointer("odd", fault=data.reason, hidden=data.hidden), {}
        target = records.link_text(data)
        if target:
            return _aimed("text", target, root, found, values), {}
        record = records.open_record(document.parse(data))
        if isinstance(record, Mismatch):
            return Pointer("odd", fault=f"is no record: {record.reason}"), {}
        return Pointer("inline", names=POINTER, leads=True), {POINTER: record}


def _aimed(
    shape: Shape, target: str, root: str, found: Listing, values: Mapping[str, OpenRecord | Mismatch | Fault]
) -> Pointer:
    """Where a target leads, through whatever links, as long as it ends at a record in the store."""
    path = os.path.join(root, STATE, target)
    try:
        real = os.path.realpath(path)
        leads = os.path.lexists(real)
    except (OSError, ValueError):
        return Pointer(shape, target)
    name = os.path.basename(real)
    inside = same(os.path.dirname(real), os.path.join(root, STORE))
    value = found.fault or values.get(name)
    record = inside and isinstance(value, OpenRecord)
    if inside and isinstance(value, Fault) and value.hidden:
        said = f"leads to {shown(f'{STORE}/{name}')}, which {value.reason}"
        return Pointer(shape, target, "", leads, fault=said, hidden=True)
    return Pointer(shape, target, f"{STORE}/{name}" if record else "", leads)


def _place(named: str, root: str, common_dir: str, known: dict[str, Place]) -> Place | None:
    if not named:
        return None
    if named not in known:
        known[named] = place(named, root, common_dir)
    return known[named]


def _fault(path: str, value: Mismatch | Fault | OpenRecord) -> Fault:
    if isinstance(value, Fault):
        return Fault(path, value.reason, hidden=value.hidden)
    assert isinstance(value, Mismatch)
    return Fault(path, f"is no open episode: {value.reason}")
