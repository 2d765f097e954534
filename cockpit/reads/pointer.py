"""The pointer's part of ``lifecycle.recovery``: what it is, whether it leads to a record, and what would mend it."""

from __future__ import annotations

from msgspec import UNSET

from cockpit.formats.text import shown
from cockpit.reads.answers import Layout, Pointer
from cockpit.reads.episodes import pointed
from cockpit.reads.remedies import Remedies
from cockpit.store import episodes as store
from cockpit.store.episodes import POINTER, Open
from cockpit.store.snapshot import Snapshot


def pointer(snapshot: Snapshot, remedies: Remedies, stranded: set[str]) -> Pointer:
    """The pointer; ``stranded`` holds the paths of the records that are."""
    seen, current = snapshot.store.pointer, pointed(snapshot.store)
    if seen.shape == "absent":
        return _answer("absent", None, "", "There is no pointer, which is no fault.", "")
    if seen.shape == "inline" and current:
        return _inline(snapshot, current, remedies, stranded)
    if seen.hidden:
        said = f"The pointer session-current.yaml {seen.fault}: whether it is right is not known."
        return _answer("pointer", None, shown(seen.target), said, "")
    if seen.shape == "odd":
        said = f"The pointer session-current.yaml {seen.fault}: it is to be set aside."
        return _answer("inline", None, "", said, remedies.set_aside(POINTER, regular=False))
    target = shown(seen.target)
    if current:
        return _answer("pointer", current, target, f"It leads to the open record of {current.record.session_id}.", "")
    if snapshot.store.failure:
        said = f"The pointer session-current.yaml leads to {target}, and the store it should lead into cannot be read."
        return _answer("pointer", None, target, said, "")
    only = _only(snapshot, stranded)
    cure = f"aims it at {only.record.session_id}, the only one it can mean" if only else "removes it"
    said = f"The pointer session-current.yaml {leading(seen)}; the command {cure}."
    return _answer("pointer", None, target, said, remedies.aim(only.path if only else None))


def leading(seen: store.Pointer) -> str:
    """Where a link that leads to no open record leads, in words."""
    return f"leads {'to something that is no open record' if seen.leads else 'nowhere'} ({shown(seen.target)})"


def _inline(snapshot: Snapshot, current: Open, remedies: Remedies, stranded: set[str]) -> Pointer:
    """The older layout: moved into the store; a stranded one is set aside instead, by the command of its own item."""
    said = "The pointer is itself the open record: the older layout, in which a second start overwrote the first."
    if snapshot.store.failure:
        return _answer("inline", current, "", f"{said} Its place, {snapshot.store.failure}.", "")
    if shown(current.path) in stranded:
        return _answer("inline", current, "", said, remedies.close(current.path, current.record.session_id))
    return _answer("inline", current, "", said, remedies.migrate(current.record.provider_session))


def _only(snapshot: Snapshot, stranded: set[str]) -> Open | None:
    """The only open record of this worktree that is not stranded."""
    here = [
        opened
        for opened in snapshot.store.records
        if (opened.place is None or opened.place.where == "here") and shown(opened.path) not in stranded
    ]
    return here[0] if len(here) == 1 else None


def _answer(layout: Layout, current: Open | None, target: str, note: str, remedy: str) -> Pointer:
    return Pointer(
        layout=layout,
        target=target or UNSET,
        resolves=current is not None,
        session_id=current.record.session_id if current else UNSET,
        note=note,
        remedy=remedy or UNSET,
    )
