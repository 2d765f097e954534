"""RFC 3339 times (https://www.rfc-editor.org/rfc/rfc3339#section-5.6) as whole nanoseconds since the epoch."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import lru_cache

from cockpit.formats.wording import counted

_RFC3339 = re.compile(r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))", re.ASCII)
NANOSECONDS = 1_000_000_000
MINUTE = 60 * NANOSECONDS
_SECONDS = {f"{second:02}Z": second * NANOSECONDS for second in range(60)}


@lru_cache(maxsize=16384)
def parse(text: str) -> int | None:
    """The instant that ``text`` names, any offset; None where it is no RFC 3339 time.

    A leap second counts as the last nanosecond of its minute, which keeps the order of times; digits past the ninth
    of a fraction are dropped.
    """
    return first_parse(text)


def first_parse(text: str) -> int | None:
    """What :func:`parse` answers, for a text that is not expected again."""
    second = _SECONDS.get(text[17:])
    if second is not None:
        minute = _minute(text[:17])  # records of one minute stand side by side
        return None if minute is None else minute + second
    return _patient(text)


@lru_cache(maxsize=1024)
def _minute(start: str) -> int | None:
    """The instant of ``2026-09-11T06:15:``; None where it is no RFC 3339 time."""
    return _patient(f"{start}00Z")


def _patient(text: str) -> int | None:
    found = _RFC3339.fullmatch(text)
    if not found:
        return None
    date, minute, second, fraction, sign, hours, minutes = found.groups()
    if second > "60" or (sign and (hours > "23" or minutes > "59")):
        return None
    try:
        start = datetime.fromisoformat(f"{date}T{minute}:00+00:00")
    except ValueError:
        return None
    if second == "60":
        second, fraction = "59", "999999999"
    seconds = int((start - _EPOCH).total_seconds()) + int(second)
    if sign:
        offset = int(hours) * 3600 + int(minutes) * 60
        seconds += -offset if sign == "+" else offset
    return seconds * NANOSECONDS + int(((fraction or "") + "000000000")[:9])


def of(moment: datetime) -> int:
    """The instant of an aware datetime."""
    elapsed = moment - _EPOCH
    return (elapsed.days * 86400 + elapsed.seconds) * NANOSECONDS + elapsed.microseconds * 1000


def written(moment: datetime) -> str:
    """An aware datetime as this format writes it: UTC, to the second, with ``Z``."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def lasting(minutes: int) -> str:
    """A length of time in words, exactly: ``2 days 9 hours 36 minutes``, ``12 hours``, ``0 minutes``."""
    parts = ((minutes // 1440, "day"), (minutes // 60 % 24, "hour"), (minutes % 60, "minute"))
    return " ".join(counted(number, unit) for number, unit in parts if number) or counted(0, "minute")


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
