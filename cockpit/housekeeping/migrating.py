"""``migrate``: save the places of old as search paths, say what is in an older layout, and with ``--yes`` convert it.

Before a file changes, a byte-for-byte copy is laid beside it; each written file is read back before the next step.
"""

from __future__ import annotations

import json
import os
import posixpath
from datetime import date

from cockpit.formats import livedoc, migration, rotation
from cockpit.formats.jsontext import NoJson
from cockpit.formats.surfaces import BODHIKIT, Surface
from cockpit.formats.text import BOM
from cockpit.housekeeping import writing
from cockpit.housekeeping.rotating import Refused
from cockpit.recorder import durable
from cockpit.store import surfaces as store
from cockpit.store.files import Fault
from cockpit.store.surfaces import CONFIG, GATHERED, File

COPY = ".before-migration"
NOTICE = ".bodhikit/legacy-notice"
FLAT = "assessment.md"
STATE = ".bodhi/state.json"
_SESSIONS, _ASSESSMENTS = BODHIKIT


def notice(home: str, *, mark: bool) -> str:
    """The one line about projects at the places of old; empty where there are none or it was said before."""
    places = store.legacy(home)
    if not places or os.path.lexists(os.path.join(home, NOTICE)):
        return ""
    if mark:
        durable.folder(os.path.join(home, ".bodhikit"))
        durable.create(os.path.join(home, NOTICE), b"said\n")
    found = " and ".join(places)
    return f"Found projects at {found}: `cockpit housekeep migrate` saves them as search paths and shows what is old."


def save_paths(home: str) -> list[str]:
    """Save the places of old as search paths, where no configuration names any; answers what was done."""
    places = store.legacy(home)
    if not places:
        return []
    stated = ["~" + place.removeprefix(home) for place in places]
    config = {"searchPaths": ["$PWD", f"~/{GATHERED}", *stated]}
    durable.folder(os.path.join(home, ".bodhikit"))
    durable.create(os.path.join(home, CONFIG), (json.dumps(config, indent=2) + "\n").encode())
    return [f"saved {', '.join(stated)} as search paths in ~/{CONFIG}"]


def old(project: str) -> dict[str, str]:
    """What is in an older layout, by path below the project: a sentence each. Raises Refused."""
    found = {}
    state = store.file(project, STATE)
    if isinstance(state, File) and (fields := _narrative(state)):
        found[STATE] = f"holds narrative ({', '.join(fields)}), which belongs into the progress log"
    progress = _place(project, _SESSIONS[1])
    if progress and isinstance(read := store.file(project, progress), File) and not _parsed(read, "sessions").summary:
        found[progress] = "has no summary section"
    flat = _place(project, FLAT)
    if flat:
        found[flat] = f"is one flat file where {_ASSESSMENTS[1]} and its archive belong"
    return found


def convert(project: str, today: date) -> list[str]:
    """Convert what is in an older layout; answers what was done, step by step. Raises Refused, and OSError."""
    done: list[str] = []
    with writing.alone(project, ".bodhi"):
        for path in old(project):
            done.append(f"copied     {path} to {_copied(project, path)}")
        done += _without_narrative(project, today)
        done += _in_its_place(project)
    return done


def sections(project: str) -> list[str]:
    """Give the documents that have none yet an empty summary section; answers what was done."""
    done = []
    for name, path, _ in BODHIKIT:
        live = _place(project, path)
        read = store.file(project, live) if live else None
        if live and isinstance(read, File):
            data = rotation.with_empty_section(_parsed(read, name), f"Summary of earlier {name}")
            if data != read.data:
                _write(project, live, data, read)
                done.append(f"section    {live} has a summary section, empty so far")
    return done


def surfaces_of(project: str) -> list[Surface]:
    """The surfaces of one project, as they are now."""
    return [each for each in store.found(project, project).surfaces if each.root == project]


def _without_narrative(project: str, today: date) -> list[str]:
    """Move the narrative of the state into the progress log: written there first, taken out second."""
    state = store.file(project, STATE)
    if not isinstance(state, File) or not _narrative(state):
        return []
    text = livedoc.text(state.data.removeprefix(BOM))
    path = _place(project, _SESSIONS[1]) or f".bodhi/{_SESSIONS[1]}"
    progress = store.file(project, path)
    if isinstance(progress, Fault):
        raise Refused(f"{progress.path} {progress.reason}.")
    document = livedoc.parse(progress.data if progress else b"# Progress Log\n\n", "Summary of earlier sessions")
    new = livedoc.raw(migration.entry(text, today, document.ending.decode()))
    _write(project, path, migration.with_entry(document, new), progress, state.mode)
    mark = BOM if state.data.startswith(BOM) else b""
    _write(project, STATE, mark + livedoc.raw(migration.without_narrative(text)), state)
    return [f"moved      the narrative of {STATE} into {path}"]


def _in_its_place(project: str) -> list[str]:
    """Give a flat assessment the name and place of today, and take the old name away once that is verified."""
    flat = _place(project, FLAT)
    if not flat:
        return []
    target = posixpath.join(posixpath.dirname(flat), _ASSESSMENTS[1])
    read = store.file(project, flat)
    there = store.file(project, target)
    if not isinstance(read, File):
        raise Refused(f"{flat} cannot be read as a file.")
    if there is not None and (isinstance(there, Fault) or there.data != read.data):
        return [f"left       {flat}: {target} is there already; put the two together by hand"]
    if there is None:
        writing.make_folder(project, posixpath.dirname(target))
        _write(project, target, read.data, None, read.mode)
    os.unlink(os.path.join(project, flat))
    return [f"moved      {flat} to {target}"]


def _copied(project: str, path: str) -> str:
    """Lay a copy beside a file, verified; answers its path. A copy that is there already is not made again."""
    read = store.file(project, path)
    if not isinstance(read, File):
        raise Refused(f"{path} cannot be read as a file.")
    number = 1
    while True:
        copy = f"{path}{COPY}" + (f"-{number}" if number > 1 else "")
        there = store.file(project, copy)
        if there is None:
            _write(project, copy, read.data, None, read.mode)
            return copy
        if isinstance(there, File) and there.data == read.data:
            return copy
        number += 1


def _write(project: str, path: str, data: bytes, read: File | None, mode: int = 0o644) -> None:
    """Write a file and read it back. Raises Refused where it is not what was written."""
    if read is not None and data == read.data:
        return
    try:
        writing.replace(project, path, data, read, read.mode if read else mode)
    except writing.Changed as error:
        raise Refused(f"{path} changed while it was read; nothing further was done. Run this again.") from error
    written = store.file(project, path)
    if not isinstance(written, File) or written.data != data:
        raise Refused(f"{path} does not read back as it was written; nothing further was done.")


def _place(project: str, path: str) -> str | None:
    base = store.home_of(project, path)
    return None if base is None else f"{base}{path}"


def _narrative(state: File) -> list[str]:
    try:
        return migration.narrative(livedoc.text(state.data.removeprefix(BOM)))
    except NoJson as error:
        raise Refused(f"{STATE} is not the JSON it should be ({error}).") from error


def _parsed(read: File, name: str) -> livedoc.LiveDocument:
    return livedoc.parse(read.data, f"Summary of earlier {name}")
