"""Times and names in words."""

from __future__ import annotations

import pytest

from cockpit.formats import instants
from cockpit.surfaces import words

TAKEN = instants.parse("2026-09-11T08:42:10Z") or 0


@pytest.mark.parametrize(
    ("recorded", "said"),
    [
        ("2026-09-11T06:15:00Z", "2 h 27 m ago"),
        ("2026-09-11T08:45:10Z", "in 3 m"),
        ("2026-09-11T08:41:58Z", "12 s ago"),
        ("2026-09-11T08:42:10Z", "just now"),
        ("2026-09-08T04:00:00Z", "3 d 4 h ago"),
        ("2026-09-08T08:42:10Z", "3 d ago"),
        ("2026-09-11T10:42:10+02:00", "just now"),
    ],
)
def test_a_distance_is_said_in_two_units_at_most(recorded: str, said: str) -> None:
    assert words.distance(recorded, TAKEN) == said


@pytest.mark.parametrize("text", ["", "yesterday", "2026-13-01T00:00:00Z", "2026-09-11"])
def test_what_is_no_time_has_no_distance_and_is_shown_as_recorded(text: str) -> None:
    assert words.distance(text, TAKEN) == ""
    assert words.utc(text) == text


def test_a_time_of_another_offset_is_shown_in_utc() -> None:
    assert words.utc("2026-09-11T08:15:09+02:00") == "2026-09-11 06:15 UTC"
    assert words.utc("2026-09-11T08:15:09+02:00", seconds=True) == "2026-09-11 06:15:09 UTC"


def test_an_instant_outside_the_calendar_is_shown_as_recorded() -> None:
    recorded = "9999-12-31T23:59:59-10:00"
    assert instants.parse(recorded) is not None
    assert words.utc(recorded) == recorded


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/srv/code/atlas", "atlas"),
        ("/srv/code/atlas/", "atlas"),
        ("/", "/"),
        (r"/srv/we\ird", r"we\ird"),
        (r"C:\code\atlas", "atlas"),
        ("sessions-open/a.yaml", "a.yaml"),
    ],
)
def test_a_path_is_named_by_its_last_component(path: str, name: str) -> None:
    assert words.last_component(path) == name


def test_only_a_whole_commit_id_is_shortened() -> None:
    assert words.short("9f3a2a0c51" * 4) == "9f3a2a0c5"
    assert words.short("feature/a-long-name-that-is-no-commit-id") == "feature/a-long-name-that-is-no-commit-id"
