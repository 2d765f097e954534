"""RFC 3339 times (https://www.rfc-editor.org/rfc/rfc3339#section-5.6) as whole nanoseconds since the epoch."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import lru_cache

_RFC3339 = re.compile(r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))", re.ASCII)
NANOSECONDS = 1_000_000_000
MINUTE = 60 * NANOSECONDS


@lru_cache(maxsize=16384)
def parse(text: str) -> int | None:
    """The instant that ``text`` names, any offset; None where it is no RFC 3339 time.

    A leap second counts as the last second of its minute; digits past the ninth of a fraction are dropped.
    """
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
    seconds = int((start - _EPOCH).total_seconds()) + min(int(second), 59)
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


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
