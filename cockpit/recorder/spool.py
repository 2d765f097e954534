"""Events that found the ledger locked: each waits in a file beside the ledger until the next writer acts on it.

Such a file is written whole or not at all, holds what the adapter reads of a payload and what git said then, and goes
once the event was acted on. Acting twice is harmless: a start keeps its episode, an end closes what is open.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from cockpit.recorder import durable, objects
from cockpit.recorder.adapters import Event
from cockpit.recorder.facts import Facts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PREFIX = "ledger.spool."


class Waiting:
    """An event, how far it came (``received``: its receipt is written), and what git said."""

    __slots__ = ("commits", "event", "facts", "received")

    def __init__(self, event: Event, facts: Facts, commits: list[str] | None = None, *, received: bool = False) -> None:
        self.event, self.facts, self.commits, self.received = event, facts, commits, received


def put(state: str, waiting: Waiting) -> None:
    """Write an event down. Raises OSError."""
    event, facts = waiting.event, waiting.facts
    fields = {
        "event": {name: getattr(event, name) for name in Event.__slots__},
        "facts": {name: getattr(facts, name) for name in Facts.__slots__},
        "commits": waiting.commits,
        "received": waiting.received,
    }
    import json  # noqa: PLC0415  nearly no hook comes here

    name = f"{PREFIX}{time.time_ns():020}-{os.getpid()}.json"
    durable.create(os.path.join(state, name), json.dumps(fields).encode())


def drain(state: str, act: Callable[[Waiting], None]) -> None:
    """Act on every event that waits, oldest first; one that cannot be read is kept under another name."""
    for name in sorted(n for n in os.listdir(state) if n.startswith(PREFIX) and n.endswith(".json")):
        path = os.path.join(state, name)
        waiting = _read(path)
        if waiting is None:
            os.rename(path, f"{path}.unreadable")
            continue
        act(waiting)
        os.unlink(path)


def _read(path: str) -> Waiting | None:
    try:
        with open(path, "rb") as file:
            fields: Any = objects.loads(file.read().decode())
        facts = Facts("", "")
        for name in Facts.__slots__:
            setattr(facts, name, fields["facts"][name])
        return Waiting(Event(**fields["event"]), facts, fields["commits"], received=fields["received"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
