"""A time is the instant it names, whatever its offset."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cockpit.formats import instants
from tests.examples import examples, soup

offsets = st.integers(-23 * 60 - 59, 23 * 60 + 59).map(lambda minutes: timezone(timedelta(minutes=minutes)))
moments = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=offsets)


@given(moments)
@examples(300)
def test_a_valid_time_is_the_instant_that_datetime_says(moment: datetime) -> None:
    elapsed = moment - datetime(1970, 1, 1, tzinfo=UTC)
    micros = (elapsed.days * 86400 + elapsed.seconds) * 1_000_000 + elapsed.microseconds
    assert instants.parse(moment.isoformat()) == micros * 1000 == instants.of(moment)


@given(moments, moments)
@examples(200)
def test_the_order_of_moments_is_kept(one: datetime, other: datetime) -> None:
    first, second = instants.parse(one.isoformat()), instants.parse(other.isoformat())
    assert first is not None
    assert second is not None
    assert (first < second) == (one < other)


@pytest.mark.parametrize(
    "text",
    [
        "2026-09-12T10:00:00Z",
        "2026-09-12t10:00:00z",
        "2026-09-12 10:00:00+00:00",
        "2026-09-12T10:00:00-00:00",
        "2026-09-12T12:30:00+02:30",
        "2026-09-11T10:01:00-23:59",
        "2026-09-12T10:00:00.000Z",
        "2026-09-12T10:00:00.0000000009Z",
    ],
)
def test_one_instant_has_many_spellings(text: str) -> None:
    assert instants.parse(text) == instants.of(datetime(2026, 9, 12, 10, tzinfo=UTC))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-09-12",
        "2026-09-12T10:00Z",
        "2026-09-12T10:00:00",
        "2026-02-30T10:00:00Z",
        "2026-13-01T10:00:00Z",
        "2026-09-12T25:00:00Z",
        "2026-09-12T10:60:00Z",
        "2026-09-12T10:00:61Z",
        "2026-09-12T10:00:00+24:00",
        "2026-09-12T10:00:00+00:60",
        "2026-09-12T10:00:00+0200",
        "2026-09-12T10:00:00.Z",
        "2026-09-12T10:00:00Z\n",
        " 2026-09-12T10:00:00Z",
        "٢٠٢٦-09-12T10:00:00Z",
        "0000-01-01T00:00:00Z",
        "1789207200",
        "today",
    ],
)
def test_what_is_no_rfc_3339_time_is_none(text: str) -> None:
    assert instants.parse(text) is None


def test_a_leap_second_lies_between_its_neighbours() -> None:
    spelled = ["2016-12-31T23:59:59.9Z", "2016-12-31T23:59:60Z", "2016-12-31T23:59:60.5Z", "2017-01-01T00:00:00Z"]
    read = [instants.parse(text) for text in spelled]
    assert None not in read
    assert read == sorted(read, key=lambda each: each or 0)
    assert (read[1] or 0) < (read[3] or 0)


@given(soup)
@examples(200)
def test_no_text_raises(text: str) -> None:
    assert instants.parse(text) is None or text[:4].isdigit()


def test_a_written_time_is_utc_to_the_second() -> None:
    moment = datetime(2026, 9, 12, 12, 0, 0, 999, tzinfo=timezone(timedelta(hours=2)))
    assert instants.written(moment) == "2026-09-12T10:00:00Z"


@pytest.mark.parametrize(
    ("minutes", "said"),
    [
        (0, "0 minutes"),
        (1, "1 minute"),
        (60, "1 hour"),
        (720, "12 hours"),
        (1441, "1 day 1 minute"),
        (3456, "2 days 9 hours 36 minutes"),
    ],
)
def test_a_length_of_time_is_told_in_words_and_exactly(minutes: int, said: str) -> None:
    assert instants.lasting(minutes) == said
