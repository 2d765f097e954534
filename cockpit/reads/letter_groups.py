"""The letters of ``handoffs.state`` as its page tells them: by effort, by rule, and how many want a person."""

from __future__ import annotations

from collections.abc import Iterable
from typing import get_args

from msgspec import Struct

from cockpit.formats.letter import folded
from cockpit.formats.text import counted
from cockpit.reads.groups import Group, grouped
from cockpit.reads.handoffs_state import ActiveLetter, HandoffsState
from cockpit.reads.letter_rules import Code, LetterFinding

_RANKS = {code: rank for rank, code in enumerate(get_args(Code))}


class Effort(Struct, frozen=True):
    """An effort and its letters, in the order that they came in; ``name`` is empty where they state none."""

    name: str
    letters: list[ActiveLetter]


def by_effort(letters: Iterable[ActiveLetter]) -> list[Effort]:
    """Letters of one effort together, however its name is capitalised; those without an effort stand last."""
    found: dict[str, Effort] = {}
    for each in letters:
        name = each.effort or ""
        found.setdefault(folded(name), Effort(name, [])).letters.append(each)
    return sorted(found.values(), key=lambda effort: not effort.name)


def by_rule(findings: Iterable[LetterFinding]) -> list[Group[LetterFinding]]:
    """Findings worst first: the errors, then rule by rule as they are listed; those of one rule together if many."""
    worst_first = sorted(findings, key=lambda each: (each.severity, _RANKS[each.code]))
    return grouped(worst_first, lambda each: each.code, lambda code, number: f"{counted(number, 'finding')} of {code}")


def needing(state: HandoffsState) -> int:
    """How many things want a person: letters that wait, findings, and what is refused or cannot be read."""
    return len(state.waiting) + len(state.findings) + len(state.faults)


def calm(state: HandoffsState) -> str:
    """What is said where no rule finds fault; empty where one does."""
    if state.findings:
        return ""
    if state.faults:
        return "No rule finds fault with what can be read, and not everything can be read: see Refused or unreadable."
    return "No rule finds fault with any letter."


def empty(state: HandoffsState) -> str:
    """What is said where there is no letter at all; empty where there is one, or where one may lie unseen."""
    counts = state.counts
    if state.faults or state.findings or counts.active or counts.waiting or counts.archived:
        return ""
    lie = "lies" if state.present else "or folder of letters is"
    where = f"{state.folder} or {state.archive_folder}"
    return f"No letter {lie} here, in {where}. A worker that stops leaves one with `cockpit handoff new`."
