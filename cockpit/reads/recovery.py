"""``lifecycle.recovery``: what does the store need a person to do, and with which command?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from cockpit.formats.facts import NOTHING
from cockpit.formats.text import counted, shown
from cockpit.reads import groups
from cockpit.reads.answers import Balance, Orphan, Pointer, Recovery, Stranded, Unreadable
from cockpit.reads.episodes import gone, no_checkout
from cockpit.reads.groups import Group
from cockpit.reads.orphans import orphans
from cockpit.reads.pointer import pointer
from cockpit.reads.remedies import Remedies
from cockpit.reads.unaccounted import blind, hidden, missing, unaccounted, whose
from cockpit.store.episodes import Open, Store
from cockpit.store.files import Fault
from cockpit.store.ledger import LedgerFacts
from cockpit.store.snapshot import Snapshot

Kind = Literal["pointer", "stranded", "only copy", "unreadable", "fragment", "published", "unaccounted"]

UNKNOWN = "Something that they are made from cannot be read, so whether the books agree is not known."
_FAMILIES = {"fragment": "orphan", "published": "orphan"}
_CALLED = {
    "pointer": ("pointer", "pointers"),
    "stranded": ("stranded record", "stranded records"),
    "only copy": ("only copy", "only copies"),
    "unreadable": ("unreadable file", "unreadable files"),
    "orphan": ("other orphan", "other orphans"),
    "unaccounted": ("unaccounted episode", "unaccounted episodes"),
}


class Need(Struct, frozen=True):
    """One thing that needs a hand: what it is, why, and the command that clears it.

    ``anchor`` is the section of the page that explains it.
    """

    kind: Kind
    name: str
    session_id: str
    sentence: str
    remedy: str
    anchor: str


def answer(snapshot: Snapshot) -> Recovery:
    """Every item with its remedy, and the books."""
    remedies = Remedies(snapshot)
    stranded = _stranded(snapshot, remedies)
    found = Recovery(
        present=snapshot.state.present,
        pointer=pointer(snapshot, remedies, {item.path for item in stranded}),
        stranded=stranded,
        orphans=orphans(snapshot, remedies),
        unreadable=_unreadable(snapshot, remedies),
        unaccounted=unaccounted(snapshot, remedies),
        balance=_balance(snapshot),
        findings=[],
    )
    return replace(found, findings=_findings(snapshot, found))


def needs(recovery: Recovery) -> list[Need]:
    """Every item of an answer, worst first: pointer, stranded, only copies, unreadable, other orphans, unaccounted."""
    found: list[Need] = []
    pointed = recovery.pointer
    if pointed.remedy:
        found.append(Need("pointer", "session-current.yaml", "", pointed.note, pointed.remedy, "recovery"))
    found += [Need("stranded", s.session_id, s.session_id, s.reason, s.remedy, "episodes") for s in recovery.stranded]
    found += [_orphan(item) for item in recovery.orphans if item.holds == "record"]
    found += [Need("unreadable", _name(u.path), "", u.reason, u.remedy, "recovery") for u in recovery.unreadable]
    found += [_orphan(item) for item in recovery.orphans if item.holds != "record"]
    for lost in recovery.unaccounted or ():
        found.append(Need("unaccounted", lost.session_id, lost.session_id, lost.reason, lost.remedy, "recovery"))
    return found


def obscured(snapshot: Snapshot) -> bool:
    """Whether there may be more that needs a hand: a part of what would show it cannot be seen."""
    return bool(hidden(snapshot) or snapshot.section.failure or any(fault.hidden for fault in faults(snapshot)))


def grouped(found: Sequence[Need]) -> list[Group[Need]]:
    """Findings in their order, those of one kind together where there are many."""
    return groups.grouped(found, _family, lambda kind, number: counted(number, *_CALLED[kind]))


def _family(need: Need) -> str:
    return _FAMILIES.get(need.kind, need.kind)


def _orphan(item: Orphan) -> Need:
    kinds: dict[str, Kind] = {"record": "only copy", "published": "published", "fragment": "fragment"}
    return Need(kinds[item.holds], _name(item.path), item.session_id or "", item.note, item.remedy, "recovery")


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _stranded(snapshot: Snapshot, remedies: Remedies) -> list[Stranded]:
    return [
        Stranded(
            session_id=opened.record.session_id,
            path=shown(opened.path),
            reason=reason,
            remedy=remedies.close(opened.path, opened.record.session_id),
        )
        for opened, reason in snapshot.derived(_reasons, snapshot.store, snapshot.ledger)
    ]


def _reasons(store: Store, ledger: LedgerFacts) -> list[tuple[Open, str]]:
    """Each stranded record and why it is, by id and path."""
    found = [(opened, reason) for opened in store.records if (reason := _why_stranded(opened, ledger))]
    return sorted(found, key=lambda each: (each[0].record.session_id, each[0].path))


def _why_stranded(opened: Open, ledger: LedgerFacts) -> str:
    """The first reason that holds; empty where none does."""
    worktree, place = opened.record.worktree, opened.place
    if place and place.where == "gone":
        return gone(worktree)
    if not ledger.faults and ledger.episodes.get(opened.record.session_id, NOTHING).closed_last:
        return "The ledger already records it as closed (session.closed), and its open record is still here."
    if place and place.where == "elsewhere" and place.checkout is False:
        return no_checkout(worktree)
    return ""


def _unreadable(snapshot: Snapshot, remedies: Remedies) -> list[Unreadable]:
    return [
        Unreadable(path=shown(f.path), reason=f"It {f.reason}.", remedy=remedies.set_aside(f.path, regular=False))
        for f in faults(snapshot)
        if not f.hidden
    ]


def faults(snapshot: Snapshot) -> list[Fault]:
    """What is no open record or no temporary file as it should be, by path; no command is for what is hidden."""
    return sorted([*snapshot.store.faults, *snapshot.section.strangers], key=lambda fault: fault.path)


def _balance(snapshot: Snapshot) -> Balance:
    ledger = snapshot.ledger
    recovered = snapshot.derived(_recovered, ledger)
    opened = len(snapshot.store.records)
    unaccounted = ledger.started - ledger.closed - recovered - opened
    unknown = hidden(snapshot)
    nowhere = [session_id for session_id in missing(snapshot) if session_id not in snapshot.section.ids]
    nowhere = [] if unknown or snapshot.section.failure else nowhere
    return Balance(
        started=ledger.started,
        closed=ledger.closed,
        recovered=recovered,
        open=opened,
        unaccounted=unaccounted,
        agrees=unaccounted == 0 and not unknown,
        unaccounted_sessions=nowhere,
        note=UNKNOWN if unknown else " ".join([_books(unaccounted, nowhere), *whose(snapshot, nowhere)]),
    )


def _recovered(ledger: LedgerFacts) -> int:
    return sum(facts.recovered for facts in ledger.episodes.values())


def _books(unaccounted: int, nowhere: list[str]) -> str:
    if unaccounted > 0:
        starts = counted(unaccounted, "start has", "starts have")
        return f"{starts} no end, no recovery and no open record: an end arrived and produced nothing, or never came."
    if unaccounted < 0:
        return "There are more ends and open records than starts, as in a ledger whose beginning is gone."
    if nowhere:
        started = counted(len(nowhere), "episode that was started is", "episodes that were started are")
        return f"The sums agree, and yet {started} nowhere."
    return "Every episode that was started is closed, recovered or open."


def _findings(snapshot: Snapshot, found: Recovery) -> list[str]:
    """All of an answer once more, in sentences, in the order of the needs."""
    section, ledger = snapshot.section, snapshot.ledger
    first = [item for item in found.orphans if item.holds == "record"]
    last = [item for item in found.orphans if item.holds != "record"]
    return [
        *snapshot.layer.sessions_findings,
        *([f"The sessions section cannot be read: {section.failure}."] if section.failure else []),
        *([f"The open-episode store {snapshot.store.failure}."] if snapshot.store.failure else []),
        *([found.pointer.note] if found.pointer.remedy else []),
        *(f"{item.session_id} is stranded. {item.reason}" for item in found.stranded),
        *(f"{_name(item.path)}: {item.note}" for item in first),
        *(f"{item.path}: {item.reason}" for item in found.unreadable),
        *(f"{_name(item.path)}: {item.note}" for item in last),
        *(f"{item.session_id} is unaccounted for. {item.reason}" for item in found.unaccounted or ()),
        *_about_the_books(found.balance),
        *_about_what_is_hidden(snapshot, found.pointer),
        *(f"{fault.path} {fault.reason}; the books are without it." for fault in ledger.faults),
    ]


def _about_what_is_hidden(snapshot: Snapshot, pointer: Pointer) -> list[str]:
    said = [pointer.note] if snapshot.store.pointer.hidden else []
    said += [f"{shown(f.path)} {f.reason}; what it holds is not known." for f in faults(snapshot) if f.hidden]
    if blind(snapshot) and missing(snapshot):
        said.append(
            "An open record or a part of the ledger cannot be read, so that no command closes an episode of which "
            "nothing else is known."
        )
    return said


def _about_the_books(balance: Balance) -> list[str]:
    if balance.agrees and not balance.unaccounted_sessions:
        return []
    if balance.note == UNKNOWN:
        return [UNKNOWN]
    said = balance.note if balance.agrees else f"The books do not agree. {balance.note}"
    names = ", ".join(balance.unaccounted_sessions)
    return [f"{said} Unaccounted for: {names}." if names else said]
