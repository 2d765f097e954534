"""Where the bars of the timeline stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from cockpit.formats import instants
from cockpit.reads.answers import Episode, Text
from cockpit.surfaces import timeline

TAKEN = instants.parse("2026-09-11T08:00:00Z") or 0


def episode(started: Text = UNSET, last: Text = UNSET, session_id: str = "s-1-abcd") -> Episode:
    return Episode(
        session_id=session_id,
        path="x",
        provider="codex",
        started_at=started,
        last_activity=last,
        standing="open",
        events=1,
        tasks=[],
        note="n",
    )


def test_a_bar_runs_from_the_start_to_the_last_line() -> None:
    [bar] = timeline.draw([episode("2026-09-11T04:00:00Z", "2026-09-11T06:00:00Z")], TAKEN).bars
    assert (bar.x, bar.width, bar.drawn) == (0, 50, True)
    assert bar.facts.endswith("2026-09-11 04:00 to 2026-09-11 06:00 UTC (2 h)")


def test_an_episode_without_a_ledger_line_is_a_mark_at_its_start() -> None:
    drawn = timeline.draw([episode("2026-09-11T04:00:00Z"), episode("2026-09-11T06:00:00Z")], TAKEN)
    assert [(bar.x, bar.width) for bar in drawn.bars] == [(0, timeline.NARROWEST), (50, timeline.NARROWEST)]


@pytest.mark.parametrize("started", [UNSET, "", "yesterday"])
def test_an_episode_without_a_time_keeps_its_row_and_has_no_bar(started: Text) -> None:
    first, second = timeline.draw([episode(started), episode("2026-09-11T06:00:00Z")], TAKEN).bars
    assert (first.drawn, second.drawn) == (False, True)
    assert first.facts.endswith("no time recorded")


@pytest.mark.parametrize(
    ("started", "labels"),
    [
        ("2026-09-11T07:55:00Z", ["07:50", "07:52", "07:54", "07:56", "07:58", "08:00"]),
        ("2026-09-11T06:00:00Z", ["06:00", "06:30", "07:00", "07:30", "08:00"]),
        ("2026-09-10T15:00:00Z", ["15:00", "18:00", "21:00", "11 Sep", "03:00", "06:00"]),
        ("2026-09-06T15:00:00Z", ["7 Sep", "8 Sep", "9 Sep", "10 Sep", "11 Sep"]),
        ("2026-08-15T15:00:00Z", ["17 Aug", "24 Aug", "31 Aug", "7 Sep"]),
        ("2026-05-15T15:00:00Z", ["Jun 2026", "Jul 2026", "Aug 2026", "Sep 2026"]),
        ("2022-05-15T15:00:00Z", ["2023", "2024", "2025", "2026"]),
    ],
)
def test_the_axis_has_units_for_minutes_to_years(started: str, labels: list[str]) -> None:
    assert [tick.label for tick in timeline.draw([episode(started)], TAKEN).ticks] == labels


def test_a_label_at_an_end_of_the_axis_stays_inside_it() -> None:
    ticks = timeline.draw([episode("2026-09-11T06:00:00Z")], TAKEN).ticks
    assert [tick.anchor for tick in ticks] == ["start", "middle", "middle", "middle", "end"]


MORNING = [episode(f"2026-09-11T0{hour}:00:00Z") for hour in (4, 5, 6)]


def test_a_very_old_start_is_left_outside_the_axis_and_that_is_said() -> None:
    old = episode("2024-01-01T00:00:00Z", "2026-09-11T07:00:00Z")
    drawn = timeline.draw([old, *MORNING], TAKEN)
    assert drawn.begins == "2026-09-11 03:48"
    assert [bar.broken for bar in drawn.bars] == [True, False, False, False]
    assert (drawn.bars[0].x, drawn.bars[1].x > 4) == (0, True)
    assert drawn.note == (
        "1 episode began before this axis does, at 2024-01-01 00:00 UTC: its bar is broken at the left."
    )


def test_old_starts_that_are_no_exception_set_the_axis() -> None:
    drawn = timeline.draw([*[episode("2024-01-01T00:00:00Z")] * 3, *MORNING], TAKEN)
    assert (drawn.begins, drawn.note) == ("2024-01-01 00:00", "")


def test_each_event_is_a_line_in_its_bar_and_two_of_one_place_are_one() -> None:
    seconds = [TAKEN // 10**9 - ago for ago in (7200, 3600, 3599, 0)]
    [bar] = timeline.draw([episode("2026-09-11T06:00:00Z", session_id="s-1")], TAKEN, {"s-1": seconds}.__getitem__).bars
    assert bar.events == "M0 0V1M500 0V1M1000 0V1"


def test_an_event_before_the_axis_has_no_line() -> None:
    old = episode("2024-01-01T00:00:00Z", "2026-09-11T07:00:00Z", session_id="s-1")
    assert timeline.draw([old, *MORNING], TAKEN, lambda _: [0]).bars[0].events == ""


@given(st.lists(st.tuples(st.datetimes(), st.datetimes()), max_size=8))
def test_everything_stands_inside_the_plot_whatever_the_times_are(times: list[tuple[object, object]]) -> None:
    rows = [
        episode(f"{first:%Y-%m-%dT%H:%M:%SZ}".zfill(20), f"{last:%Y-%m-%dT%H:%M:%SZ}".zfill(20))
        for first, last in times
    ]
    drawn = timeline.draw(rows, TAKEN)
    assert all(bar.drawn and bar.x >= 0 and bar.width > 0 and bar.x + bar.width <= 100.01 for bar in drawn.bars)
    assert len(drawn.ticks) <= timeline.MOST_TICKS + 1
    assert all(0 <= tick.x <= 100 for tick in drawn.ticks)


def test_no_episode_is_an_empty_drawing() -> None:
    assert timeline.draw([], TAKEN).bars == []
