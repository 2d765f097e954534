"""The git program, asked without a trace: no lock, no configured program, no option taken from data.

GitPython is the binding: it finds the program and starts it. What it answers itself is not used here, since it
rewrites the index to learn whether a tree is dirty, fails on SHA-256 repositories and unborn branches, and has no
third answer for an unknown commit.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
from contextlib import suppress
from functools import lru_cache
from itertools import chain
from time import monotonic, sleep

from msgspec import Struct

from cockpit.formats.calls import ENVIRONMENT, SAFE

os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")  # importing must not fail where git is missing: asking does
from git import Git as Binding
from git.exc import GitCommandNotFound

TIMEOUT = 5.0  # seconds for one question
_PARTING = 0.2  # seconds in which a git that is ended may tidy up
_LIMIT = 64 << 20  # bytes of an answer
_CEILING = "GIT_CEILING_DIRECTORIES"  # https://git-scm.com/docs/git: where looking upwards for a repository ends
_NO_PROGRAM = "git could not be started: is it installed and on the PATH?"


class GitFailed(Exception):
    """git answered with an error, or not at all; ``returncode`` is None where it did not end by itself."""

    def __init__(self, arguments: tuple[str, ...], returncode: int | None, stderr: str) -> None:
        super().__init__(arguments, returncode, stderr)
        self.arguments, self.returncode, self.stderr = arguments, returncode, stderr

    def __str__(self) -> str:
        code = self.returncode or 0
        ending = f"was ended by signal {-code}" if code < 0 else f"ended with {code}"
        said = self.stderr[max(0, self.stderr.find("fatal: ")) :]
        return " ".join(said.split()) or f"git {self.arguments[0]} {ending}"


class GitMissing(GitFailed):
    """There is no git program on the PATH."""


class GitSilent(GitFailed):
    """git did not answer in time and was ended."""


class Answer(Struct, frozen=True):
    """What git printed, its exit code, and what it was asked."""

    out: bytes
    returncode: int
    stderr: str
    arguments: tuple[str, ...]

    def garbled(self) -> GitFailed:
        """The failure of an answer that git does not give: half of one, or another program's."""
        said = f"what git {self.arguments[0]} answered is cut short, or is no answer of git's"
        return GitFailed(self.arguments, self.returncode, said)


class Git:
    """git in one folder. With ``inside`` no repository above that folder is found where its own is gone.

    (git takes a list here that a colon divides: a folder with a colon in its path is asked without that.)
    """

    def __init__(self, where: str, timeout: float = TIMEOUT, *, inside: bool = False) -> None:
        self.where, self.timeout = where, timeout
        self._environment = ENVIRONMENT | {_CEILING: os.path.dirname(where) if inside else ""}

    def ask(self, *arguments: str, data: tuple[str, ...] = (), codes: tuple[int, ...] = (0,)) -> Answer:
        """Run ``git <arguments> --end-of-options <data>``; data can be no option, whatever it begins with.

        ``codes`` are the exit codes that are an answer. Raises GitFailed, GitMissing or GitSilent.
        """
        return self.begin(*arguments, data=data, codes=codes).answer()

    def begin(self, *arguments: str, data: tuple[str, ...] = (), codes: tuple[int, ...] = (0,)) -> Asked:
        """Start what :meth:`ask` runs, and do not wait for it. Raises GitMissing, or GitFailed where none can start."""
        tail = ("--end-of-options", *data) if data else ()
        others = _unset(tuple(name for name in os.environ if name not in self._environment))
        command = [*others, _program(), *SAFE, "-C", self.where, *arguments, *tail]
        try:
            started = Binding().execute(command, as_process=True, env=self._environment, process_group=0)
        except (GitCommandNotFound, PermissionError) as error:
            raise GitMissing(arguments, None, _NO_PROGRAM) from error
        except OSError as error:
            raise GitFailed(arguments, None, f"git could not be started ({error.strerror})") from error
        assert isinstance(started, Binding.AutoInterrupt)
        return Asked(started, arguments, codes, self.timeout)


class Asked:
    """A question that git is at work on; when nobody wants the answer any more, the process is ended."""

    def __init__(
        self, started: Binding.AutoInterrupt, arguments: tuple[str, ...], codes: tuple[int, ...], timeout: float
    ) -> None:
        self._started, self._arguments, self._codes, self._timeout = started, arguments, codes, timeout

    def __del__(self) -> None:
        self.end()

    def end(self) -> None:
        """End the process, where it is still at work."""
        if self._started.proc:
            _ended(self._started.proc)

    def answer(self) -> Answer:
        """What git answers, once; the time-out counts from here. Raises GitFailed, GitMissing or GitSilent."""
        assert self._started.proc
        answer = _collected(self._started.proc, self._arguments, self._timeout)
        if answer.returncode == 127 and b"env" in answer.stderr.encode()[:16]:
            raise GitMissing(self._arguments, None, _NO_PROGRAM)
        if answer.returncode not in self._codes:
            raise GitFailed(self._arguments, answer.returncode, answer.stderr)
        return answer


def _collected(process: subprocess.Popen[bytes], arguments: tuple[str, ...], timeout: float) -> Answer:
    """The answer of a running process; it and its children are ended when it takes longer than ``timeout``."""
    until = monotonic() + timeout
    try:
        out, err = _drained(process, until)
        _reaped(process, until)
    except subprocess.TimeoutExpired:
        _ended(process, children=True)
        raise GitSilent(arguments, None, f"git {arguments[0]} did not answer within {timeout:g} seconds") from None
    except OverflowError:
        raise GitFailed(arguments, None, f"git {arguments[0]} answered more than {_LIMIT >> 20} MiB") from None
    finally:
        _ended(process)
    return Answer(out, process.returncode, err.decode("utf-8", "backslashreplace").strip(), arguments)


def _drained(process: subprocess.Popen[bytes], until: float) -> list[bytes]:
    """What comes through both pipes until both are closed. Raises TimeoutExpired; OverflowError past the limit."""
    pieces: dict[int, list[bytes]] = {pipe.fileno(): [] for pipe in (process.stdout, process.stderr) if pipe}
    size, waiting, poll = 0, set(pieces), select.poll()
    for descriptor in pieces:
        poll.register(descriptor, select.POLLIN)
    while waiting:
        ready = poll.poll(1000 * max(0.0, until - monotonic()))
        if not ready:
            raise subprocess.TimeoutExpired(process.args, until)
        for descriptor, _ in ready:
            piece = os.read(descriptor, 1 << 16)
            pieces[descriptor].append(piece)
            size += len(piece)
            if not piece:
                poll.unregister(descriptor)
                waiting.discard(descriptor)
        if size > _LIMIT:
            raise OverflowError
    return [b"".join(each) for each in pieces.values()]


def _reaped(process: subprocess.Popen[bytes], until: float) -> None:
    """Wait for a process that closed its pipes, so that its end is near: Popen's own waiting naps a millisecond."""
    for _ in range(20):
        if process.poll() is not None:
            return
        sleep(0.00005)
    process.wait(max(0.0, until - monotonic()))


def _ended(process: subprocess.Popen[bytes], *, children: bool = False) -> None:
    """Leave nothing of a process: not its group, not its pipes, not its entry.

    With ``children`` its group is ended also where it has ended itself; while one of it lives, the number is taken.
    """
    alive = process.poll() is None
    if alive or children:
        with suppress(OSError, subprocess.TimeoutExpired):
            os.killpg(process.pid, signal.SIGTERM)  # on which git takes its locks away
            process.wait(_PARTING)
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    if alive:
        with suppress(subprocess.TimeoutExpired):
            process.wait(1)
    for pipe in (process.stdout, process.stderr):
        if pipe:
            pipe.close()


def _program() -> str:
    return Binding.GIT_PYTHON_GIT_EXECUTABLE or "git"


@lru_cache(maxsize=8)
def _unset(names: tuple[str, ...]) -> tuple[str, ...]:
    """``env -u …`` for every one of these variables that would tell git another repository, configuration or trace.

    That is more than ``git rev-parse --local-env-vars`` names: every ``GIT_*``. The binding can only add variables.
    """
    ours = sorted(n for n in names if n.startswith("GIT_") and not n.startswith("GIT_PYTHON_"))
    return ("env", *chain.from_iterable(("-u", name) for name in ours)) if ours else ()


def one_line(answer: Answer) -> str:
    """An answer that is one path or word: exactly one trailing newline is not part of it. Raises GitFailed."""
    if not answer.out.endswith(b"\n"):
        raise answer.garbled()
    return os.fsdecode(answer.out[:-1])


def fields(answer: Answer) -> list[bytes]:
    """The fields of an answer to ``-z``, each of which ends in NUL. Raises GitFailed."""
    *whole, rest = answer.out.split(b"\0")
    if rest:
        raise answer.garbled()
    return whole
