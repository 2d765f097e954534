"""The answer types of the reads of the Continuity page: what crosses from ``reads`` to every surface.

An optional text or object is absent (``UNSET``) where there is none, never null and never empty; a list is
always present. Times are the text that a record holds (RFC 3339, UTC as recorded). Paths are
repository-relative with ``/``, except ``worktree`` and ``root``, which are absolute. Field names are those of
the format that majordomus repositories use.
"""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

Text = str | UnsetType
Count = int | UnsetType


def optional(text: str) -> Text:
    """An optional text: absent where it is empty."""
    return text or UNSET


Standing = Literal["current", "open", "foreign", "stranded"]
Layout = Literal["pointer", "inline", "absent"]
Holds = Literal["record", "published", "fragment"]
Relation = Literal["equal", "behind", "ahead", "diverged", "other_branch", "unknown"]
WorkingTree = Literal["clean", "dirty"]
Divergence = Literal["exact", "advanced", "diverged", "unknown"]
Freshness = Literal["fresh", "aging", "stale", "unknown", "invalid"]
Matched = Literal["same_worktree_same_branch", "same_branch"]
Outcome = Literal["selected", "superseded", "rejected"]


# ------------------------------------------------------------------ lifecycle.episodes
class Episode(Struct, frozen=True, kw_only=True):
    """One open episode: what its record says, joined by id with the ledger."""

    session_id: str
    path: str
    provider: Text = UNSET
    provider_session: Text = UNSET
    owner: Text = UNSET
    worker: Text = UNSET
    worktree: Text = UNSET
    branch: Text = UNSET
    start_head: Text = UNSET
    started_at: Text = UNSET
    standing: Standing
    events: int
    last_activity: Text = UNSET
    last_event: Text = UNSET
    tasks: list[str]
    note: str


class Episodes(Struct, frozen=True, kw_only=True):
    """``lifecycle.episodes``: which episodes are open, and where each stands."""

    present: bool
    store: str
    worktree: str
    current: Text = UNSET
    episodes: list[Episode]
    findings: list[str]


# ------------------------------------------------------------------ lifecycle.recovery
class Pointer(Struct, frozen=True, kw_only=True):
    """``session-current.yaml``: what it is and whether it leads to an open record."""

    layout: Layout
    target: Text = UNSET
    resolves: bool
    session_id: Text = UNSET
    note: str
    remedy: Text = UNSET


class Stranded(Struct, frozen=True, kw_only=True):
    """An open record that no worker of this checkout can close any more."""

    session_id: str
    path: str
    reason: str
    remedy: str


class Orphan(Struct, frozen=True, kw_only=True):
    """A ``.tmp.*`` file that a killed close left in the sessions section; ``bytes`` is its size."""

    path: str
    bytes: int
    holds: Holds
    session_id: Text = UNSET
    note: str
    remedy: str


class Unreadable(Struct, frozen=True, kw_only=True):
    """Something in the store that cannot be read as what it should be."""

    path: str
    reason: str
    remedy: str


class Unaccounted(Struct, frozen=True, kw_only=True):
    """An episode that was started and is nowhere: no end in the ledger, no open record."""

    session_id: str
    reason: str
    remedy: str


class Balance(Struct, frozen=True, kw_only=True):
    """The books: ``unaccounted = started - closed - recovered - open``."""

    started: int
    closed: int
    recovered: int
    open: int
    unaccounted: int
    agrees: bool
    unaccounted_sessions: list[str]
    note: str


class Recovery(Struct, frozen=True, kw_only=True):
    """``lifecycle.recovery``: what the store needs a person to do, and with which command."""

    present: bool
    pointer: Pointer
    stranded: list[Stranded]
    orphans: list[Orphan]
    unreadable: list[Unreadable]
    unaccounted: list[Unaccounted] | UnsetType = UNSET
    """Only where Cockpit's own recorder is the one writer."""
    balance: Balance
    findings: list[str]


# ------------------------------------------------------------------ lifecycle.runtime
class Runtime(Struct, frozen=True, kw_only=True):
    """``lifecycle.runtime``: the commit this process answers about, against the repository's own."""

    root: str
    served_head: Text = UNSET
    served_branch: Text = UNSET
    served_working_tree: WorkingTree | UnsetType = UNSET
    served_at: str
    repository_head: Text = UNSET
    repository_branch: Text = UNSET
    repository_working_tree: WorkingTree | UnsetType = UNSET
    agree: bool
    relation: Relation
    behind: Count = UNSET
    ahead: Count = UNSET
    objects: int
    index_state: Literal["ok", "degraded"]
    version: str
    note: str


# ------------------------------------------------------------------ lifecycle.providers
class Provider(Struct, frozen=True, kw_only=True):
    """One provider: what its adapter declares, and which enforcement entries name its hook."""

    id: str
    title: str
    lifecycle: list[str]
    prompt_capture: bool
    client_config: Text = UNSET
    wired: list[str]
    note: str


class Providers(Struct, frozen=True, kw_only=True):
    """``lifecycle.providers``: declarations only, never whether a hook file is on disk."""

    providers: list[Provider]
    with_lifecycle: int
    findings: list[str]


# ------------------------------------------------------------------ lifecycle.closed
class ClosedEpisode(Struct, frozen=True, kw_only=True):
    """One tracked session record, as a row."""

    session_id: str
    uri: str
    path: str
    created_at: Text = UNSET
    branch: Text = UNSET
    head: Text = UNSET
    outcome: Text = UNSET
    title: Text = UNSET


class Untracked(Struct, frozen=True, kw_only=True):
    """A session record in the folder that git does not track, so that no clone receives it."""

    session_id: str
    path: str
    remedy: str


class Closed(Struct, frozen=True, kw_only=True):
    """``lifecycle.closed``: the half of the subsystem that survives a clone."""

    total: int
    on_this_branch: int
    episodes: int
    window: int
    newest: list[ClosedEpisode]
    untracked: list[Untracked]
    findings: list[str]


# ------------------------------------------------------------------ continuity.state
class Session(Struct, frozen=True, kw_only=True):
    """The episode the pointer resolves to."""

    session_id: str
    started_at: Text = UNSET
    owner: Text = UNSET
    worker: Text = UNSET
    provider: Text = UNSET
    provider_session: Text = UNSET
    branch: Text = UNSET
    start_head: Text = UNSET
    worktree: Text = UNSET
    foreign: bool


class Task(Struct, frozen=True, kw_only=True):
    """The active task, as its file says."""

    id: str
    task: Text = UNSET
    profile: Text = UNSET
    outcome: Text = UNSET
    scope: list[str]
    requires: list[str]
    started_at: Text = UNSET
    head: Text = UNSET


class Considered(Struct, frozen=True, kw_only=True):
    """A file that the resolution looked at, and what became of it."""

    path: str
    outcome: Outcome
    reason: str


class Record(Struct, frozen=True, kw_only=True):
    """The handover or checkpoint that a worker resuming here would be handed."""

    path: str
    created_at: str
    task_id: str
    branch: str
    head: str
    working_tree: Text = UNSET
    matched: Matched
    divergence: Divergence
    freshness: Freshness
    age_minutes: Count = UNSET
    freshness_reason: str
    next_action: Text = UNSET
    next_action_withheld: Text = UNSET
    considered: list[Considered]


class Tallies(Struct, frozen=True, kw_only=True):
    """Counts of what lies on disk: ``.md`` files, unresolved questions, events of the live ledger."""

    handovers: int
    checkpoints: int
    blockers: int
    ledger_lines: int


class Continuity(Struct, frozen=True, kw_only=True):
    """``continuity.state``: what a worker resuming in this checkout would be handed."""

    present: bool
    worktree: str
    branch: Text = UNSET
    head: Text = UNSET
    working_tree: WorkingTree | UnsetType = UNSET
    session: Session | UnsetType = UNSET
    task: Task | UnsetType = UNSET
    handover: Record | UnsetType = UNSET
    checkpoint: Record | UnsetType = UNSET
    blockers: list[str]
    tallies: Tallies
    findings: list[str]
