"""The books as a stacked bar."""

from __future__ import annotations

from cockpit.reads.answers import Balance
from cockpit.surfaces import bar


def balance(started: int, closed: int, recovered: int, open_: int) -> Balance:
    unaccounted = started - closed - recovered - open_
    return Balance(
        started=started,
        closed=closed,
        recovered=recovered,
        open=open_,
        unaccounted=unaccounted,
        agrees=not unaccounted,
        unaccounted_sessions=[],
        note="n",
    )


def test_the_parts_fill_the_bar_side_by_side() -> None:
    parts = bar.segments(balance(20, 10, 0, 5))
    assert [(part.word, part.count, part.x, part.width) for part in parts] == [
        ("closed", 10, 0, 50),
        ("open", 5, 50, 25),
        ("unaccounted", 5, 75, 25),
    ]


def test_recovered_stands_there_only_when_there_is_any() -> None:
    assert [part.word for part in bar.segments(balance(4, 1, 1, 2))] == ["closed", "recovered", "open", "unaccounted"]


def test_a_negative_remainder_keeps_its_number_and_takes_no_room() -> None:
    *_, last = bar.segments(balance(3, 4, 0, 2))
    assert (last.count, last.width) == (-3, 0)


def test_books_without_an_entry_draw_nothing() -> None:
    assert not any(part.width for part in bar.segments(balance(0, 0, 0, 0)))
