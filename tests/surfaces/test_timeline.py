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
    assert not first.drawn
    assert first.facts.endswith("no time recorded")
    assert second.y == first.y + timeline.ROW


def test_a_day_is_ticked_in_whole_hours_and_midnight_has_its_date() -> None:
    labels = [tick.label for tick in timeline.draw([episode("2026-09-10T15:00:00Z")], TAKEN).ticks]
    assert labels == ["15:00", "18:00", "21:00", "2026-09-11", "03:00", "06:00"]


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
