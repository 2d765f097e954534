"""Cadences and the record of the last success."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cockpit.formats import instants
from cockpit.formats.instants import MINUTE
from cockpit.formats.upkeep_record import cadence, last_success, written
from tests.examples import examples

DAY = 1440 * MINUTE


@pytest.mark.parametrize(
    ("stated", "every"),
    [
        ("30m", 30 * MINUTE),
        ("12 hours", DAY // 2),
        ("every 7 days", 7 * DAY),
        ("2w", 14 * DAY),
        ("Weekly", 7 * DAY),
        ("monthly", 30 * DAY),
        *((stated, None) for stated in ("", "0d", "often", "-1d", "1.5d", "7", "every day or so", "9" * 30 + "d")),
    ],
)
def test_a_cadence_is_told_or_it_is_none(stated: str, every: int | None) -> None:
    assert cadence(stated) == every


def test_what_is_written_is_read_back() -> None:
    moment = datetime.fromisoformat("2026-09-11T08:00:00+02:00")
    assert last_success(written(moment, "abc")) == instants.of(moment)


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b'{"last_success": 5}', b'{"last_success": "once"}', b"[" * 9999])
def test_what_names_no_moment_is_none(data: bytes) -> None:
    assert last_success(data) is None


@examples(100)
@given(st.binary())
def test_no_bytes_are_too_odd(data: bytes) -> None:
    assert last_success(data) is None or isinstance(last_success(data), int)
