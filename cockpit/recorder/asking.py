"""git asked from the hook: no import of a process library, a time-out, a cleaned environment, several at once."""

from __future__ import annotations

import os
import select
import time
from contextlib import suppress

from cockpit.formats.calls import ENVIRONMENT, SAFE

_KILL = 9
_LIMIT = 64 << 20


def ask(root: str, *calls: tuple[str, ...], timeout: float) -> list[bytes | None]:
    """What each ``git <call>`` in ``root`` printed, all run at once; None where it failed or took too long.

    Every variable that would tell git another repository, index or configuration is dropped (each ``GIT_*``).
    """
    until = time.monotonic() + timeout
    environment = {n: v for n, v in os.environ.items() if not n.startswith("GIT_")} | ENVIRONMENT
    running = [_started(["git", *SAFE, "-C", root, *call], environment) for call in calls]
    return [_answer(process, until) for process in running]


def _started(command: list[str], environment: dict[str, str]) -> tuple[int, int] | None:
    """The process and the end of the pipe it prints into; None where it could not be started."""
    out, into = os.pipe()
    try:
        actions = [
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_DUP2, into, 1),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        ]
        return os.posix_spawnp("git", command, environment, file_actions=actions, setpgroup=0), out
    except OSError:
        os.close(out)
        return None
    finally:
        os.close(into)


def _answer(process: tuple[int, int] | None, until: float) -> bytes | None:
    if process is None:
        return None
    pid, out = process
    try:
        said = _read(out, until)
    finally:
        os.close(out)
    if said is None or not _ended(pid, until):
        with suppress(OSError):
            os.killpg(pid, _KILL)
        said = None
    with suppress(ChildProcessError):
        return said if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0 else None
    return None


def _ended(pid: int, until: float) -> bool:
    """Whether a process that prints no more ends in time; it is not reaped."""
    while os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        if time.monotonic() > until:
            return False
        time.sleep(0.001)
    return True


def _read(out: int, until: float) -> bytes | None:
    """Everything up to the end of a pipe; None where that does not come in time."""
    poll = select.poll()
    poll.register(out, select.POLLIN | select.POLLHUP)
    pieces: list[bytes] = []
    size = 0
    while size < _LIMIT:
        if not poll.poll(max(0, until - time.monotonic()) * 1000):
            return None
        piece = os.read(out, 1 << 16)
        if not piece:
            return b"".join(pieces)
        pieces.append(piece)
        size += len(piece)
    return None
