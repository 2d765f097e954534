"""The plan of ``cockpit recover``: what the reads find, in the order in which it is mended. It writes nothing.

A record that exists is better evidence than one composed afterwards: orphans come first, then stranded episodes, then
those that only the ledger knows, then the pointer. A worker's own running episode is in no plan.
"""

from __future__ import annotations

import os
import time
from typing import Literal

from msgspec import Struct

from cockpit.formats import names
from cockpit.formats.facts import NOTHING, EpisodeFacts
from cockpit.formats.text import counted, shown, visible
from cockpit.reads import recovery, unaccounted
from cockpit.reads.answers import Recovery
from cockpit.reads.pointer import leading
from cockpit.recorder import durable, episodes, rotation
from cockpit.recorder.reading import Record, record
from cockpit.recorder.site import Site
from cockpit.store.episodes import POINTER
from cockpit.store.files import Fault
from cockpit.store.snapshot import Snapshot

Kind = Literal["only copy", "left over", "stranded", "unaccounted", "pointer"]
_ASIDE = "set aside into .ai/local/set-aside/"
_FOLDERS = ("sessions-open", "checkpoints", "handovers")
_SETTLED = 60  # seconds after which a temporary file beside the ledger is nobody's any more


class Step(Struct, frozen=True):
    """One thing to mend: what ``--only`` names it by, the file it is about, why, and what is done."""

    kind: Kind
    id: str
    path: str
    evidence: str
    act: str
    session_id: str = ""

    def __str__(self) -> str:
        """What it is about and what is done, on one line."""
        about = [] if self.id == self.kind else [self.id]
        about += [self.path] if self.path and not self.path.endswith(self.id) else []
        return f"{self.kind}: {visible(' '.join(about))} - {visible(self.act)}"


class Unread(Struct, frozen=True):
    """Something that cannot be read and is left alone: where, why, and the page's command (empty: it has none)."""

    path: str
    reason: str
    remedy: str


class Plan(Struct, frozen=True):
    """Every step in its order, and what cannot be read; ``known`` where anything here goes by the id that was given."""

    steps: tuple[Step, ...]
    unread: tuple[Unread, ...]
    known: bool


def plan(site: Site, snapshot: Snapshot, only: str = "") -> Plan:
    """What is to be mended now; ``only`` narrows it to what goes by that id."""
    found = recovery.answer(snapshot)
    every = [*_orphans(snapshot, found), *_left_over(site), *_stranded(snapshot, found), *_unaccounted(snapshot)]
    steps = [step for step in every if only in ("", step.id)]
    if only in ("", "pointer"):
        steps += _pointer(site, snapshot, found, {step.path for step in steps if step.kind == "stranded"})
    unread = _unread(snapshot, found)
    named = [each for each in unread if only in ("", each.path, os.path.basename(each.path))]
    if not named and only in unaccounted.missing(snapshot):
        named = unread  # one of them may be its open record
    return Plan(tuple(steps), tuple(named), bool(steps or named) or _known(snapshot, only))


def _known(snapshot: Snapshot, only: str) -> bool:
    """Whether there is nothing to narrow to, or what goes by an id is settled or running."""
    return (
        only in ("", "pointer")
        or only in snapshot.ledger.episodes
        or is_open(snapshot, only)
        or bool(published(snapshot, only))
        or names.aside(only) in snapshot.aside.entries
    )


def _unread(snapshot: Snapshot, found: Recovery) -> list[Unread]:
    """Everything that cannot be read, by path; what the machine lets nobody see has no command."""
    blind = _blind(snapshot)
    every = [Unread(each.path, each.reason, each.remedy) for each in found.unreadable]
    every += [Unread(shown(f.path), f"It {f.reason}.", "") for f in recovery.faults(snapshot) if f.hidden]
    every += [Unread(each.path, each.note, each.remedy) for each in found.orphans if each.path in blind]
    return sorted(every, key=lambda each: each.path)


def _blind(snapshot: Snapshot) -> set[str]:
    """The paths of the orphans of which nobody knows what they hold."""
    return {shown(orphan.path) for orphan in snapshot.section.orphans if isinstance(orphan.holds, Fault)}


def facts_of(snapshot: Snapshot, session_id: str) -> EpisodeFacts:
    """What the ledger says of an episode."""
    return snapshot.ledger.episodes.get(session_id, NOTHING)


def is_open(snapshot: Snapshot, session_id: str) -> bool:
    """Whether an open record names an episode."""
    return any(opened.record.session_id == session_id for opened in snapshot.store.records)


def published(snapshot: Snapshot, session_id: str) -> str:
    """The path of an episode's newest record in the sessions section; empty where there is none."""
    return max((r.path for r in snapshot.section.records if r.record.session_id == session_id), default="")


def _orphans(snapshot: Snapshot, found: Recovery) -> list[Step]:
    blind = _blind(snapshot)
    steps = []
    for item in found.orphans:
        if item.path in blind:
            continue
        name = os.path.basename(item.path)
        if item.holds == "record" and item.session_id:
            said = "a whole record of an episode that no published record carries"
            steps.append(Step("only copy", item.session_id, item.path, said, "published", item.session_id))
        else:
            said = "a double of a published record" if item.holds == "published" else "no whole record"
            steps.append(Step("left over", name, item.path, said, _ASIDE))
    return steps


def _left_over(site: Site) -> list[Step]:
    """What a kill left in the state folder: unfinished files, and a copy that a rotation made."""
    steps = []
    for folder in _FOLDERS:
        for name in _temporary(os.path.join(site.state, folder)):
            path = os.path.relpath(os.path.join(site.state, folder, name), site.root)
            steps.append(Step("left over", name, path, "an unfinished file that a kill left behind", _ASIDE))
    for name in _temporary(site.state):
        path = os.path.join(site.state, name)
        if time.time() - os.lstat(path).st_mtime > _SETTLED:
            said = "an unfinished file that a kill left behind"
            steps.append(Step("left over", name, os.path.relpath(path, site.root), said, _ASIDE))
    for name in rotation.copies(site.state):
        path = os.path.relpath(os.path.join(site.state, name), site.root)
        said = "a copy of lines that are all still in the ledger: a rotation was killed before it moved them"
        steps.append(Step("left over", name, path, said, _ASIDE))
    return steps


def _temporary(folder: str) -> list[str]:
    try:
        return sorted(name for name in os.listdir(folder) if name.startswith(durable.PREFIX))
    except OSError:
        return []


def _stranded(snapshot: Snapshot, found: Recovery) -> list[Step]:
    steps = []
    for item in found.stranded:
        there = published(snapshot, item.session_id)
        heard = _heard(facts_of(snapshot, item.session_id))
        done = f"its record is {there}" if there else "closed as interrupted"
        act = f"{done}, and the open record is {_ASIDE}"
        steps.append(
            Step("stranded", item.session_id, item.path, f"{item.reason} {heard}", act, session_id=item.session_id)
        )
    return steps


def _unaccounted(snapshot: Snapshot) -> list[Step]:
    """Those that only the ledger knows; none while an open record cannot be read, which may be one of them."""
    if unaccounted.blind(snapshot):
        return []
    steps = []
    for session_id in unaccounted.missing(snapshot):
        there = published(snapshot, session_id)
        act = f"accounted for by its record {there}" if there else "closed as interrupted, from the ledger alone"
        steps.append(Step("unaccounted", session_id, "", unaccounted.reason(snapshot, session_id), act, session_id))
    return steps


def _heard(facts: EpisodeFacts) -> str:
    if not facts.events:
        return "The ledger has no line of it."
    last = f"the last one {facts.last_event} at {facts.last_activity}" if facts.last_activity else "none with a time"
    return f"The ledger has {counted(facts.events, 'line')} of it, {last}."


def _pointer(site: Site, snapshot: Snapshot, found: Recovery, closing: set[str]) -> list[Step]:
    """The pointer, where it is wrong; ``closing`` holds the open records that an earlier step sets aside."""
    if not found.pointer.remedy or POINTER in closing:
        return []
    seen = snapshot.store.pointer
    newest = _newest(site, inline=seen.shape == "inline", closing=closing)
    aimed = f"aimed at {newest.session_id}, the newest open episode of this worktree" if newest else ""
    if seen.shape in ("inline", "odd"):
        said = found.pointer.note if seen.shape == "inline" else f"It {seen.fault}."
        first = "its record moved into the store" if seen.shape == "inline" else _ASIDE
        act = f"{first}, then {aimed}" if aimed else first
    else:
        said = f"It {leading(seen)}."
        act = aimed or "removed: no episode is open in this worktree"
    return [Step("pointer", "pointer", POINTER, said, act)]


def _newest(site: Site, *, inline: bool, closing: set[str]) -> Record | None:
    """The record that the pointer is aimed at, once the closing ones are gone and an inline one is in the store."""
    moved = record(os.path.join(site.root, POINTER)) if inline else None
    records = [each for each in episodes.opened(site) if os.path.relpath(each.path, site.root) not in closing]
    return max(
        (each for each in [*records, *([moved] if moved else [])] if each.here(site.root)), key=Record.age, default=None
    )
