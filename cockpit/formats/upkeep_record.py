"""Periodic hygiene: how often it is due, and the record of its last success, one JSON object.

``{"last_success": "2026-11-30T08:00:00Z", "head": "…"}``. A cadence is ``12h``, ``7 days``, ``every 2 weeks``, or one
of ``hourly``, ``daily``, ``weekly`` and ``monthly`` (thirty days).
"""

from __future__ import annotations

import json
import re
from datetime import datetime
from typing import Any

from cockpit.formats import instants
from cockpit.formats.instants import MINUTE

_HOUR, _DAY = 60 * MINUTE, 1440 * MINUTE
_WORDS = {"hourly": _HOUR, "daily": _DAY, "weekly": 7 * _DAY, "monthly": 30 * _DAY}
_UNITS = {"m": MINUTE, "h": _HOUR, "d": _DAY, "w": 7 * _DAY}
_STATED = re.compile(r"(?:every )?(\d{1,5}) ?(m|h|d|w|min|minutes?|hours?|days?|weeks?)", re.ASCII)


def cadence(stated: str) -> int | None:
    """A cadence in ns; None where it is none."""
    low = " ".join(stated.lower().split())
    if low in _WORDS:
        return _WORDS[low]
    found = _STATED.fullmatch(low)
    return int(found[1]) * _UNITS[found[2][0]] or None if found else None


def written(moment: datetime, head: str) -> bytes:
    """The record of a success at a moment (aware), on a commit."""
    return (json.dumps({"last_success": instants.written(moment), "head": head}) + "\n").encode()


def last_success(data: bytes) -> int | None:
    """The moment (ns) that a record names; None where it names none."""
    try:
        read: Any = json.loads(data)
    except (ValueError, RecursionError):
        return None
    stated = read.get("last_success") if isinstance(read, dict) else None
    return instants.parse(stated) if isinstance(stated, str) else None
