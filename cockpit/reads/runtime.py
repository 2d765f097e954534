"""``lifecycle.runtime``: which commit is this process answering about, and which is the repository on?"""

from __future__ import annotations

from msgspec import UNSET, Struct

from cockpit import __version__
from cockpit.formats.text import counted, shown
from cockpit.reads.answers import Relation, Runtime, optional
from cockpit.store.ancestry import Distance
from cockpit.store.position import Position
from cockpit.store.sessions import Index
from cockpit.store.snapshot import Snapshot


class Verdict(Struct, frozen=True):
    """How the served position stands to the repository's, with a sentence."""

    relation: Relation
    agree: bool
    note: str
    distance: Distance | None = None


def answer(snapshot: Snapshot) -> Runtime:
    """Both positions as they were read, and how they stand to each other."""
    index, now = snapshot.index, snapshot.position
    served = index.position
    verdict = _verdict(snapshot, served, now)
    distance = verdict.distance
    faults = index.section.faults
    return Runtime(
        root=shown(snapshot.root),
        served_head=optional(served.head),
        served_branch=optional(served.branch),
        served_working_tree=served.working_tree or UNSET,
        served_at=index.built_at,
        repository_head=optional(now.head),
        repository_branch=optional(now.branch),
        repository_working_tree=now.working_tree or UNSET,
        agree=verdict.agree,
        relation=verdict.relation,
        behind=distance.behind if distance and distance.behind else UNSET,
        ahead=distance.ahead if distance and distance.ahead else UNSET,
        objects=len(index.tracked),
        index_state="degraded" if index.failure or faults or index.section.failure else "ok",
        version=__version__,
        note=" ".join(filter(None, (verdict.note, _unseen(now), _degraded(index), _pinned(snapshot)))),
    )


def _verdict(snapshot: Snapshot, served: Position, now: Position) -> Verdict:
    if not now.branch:
        return Verdict("unknown", False, f"git does not say what the repository is on: {now.failure or 'no answer'}.")
    if not served.branch:
        return Verdict("unknown", False, "The index was built while git did not answer, so its commit is not known.")
    if served.branch != now.branch:
        said = f"This process answers about {_on(served)}, the repository is on {_on(now)}: another branch."
        return Verdict("other_branch", False, said, _distance(snapshot, served, now))
    if served.head == now.head:
        return Verdict("equal", True, f"This process answers about the commit that the repository is on, {_on(now)}.")
    return _apart(snapshot, served, now)


def _distance(snapshot: Snapshot, served: Position, now: Position) -> Distance | None:
    return None if served.head == now.head else snapshot.distance(served.head, now.head)


def _apart(snapshot: Snapshot, served: Position, now: Position) -> Verdict:
    distance = _distance(snapshot, served, now)
    apart = f"This process answers about {_on(served)}, the repository is on {_on(now)}"
    if distance is None:
        return Verdict("unknown", False, f"{apart}; git does not say how far apart they are.")
    behind, ahead = counted(distance.behind, "commit"), counted(distance.ahead, "commit")
    if not distance.ahead:
        return Verdict("behind", False, f"{apart}: {behind} behind.", distance)
    if not distance.behind:
        return Verdict("ahead", False, f"{apart}: {ahead} ahead.", distance)
    return Verdict("diverged", False, f"{apart}: they have diverged, {behind} behind and {ahead} ahead.", distance)


def _on(position: Position) -> str:
    head = position.head[:12] if position.head else "no commit yet"
    return f"{head} on {position.branch}"


def _unseen(now: Position) -> str:
    if not now.branch or now.working_tree:
        return ""
    return f"git does not say whether the working tree is clean: {now.failure}."


def _degraded(index: Index) -> str:
    if index.stale:
        return f"The index could not be rebuilt, and is the last good one: {index.failure}."
    if index.failure:
        return f"The index could not be built as a whole: {index.failure}."
    faults = index.section.faults
    if not faults:
        return ""
    first = f"{shown(faults[0].path)} {faults[0].reason}"
    return f"{counted(len(faults), 'file')} of the sessions section could not be read as a record: {first}" + (
        ", and others." if faults[1:] else "."
    )


def _pinned(snapshot: Snapshot) -> str:
    return "The index is pinned: it was built once and is not rebuilt." if snapshot.pinned else ""
