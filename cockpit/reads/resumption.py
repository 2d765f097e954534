"""Which note a worker resuming here is handed, and how far it may be trusted.

Tier 0 is the same worktree and branch, tier 1 the same branch in another worktree (never without a branch), and there
is no third: a note about somebody else's work is worse than none. Divergence and freshness are two facts.
"""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from cockpit.formats import instants
from cockpit.formats.policy import Freshness as Thresholds
from cockpit.formats.text import shown
from cockpit.reads.answers import Considered, Freshness, Record, optional
from cockpit.store.notes import Note, Notes
from cockpit.store.position import DETACHED, Position
from cockpit.store.snapshot import Snapshot

_AGO = -(1 << 63)


class Age(Struct, frozen=True):
    """How fresh a note is, its age in whole minutes where that is known, and why."""

    word: Freshness
    reason: str
    minutes: int | UnsetType = UNSET


def resume(snapshot: Snapshot, notes: Notes) -> Record | UnsetType:
    """The note to resume from; absent where none fits."""
    tiers = {note.path: tier(note, snapshot.position) for note in notes.notes}
    fitting = [note for note in notes.notes if tiers[note.path] is not None]
    if not fitting:
        return UNSET
    ranks = {note.path: (tiers[note.path] == 0, *_time(note, snapshot.now)) for note in fitting}
    chosen = _best(snapshot, fitting, ranks)
    return _record(snapshot, notes, chosen, tiers)


def _best(snapshot: Snapshot, notes: list[Note], ranks: dict[str, tuple[bool, int, int]]) -> Note:
    """The first by tier, by whether its time can be right and by that time; the ledger tells apart what is equal."""
    best = max(ranks.values())
    equal = [note for note in notes if ranks[note.path] == best]
    mentions = snapshot.mentions([note.name for note in equal]) if len(equal) > 1 else {}
    return max(equal, key=lambda note: (mentions.get(note.name, 0), note.name))


def tier(note: Note, position: Position) -> int | None:
    """0, 1, or None where a note does not fit this checkout."""
    if not position.branch or note.record.branch != position.branch:
        return None
    if note.here:
        return 0
    return None if position.branch == DETACHED else 1


def _time(note: Note, now: int) -> tuple[int, int]:
    created = instants.parse(note.record.created_at)
    if created is None:
        return 0, _AGO
    return int(created - now < instants.MINUTE), created


def age(created_at: str, now: int, thresholds: Thresholds) -> Age:
    """Freshness against the policy; at or past a threshold is past it. ``now`` in ns since the epoch."""
    created = instants.parse(created_at)
    if created is None:
        return Age("invalid", "Its created_at is no RFC 3339 time.")
    if created - now >= instants.MINUTE:
        return Age("invalid", "Its created_at lies in the future.")
    minutes = max(0, (now - created) // instants.MINUTE)
    fresh, stale = thresholds.fresh_minutes, thresholds.stale_minutes
    if fresh is None or stale is None:
        said = "The policy declares no session.freshness in whole minutes, so that its age is not judged."
        return Age("unknown", said, minutes)
    old = f"It is {instants.lasting(minutes)} old"
    if minutes >= stale:
        return Age("stale", f"{old}; from {instants.lasting(stale)} on a note is stale.", minutes)
    if minutes >= fresh:
        return Age("aging", f"{old}; from {instants.lasting(fresh)} on a note is no longer fresh.", minutes)
    return Age("fresh", f"{old}; up to {instants.lasting(fresh)} a note is fresh.", minutes)


def _record(snapshot: Snapshot, notes: Notes, chosen: Note, tiers: dict[str, int | None]) -> Record:
    record = chosen.record
    judged = age(record.created_at, snapshot.now, snapshot.layer.policy.freshness)
    standing = snapshot.standing(record.head)
    withheld = _withheld(judged, standing.word, standing.reason)
    return Record(
        path=shown(chosen.path),
        created_at=record.created_at,
        task_id=record.task_id or "none",
        branch=record.branch,
        head=record.head,
        working_tree=optional(record.working_tree),
        matched="same_branch" if tiers[chosen.path] else "same_worktree_same_branch",
        divergence=standing.word,
        freshness=judged.word,
        age_minutes=judged.minutes,
        freshness_reason=judged.reason,
        next_action=UNSET if withheld else optional(record.next_action),
        next_action_withheld=optional(withheld),
        considered=_considered(snapshot, notes, chosen, tiers),
    )


def _withheld(judged: Age, divergence: str, why: str) -> str:
    """Why a next action is not offered: history is no instruction. Empty where it is."""
    if divergence == "diverged":
        return f"{why[0].upper()}{why[1:]}."
    return judged.reason if judged.word in ("stale", "invalid") else ""


def _considered(snapshot: Snapshot, notes: Notes, chosen: Note, tiers: dict[str, int | None]) -> list[Considered]:
    position, now = snapshot.position, snapshot.now
    found = [Considered(path=shown(f.path), outcome="rejected", reason=f"Skipped: {f.reason}.") for f in notes.skipped]
    for note in notes.notes:
        path, fits = shown(note.path), tiers[note.path]
        if note.path == chosen.path:
            found.append(Considered(path=path, outcome="selected", reason="The newest of the nearest tier."))
        elif fits is not None:
            why = (
                _superseded(note, chosen, now) if fits == tiers[chosen.path] else "one of this worktree goes before it"
            )
            found.append(Considered(path=path, outcome="superseded", reason=f"It fits, and {why}."))
        else:
            found.append(Considered(path=path, outcome="rejected", reason=_mismatch(note, position)))
    return sorted(found, key=lambda item: item.path)


def _superseded(note: Note, chosen: Note, now: int) -> str:
    mine, other = _time(note, now), _time(chosen, now)
    if mine == other:
        return "another of the same moment was mentioned later in the ledger, or has the later name"
    return "another is newer" if mine[0] else "its time cannot be right"


def _mismatch(note: Note, position: Position) -> str:
    if note.record.branch == position.branch:
        return "It is of another worktree, and without a branch only this one's notes are offered."
    return f"It is of another branch, {note.record.branch or '(none named)'}."
