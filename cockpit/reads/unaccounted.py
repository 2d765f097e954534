"""The unaccounted part of ``lifecycle.recovery``: episodes that were started and are nowhere, each with what closes it.

There is a command for them only where Cockpit's own recorder writes: elsewhere it is for the writer to say.
"""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from cockpit.formats.policy import sole_writer
from cockpit.formats.text import counted
from cockpit.reads.answers import Unaccounted
from cockpit.reads.remedies import Remedies
from cockpit.store.episodes import Store
from cockpit.store.ledger import LedgerFacts
from cockpit.store.snapshot import Snapshot


def unaccounted(snapshot: Snapshot, remedies: Remedies) -> list[Unaccounted] | UnsetType:
    """Every such episode with its command; absent where the recorder is not the one writer."""
    if not sole_writer(snapshot.layer.policy):
        return UNSET
    if blind(snapshot):
        return []
    return [
        Unaccounted(session_id=session_id, reason=reason(snapshot, session_id), remedy=remedy)
        for session_id in missing(snapshot)
        if (remedy := remedies.recover(session_id))
    ]


def whose(snapshot: Snapshot, named: list[str]) -> list[str]:
    """A sentence about who closes the unaccounted episodes that are named, where no command of Cockpit's does."""
    if not named or sole_writer(snapshot.layer.policy):
        return []
    return ["Closing such an episode is for the tool that writes this layer."]


def blind(snapshot: Snapshot) -> bool:
    """Whether an open record or the end of an episode may be there that cannot be read.

    Then no episode can be said not to be open.
    """
    return bool(snapshot.store.failure or snapshot.store.faults or snapshot.ledger.faults)


def hidden(snapshot: Snapshot) -> bool:
    """Whether the machine lets nobody see a part of what the books are made from."""
    store = snapshot.store
    return bool(store.failure or snapshot.ledger.faults or any(fault.hidden for fault in store.faults))


def missing(snapshot: Snapshot) -> list[str]:
    """The episodes that were started, did not end and are not open, in the order of their first lines.

    One of them may have a record all the same: its close was killed before it told the ledger.
    """
    return snapshot.derived(_missing, snapshot.store, snapshot.ledger)


def _missing(store: Store, ledger: LedgerFacts) -> list[str]:
    opened = {each.record.session_id for each in store.records}
    episodes = ledger.episodes.items()
    return [name for name, facts in episodes if facts.started and not facts.ended and name not in opened]


def reason(snapshot: Snapshot, session_id: str) -> str:
    """What is known of such an episode, in sentences."""
    facts = snapshot.ledger.episodes[session_id]
    last = f"the last one {facts.last_event} at {facts.last_activity}" if facts.last_activity else "none with a time"
    lines = f"The ledger has {counted(facts.events, 'line')} of it, {last}."
    recorded = session_id in snapshot.section.ids
    there = "a record of it is published, but " if recorded else ""
    return f"It was started; {there}no end of it is in the ledger, and no open record names it. {lines}"
