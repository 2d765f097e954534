"""The audit: what accumulates in a checkout and wants a person, each with the command that settles it, where one does.

It reads and judges; nothing is written, not even git's index.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Set
from datetime import datetime

from msgspec import Struct, structs

from cockpit.formats import agent_documents
from cockpit.formats.agent_documents import FRESH_WITHIN, LARGE, STATE_LINES
from cockpit.formats.credentials import masked
from cockpit.formats.instants import MINUTE
from cockpit.formats.text import counted, cut, shown, visible
from cockpit.hygiene import run_rules
from cockpit.hygiene.findings import Finding, error, warning
from cockpit.reads import handoffs_state
from cockpit.reads.remedies import Aside
from cockpit.store import surfaces
from cockpit.store.checkout import Checkout
from cockpit.store.git import Answer, GitFailed, fields
from cockpit.store.snapshot import Snapshot
from cockpit.store.upkeep import Document, Log, Survey, survey

LOG_SIZE = 5 << 20  # bytes
LOG_DAYS = 30
INCOMPLETE = ": the audit is incomplete."
_AWAY = "set it aside, or take it out of the repository."
_DAY = 24 * 60 * MINUTE


class Audit(Struct, frozen=True, kw_only=True):
    """What an audit found, the errors first, each by path; and how many there are of each severity.

    What could not be looked at is an error too, since nobody knows what is wrong there.
    """

    errors: int
    warnings: int
    findings: list[Finding]


def audit(checkout: Checkout, now: datetime | None = None, snapshot: Snapshot | None = None) -> Audit:
    """Look at a whole checkout once, or judge a look at it; ``now`` is aware. Raises OSError for an unreadable root."""
    snapshot = snapshot or checkout.look(now)
    found = sorted(_findings(checkout, snapshot), key=lambda each: (each.severity, each.path, each.line or 0))
    errors = sum(each.severity == "error" for each in found)
    return Audit(errors=errors, warnings=len(found) - errors, findings=found)


def _findings(checkout: Checkout, snapshot: Snapshot) -> Iterator[Finding]:
    asked = checkout.git.begin("ls-files", "-z")
    seen = survey(snapshot.root, archives(snapshot))
    try:
        tracked: Set[str] | None = tracked_in(asked.answer())
    except GitFailed as failed:
        tracked = None
        said = f"What git tracks is not known ({failed}), so scratch was not told from work{INCOMPLETE}"
        yield error("unreadable", ".", said)
    aside = _setting_aside(snapshot, tracked)
    yield from (error("unreadable", each.path, f"It {each.reason}{INCOMPLETE}") for each in seen.faults)
    for document in seen.documents:
        yield from _document(document)
    yield from _keys(seen.documents)
    for log in seen.logs:
        yield from _log(log, snapshot.now, aside)
    yield from _scratch(seen, tracked or frozenset(), aside)
    yield from run_rules.findings(seen, tracked or frozenset(), snapshot, aside)
    yield from _letters(snapshot, {each.path for each in seen.faults})


def archives(snapshot: Snapshot) -> frozenset[str]:
    """The folders that the layer and its policy call archives: closed records, of letters, and of live documents."""
    shelves = (os.path.join(each.root, each.archive) for each in surfaces.below(snapshot.root).surfaces)
    below = (os.path.relpath(each, snapshot.root) for each in shelves)
    named = (snapshot.layer.sessions, snapshot.letters.archive)
    return frozenset((*filter(None, named), *below))


def tracked_in(answer: Answer) -> Set[str]:
    """The paths that ``git ls-files -z`` printed. Raises GitFailed where they are cut short."""
    return frozenset(map(os.fsdecode, fields(answer)))


def _setting_aside(snapshot: Snapshot, tracked: Set[str] | None) -> Callable[[str], str]:
    """What writes the command that sets a file aside: only where the layer has its place, and never what git tracks."""
    commands = Aside(snapshot)
    if not snapshot.layer.present or tracked is None:
        return lambda _: ""
    return lambda path: "" if path in tracked else commands.set_aside(path)


# ---------------------------------------------------------------------- documents
def _document(document: Document) -> Iterator[Finding]:
    path, size = document.path, document.size
    if size > LARGE and agent_documents.for_agents(path):
        said = f"It has {size:,} bytes, more than the {LARGE >> 10} KiB that an agent should be given at once."
        yield warning("document-large", path, f"{said} Move what is history into an archive.")
    if not agent_documents.is_state(path):
        return
    lines = agent_documents.line_count(document.state)
    if lines > STATE_LINES:
        yield warning(
            "state-long", path, f"It has more than {STATE_LINES} lines: move what is no longer the state away."
        )
    if not agent_documents.fresh(document.state):
        example = "such as “Updated: 2026-11-30”"
        said = f"None of its first {FRESH_WITHIN} lines says with a date how fresh it is, {example}."
        yield warning("state-undated", path, said)


def _keys(documents: tuple[Document, ...]) -> Iterator[Finding]:
    """A finding for each document whose canonical key another one has before it."""
    first: dict[str, str] = {}
    for document in sorted(documents, key=lambda each: each.path):
        if document.key:
            key, line = document.key
            owner = first.setdefault(key.casefold(), document.path)
            if owner != document.path:
                named = f"Canonical key “{visible(cut(masked(key), 80))}” is also that of {shown(owner)}"
                yield error(
                    "key-duplicate", document.path, f"{named}: one of the two must go, or have its own.", line=line
                )


# ---------------------------------------------------------------------- logs and scratch
def _log(log: Log, now: int, aside: Callable[[str], str]) -> Iterator[Finding]:
    days = (now - log.modified) // _DAY
    if log.size > LOG_SIZE:
        said = f"A raw log of {log.size:,} bytes, more than {LOG_SIZE >> 20} MiB: {_AWAY}"
        yield warning("log-large", log.path, said, remedy=aside(log.path))
    elif days >= LOG_DAYS:
        said = f"A raw log that was not touched for {counted(days, 'day')}: {_AWAY}"
        yield warning("log-stale", log.path, said, remedy=aside(log.path))


def _scratch(seen: Survey, tracked: Set[str], aside: Callable[[str], str]) -> Iterator[Finding]:
    for name in seen.scratch:
        kept = ", and git tracks it" if name in tracked else ""
        said = f"A scratch file at the root{kept}: give it a name and a place, or {_AWAY}"
        yield warning("scratch-root", name, said, remedy=aside(name))


# ---------------------------------------------------------------------- letters
def _letters(snapshot: Snapshot, said: Set[str]) -> Iterator[Finding]:
    """The rules of handoffs, as they are, and what could not be looked at, unless that was ``said`` of its path."""
    for trouble in handoffs_state.troubles(snapshot):
        if trouble.path not in said:
            yield error("unreadable", trouble.path, f"{trouble.sentence.rstrip('.')}{INCOMPLETE}")
    for each in handoffs_state.findings(snapshot):
        yield Finding(**structs.asdict(each))
