"""The filter, the order and the pages of the table of episodes."""

from __future__ import annotations

from typing import Any

import pytest

from cockpit.reads.answers import Episode
from cockpit.reads.selection import ROWS, BadQuery, Query, parse, select


def episode(name: str, **more: Any) -> Episode:
    return Episode(
        **{"session_id": name, "path": "x", "standing": "open", "events": 0, "tasks": [], "note": "n"} | more
    )


FOUR = [
    episode("d", standing="stranded", provider="codex", branch="side", events=1, started_at="2026-09-11T04:00:00Z"),
    episode("c", standing="foreign", provider="gemini", events=9, started_at="2026-09-11T05:00:00+02:00"),
    episode("b", provider="codex", branch="main", events=3, started_at="nonsense"),
    episode("a", standing="current", branch="main", last_activity="2026-09-11T04:30:00Z", tasks=["t-77"]),
]


def ids(query: Query, episodes: list[Episode] = FOUR) -> list[str]:
    return [row.session_id for row in select(episodes, query).rows]


def test_nothing_asked_is_everything_in_the_answers_own_order() -> None:
    assert parse({}) == parse({"standing": [""], "q": [""], "page": [""]}) == Query()
    assert ids(Query()) == ["d", "c", "b", "a"]


@pytest.mark.parametrize(
    ("query", "kept"),
    [
        (Query(standing="stranded"), ["d"]),
        (Query(provider="codex"), ["d", "b"]),
        (Query(branch="main"), ["b", "a"]),
        (Query(branch="main", provider="codex"), ["b"]),
        (Query(q="T-77"), ["a"]),
        (Query(q="GEMINI"), ["c"]),
        (Query(provider="cod"), []),
    ],
)
def test_a_filter_keeps_what_it_names(query: Query, kept: list[str]) -> None:
    assert ids(query) == kept


@pytest.mark.parametrize("name", ["standing", "sort", "dir", "page"])
def test_an_unknown_value_is_refused_with_its_name(name: str) -> None:
    with pytest.raises(BadQuery, match=f"`{name}` is “<b>”"):
        parse({name: ["<b>"]})


@pytest.mark.parametrize(("name", "value"), [("standing", "open"), ("sort", "last"), ("dir", "asc"), ("page", "2")])
def test_a_value_given_twice_is_refused(name: str, value: str) -> None:
    with pytest.raises(BadQuery, match=f"`{name}` is given 2 times"):
        parse({name: [value, value]})


@pytest.mark.parametrize("value", ["0", "-1", "1.5", "²", "٣", " 1", "00"])
def test_a_page_is_a_whole_number_from_one(value: str) -> None:
    with pytest.raises(BadQuery, match="`page`"):
        parse({"page": [value]})


def test_an_unknown_provider_is_an_empty_table_that_says_so() -> None:
    chosen = select(FOUR, Query(provider="nobody"))
    assert (chosen.rows, chosen.total, chosen.matching, chosen.pages) == ([], 4, 0, 1)
    assert chosen.words == "None of 4 open episodes has provider “nobody”."


def test_the_words_say_which_filter_and_order_are_in_force() -> None:
    said = select(FOUR, Query(standing="open", q="b", sort="last", dir="asc")).words
    assert said == "1 of 4 open episodes: only standing “open” and text “b”; sorted by last seen, ascending."
    assert select(FOUR, Query()).words == "4 open episodes, no filter; newest first."


@pytest.mark.parametrize(
    ("query", "order"),
    [
        (Query(sort="started"), ["d", "c", "b", "a"]),
        (Query(sort="started", dir="asc"), ["c", "d", "b", "a"]),
        (Query(dir="asc"), ["c", "d", "b", "a"]),
        (Query(sort="last"), ["a", "d", "c", "b"]),
        (Query(sort="standing"), ["a", "b", "c", "d"]),
        (Query(sort="standing", dir="desc"), ["d", "c", "b", "a"]),
        (Query(sort="provider"), ["d", "b", "c", "a"]),
        (Query(sort="branch", dir="desc"), ["d", "b", "a", "c"]),
        (Query(sort="events"), ["c", "b", "d", "a"]),
    ],
)
def test_times_are_sorted_by_instant_and_what_is_missing_comes_last(query: Query, order: list[str]) -> None:
    assert ids(query) == order


def test_a_page_past_the_end_is_the_last_one_and_the_total_stands() -> None:
    many = [episode(f"s-{number}") for number in range(2 * ROWS + 1)]
    second = select(many, Query(page=2))
    assert (second.first, second.last, second.pages, second.rows[0].session_id) == (201, 400, 3, "s-200")
    last = select(many, parse({"page": ["9" * 5000]}))
    assert (last.page, last.first, last.last, last.total) == (3, 401, 401, 401)


def test_an_invisible_character_is_matched_as_it_is_shown() -> None:
    hidden = [episode("x", branch="a\u202eb")]
    assert ids(Query(branch="a\\u202eb"), hidden) == ids(Query(branch="a\u202eb"), hidden) == ["x"]


def test_an_address_says_only_what_differs_from_asking_nothing() -> None:
    query = parse({"provider": ["a&b"], "page": ["3"]})
    assert Query().address() == ""
    assert query.address() == "?provider=a%26b&page=3"
    assert query.turned("last") == "?provider=a%26b&sort=last"
    assert Query(sort="last").turned("last") == "?sort=last&dir=asc"
    assert Query().turned("started") == "?sort=started&dir=asc"
