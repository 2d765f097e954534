"""Periodic hygiene, where the policy opts in: who does it, how often, and how overdue it is."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from cockpit.formats import instants, upkeep_record
from cockpit.formats.credentials import masked
from cockpit.formats.instants import MINUTE, NANOSECONDS
from cockpit.formats.policy import Hygiene
from cockpit.formats.text import counted, sound
from cockpit.reads.answers import Count, Text, optional
from cockpit.store.files import Fault
from cockpit.store.snapshot import Snapshot

Due = Literal["on time", "overdue", "never", "unknown"]


class HygieneState(Struct, frozen=True, kw_only=True):
    """The policy's ``hygiene`` block as it is written, and how its cadence stands to the last success.

    ``disable_when`` is shown and never judged. ``due`` is *never* where no success is recorded, *unknown* where that
    cannot be told; ``note`` says why. ``overdue_minutes`` are whole minutes past the moment it was due.
    """

    owner: Text = UNSET
    cadence: Text = UNSET
    scope: Text = UNSET
    cap: Text = UNSET
    disable_when: Text = UNSET
    last_success: Text = UNSET
    due: Due
    overdue_minutes: Count = UNSET
    note: str


def state(snapshot: Snapshot) -> HygieneState | UnsetType:
    """How periodic hygiene stands; absent where the policy does not opt in."""
    stated = snapshot.layer.policy.hygiene
    if stated is None:
        return UNSET
    last = snapshot.last_hygiene
    due, overdue, note = _due(stated, last, snapshot.now)
    return HygieneState(
        owner=optional(masked(sound(stated.owner))),
        cadence=optional(sound(stated.cadence)),
        scope=optional(sound(stated.scope)),
        cap=optional(sound(stated.cap)),
        disable_when=optional(sound(stated.disable_when)),
        last_success=_written(last) if isinstance(last, int) else UNSET,
        due=due,
        overdue_minutes=UNSET if overdue is None else overdue // MINUTE,
        note=note,
    )


def _due(stated: Hygiene, last: int | Fault | None, now: int) -> tuple[Due, int | None, str]:
    """The word, how far past due in ns, and the sentence."""
    every = upkeep_record.cadence(stated.cadence)
    if isinstance(last, Fault):
        return "unknown", None, f"{last.path} {last.reason}, so the last success is not known."
    if last is None:
        return "never", None, "No success is recorded yet: `cockpit audit --record` records one."
    if every is None:
        said = "states no cadence" if not stated.cadence else "states a cadence that cannot be read"
        return "unknown", None, f"The policy's hygiene block {said}, such as “7 days”."
    if last > now:
        return "unknown", None, "The last success lies after this moment, so one of the two clocks is wrong."
    past = now - last - every
    if past <= 0:
        return "on time", None, "The last success is within the cadence."
    return "overdue", past, f"It was due {_ago(past)} ago."


def _ago(past: int) -> str:
    minutes = past // MINUTE
    if minutes < 120:
        return counted(minutes, "minute")
    return counted(minutes // 60, "hour") if minutes < 2880 else counted(minutes // 1440, "day")


def _written(instant: int) -> Text:
    try:
        return instants.written(datetime.fromtimestamp(instant // NANOSECONDS, UTC))
    except (ValueError, OverflowError, OSError):
        return UNSET
