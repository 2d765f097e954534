"""What the page counts at its top."""

from __future__ import annotations

from typing import Any

from cockpit.reads.answers import Closed, Continuity, Episode, Episodes, Tallies
from cockpit.reads.recovery import Need, grouped
from cockpit.reads.tallies import tallies, told


def open_(*standings: Any) -> Episodes:
    rows = [
        Episode(session_id=str(n), path="p", standing=each, events=0, tasks=[], note="n")
        for n, each in enumerate(standings)
    ]
    return Episodes(present=True, store="s", worktree="/w", episodes=rows, findings=[])


def need(kind: Any, number: int = 0) -> Need:
    return Need(kind, f"n-{number}", "", "why", f"true {number}", "recovery")


def test_a_tally_has_the_parts_that_there_are_and_leads_to_its_section() -> None:
    found = tallies({"episodes": open_("current", "stranded", "stranded")}, [need("stranded")])
    assert [(tally.title, tally.parts, tally.anchor) for tally in found] == [
        ("1 needs a hand", [("stranded", 1)], "needs-a-hand"),
        ("3 open", [("current", 1), ("stranded", 2)], "episodes"),
    ]


def test_a_read_that_failed_has_no_tally_and_nothing_is_a_tally_without_parts() -> None:
    nothing = Closed(total=0, on_this_branch=0, episodes=0, window=20, newest=[], untracked=[], findings=[])
    found = tallies({"episodes": None, "closed": nothing}, None)
    assert [(tally.title, tally.parts) for tally in found] == [("0 closed", [])]


def test_one_of_a_part_is_told_as_one() -> None:
    counts = Tallies(handovers=1, checkpoints=2, blockers=1, ledger_lines=0)
    state = Continuity(present=True, worktree="/w", blockers=[], tallies=counts, findings=[])
    closed = Closed(total=1, on_this_branch=0, episodes=1, window=20, newest=[], untracked=[], findings=[])
    parts = [part for tally in tallies({"continuity": state, "closed": closed}, None) for part in tally.parts]
    assert [told(*part) for part in parts] == ["1 other branch", "1 handover", "2 checkpoints", "1 unresolved"]


# ---------------------------------------------------------------------- many of one kind
def test_a_few_of_one_kind_stand_alone() -> None:
    groups = grouped([need("stranded", n) for n in range(5)])
    assert [(group.title, group.first, len(group.needs)) for group in groups] == [("", n, 1) for n in range(1, 6)]


def test_more_than_five_of_one_kind_are_one_group_and_the_order_stands() -> None:
    needs = [need("pointer"), *(need("stranded", n) for n in range(6)), need("unreadable")]
    groups = grouped(needs)
    assert [(group.title, group.first) for group in groups] == [("", 1), ("6 stranded records", 2), ("", 8)]
    assert [each for group in groups for each in group.needs] == needs


def test_fragments_and_doubles_are_other_orphans_together() -> None:
    needs = [need("fragment" if n % 2 else "published", n) for n in range(8)]
    [group] = grouped(needs)
    assert (group.title, group.needs) == ("8 other orphans", needs)
