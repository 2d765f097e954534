"""The ledger: appended under a lock with one write, its last line ended first where a kill left it open.

The lock is a ``flock`` on ``ledger.lock`` in the state folder. Rotation and recovery take it too, and everything that
looks before it acts does so while it holds it.
"""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import suppress

from cockpit.recorder import durable, objects

LIVE = "ledger.jsonl"
LOCK = "ledger.lock"
_TAIL = 16 << 20  # bytes at the end of the ledger in which a hook looks for an episode's lines
_PAUSE = 0.002
BOUNDS = ("session.started", "session.closed", "session.recovered")


class Busy(Exception):
    """The lock was held by somebody else for as long as it was waited for."""


class Lock:
    """``with Lock(state, seconds):`` holds the lock. Raises Busy after ``seconds``, and OSError."""

    def __init__(self, state: str, wait: float) -> None:
        self._path, self._wait, self._descriptor = os.path.join(state, LOCK), wait, -1

    def __enter__(self) -> Lock:
        until = time.monotonic() + self._wait
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= until:
                    os.close(descriptor)
                    raise Busy("another process holds the ledger's lock") from None
                time.sleep(_PAUSE)
            else:
                self._descriptor = descriptor
                return self

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)


def append(state: str, lines: list[dict[str, str]]) -> None:
    """Append events, whole or not at all; the caller holds the lock. Raises OSError."""
    data = encoded(lines)
    descriptor = os.open(
        os.path.join(state, LIVE), os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600
    )
    try:
        size = os.fstat(descriptor).st_size
        if size and os.pread(descriptor, 1, size - 1) != b"\n":
            data = b"\n" + data
        try:
            written = os.write(descriptor, data)
            if written < len(data):  # a full disk: the next write says so
                os.write(descriptor, data[written:])
        except OSError:
            os.ftruncate(descriptor, size)
            raise
    finally:
        os.close(descriptor)


def encoded(lines: list[dict[str, str]]) -> bytes:
    """Events as they stand in the ledger."""
    return "".join(f"{objects.line(line)}\n" for line in lines).encode()


def event(name: str, ts: str, by: str, on: tuple[str, str], session: str = "", **payload: str) -> dict[str, str]:
    """A ledger line: the envelope (``on`` is commit and branch), then its own keys; what is empty is left out."""
    line = {"ts": ts, "event": name, "head": on[0], "branch": on[1], "by": by}
    if session:
        line["session"] = session
    return line | {key: value for key, value in payload.items() if value}


def tail(state: str) -> bytes:
    """The end of the live ledger; empty where there is none. Raises OSError."""
    try:
        with open(os.path.join(state, LIVE), "rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL))
            return file.read()
    except FileNotFoundError:
        return b""


def lines_of(data: bytes, session_id: str) -> list[dict[str, str]]:
    """The events among ``data`` that concern an episode, in order: stamped with its id, or about its recovery."""
    found = []
    for raw in _holding(data, session_id.encode()):
        try:
            line = objects.loads(raw.decode())
        except ValueError:
            continue
        if isinstance(line, dict) and session_id in (line.get("session"), line.get("session_id")):
            found.append({key: value for key, value in line.items() if isinstance(value, str)})
    return found


def ended(lines: list[dict[str, str]]) -> bool:
    """Whether the last word of an episode's lines about its boundary is an end or a recovery."""
    bounds = [line.get("event") for line in lines if line.get("event") in BOUNDS]
    return bool(bounds) and bounds[-1] != "session.started"


def _holding(data: bytes, needle: bytes) -> list[bytes]:
    """The whole lines that hold ``needle``."""
    found, at = [], data.find(needle)
    while at >= 0:
        start, end = data.rfind(b"\n", 0, at) + 1, data.find(b"\n", at)
        if end < 0:
            break
        found.append(data[start:end])
        at = data.find(needle, end)
    return found


def prepare(state: str) -> None:
    """Make the state folder, and have git ignore what is local whatever the repository's own rules say."""
    local = os.path.dirname(state)
    if not os.path.isdir(state):
        durable.folder(state)
    rule = os.path.join(local, ".gitignore")
    if not os.path.lexists(rule):
        with suppress(FileExistsError):
            durable.create(rule, b"*\n")
