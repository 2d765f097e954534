"""The orphans' part of ``lifecycle.recovery``: what a killed close left in the sessions section."""

from __future__ import annotations

from collections.abc import Set

from msgspec import UNSET

from cockpit.formats.text import shown
from cockpit.reads.answers import Holds, Orphan
from cockpit.reads.remedies import Remedies
from cockpit.store import sessions
from cockpit.store.files import Fault
from cockpit.store.snapshot import Snapshot


def orphans(snapshot: Snapshot, remedies: Remedies) -> list[Orphan]:
    """Every regular ``.tmp.*`` file of the section, by name; the only copies first."""
    published = snapshot.section.ids
    found = [_orphan(orphan, published, snapshot.section.path or "", remedies) for orphan in snapshot.section.orphans]
    return sorted(found, key=lambda item: (item.holds != "record", item.path))


def _orphan(orphan: sessions.Orphan, published: Set[str], section: str, remedies: Remedies) -> Orphan:
    holds = orphan.holds
    if isinstance(holds, Fault):
        said = f"It {holds.reason}, so that nobody knows what it holds; it is to be set aside."
        return _answer(orphan, "fragment", "", said, remedies.set_aside(orphan.path))
    if not holds.session_id:
        said = "It is no whole record; a close was killed while it wrote. It is to be set aside."
        return _answer(orphan, "fragment", "", said, remedies.set_aside(orphan.path))
    if holds.session_id in published:
        said = f"A record of {holds.session_id} is published; this double is to be set aside."
        return _answer(orphan, "published", holds.session_id, said, remedies.set_aside(orphan.path))
    said = (
        f"It is a whole record of {holds.session_id}, and the only copy: a close was killed before it gave "
        "it its name. The command publishes it."
    )
    return _answer(orphan, "record", holds.session_id, said, remedies.publish(orphan.path, section, holds.name))


def _answer(orphan: sessions.Orphan, holds: Holds, session_id: str, note: str, remedy: str) -> Orphan:
    return Orphan(
        path=shown(orphan.path),
        bytes=orphan.size,
        holds=holds,
        session_id=session_id or UNSET,
        note=note,
        remedy=remedy,
    )
