"""``continuity.state``: what would a worker resuming in this checkout be handed?"""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from cockpit.formats.records import ActiveTask, Mismatch
from cockpit.formats.text import counted, shown
from cockpit.reads.answers import Continuity, Record, Session, Tallies, Task, optional
from cockpit.reads.emptiness import has_run
from cockpit.reads.episodes import pointed
from cockpit.reads.resumption import resume
from cockpit.store.episodes import Open
from cockpit.store.files import Fault
from cockpit.store.notes import Notes
from cockpit.store.snapshot import QUESTIONS, TASK, Snapshot


def answer(snapshot: Snapshot) -> Continuity:
    """One episode, one task, one handover, one checkpoint, and what blocks."""
    position, unresolved = snapshot.position, snapshot.unresolved
    handovers, checkpoints = snapshot.handovers, snapshot.checkpoints
    session, task = _session(pointed(snapshot.store)), _task(snapshot.task)
    handover, checkpoint = resume(snapshot, handovers), resume(snapshot, checkpoints)
    blockers = [] if isinstance(unresolved, Fault) else unresolved
    return Continuity(
        present=has_run(snapshot),
        worktree=shown(snapshot.root),
        branch=optional(position.branch),
        head=optional(position.head),
        working_tree=position.working_tree or UNSET,
        session=session,
        task=task,
        handover=handover,
        checkpoint=checkpoint,
        blockers=blockers,
        tallies=Tallies(
            handovers=handovers.files,
            checkpoints=checkpoints.files,
            blockers=len(blockers),
            ledger_lines=snapshot.ledger.live,
        ),
        findings=[
            *snapshot.layer.policy_findings,
            *_about_session(session),
            *_about_files(snapshot),
            *_about_notes("handover", handovers, handover),
            *_about_standing(snapshot, "handover", handover),
            *_about_notes("checkpoint", checkpoints, checkpoint),
            *_about_standing(snapshot, "checkpoint", checkpoint),
            *_about_blockers(len(blockers)),
        ],
    )


def _session(opened: Open | None) -> Session | UnsetType:
    if opened is None:
        return UNSET
    record, place = opened.record, opened.place
    return Session(
        session_id=record.session_id,
        started_at=optional(record.started_at),
        owner=optional(record.owner),
        worker=optional(record.worker),
        provider=optional(record.provider),
        provider_session=optional(record.provider_session),
        branch=optional(record.branch),
        start_head=optional(record.start_head),
        worktree=optional(record.worktree),
        foreign=place is not None and place.where != "here",
    )


def _task(read: ActiveTask | Mismatch | Fault | None) -> Task | UnsetType:
    if not isinstance(read, ActiveTask):
        return UNSET
    return Task(
        id=read.id,
        task=optional(read.task),
        profile=optional(read.profile),
        outcome=optional(read.outcome),
        scope=read.scope,
        requires=read.requires,
        started_at=optional(read.started_at),
        head=optional(read.head),
    )


def _about_session(session: Session | UnsetType) -> list[str]:
    if not session or not session.foreign:
        return []
    return [f"The pointer leads to {session.session_id}, which names another worktree, {session.worktree}."]


def _about_files(snapshot: Snapshot) -> list[str]:
    task, unresolved = snapshot.task, snapshot.unresolved
    found = []
    if isinstance(task, Mismatch | Fault):
        found.append(f"{TASK} {task.reason if isinstance(task, Fault) else f'is no task: {task.reason}'}.")
    elif task and task.damage:
        found.append(f"{TASK} {task.damage}.")
    if isinstance(unresolved, Fault):
        found.append(f"{QUESTIONS} {unresolved.reason}, so what blocks is not known.")
    found += [f"{fault.path} {fault.reason}; its lines are not counted." for fault in snapshot.ledger.faults]
    pointer = snapshot.store.pointer
    if pointer.hidden:
        found.append(f"The pointer session-current.yaml {pointer.fault}, so the current episode is not known.")
    if not snapshot.position.branch:
        found.append(f"git does not say where this checkout stands: {snapshot.position.failure}.")
    elif not snapshot.position.working_tree:
        found.append(f"git does not say whether the working tree is clean: {snapshot.position.failure}.")
    return found


def _about_notes(kind: str, notes: Notes, record: Record | UnsetType) -> list[str]:
    found = [f"The {kind}s cannot be read: {notes.failure}."] if notes.failure else []
    if notes.skipped:
        names = "; ".join(f"{shown(fault.path.rpartition('/')[2])} ({fault.reason})" for fault in notes.skipped)
        found.append(f"{counted(len(notes.skipped), f'{kind} was', f'{kind}s were')} skipped: {names}.")
    found += [f"{shown(n.path)} {n.record.damage}." for n in notes.notes if n.record.damage]
    if record and record.divergence == "diverged":
        found.append(f"The {kind} {shown(record.path)} was written at a commit that HEAD does not come from.")
    if record and record.freshness == "stale":
        found.append(f"The {kind} {shown(record.path)} is stale: {record.freshness_reason}")
    return found


def _about_standing(snapshot: Snapshot, kind: str, record: Record | UnsetType) -> list[str]:
    """Why it is not known how a note's commit stands to HEAD."""
    if not record or record.divergence != "unknown":
        return []
    return [f"How the {kind} {record.path} stands to HEAD is not known: {snapshot.standing(record.head).reason}."]


def _about_blockers(number: int) -> list[str]:
    return [f"{counted(number, 'unresolved question')} may block this work."] if number else []
