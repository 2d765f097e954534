"""``surfaces.state``: which documents that people append to need housekeeping, and with which command?"""

from __future__ import annotations

import os
from typing import Literal

from msgspec import UNSET, Struct

from cockpit.formats import livedoc, retirement, shell, summary, surfaces, verification
from cockpit.formats.jsontext import NoJson
from cockpit.formats.livedoc import LiveDocument
from cockpit.formats.summary import Shelf
from cockpit.formats.text import BOM, counted, shown, sound
from cockpit.reads.answers import Text, optional
from cockpit.store.files import Fault
from cockpit.store.snapshot import Snapshot
from cockpit.store.surfaces import File, Seen, Shelved

State = Literal["waiting", "too long", "broken", "in order"]
IN_ORDER = "Nothing waits, and every archive file can be reached."


class LiveSurface(Struct, frozen=True, kw_only=True):
    """One live document with its archive and its summary.

    ``bytes`` is the size of the live document, ``waiting`` the number of entries besides the latest, ``summary_lines``
    the size of its summary, which is collapsed above ``summary_limit``. ``broken`` are pointers to nothing,
    ``unreachable`` archive files that nothing leads to, ``noted`` the archive files whose digest is known. ``remedy``
    rotates, ``check`` says what is to be done about what is broken; each is absent where there is nothing to do.
    ``states`` are the words for all that.
    """

    name: str
    project: str
    live: str
    archive: str
    bytes: int
    entries: int
    latest: Text = UNSET
    waiting: int
    oldest_waiting: Text = UNSET
    summary: str
    summary_lines: int
    summary_limit: int
    archived: int
    noted: int
    broken: list[str]
    unreachable: list[str]
    states: list[State]
    note: str
    remedy: Text = UNSET
    check: Text = UNSET


class ReviewSuggestion(Struct, frozen=True, kw_only=True):
    """A spaced review: how many concepts it has, and how many of them could be retired."""

    path: str
    concepts: int
    retirable: int
    state: State
    note: str
    remedy: Text = UNSET


class SurfacesState(Struct, frozen=True, kw_only=True):
    """``surfaces.state``: the documents of this checkout that are rotated by ``cockpit housekeep``, and by it alone.

    ``faults`` says why something is refused or cannot be read; ``findings`` is everything that wants a person, in
    sentences, ``needing`` the number of surfaces and reviews that do.
    """

    present: bool
    needing: int
    faults: list[str]
    surfaces: list[LiveSurface]
    reviews: list[ReviewSuggestion]
    findings: list[str]


def answer(snapshot: Snapshot) -> SurfacesState:
    """The answer of one reading; nothing is rotated by looking."""
    survey = snapshot.surfaces
    faults = list(survey.findings)
    found = []
    for seen in survey.seen:
        fault = _fault(seen)
        if fault:
            faults.append(f"The surface {seen.surface.name}: {fault}")
        elif isinstance(seen.live, File) and isinstance(seen.shelf, Shelved):
            found.append(_surface(seen, seen.live, seen.shelf, snapshot.root))
    reviews = []
    for project, path, read in survey.reviews:
        told = _review(project, path, read, snapshot)
        if isinstance(told, str):
            faults.append(told)
        else:
            reviews.append(told)
    faults = [sound(each) for each in faults]
    sentences = faults + [_said(each) for each in found if each.states != ["in order"]]
    needing = sum(each.states != ["in order"] for each in found) + sum(each.state != "in order" for each in reviews)
    return SurfacesState(
        present=bool(survey.seen or survey.reviews),
        needing=needing,
        faults=faults,
        surfaces=found,
        reviews=reviews,
        findings=sentences + [f"{each.path}: {each.note}" for each in reviews if each.remedy],
    )


def _fault(seen: Seen) -> str:
    """Why a surface cannot be read; empty where it can."""
    if seen.live is None:
        return f"there is no {shown(seen.surface.live)}."
    for part in (seen.live, seen.shelf):
        if isinstance(part, Fault):
            return f"{part.path} {part.reason}."
    return ""


def _surface(seen: Seen, live: File, shelf: Shelved, root: str) -> LiveSurface:
    surface = seen.surface
    document = livedoc.parse(live.data, surface.title)
    problems = verification.leads(document, surface.archive, shelf.names)
    names = verification.archives(shelf.names)
    lines = summary.count(document.block)
    broken = [each.name for each in problems if each.kind == "broken"]
    unreachable = [each.name for each in problems if each.kind == "unreachable"]
    collapsible = summary.collapsible(document.block, Shelf(surface.archive, names, document.ending.decode()))
    rotates, damaged = bool(document.waiting) or collapsible, bool(broken or unreachable)
    states: dict[State, bool] = {
        "waiting": bool(document.waiting),
        "too long": lines > summary.LIMIT,
        "broken": damaged,
    }
    return LiveSurface(
        states=[word for word, holds in states.items() if holds] or ["in order"],
        name=sound(surface.name),
        project=_relative(surface.root, root),
        live=_relative(os.path.join(surface.root, surface.live), root),
        archive=_relative(os.path.join(surface.root, surface.archive), root),
        bytes=len(live.data),
        entries=len(document.entries),
        latest=optional(document.latest.date if document.latest else ""),
        waiting=len(document.waiting),
        oldest_waiting=optional(document.waiting[0].date if document.waiting else ""),
        summary=sound(surface.title),
        summary_lines=lines,
        summary_limit=summary.LIMIT,
        archived=len(names),
        noted=len(surfaces.digests(shelf.digests).keys() & set(names)),
        broken=[sound(each) for each in broken],
        unreachable=[shown(each) for each in unreachable],
        note=" ".join([*_waits(document, lines, collapsible=collapsible), *_misses(broken, unreachable)]) or IN_ORDER,
        remedy=_command(surface.root) if rotates else UNSET,
        check=_command(surface.root, " --verify") if damaged else UNSET,
    )


def _waits(document: LiveDocument, lines: int, *, collapsible: bool) -> list[str]:
    """What the next rotation will do, and what it cannot do."""
    waiting = len(document.waiting)
    said = []
    if waiting:
        verb = "waits" if waiting == 1 else "wait"
        said.append(f"{counted(waiting, 'entry', 'entries')} besides the latest {verb} to be archived.")
    if lines > summary.LIMIT:
        left = (
            "its oldest items become a phase" if collapsible else "what it holds is too little for a phase, or by hand"
        )
        said.append(f"The summary has {lines} lines, more than {summary.LIMIT}: {left}.")
    return said


def _misses(broken: list[str], unreachable: list[str]) -> list[str]:
    """What does not lead where it should."""
    said = []
    if broken:
        verb = "leads" if len(broken) == 1 else "lead"
        said.append(f"{counted(len(broken), 'pointer')} {verb} to no file.")
    if unreachable:
        said.append(f"{counted(len(unreachable), 'archive file')} cannot be reached from the summary.")
    return said


def _said(surface: LiveSurface) -> str:
    return f"{surface.live}: {surface.note}"


def _review(project: str, path: str, read: File | Fault, snapshot: Snapshot) -> ReviewSuggestion | str:
    """The suggestion about a spaced review, or why there is none."""
    if isinstance(read, Fault):
        return f"The spaced review {read.path} {read.reason}."
    where = _relative(os.path.join(project, path), snapshot.root)
    try:
        text = livedoc.text(read.data.removeprefix(BOM))
        concepts, old = retirement.suggestion(text, snapshot.taken.date())
    except NoJson:
        return f"The spaced review {where} is not the JSON it should be."
    days = retirement.FORGOTTEN.days
    said = f"{counted(concepts, 'concept')}, {old} of them in box 1 and not reviewed for {days} days."
    if not old:
        said = f"{counted(concepts, 'concept')}; nothing to retire."
    remedy = _command(project, " --retire --yes") if old else UNSET
    state: State = "waiting" if old else "in order"
    return ReviewSuggestion(path=where, concepts=concepts, retirable=old, state=state, note=said, remedy=remedy)


def _command(root: str, options: str = "") -> str:
    return shell.command(f"cockpit housekeep{options} {{root}}", root=root)


def _relative(path: str, root: str) -> str:
    """A path as it lies below the checkout, which is ``.`` itself."""
    return shown(os.path.relpath(path, root))
