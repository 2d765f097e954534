"""What the answers of one reading must hold, each by itself and all together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, get_args

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import fields

from cockpit.formats import instants
from cockpit.reads.answers import Closed, Continuity, Episodes, Providers, Record, Recovery, Runtime, Standing
from cockpit.reads.catalog import CATALOG
from cockpit.reads.handoffs_state import HandoffsState
from cockpit.reads.recovery import Need, needs
from cockpit.reads.surfaces_state import SurfacesState
from tests.fuzz.holding import hold
from tests.fuzz.places import OUTER, SECRET

Answers = dict[str, Struct]
"""The answers of one reading by the id of their read."""


def check(answers: Answers) -> None:
    """Hold everything that can be told from the answers alone."""
    for read in CATALOG:
        _typed(read.answer, answers[read.id])
    state, episodes, recovery, runtime, providers, closed, surfaces, handoffs = (answers[read.id] for read in CATALOG)
    assert isinstance(state, Continuity)
    assert isinstance(episodes, Episodes)
    assert isinstance(recovery, Recovery)
    assert isinstance(runtime, Runtime)
    assert isinstance(providers, Providers)
    assert isinstance(closed, Closed)
    assert isinstance(surfaces, SurfacesState)
    _pointed(state, episodes, recovery)
    _standings(episodes, recovery)
    _books(episodes, recovery)
    _needed(recovery)
    _closed(closed, runtime)
    _resumed(state)
    _positions(state, runtime)
    _counted(providers, surfaces)
    assert isinstance(handoffs, HandoffsState)
    _lettered(handoffs)


# ---------------------------------------------------------------------- each by itself
def _typed(kind: type[Struct], answer: Struct) -> None:
    body = msgspec.json.encode(answer)
    hold(msgspec.json.decode(body, type=kind) == answer, f"An answer of {kind.__name__} is what its type says.", body)
    hold(OUTER.encode() not in body, "No answer is about the repository around.", body)
    hold(SECRET.encode() not in body, "No answer holds what lies among the prompts.", body)
    for inner in _structs(answer):
        for name, optional in _fields(type(inner)).items():
            value = getattr(inner, name)
            hold(value is not None, f"{type(inner).__name__}.{name} is never null.")
            hold(value != "" or not optional, f"{type(inner).__name__}.{name} is absent or not empty.")


@cache
def _fields(kind: type[Struct]) -> dict[str, bool]:
    """The fields of an answer's type, and which of them may be absent."""
    return {field.name: field.default is UNSET for field in fields(kind)}


def _structs(value: Any) -> Iterator[Struct]:
    if isinstance(value, Struct):
        yield value
        for name in _fields(type(value)):
            yield from _structs(getattr(value, name))
    elif isinstance(value, list):
        for item in value:
            yield from _structs(item)


def remedies(answers: Answers) -> Iterator[str]:
    """Every command that any answer holds."""
    for answer in answers.values():
        for inner in _structs(answer):
            for name in ("remedy", "check"):
                command = getattr(inner, name, UNSET)
                if command is not UNSET:
                    yield command


# ---------------------------------------------------------------------- together
def _pointed(state: Continuity, episodes: Episodes, recovery: Recovery) -> None:
    ids = [episodes.current, recovery.pointer.session_id, state.session.session_id if state.session else UNSET]
    hold(len(set(ids)) == 1, "Three answers name one current episode.", ids)
    hold(recovery.pointer.resolves == (ids[0] is not UNSET), "The pointer resolves where an episode is current.")
    hold(ids[0] is UNSET or state.present, "Where an episode is open, the lifecycle has run.")


def _standings(episodes: Episodes, recovery: Recovery) -> None:
    stands = [episode.standing for episode in episodes.episodes]
    hold(set(stands) <= set(get_args(Standing)), "A standing is one of four words.", stands)
    current = [episode.session_id for episode in episodes.episodes if episode.standing == "current"]
    hold(
        current in ([], [episodes.current]), "Only what the pointer resolves to is current.", current, episodes.current
    )
    paths = [episode.path for episode in episodes.episodes]
    stranded = [item.path for item in recovery.stranded]
    hold(set(stranded) <= set(paths), "What is stranded is open.", stranded, paths)
    gone = {episode.path for episode in episodes.episodes if episode.standing == "stranded"}
    hold(gone <= set(stranded), "An episode that stands as stranded has its item.", gone, stranded)
    keys = [(-_instant(each.started_at), each.session_id, each.path) for each in episodes.episodes]
    hold(keys == sorted(keys), "Episodes are in their order.", keys)
    hold(all(each.note for each in episodes.episodes), "Each episode has a note.")


def _instant(text: Any) -> int:
    found = instants.parse(text) if text else None
    return -(1 << 63) if found is None else found


def _books(episodes: Episodes, recovery: Recovery) -> None:
    books = recovery.balance
    hold(books.open == len(episodes.episodes), "The books count the open episodes that are listed.", books)
    left = books.started - books.closed - books.recovered - books.open
    known = left != 0 or "not known" not in books.note  # they are made from what may be hidden
    hold(books.unaccounted == left and books.agrees == (left == 0 and known), "The books add up.", books)
    opened = {episode.session_id for episode in episodes.episodes}
    hold(not opened & set(books.unaccounted_sessions), "What is open is accounted for.", books)
    hold(min(books.started, books.closed, books.recovered) >= 0, "Nothing is counted below none.", books)


def _needed(recovery: Recovery) -> None:
    found = needs(recovery)
    items = len(recovery.stranded) + len(recovery.orphans) + len(recovery.unreadable) + len(recovery.unaccounted or ())
    hold(len(found) == items + bool(recovery.pointer.remedy), "Each item is one need.", found)
    for need in found:
        hold(_told(need, recovery), "Each need has its sentence among the findings.", need, recovery.findings)
    commands = [need.remedy for need in found if need.kind != "pointer"]
    hold(
        len(commands) == len(set(commands)) or recovery.unaccounted is not UNSET,
        "No two needs have one command.",
        commands,
    )


def _told(need: Need, recovery: Recovery) -> bool:
    return bool(need.sentence) and any(need.sentence in finding for finding in recovery.findings)


def _closed(closed: Closed, runtime: Runtime) -> None:
    hold(len(closed.newest) == min(closed.total, closed.window), "The newest records are as many as are told.", closed)
    hold(max(closed.on_this_branch, closed.episodes) <= closed.total, "No part is more than the whole.", closed)
    hold((closed.episodes == 0) == (closed.total == 0), "Records are of episodes.", closed)
    hold(runtime.objects == closed.total, "Two answers count one index.", runtime.objects, closed.total)
    keys = [(-_instant(row.created_at), row.session_id, row.path) for row in closed.newest]
    hold(keys == sorted(keys), "The newest records are in their order.", keys)
    both = {row.path for row in closed.newest} & {row.path for row in closed.untracked}
    hold(not both, "No record is both tracked and untracked.", both)


def _resumed(state: Continuity) -> None:
    hold(state.tallies.blockers == len(state.blockers), "Blockers are counted as they are listed.", state)
    for record, files in ((state.handover, state.tallies.handovers), (state.checkpoint, state.tallies.checkpoints)):
        if isinstance(record, Record):
            _judged(record)
            hold(len(record.considered) == files, "Every note that is counted was considered.", record, files)


def _judged(record: Record) -> None:
    chosen = [each.path for each in record.considered if each.outcome == "selected"]
    hold(chosen == [record.path], "One note is selected, and it is the one that is told.", chosen, record.path)
    past = record.divergence == "diverged" or record.freshness in ("stale", "invalid")
    hold((record.next_action_withheld is not UNSET) == past, "History is no instruction.", record)
    hold(not (past and record.next_action), "What is withheld is not told.", record)
    hold(
        re.fullmatch("[0-9a-fA-F]{7,64}", record.head) or record.divergence == "unknown",
        "What is no commit is unknown.",
    )


def _positions(state: Continuity, runtime: Runtime) -> None:
    here = (state.branch, state.head, state.working_tree)
    there = (runtime.repository_branch, runtime.repository_head, runtime.repository_working_tree)
    hold(here == there, "Two answers stand on one commit.", here, there)
    hold(runtime.agree == (runtime.relation == "equal"), "What agrees is equal.", runtime)
    hold(runtime.repository_branch or not runtime.agree, "What cannot be read does not agree.", runtime)
    hold(runtime.repository_branch or state.findings, "That git says nothing is said.", state)


def _counted(providers: Providers, surfaces: SurfacesState) -> None:
    wired = sum(bool(provider.lifecycle) for provider in providers.providers)
    hold(providers.with_lifecycle == wired, "Providers are counted as they are listed.", providers)
    states = [each.states != ["in order"] for each in surfaces.surfaces] + [
        each.state != "in order" for each in surfaces.reviews
    ]
    hold(surfaces.needing == sum(states), "Surfaces are counted as they are listed.", surfaces)


def _lettered(handoffs: HandoffsState) -> None:
    listed = len(handoffs.active), len(handoffs.waiting), len(handoffs.archive), len(handoffs.findings)
    counts = handoffs.counts
    counted = counts.active, counts.waiting, min(counts.archived, handoffs.window), counts.errors + counts.warnings
    hold(counted == listed, "Letters and their findings are counted as they are listed.", counts)
    hold(all(each.sentence for each in handoffs.findings), "Each finding about a letter has its sentence.")
