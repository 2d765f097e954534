"""Rotate one surface: read, plan, write, and start over where the document changed meanwhile."""

from __future__ import annotations

import errno
import os
import time

from msgspec import Struct

from cockpit.formats import livedoc, rotation, shell, surfaces
from cockpit.formats.rotation import Archive, Plan
from cockpit.formats.surfaces import DIGESTS, Surface
from cockpit.housekeeping import writing
from cockpit.housekeeping.writing import Busy, Changed
from cockpit.store import surfaces as store
from cockpit.store.files import Fault
from cockpit.store.surfaces import File, Shelved

ATTEMPTS = 5
PAUSE = 0.1  # seconds before a document that changed is read again


class Refused(Exception):
    """A surface that is not rotated; the text says why, and what to do."""


class Absent(Refused):
    """A live document that is not there (yet)."""


class Reading(Struct, frozen=True):
    """What a rotation starts from, and the plan that comes out of it."""

    live: File
    shelf: Shelved
    plan: Plan


def rotate(surface: Surface, *, dry_run: bool) -> Plan:
    """Rotate a surface; answers what was done, or would be. Raises Refused, and then the live document is as it was."""
    try:
        if dry_run or (first := read(surface)).plan.idle:
            return read(surface).plan if dry_run else first.plan
        with writing.alone(surface.root, os.path.dirname(surface.live)):
            return _rotated(surface)
    except Busy as error:
        raise Refused("Another run of cockpit housekeep is at work here. Wait until it has ended.") from error
    except OSError as error:
        raise Refused(f"{surface.live} could not be rotated and is as it was: {said(error)}.") from error


def _rotated(surface: Surface) -> Plan:
    for attempt in range(ATTEMPTS):
        time.sleep(PAUSE if attempt else 0)
        reading = read(surface)
        try:
            _write(surface, reading)
        except Changed:
            _take_back(surface, reading)
            continue
        return reading.plan
    raise Refused(
        f"{surface.live} changed each of the {ATTEMPTS} times it was read, so it is left as it is. "
        "Save it, close the editor that writes it, and run this again."
    )


def read(surface: Surface) -> Reading:
    """A surface as it is now, with its plan. Raises Refused."""
    live, shelf = live_of(surface), store.shelved(surface)
    if isinstance(shelf, Fault):
        raise Refused(f"The archive folder {shelf.path} {shelf.reason}.")
    document = livedoc.parse(live.data, surface.title)
    held = store.contents(surface, rotation.candidates(document, shelf.names))
    archive = Archive(shelf.names, held, surfaces.digests(shelf.digests))
    plan = rotation.plan(document, surface.title, surface.archive, archive)
    if not plan.idle and not live.mode & 0o222:
        command = shell.command("chmod u+w -- {path}", path=os.path.join(surface.root, surface.live))
        raise Refused(f"{surface.live} is read-only, so it is left as it is. If it may be rotated: {command}")
    return Reading(live, shelf, plan)


def live_of(surface: Surface) -> File:
    """The live document of a surface. Raises Refused."""
    live = store.file(surface.root, surface.live)
    if live is None:
        raise Absent(f"there is no {surface.live}")
    if isinstance(live, Fault):
        way_out = " Name the document itself." if "link" in live.reason else ""
        raise Refused(f"{live.path} {live.reason}.{way_out}")
    return live


def _write(surface: Surface, reading: Reading) -> None:
    """Archive files, digests, live document, in this order; raises Changed, and OSError."""
    plan, live, shelf = reading.plan, reading.live, reading.shelf
    mode = live.mode & 0o666
    if plan.archived:
        writing.make_folder(surface.root, surface.archive)
        writing.sweep(surface.root, surface.archive, shelf.names)
        new = {each.name: each.data for each in plan.archived if not each.there}
        writing.create(surface.root, surface.archive, list(new.items()), mode)
        _note(surface, plan, shelf, mode)
    if plan.data != live.data:
        writing.replace(surface.root, surface.live, plan.data, live, live.mode)


def _take_back(surface: Surface, reading: Reading) -> None:
    """Remove the archive files that this very attempt created, where the document that changed holds their text still.

    Nothing leads to them, and the next attempt archives the entries as they are now.
    """
    live, shelf = store.file(surface.root, surface.live), store.shelved(surface)
    if not isinstance(live, File) or isinstance(shelf, Fault) or not shelf.listing.present:
        return
    fresh = [each for each in reading.plan.archived if not each.there and each.name not in reading.shelf.names]
    again = {each.name: each.data for each in fresh if each.data.rstrip() in live.data}
    lines = shelf.digests.splitlines(keepends=True)
    noted = {f"{rotation.digest(data)}  {name}\n".encode() for name, data in again.items()}
    digests = b"".join(line for line in lines if line not in noted)
    if digests != shelf.digests:
        path = f"{surface.archive}/{DIGESTS}"
        there = store.file(surface.root, path)
        if isinstance(there, File) and there.data == shelf.digests:
            writing.replace(surface.root, path, digests, there, there.mode)
    writing.withdraw(surface.root, surface.archive, again)


def _note(surface: Surface, plan: Plan, shelf: Shelved, mode: int) -> None:
    """Note the digests of the files of a plan, and of those in the folder that were never noted."""
    known = surfaces.digests(shelf.digests)
    older = [name for name in sorted(shelf.names) if name.endswith(".md") and name not in known]
    fresh = {each.name: rotation.digest(each.data) for each in plan.archived}
    adopted = store.contents(surface, [name for name in older if name not in fresh and not name.startswith(".")])
    noted = {name: rotation.digest(data) for name, data in adopted.items()} | fresh
    data = surfaces.with_digests(shelf.digests, noted)
    if data != shelf.digests:
        path = f"{surface.archive}/{DIGESTS}"
        there = store.file(surface.root, path)
        if isinstance(there, Fault) or (there.data if there else b"") != shelf.digests:
            raise Changed
        writing.replace(surface.root, path, data, there, there.mode if there else mode)


def said(error: OSError) -> str:
    """What kept a run from writing, in words."""
    if error.errno in (errno.ELOOP, errno.EMLINK, errno.ENOTDIR):
        return "a folder on the way is a link, which is not followed, or no folder"
    return error.strerror or str(error)
