"""All closed records: the filter, the order and the pages of their table, and what closed since a moment."""

from __future__ import annotations

import time

import pytest

from cockpit.formats import instants
from cockpit.formats.records import SessionRecord
from cockpit.reads import archive, tables
from cockpit.reads.archive import Query, parse, select, since
from cockpit.reads.tables import ROWS, BadQuery
from cockpit.store.sessions import Found
from cockpit.store.snapshot import Snapshot
from tests.builders import Scene
from tests.looking import look


def instant(text: str) -> int:
    return instants.parse(text) or 0


@pytest.fixture
def snapshot(scene: Scene) -> Snapshot:
    scene.closed_record("s-a", "2026-09-12T10:00:00Z", title='"Labels"', outcome="interrupted")
    scene.closed_record("s-b", "2026-09-13T10:00:00+02:00", title='"prices"', branch="side")
    scene.closed_record("s-c", "yesterday", title='"No time"', branch="side")
    scene.closed_record("s-b", "2026-09-13T09:00:00Z", title='"prices, again"', branch="side")
    scene.commit("Four records")
    scene.closed_record("s-d", "2026-09-14T10:00:00Z")
    return look(scene)


def ids(snapshot: Snapshot, query: Query) -> list[str]:
    return [row.session_id for row in select(snapshot, query).rows]


def test_every_tracked_record_is_there_newest_first_and_no_untracked_one(snapshot: Snapshot) -> None:
    assert ids(snapshot, Query()) == ["s-b", "s-b", "s-a", "s-c"]


@pytest.mark.parametrize(
    ("query", "kept"),
    [
        (Query(branch="side"), ["s-b", "s-b", "s-c"]),
        (Query(outcome="interrupted"), ["s-a"]),
        (Query(q="AGAIN"), ["s-b"]),
        (Query(q="s-a"), ["s-a"]),
        (Query(branch="side", outcome="interrupted"), []),
        (Query(sort="title"), ["s-a", "s-c", "s-b", "s-b"]),
        (Query(sort="closed", dir="asc"), ["s-a", "s-b", "s-b", "s-c"]),
    ],
)
def test_a_filter_keeps_what_it_names_and_a_column_sorts(snapshot: Snapshot, query: Query, kept: list[str]) -> None:
    assert ids(snapshot, query) == kept


def test_the_filter_is_said_in_words(snapshot: Snapshot) -> None:
    said = select(snapshot, Query(branch="side", q="prices")).words
    assert said == "2 of 4 closed records: only branch “side” and text “prices”; newest first."


@pytest.mark.parametrize("name", ["outcome", "sort", "dir", "page", "keys"])
def test_an_unknown_value_is_refused_with_its_name(name: str) -> None:
    with pytest.raises(BadQuery, match=f"`{name}` is “<b>”"):
        parse({name: ["<b>"]})


@pytest.mark.parametrize(
    ("moment", "closed"),
    [
        ("2026-09-12T10:00:00Z", ["s-b", "s-a"]),
        ("2026-09-12T10:00:01Z", ["s-b"]),
        ("2026-09-13T09:00:01Z", []),
    ],
)
def test_what_closed_since_a_moment_is_named_once_an_episode(
    snapshot: Snapshot, moment: str, closed: list[str]
) -> None:
    assert [row.session_id for row in since(snapshot, instant(moment))] == closed


def test_what_closed_since_is_not_cut_at_twenty(scene: Scene) -> None:
    for number in range(25):
        scene.closed_record(f"s-{number}", f"2026-09-12T10:{number:02}:00Z")
    scene.commit("Many records")
    assert len(since(look(scene), instant("2026-09-12T10:00:00Z"))) == 25


def test_ten_thousand_records_are_filtered_sorted_and_paged_in_a_moment() -> None:
    many = [_found(number) for number in range(10_000)]
    began = time.process_time()
    chosen = tables.select(many, parse({"q": ["title 9"], "sort": ["title"], "page": ["2"]}))
    assert time.process_time() - began < 1
    assert (chosen.matching, len(chosen.rows), chosen.total) == (1111, ROWS, 10_000)


def _found(number: int) -> Found:
    record = SessionRecord(
        f"s-{number}", "2026-09-12T10:00:00Z", f"b-{number % 40}", "0" * 40, "closed", f"Title {number}"
    )
    return Found(f"{number}.md", f"{archive.TABLE.one}/{number}.md", record, True)
