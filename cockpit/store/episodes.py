"""The open-episode store, and the pointer that names one of its records."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from cockpit.formats import document, records
from cockpit.formats.records import Mismatch, OpenRecord
from cockpit.formats.text import shown
from cockpit.store.files import Fault, Listing, gone, unread
from cockpit.store.memory import Gathered, Memory
from cockpit.store.worktrees import Place, place, same

STATE = ".ai/local/state"
STORE = f"{STATE}/sessions-open"
POINTER = f"{STATE}/session-current.yaml"
ASIDE = ".ai/local/set-aside"

Held = Gathered[OpenRecord | Mismatch]
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
        self._last: tuple[Held, Pointer, OpenRecord | None, dict[str, Place], Store] | None = None

    def read(self, root: str, common_dir: str, state: Listing, now: int) -> Store:
        """The store as it is now, the same object while nothing changed; ``state`` lists the state folder."""
        held, last = self._records.of_folder(root, STORE, _is_record, now), self._last
        pointer, inline = self._pointed(root, state, held, now)
        if last and last[0] is held and last[1:3] == (pointer, inline):
            places = {worktree: place(worktree, root, common_dir) for worktree in last[3]}
            if places == last[3]:
                return last[4]
        else:
            named = {record.worktree for record in _opened(held, inline).values()}
            places = {worktree: place(worktree, root, common_dir) for worktree in named if worktree}
        store = _store(held, pointer, inline, places)
        self._last = held, pointer, inline, places, store
        return store

    def _pointed(self, root: str, state: Listing, held: Held, now: int) -> tuple[Pointer, OpenRecord | None]:
        """The pointer, and the record that it is where it is one."""
        entry = state.entries.get(os.path.basename(POINTER))
        if entry is None:
            return Pointer("absent"), None
        if entry.kind == "link":
            try:
                target = os.readlink(os.path.join(root, POINTER))
            except OSError as error:
                if gone(error):
                    return Pointer("absent"), None
                return Pointer("odd", fault=unread(POINTER, error).reason, hidden=True), None
            return _aimed("link", target, root, held), None
        data = self._pointer.file(root, POINTER, now)
        if data is None or isinstance(data, Fault):
            if data is None:
                return Pointer("absent"), None
            return Pointer("odd", fault=data.reason, hidden=data.hidden), None
        target = records.link_text(data)
        if target:
            return _aimed("text", target, root, held), None
        record = records.open_record(document.parse(data))
        if isinstance(record, Mismatch):
            return Pointer("odd", fault=f"is no record: {record.reason}"), None
        return Pointer("inline", names=POINTER, leads=True), record


def _is_record(name: str) -> bool:
    return name.endswith(".yaml") and not name.startswith(".tmp.")


def _opened(held: Held, inline: OpenRecord | None) -> dict[str, OpenRecord]:
    """Every open record by its path."""
    found = {f"{STORE}/{name}": value for name, value in held.values.items() if isinstance(value, OpenRecord)}
    return found | ({POINTER: inline} if inline else {})


def _store(held: Held, pointer: Pointer, inline: OpenRecord | None, places: Mapping[str, Place]) -> Store:
    opened, fault = _opened(held, inline), held.listing.fault
    return Store(
        present=held.listing.present,
        records=tuple(Open(path, record, places.get(record.worktree)) for path, record in opened.items()),
        faults=tuple(_fault(f"{STORE}/{n}", v) for n, v in held.values.items() if not isinstance(v, OpenRecord)),
        pointer=pointer,
        failure=f"{fault.path} {fault.reason}" if fault else "",
        names=frozenset(held.listing.entries),
    )


def _aimed(shape: Shape, target: str, root: str, held: Held) -> Pointer:
    """Where a target leads, through whatever links, as long as it ends at a record in the store."""
    path = os.path.join(root, STATE, target)
    try:
        real = os.path.realpath(path)
        leads = os.path.lexists(real)
    except (OSError, ValueError):
        return Pointer(shape, target)
    name = os.path.basename(real)
    inside = same(os.path.dirname(real), os.path.join(root, STORE))
    value = held.listing.fault or held.values.get(name)
    record = inside and isinstance(value, OpenRecord)
    if inside and isinstance(value, Fault) and value.hidden:
        said = f"leads to {shown(f'{STORE}/{name}')}, which {value.reason}"
        return Pointer(shape, target, "", leads, fault=said, hidden=True)
    return Pointer(shape, target, f"{STORE}/{name}" if record else "", leads)


def _fault(path: str, value: Mismatch | Fault | OpenRecord) -> Fault:
    if isinstance(value, Fault):
        return Fault(path, value.reason, hidden=value.hidden)
    assert isinstance(value, Mismatch)
    return Fault(path, f"is no open episode: {value.reason}")
