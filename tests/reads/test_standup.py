"""Who is open on what, and the moment from which a closed episode is news."""

from __future__ import annotations

from typing import Any

import pytest

from cockpit.formats import instants
from cockpit.reads import standup
from cockpit.reads.answers import Continuity, Episode, Tallies, Task
from cockpit.reads.tables import BadQuery

TAKEN = instants.parse("2026-11-30T08:42:10Z") or 0


def episode(**more: Any) -> Episode:
    words = {"session_id": "s-1", "path": "p", "standing": "open", "events": 1, "tasks": [], "note": "n"}
    return Episode(**words | more)


def state(task: Task) -> Continuity:
    tallies = Tallies(handovers=0, checkpoints=0, blockers=0, ledger_lines=0)
    return Continuity(present=True, worktree="/w", task=task, blockers=[], tallies=tallies, findings=[])


ROUNDING = state(Task(id="t-1", task="Round weights up", scope=[], requires=[]))


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("2026-11-29", "2026-11-29T00:00:00Z"),
        ("2026-11-29T08:00:00Z", "2026-11-29T08:00:00Z"),
        ("2026-11-29T08:00:00+02:00", "2026-11-29T06:00:00Z"),
        ("", "2026-11-29T08:42:10Z"),
    ],
)
def test_since_is_a_date_an_instant_or_else_a_day_ago(given: str, meant: str) -> None:
    assert standup.since({"since": [given]}, TAKEN) == instants.parse(meant)


@pytest.mark.parametrize(
    "given", ["yesterday", "2026-13-01", "20261129", "2026-W48-7", "2026-11-29T08:00:00 02:00", "0"]
)
def test_any_other_since_is_refused_in_a_sentence(given: str) -> None:
    with pytest.raises(BadQuery, match=r"`since` is “.*”; it is a date such as 2026-11-29, or"):
        standup.since({"since": [given]}, TAKEN)


def test_since_is_given_once() -> None:
    with pytest.raises(BadQuery, match="`since` is given 2 times"):
        standup.since({"since": ["2026-11-29", "2026-11-30"]}, TAKEN)


def test_yesterday_is_the_date_before() -> None:
    assert standup.yesterday(TAKEN) == "2026-11-29"


@pytest.mark.parametrize(
    ("tasks", "on"),
    [(["t-0", "t-1"], "Round weights up"), (["t-0", "t-2"], "t-2"), ([], "no task")],
)
def test_what_somebody_is_on_is_the_active_task_in_words_or_the_last_task_by_id(tasks: list[str], on: str) -> None:
    assert [worker.on for worker in standup.workers([episode(tasks=tasks)], ROUNDING)] == [on]


@pytest.mark.parametrize(
    ("known", "who"),
    [({"owner": "mara", "provider": "codex"}, "mara"), ({"provider": "codex"}, "codex"), ({}, "s-1")],
)
def test_who_is_open_always_has_a_name(known: dict[str, str], who: str) -> None:
    [worker] = standup.workers([episode(**known)], None)
    assert (worker.who, worker.place) == (who, 1)
