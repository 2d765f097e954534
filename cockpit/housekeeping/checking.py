"""``--verify``: what is wrong with each surface, each with what a person does about it. It writes nothing."""

from __future__ import annotations

import os

from cockpit.formats import livedoc, surfaces, verification
from cockpit.formats.diffs import differences
from cockpit.formats.shell import command as words
from cockpit.formats.surfaces import DIGESTS, Surface
from cockpit.formats.text import counted
from cockpit.formats.verification import Problem
from cockpit.housekeeping.report import command
from cockpit.housekeeping.rotating import Absent, Refused, live_of
from cockpit.store import surfaces as store
from cockpit.store.files import Fault
from cockpit.store.surfaces import File, Shelved


def check(surface: Surface) -> tuple[list[str], bool]:
    """The lines about one surface, and whether it is sound. Raises Refused where it cannot be read."""
    shelf = store.shelved(surface)
    if isinstance(shelf, Fault):
        raise Refused(f"The archive folder {shelf.path} {shelf.reason}.")
    live = _live(surface, shelf)
    document = livedoc.parse(live.data, surface.title)
    names = verification.archives(shelf.names)
    data = store.contents(surface, names)
    files = {name: verification.held(each) for name, each in data.items()}
    unread = [name for name in names if name not in data]
    noted = surfaces.digests(shelf.digests)
    found = verification.problems(document, surface.archive, shelf.names, files, noted)
    lines = [line for problem in found for line in _told(surface, document, problem)]
    lines += [f"  unreadable  {surface.archive}/{name}: it cannot be read as a file" for name in unread]
    if lines:
        return lines, False
    kept = sum(name in noted for name in names)
    return [f"  sound: {counted(len(names), 'archive')}, each reachable; {kept} of them as noted in {DIGESTS}"], True


def _live(surface: Surface, shelf: Shelved) -> File:
    """The live document; one that is gone while its archive is there is damage. Raises Refused."""
    try:
        return live_of(surface)
    except Absent as error:
        left = len(verification.archives(shelf.names))
        if not left:
            raise
        back = _git(surface, "checkout", "HEAD", os.path.join(surface.root, surface.live))
        raise Refused(
            f"{error}, and its archive holds {counted(left, 'file')}; take it back from git: {back}"
        ) from error


def _told(surface: Surface, document: livedoc.LiveDocument, problem: Problem) -> list[str]:
    """A problem and its remedy, as two lines."""
    name = problem.name
    path = f"{surface.archive}/{name}"
    whole = os.path.join(surface.root, path)
    pointer = f"→ {os.path.basename(surface.archive)}/{name}"
    said, remedy = {
        "edited": (
            f"{path} is not what it was when its summary was written",
            f"see what changed with {differences(surface.root, path)}; put its bytes back, or, if the change is meant, "
            f"remove its line from {surface.archive}/{DIGESTS}",
        ),
        "deleted": (
            f"{path} is gone, and {DIGESTS} says that it was there",
            f"take it back from git: {_git(surface, 'checkout', 'HEAD', whole)}; or from a backup",
        ),
        "broken": (
            f"{pointer} leads to no file",
            f"take the file back ({_git(surface, 'checkout', 'HEAD', whole)}), "
            f"or correct the pointer in {surface.live}",
        ),
        "unreachable": (
            f"nothing in {surface.live} leads to {path}",
            f"add this line to “{surface.title}”, below the headline that it is about: {pointer}",
        ),
        "twice": (
            f"an entry of {name} stands in {surface.live} and in an archive file",
            _undouble(surface, document, name),
        ),
        "leftover": (
            f"{path} was left by a run that was killed",
            f"it goes with the next rotation; or look at it and remove it: {words('rm -- {path}', path=whole)}",
        ),
    }[problem.kind]
    return [f"  {problem.kind:<11} {said}", f"              {remedy}"]


def _git(surface: Surface, verb: str, option: str, path: str) -> str:
    return words(f"git -C {{root}} {verb} {option} -- {{path}}", root=surface.root, path=path)


def _undouble(surface: Surface, document: livedoc.LiveDocument, date: str) -> str:
    if any(entry.date == date for entry in document.waiting):
        return f"a run was killed before it was done; run it again: {command(surface.root)}"
    return f"it is the latest entry, which no run moves: take it out of {surface.live} by hand, or leave it to the next"
