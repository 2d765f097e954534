"""``lifecycle.episodes``: which episodes are open, and where does each stand?"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence

from msgspec import UNSET

from cockpit.formats import instants
from cockpit.formats.facts import NOTHING, EpisodeFacts
from cockpit.formats.text import counted, shown
from cockpit.reads.answers import Episode, Episodes, Standing, optional
from cockpit.store.episodes import STORE, Open, Store
from cockpit.store.ledger import LedgerFacts
from cockpit.store.snapshot import Snapshot


def answer(snapshot: Snapshot) -> Episodes:
    """Every record of the store, with what the ledger says under its id."""
    return snapshot.derived(_answer, snapshot.root, snapshot.store, snapshot.ledger)


def _answer(root: str, store: Store, ledger: LedgerFacts) -> Episodes:
    current = pointed(store)
    episodes = [_episode(opened, current, ledger) for opened in store.records]
    return Episodes(
        present=store.present,
        store=STORE,
        worktree=shown(root),
        current=current.record.session_id if current else UNSET,
        episodes=sorted(episodes, key=_newest_first),
        findings=_findings(store, ledger),
    )


def moments(snapshot: Snapshot) -> Callable[[str], Sequence[int]]:
    """What tells when something was heard of an episode, in seconds since the epoch; thinned where it was often."""
    heard = snapshot.ledger.episodes
    return lambda session_id: heard.get(session_id, NOTHING).moments


def pointed(store: Store) -> Open | None:
    """The record that the pointer resolves to."""
    return next((opened for opened in store.records if opened.path == store.pointer.names), None)


def standing(opened: Open, current: Open | None) -> Standing:
    """Where an episode stands, decided only from what the repository can observe."""
    place = opened.place
    if place and place.where == "gone":
        return "stranded"
    if place and place.where == "elsewhere":
        return "foreign"
    return "current" if current and opened.path == current.path else "open"


def _newest_first(episode: Episode) -> tuple[int, str, str]:
    started = instants.parse(episode.started_at) if episode.started_at else None
    return -(started if started is not None else -(1 << 63)), episode.session_id, episode.path


def _episode(opened: Open, current: Open | None, ledger: LedgerFacts) -> Episode:
    record = opened.record
    facts: EpisodeFacts = ledger.episodes.get(record.session_id, NOTHING)
    stands = standing(opened, current)
    return Episode(
        session_id=record.session_id,
        path=shown(opened.path),
        provider=optional(record.provider),
        provider_session=optional(record.provider_session),
        owner=optional(record.owner),
        worker=optional(record.worker),
        worktree=optional(record.worktree),
        branch=optional(record.branch),
        start_head=optional(record.start_head),
        started_at=optional(record.started_at),
        standing=stands,
        events=facts.events,
        last_activity=optional(facts.last_activity),
        last_event=optional(facts.last_event),
        tasks=list(facts.tasks),
        note=_note(opened, stands, current),
    )


def _note(opened: Open, stands: Standing, current: Open | None) -> str:
    worktree = opened.record.worktree
    if stands == "stranded":
        return gone(worktree)
    if stands == "foreign":
        return _elsewhere(opened, worktree)
    if stands == "current":
        return "The pointer resolves to this record: a worker resuming here is handed this episode."
    where = "It names this worktree" if worktree else "It names no worktree"
    leads = f"the pointer leads to {current.record.session_id}" if current else "the pointer leads to no record"
    return f"{where}, and {leads}: a worker resuming here is not handed this episode."


def gone(worktree: str) -> str:
    """The sentence about a worktree that is gone."""
    return f"The worktree it names, {worktree}, is gone from disk: its record cannot be closed from there any more."


def no_checkout(worktree: str) -> str:
    """The sentence about a folder that is no worktree of this repository."""
    return f"The worktree it names, {worktree}, exists and is no checkout of this repository."


def _elsewhere(opened: Open, worktree: str) -> str:
    belongs = opened.place.checkout if opened.place else None
    if belongs is False:
        return no_checkout(worktree)
    if belongs is None:
        return f"It names {worktree}, which is not this worktree; whether it is one of this repository cannot be told."
    return f"It names another worktree of this repository, {worktree}: look at it, and close it, from there."


def _findings(store: Store, ledger: LedgerFacts) -> list[str]:
    found = [f"The open-episode store {store.failure}."] if store.failure else []
    found += [f"{shown(fault.path)} {fault.reason}; it was skipped." for fault in store.faults]
    found += [f"{shown(o.path)} {o.record.damage}." for o in store.records if o.record.damage]
    found += _doubles(store)
    found += _pointer(store)
    if len(store.records) > 1:
        found.append(f"{len(store.records)} episodes are open at once, which is ordinary where several workers are.")
    if ledger.torn:
        found.append(
            f"{counted(ledger.torn, 'ledger line does', 'ledger lines do')} not parse; each costs only itself."
        )
    found += [f"{fault.path} {fault.reason}; its lines are not counted." for fault in ledger.faults]
    return found


def _doubles(store: Store) -> list[str]:
    times = Counter(opened.record.session_id for opened in store.records)
    doubled = [session_id for session_id, count in times.items() if count > 1]
    paths = {s: [shown(os.path.basename(o.path)) for o in store.records if o.record.session_id == s] for s in doubled}
    return [f"{' and '.join(names)} carry one session_id, {session_id}." for session_id, names in paths.items()]


def _pointer(store: Store) -> list[str]:
    pointer = store.pointer
    if pointer.shape == "odd" or pointer.hidden:
        return [f"The pointer session-current.yaml {pointer.fault}; it names no episode."]
    if pointer.shape in ("link", "text") and not pointer.names:
        where = "anything but an open record" if pointer.leads else "nothing"
        return [f"The pointer session-current.yaml leads to {where} ({shown(pointer.target)})."]
    return []
