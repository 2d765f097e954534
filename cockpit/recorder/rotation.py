"""Rotation: the oldest ledger lines move into a dated archive beside it. Nothing is deleted, nothing overwritten.

Three steps, under the lock: the archive is written under a name that no reader takes for one, the ledger is replaced
by what it keeps with a line that names the archive, the archive gets its name. A kill after the first step leaves a
copy that the ledger does not name, and is set aside; after the second an archive without its name, which the next
rotation or recovery gives it.
"""

from __future__ import annotations

import os
from datetime import datetime, timedelta

from cockpit.recorder import durable, ledger
from cockpit.recorder.episodes import stamp

PENDING = ".rotating"
_ARCHIVED = ".jsonl.archived"


def rotate(state: str, keep: int, ts: str, by: str, on: tuple[str, str]) -> str:
    """Keep the newest ``keep`` lines; the archive's name, empty where there is nothing to move. The lock is held."""
    complete(state)
    try:
        with open(os.path.join(state, ledger.LIVE), "rb") as file:
            lines = _lines(file.read())
    except FileNotFoundError:
        return ""
    moved, kept = lines[: max(0, len(lines) - keep)], lines[max(0, len(lines) - keep) :]
    if not moved:
        return ""
    name = _free(state, ts)
    durable.create(os.path.join(state, name + PENDING), b"".join(moved))
    told = {"archived": str(len(moved)), "kept": str(len(kept)), "archive": name}
    last = ledger.encoded([ledger.event("ledger.rotated", ts, by, on, **told)])
    durable.replace(os.path.join(state, ledger.LIVE), b"".join(kept) + last)
    _named(state, name)
    return name


def complete(state: str) -> None:
    """Finish what a kill interrupted: give the archives that the ledger names their name. The lock is held."""
    for pending in set(_pending(state)) - set(copies(state)):
        _named(state, pending.removesuffix(PENDING))


def copies(state: str) -> list[str]:
    """Pending archives that the ledger does not name: their lines are all still in it."""
    said = ledger.tail(state)
    return [each for each in _pending(state) if f'"archive":"{each.removesuffix(PENDING)}"'.encode() not in said]


def archived(name: str) -> bool:
    """Whether a name in the state folder is that of an archive."""
    return name.startswith("ledger.") and name.endswith(_ARCHIVED)


def _pending(state: str) -> list[str]:
    return sorted(name for name in _listed(state) if name.endswith(_ARCHIVED + PENDING))


def _named(state: str, name: str) -> None:
    path = os.path.join(state, name)
    if not os.path.lexists(path):
        os.link(path + PENDING, path)
    os.unlink(path + PENDING)
    durable.flush(state)


def _lines(data: bytes) -> list[bytes]:
    """The lines of the ledger, each with its end; the last one gets one where a kill left it without."""
    lines = [line + b"\n" for line in data.split(b"\n")]
    return lines[:-1] if data.endswith(b"\n") or not data else lines


def _free(state: str, ts: str) -> str:
    """A name after every archive there is, also where the clock went back: readers take archives in their order."""
    taken = sorted(n.removesuffix(PENDING) for n in _listed(state) if n.removesuffix(PENDING).endswith(_ARCHIVED))
    name = f"ledger.{stamp(ts)}{_ARCHIVED}"
    if taken and name <= taken[-1]:
        last = taken[-1].removeprefix("ledger.").removesuffix(_ARCHIVED)
        try:
            after = datetime.strptime(last, "%Y%m%dT%H%M%SZ") + timedelta(seconds=1)
        except ValueError:
            return f"ledger.{last}-2{_ARCHIVED}"
        name = f"ledger.{after:%Y%m%dT%H%M%SZ}{_ARCHIVED}"
    return name


def _listed(state: str) -> list[str]:
    try:
        return os.listdir(state)
    except FileNotFoundError:
        return []
