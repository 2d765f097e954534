"""Which empty state a checkout is in: there are three, and they need three different sentences; or none can be told."""

from __future__ import annotations

from typing import Literal

from cockpit.formats.records import ActiveTask
from cockpit.store.files import Fault
from cockpit.store.snapshot import Snapshot

Emptiness = Literal["no_layer", "never_ran", "nothing_open", "open", "unknown"]


def emptiness(snapshot: Snapshot) -> Emptiness:
    """No layer at all, a layer that has never run, a store with nothing open, or open episodes.

    ``unknown`` where something that would tell cannot be seen.
    """
    store = snapshot.store
    if store.records:
        return "open"
    if snapshot.layer.hidden or store.failure or any(fault.hidden for fault in store.faults):
        return "unknown"
    if not snapshot.layer.present:
        return "no_layer"
    if has_run(snapshot):
        return "nothing_open"
    return "unknown" if _may_have_run(snapshot) else "never_ran"


def has_run(snapshot: Snapshot) -> bool:
    """Whether the lifecycle has run here: a ledger line, a task, an episode or a note."""
    ledger = snapshot.ledger
    return bool(
        ledger.live
        or ledger.archived
        or ledger.torn
        or isinstance(snapshot.task, ActiveTask)
        or snapshot.store.records
        or snapshot.handovers.notes
        or snapshot.checkpoints.notes
    )


def _may_have_run(snapshot: Snapshot) -> bool:
    """Whether something that would show that the lifecycle has run cannot be seen."""
    folders = (snapshot.handovers, snapshot.checkpoints)
    return bool(
        snapshot.ledger.faults
        or isinstance(snapshot.task, Fault)
        or any(notes.failure or any(fault.hidden for fault in notes.skipped) for notes in folders)
    )
