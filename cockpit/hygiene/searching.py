"""What points at the files of runs: live documents, letters in force, notes, texts that git tracks, and what stays.

A file of a run stays unless it may go by itself and nothing that stays names it. What is archived is history and holds
nothing; nor does a list of what git and others are to ignore, or the manifest of a run, which names what it owns.
"""

from __future__ import annotations

import os
import posixpath
from collections import deque
from collections.abc import Iterator, Mapping, Set

from cockpit.formats.pointing import Sought
from cockpit.formats.run_manifest import NAME
from cockpit.hygiene.audit import archives
from cockpit.store.episodes import STATE
from cockpit.store.files import UNSEEN, Entry, Fault, Signature, listing, signature
from cockpit.store.snapshot import Snapshot
from cockpit.store.text_files import decoded, text
from cockpit.store.upkeep import Survey, archived
from cockpit.store.worktrees import PRIVATE

_ENDINGS = (".md", ".markdown", ".txt", ".rst", ".yaml", ".yml")


class Unproven(Exception):
    """Nothing can be proven to be unneeded; the text is a sentence that says why."""


class Search:
    """Which text names each of the files that may go; a text is searched again where it looks otherwise.

    ``wanted`` are files, each with its run. ``named`` has the first text that names each, empty where none does.
    """

    def __init__(self, wanted: Mapping[str, str]) -> None:
        self.named = dict.fromkeys(wanted, "")
        self._sought = Sought(wanted)
        self._searched = dict[str, Signature]()

    def look(self, snapshot: Snapshot, seen: Survey, tracked: Set[str]) -> None:
        """Search what counts now. Raises Unproven where a text cannot be read: what that names is not known.

        A wanted file that is named stays, so what it names stays too, and so on.
        """
        left = {path for path, by in self.named.items() if not by}
        documents = dict.fromkeys([*(each.path for each in seen.documents), *_told(snapshot)])
        further = _further(snapshot, seen, tracked | _of_runs(seen))
        texts = deque(path for path in dict.fromkeys([*documents, *further]) if path not in left)
        while texts and left:
            place = texts.popleft()
            looks = _looks(snapshot.root, place)
            if self._searched.get(place) == looks:
                continue
            self._searched[place] = looks
            read = _document(snapshot, place) if place in documents else _text(snapshot, place, tracked)
            held = left & (self._sought.named_by(read, place) - {place})
            self.named |= dict.fromkeys(held, place)
            left -= held
            texts += sorted(held)


def _looks(root: str, path: str) -> Signature:
    try:
        return signature(os.lstat(os.path.join(root, path)))
    except OSError:
        return UNSEEN


def unknown(fault: Fault) -> Unproven:
    """What is said where something cannot be read."""
    return Unproven(f"{fault.path} {fault.reason}: what it names is not known, so nothing is removed.")


def _told(snapshot: Snapshot) -> list[str]:
    """The letters in force and the notes."""
    return [*(each.path for each in snapshot.letters.in_force), *_notes(snapshot.root)]


def _of_runs(seen: Survey) -> frozenset[str]:
    """Every file in the folders of runs."""
    return frozenset((*seen.strays, *(f"{run.path}/{path}" for run in seen.runs for path in run.files)))


def _document(snapshot: Snapshot, path: str) -> str:
    read = snapshot.whole(path)
    if isinstance(read, Fault):
        raise unknown(read)
    return decoded(read or b"")


def _text(snapshot: Snapshot, path: str, tracked: Set[str]) -> str:
    """The text of a further file, and where a link leads from there; a pipe or a socket of a run has none."""
    read = text(snapshot.root, path)
    if isinstance(read, str) and _is_link(snapshot.root, path):
        return f"{read}\n{posixpath.normpath(posixpath.join(posixpath.dirname(path), read))}/"
    if isinstance(read, Fault):
        if path in tracked or read.hidden or read.size is not None:
            raise unknown(read)
        return ""
    return read or ""


def _is_link(root: str, path: str) -> bool:
    return os.path.islink(os.path.join(root, path))


def _further(snapshot: Snapshot, seen: Survey, paths: Set[str]) -> list[str]:
    """The files, in order, that may hold something."""
    history = archives(snapshot)
    manifests = {f"{run.path}/{NAME}" for run in seen.runs}
    return [path for path in sorted(paths - manifests) if not (_ignoring(path) or archived(path, history))]


def _ignoring(path: str) -> bool:
    """Whether a file lists what is left out: ``.gitignore``, ``.dockerignore`` and the like."""
    name = posixpath.basename(path)
    return name.startswith(".") and name.endswith("ignore")


def _notes(root: str) -> Iterator[str]:
    """The notes of the local layer: its own, and all below its state, open records among them."""
    below = _listed(root, PRIVATE)
    yield from (f"{PRIVATE}/{name}" for name, each in below.items() if _note(name, each.kind))
    folders = [STATE]
    for path in folders:
        entries = _listed(root, path)
        folders += (f"{path}/{name}" for name, each in entries.items() if each.kind == "folder")
        yield from (f"{path}/{name}" for name, each in entries.items() if _note(name, each.kind))


def _listed(root: str, path: str) -> Mapping[str, Entry]:
    found = listing(root, path)
    if found.fault:
        raise unknown(found.fault)
    return found.entries


def _note(name: str, what: str) -> bool:
    return what == "file" and name.endswith(_ENDINGS)
