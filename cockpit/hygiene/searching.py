"""What points at the files of runs: live documents, letters in force, notes, and every text that git tracks.

What is archived is history and holds nothing; nor does a list of what git and others are to ignore, the manifest of a
run, which names what it owns, or a file that expired itself.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Set

from cockpit.formats.pointing import Sought
from cockpit.formats.run_manifest import NAME, Manifest
from cockpit.hygiene.audit import archives
from cockpit.store.episodes import STATE
from cockpit.store.files import Fault, listing
from cockpit.store.snapshot import Snapshot
from cockpit.store.text_files import text
from cockpit.store.upkeep import Survey, archived
from cockpit.store.worktrees import PRIVATE

_NOTES = (PRIVATE, STATE, f"{STATE}/handovers", f"{STATE}/checkpoints")
_ENDINGS = (".md", ".markdown", ".txt", ".rst", ".yaml", ".yml")


class Unproven(Exception):
    """Nothing can be proven to be unneeded; the text is a sentence that says why."""


def named(snapshot: Snapshot, seen: Survey, tracked: Set[str], wanted: Mapping[str, str]) -> dict[str, str]:
    """The first text that names each wanted file, empty where none does; ``wanted`` are files, each with its run.

    Raises Unproven where a text cannot be read: what that names is not known.
    """
    found, sought = dict.fromkeys(wanted, ""), Sought(wanted)
    for place, read in _texts(snapshot, seen, tracked):
        for path in sought.named_by(read, place) - {place}:
            found[path] = found[path] or place
        if all(found.values()):
            break
    return found


def unknown(fault: Fault) -> Unproven:
    """What is said where something cannot be read."""
    return Unproven(f"{fault.path} {fault.reason}: what it names is not known, so nothing is removed.")


def _texts(snapshot: Snapshot, seen: Survey, tracked: Set[str]) -> Iterator[tuple[str, str]]:
    """The path of each text that counts, with the text; each is read as it is asked for."""
    expired = _expired(seen, snapshot.now) - tracked
    letters = [each.path for each in snapshot.letters.in_force]
    first = dict.fromkeys([*(each.path for each in seen.documents), *letters, *_notes(snapshot.root)])
    for path in first:
        if path not in expired:
            yield path, _known(_document(snapshot, path))
    for path in _further(snapshot, seen, tracked - first.keys()):
        yield path, _known(text(snapshot.root, path) or "")


def _known(read: str | Fault) -> str:
    if isinstance(read, Fault):
        raise unknown(read)
    return read


def _document(snapshot: Snapshot, path: str) -> str | Fault:
    read = snapshot.whole(path)
    return read if isinstance(read, Fault) else (read or b"").decode("utf-8", "surrogateescape")


def _further(snapshot: Snapshot, seen: Survey, tracked: Set[str]) -> list[str]:
    """The tracked files, in order, that may hold something."""
    history = archives(snapshot)
    manifests = {f"{run.path}/{NAME}" for run in seen.runs}
    return [path for path in sorted(tracked - manifests) if not (_ignoring(path) or archived(path, history))]


def _ignoring(path: str) -> bool:
    """Whether a file lists what is left out: ``.gitignore``, ``.dockerignore`` and the like."""
    name = posixpath.basename(path)
    return name.startswith(".") and name.endswith("ignore")


def _notes(root: str) -> Iterator[str]:
    """The notes of the local layer: its own, handovers, checkpoints, the task, the questions."""
    for path in _NOTES:
        found = listing(root, path)
        if found.fault:
            raise unknown(found.fault)
        yield from (f"{path}/{name}" for name, each in found.entries.items() if _note(name, each.kind))


def _note(name: str, what: str) -> bool:
    return what == "file" and name.endswith(_ENDINGS)


def _expired(seen: Survey, now: int) -> frozenset[str]:
    """The paths of files that expired: what they point at is not held by them."""
    runs = ((run.path, run.manifest) for run in seen.runs if isinstance(run.manifest, Manifest))
    return frozenset(
        f"{path}/{each.path}"
        for path, manifest in runs
        for each in manifest.files
        if each.ephemeral and each.expires is not None and each.expires <= now
    )
