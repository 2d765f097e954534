"""A run in a process of its own that dies at a chosen system call, as a kill would make it: nothing is tidied up."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Sequence
from typing import Any

CALLS = ("open", "close", "read", "write", "fsync", "fchmod", "fchown", "link", "unlink", "rename", "mkdir", "stat")
"""What a run asks of the system, by the names that Python has for it."""

WRITES = ("write", "fsync", "fchmod", "link", "unlink", "rename", "mkdir")
"""Those that change the disk: a kill between two of them leaves what a kill before the second one leaves."""


def run(work: Callable[[], object], dies_at: int | None = None, calls: Sequence[str] = CALLS) -> int | None:
    """Do ``work`` in a child that is killed before its call number ``dies_at`` of ``calls`` (a write is torn).

    Answers how many calls it made; None where it was killed. A failure of the work is an AssertionError.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _child(work, dies_at, writing, calls)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
        return None
    assert os.WIFEXITED(status), status
    assert os.WEXITSTATUS(status) == 0, said.decode(errors="replace")
    return int(said)


def _child(work: Callable[[], object], dies_at: int | None, pipe: int, calls: Sequence[str]) -> None:
    real_write, real_exit = os.write, os._exit
    count = _counted(dies_at, calls)
    try:
        work()
    except BaseException as error:
        real_write(pipe, repr(error).encode()[:4000])
        real_exit(1)
    real_write(pipe, str(count[0]).encode())
    real_exit(0)


def _counted(dies_at: int | None, calls: Sequence[str]) -> list[int]:
    count = [0]

    def counting(name: str, real: Any) -> Any:
        def call(*given: Any, **more: Any) -> Any:
            if count[0] == dies_at:
                if name == "write" and len(given[1]) > 1:
                    real(given[0], bytes(given[1])[: len(given[1]) // 2])
                os.kill(os.getpid(), signal.SIGKILL)
            count[0] += 1
            return real(*given, **more)

        return call

    for name in calls:
        setattr(os, name, counting(name, getattr(os, name)))
    return count
