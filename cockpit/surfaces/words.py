"""Recorded times and names in words, for the page and the note. Pure: the moment of taking is passed in.

Instants are whole nanoseconds since the epoch. A time that is no RFC 3339 time is shown as it was recorded and
has no distance: nothing here raises on recorded text.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from cockpit.formats import instants

SECOND = instants.NANOSECONDS
_COMMIT = re.compile(r"[0-9a-f]{40,64}", re.ASCII)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def moment(instant: int) -> datetime | None:
    """An instant as a UTC datetime; None outside the years 1 to 9999."""
    try:
        return _EPOCH + timedelta(microseconds=instant // 1000)
    except OverflowError:
        return None


def utc(text: str, seconds: bool = False) -> str:
    """A recorded time as ``2026-09-11 06:15 UTC``, whatever its offset; other text comes back as it is."""
    instant = instants.parse(text)
    known = moment(instant) if instant is not None else None
    return f"{known:{'%Y-%m-%d %H:%M:%S' if seconds else '%Y-%m-%d %H:%M'}} UTC" if known else text


def rfc3339(instant: int) -> str:
    """An instant as a record would have it: UTC, to the second; empty outside the years 1 to 9999."""
    known = moment(instant)
    return instants.written(known) if known else ""


def duration(nanoseconds: int) -> str:
    """A length of time in one or two units: ``3 d 4 h``, ``2 h 27 m``, ``5 m``, ``12 s``; the sign is dropped."""
    seconds = abs(nanoseconds) // SECOND
    days, hours, minutes = seconds // 86400, seconds // 3600 % 24, seconds // 60 % 60
    if days:
        return _joined((days, "d"), (hours, "h"))
    if hours:
        return _joined((hours, "h"), (minutes, "m"))
    return f"{minutes} m" if minutes else f"{seconds} s"


def _joined(*parts: tuple[int, str]) -> str:
    return " ".join(f"{count} {unit}" for count, unit in parts if count)


def distance(text: str, taken: int) -> str:
    """How far a recorded time lies from the instant ``taken``: ``2 h 27 m ago``, ``in 3 m``; empty if it is none."""
    instant = instants.parse(text)
    if instant is None:
        return ""
    gap = taken - instant
    if abs(gap) < SECOND:
        return "just now"
    return f"{duration(gap)} ago" if gap > 0 else f"in {duration(gap)}"


def short(commit: str) -> str:
    """A whole commit id by its first nine digits; anything else as it is."""
    return commit[:9] if _COMMIT.fullmatch(commit) else commit


def last_component(path: str) -> str:
    """The last component of a path; ``/`` for the root itself. A ``\\`` is part of a name where a ``/`` leads."""
    separators = "/" if path.startswith("/") else "/\\"
    return re.split(f"[{re.escape(separators)}]", path.rstrip(separators))[-1] or "/"
