"""Handovers and checkpoints: every note of a folder, or why it is none."""

from __future__ import annotations

from msgspec import Struct

from cockpit.formats import frontmatter, records
from cockpit.formats.records import Mismatch
from cockpit.formats.records import Note as NoteRecord
from cockpit.store.episodes import STATE
from cockpit.store.files import Fault
from cockpit.store.memory import Memory
from cockpit.store.worktrees import same


class Note(Struct, frozen=True):
    """A note, its file, and whether the worktree it names is this one."""

    name: str
    path: str
    record: NoteRecord
    here: bool


class Notes(Struct, frozen=True):
    """The notes of one folder. ``skipped`` says of each other ``.md`` file why it is none."""

    notes: tuple[Note, ...] = ()
    skipped: tuple[Fault, ...] = ()
    files: int = 0
    failure: str = ""


class NoteFolder:
    """The reader of one folder of notes below the state folder; unchanged notes are not read again."""

    def __init__(self, name: str) -> None:
        self._path = f"{STATE}/{name}"
        self._notes: Memory[NoteRecord | Mismatch] = Memory(lambda data: records.note(frontmatter.parse(data)))

    def read(self, root: str, now: int) -> Notes:
        """The folder as it is now."""
        found = self._notes.of_folder(root, self._path, lambda name: name.endswith(".md"), now)
        if fault := found.listing.fault:
            return Notes(failure=f"{fault.path} {fault.reason}")
        notes, skipped = [], []
        places: dict[str, bool] = {}
        for name, value in found.values.items():
            path = f"{self._path}/{name}"
            if isinstance(value, NoteRecord):
                notes.append(Note(name, path, value, _here(value.worktree, root, places)))
            else:
                skipped.append(Fault(path, value.reason, hidden=isinstance(value, Fault) and value.hidden))
        return Notes(tuple(notes), tuple(skipped), len(found.values))


def _here(worktree: str, root: str, known: dict[str, bool]) -> bool:
    if worktree not in known:
        known[worktree] = bool(worktree) and same(worktree, root)
    return known[worktree]
