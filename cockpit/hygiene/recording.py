"""The record of a periodic audit: its last success, below ``.ai/local``, where the policy opts in."""

from __future__ import annotations

import os

from cockpit.formats import upkeep_record
from cockpit.formats.text import shown
from cockpit.hygiene.audit import Audit
from cockpit.recorder import durable
from cockpit.recorder.site import Refused, confined
from cockpit.store.layer import Layer
from cockpit.store.snapshot import HYGIENE, Snapshot


def record(snapshot: Snapshot, done: Audit) -> str:
    """Record an audit without an error as the last success; answers a sentence. Raises Refused, and OSError."""
    if snapshot.layer.policy.hygiene is None:
        raise Refused(_no_block(snapshot.layer))
    if done.errors:
        raise Refused("An audit that finds an error is no success, so it is not recorded. Settle the errors first.")
    path = confined(os.path.join(snapshot.root, HYGIENE))
    durable.folder(os.path.dirname(path))
    durable.replace(path, upkeep_record.written(snapshot.taken, snapshot.position.head))
    return f"Recorded in {HYGIENE}."


def _no_block(layer: Layer) -> str:
    if layer.policy_findings:
        return f"{' '.join(layer.policy_findings)} So it opts in to nothing, and nothing is recorded."
    path = shown(layer.policy_path or "")
    return (
        f"The policy ({path}) has no hygiene block, so nothing is recorded. Periodic hygiene is opt-in: add "
        "`hygiene: {owner, cadence, scope, cap, disable_when}` to that file."
    )
