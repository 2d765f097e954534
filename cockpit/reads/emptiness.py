"""Which empty state a checkout is in: there are three, and they need three different sentences."""

from __future__ import annotations

from typing import Literal

from cockpit.formats.records import ActiveTask
from cockpit.store.snapshot import Snapshot

Emptiness = Literal["no_layer", "never_ran", "nothing_open", "open"]


def emptiness(snapshot: Snapshot) -> Emptiness:
    """No layer at all, a layer that has never run, a store with nothing open, or open episodes."""
    if snapshot.store.records:
        return "open"
    if not snapshot.layer.present:
        return "no_layer"
    return "nothing_open" if has_run(snapshot) else "never_ran"


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
