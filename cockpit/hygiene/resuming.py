"""``cockpit resume``: what to read and in which order, as far as the disk proves it; what is not there is said.

The order: the owners that the repository's process declaration names, the work map it names, the letters in force with
their digests, then the decisions that are open and the gates that a user has not answered.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from cockpit.formats import surfaces
from cockpit.formats.credentials import masked
from cockpit.formats.declaration import Owner, declared, open_items
from cockpit.formats.letter import WAITING
from cockpit.formats.text import cut, shown, sound
from cockpit.hygiene.audit import archives
from cockpit.reads import handoffs_state
from cockpit.reads.answers import Text, optional
from cockpit.store.checkout import Checkout
from cockpit.store.files import Fault, listing
from cockpit.store.letters import Filed
from cockpit.store.snapshot import QUESTIONS, Snapshot
from cockpit.store.upkeep import survey

ROOTS = ("AGENTS.md", "CLAUDE.md")
DOCS = "docs/"
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://.*", re.IGNORECASE | re.DOTALL)
_PATHLIKE = re.compile(r"[^\s]*/[^\s]*|[^\s]+\.[A-Za-z0-9]{1,8}")
_DECISIONS = re.compile(r"\b(?:open|pending|undecided|unresolved)\b.*\b(?:decisions?|questions?)\b", re.IGNORECASE)
_GATES = re.compile(r"\bgates?\b", re.IGNORECASE)
_LONGEST = 400  # characters of an item that are shown

Place = Literal["file", "folder", "missing", "unreadable", "elsewhere"]


class Source(Struct, frozen=True, kw_only=True):
    """Something to read: what it is, where it is stated to be, and what is there.

    ``place`` is ``elsewhere`` for an address or words, which are not looked at. ``digest`` is the SHA-256 of a file,
    ``reason`` why one cannot be read.
    """

    name: str
    stated: str
    place: Place
    digest: Text = UNSET
    reason: Text = UNSET


class LetterInForce(Struct, frozen=True, kw_only=True):
    """A letter in force, bound to its content by ``digest`` (SHA-256)."""

    path: str
    status: Text = UNSET
    effort: Text = UNSET
    leg: Text = UNSET
    digest: str


class Open(Struct, frozen=True, kw_only=True):
    """Something that is not decided yet, with the place that says so."""

    path: str
    line: int | UnsetType = UNSET
    text: str


class Resumption(Struct, frozen=True, kw_only=True):
    """What to read, in the order of these fields; ``missing`` says what is not there, in sentences.

    ``declaration`` is the document that declares the process, as ``path:line``.
    """

    declaration: Text = UNSET
    owners: list[Source]
    work_map: list[Source]
    letters: list[LetterInForce]
    decisions: list[Open]
    gates: list[Open]
    missing: list[str]


def resume(checkout: Checkout, now: datetime | None = None) -> Resumption:
    """What a worker that begins here must read. Raises OSError where the root cannot be read."""
    snapshot = checkout.look(now)
    missing: list[str] = []
    place, owners = _declaration(snapshot, missing)
    sources = [(each, _source(snapshot, each)) for each in owners]
    letters = snapshot.letters.in_force
    found = Resumption(
        declaration=optional(place),
        owners=[source for owner, source in sources if not owner.maps_work],
        work_map=[source for owner, source in sources if owner.maps_work],
        letters=[_letter(each) for each in letters],
        decisions=[*_from_letters(letters, _DECISIONS), *_questions(snapshot, missing)],
        gates=[*_waiting(letters), *_from_letters(letters, _GATES)],
        missing=missing,
    )
    missing += _absent(snapshot, found)
    return found


def _declaration(snapshot: Snapshot, missing: list[str]) -> tuple[str, list[Owner]]:
    """Where the process is declared and what owners that names; the first document counts, others are said."""
    found = list(_declaring(snapshot, missing))
    if not found:
        missing.append(
            f"No section “Repository process declaration” in {', '.join(ROOTS)} or {DOCS}: no owner is known."
        )
        return "", []
    path, line, owners = found[0]
    missing += [f"{shown(other)} declares the process too; {shown(path)} counts." for other, _, _ in found[1:]]
    if not owners:
        missing.append(f"The declaration in {shown(path)} names no owner.")
    return f"{shown(path)}:{line}", owners


def _declaring(snapshot: Snapshot, missing: list[str]) -> Iterator[tuple[str, int, list[Owner]]]:
    seen = survey(snapshot.root, archives(snapshot))
    documents = seen.documents
    missing += [f"{each.path} {each.reason}, so what it declares is not known." for each in seen.faults]
    for path in (*ROOTS, *sorted(each.path for each in documents if each.path.startswith(DOCS))):
        read = snapshot.whole(path)
        if isinstance(read, Fault):
            missing.append(f"{read.path} {read.reason}, so what it declares is not known.")
        elif read and (stated := declared(read)):
            yield path, *stated


def _source(snapshot: Snapshot, owner: Owner) -> Source:
    name, stated = _named(owner)
    path = surfaces.path(owner.stated)
    if path is None or _ADDRESS.fullmatch(owner.stated):
        return Source(name=name, stated=stated, place="elsewhere")
    read = snapshot.whole(path)
    if isinstance(read, bytes):
        return Source(name=name, stated=stated, place="file", digest=hashlib.sha256(read).hexdigest())
    if isinstance(read, Fault):
        if listing(snapshot.root, path).present:
            return Source(name=name, stated=stated, place="folder")
        return Source(name=name, stated=stated, place="unreadable", reason=read.reason)
    return Source(name=name, stated=stated, place="missing" if _PATHLIKE.fullmatch(owner.stated) else "elsewhere")


def _named(owner: Owner) -> tuple[str, str]:
    """Name and place of an owner, masked as they stand together: ``Password: …`` is one that only its name tells."""
    name, whole = masked(sound(owner.name)), masked(f"{sound(owner.name)}: {sound(owner.stated)}")
    return name, whole.removeprefix(f"{name}: ")


def _letter(filed: Filed) -> LetterInForce:
    letter = filed.letter
    return LetterInForce(
        path=shown(filed.path),
        status=optional(letter.status.word),
        effort=optional(letter.text("Effort")),
        leg=optional(letter.text("Leg")),
        digest=letter.digest,
    )


def _from_letters(letters: list[Filed], heading: re.Pattern[str]) -> Iterator[Open]:
    """The items that are not ticked below headings of a kind."""
    for filed in letters:
        for section in filed.letter.sections:
            if section.level and heading.search(section.heading):
                items = open_items(section)
                yield from (Open(path=shown(filed.path), line=each.line, text=_said(each.text)) for each in items)


def _waiting(letters: list[Filed]) -> Iterator[Open]:
    """The letters that wait for a person: each is a gate."""
    for filed in letters:
        status = filed.letter.status
        if status.word == WAITING:
            yield Open(path=shown(filed.path), line=status.line, text=_said(status.prose or "It waits for a person."))


def _questions(snapshot: Snapshot, missing: list[str]) -> list[Open]:
    questions = snapshot.unresolved
    if isinstance(questions, Fault):
        missing.append(f"{questions.path} {questions.reason}, so what is unresolved there is not known.")
        return []
    return [Open(path=QUESTIONS, text=_said(each)) for each in questions]


def _absent(snapshot: Snapshot, found: Resumption) -> Iterator[str]:
    """A sentence for everything that is not there."""
    if found.declaration and not found.work_map:
        yield "The declaration names no work map."
    for each in (*found.owners, *found.work_map):
        if each.place == "missing":
            yield f"{each.name}: nothing is at {each.stated}."
    yield from handoffs_state.faults(snapshot)
    if not found.letters:
        yield f"No letter is in force in {snapshot.letters.folder or 'the folder that the policy names'}."
    if not found.decisions:
        yield "No letter in force and no open question names a decision that is open."
    if not found.gates:
        yield "No letter in force names a gate that is unanswered."


def _said(text: str) -> str:
    return cut(masked(sound(text)), _LONGEST)
