"""What a command would do, told by a shell in which each program only says how it was called."""

from __future__ import annotations

import os
import re
import subprocess
from functools import lru_cache
from typing import NamedTuple

from cockpit.store.episodes import POINTER
from tests.fuzz.holding import hold

_PROGRAMS = ("mkdir", "mv", "ln", "rm", "git", "cockpit", "readlink", "tr")
_STAGE = (
    "".join(f'{name}() {{ said {name} "$@"; }}\n' for name in _PROGRAMS)
    + """\
said() { for each; do printf 'w%s\\0' "$each"; done >&3; printf '\\0' >&3; }
test() { said test "$@"; case "$1" in -e) return "$THERE";; *) return 0;; esac; }
set -C
"""
)
"""Ahead of a command: every program tells its words on descriptor 3, and no file is written over.

``printf`` stays, since words are made with it.
"""

_TOUCHING = {"mkdir", "mv", "ln", "rm"}


class Called(NamedTuple):
    """A program and its words, as the shell understood them."""

    program: str
    words: tuple[bytes, ...]


def check(remedy: str, root: str) -> None:
    """Hold that a remedy is one line of plain shell, touches nothing outside a repository, and deletes nothing."""
    hold(re.fullmatch("[ -~]+", remedy), "A remedy is one line of printable ASCII.", remedy)
    hold(_sound(remedy), "A remedy is valid for sh.", remedy)
    for there in ("0", "1"):
        calls = _called(remedy, there)
        hold(calls, "A remedy calls something.", remedy)
        for place, call in enumerate(calls):
            _within(call, root, remedy)
            if call.program == "rm":
                hold(_spares(calls[:place], call, root), "No remedy deletes.", remedy, call)


@lru_cache(maxsize=100_000)
def _sound(remedy: str) -> bool:
    return subprocess.run(["sh", "-n", "-c", remedy], capture_output=True, check=False).returncode == 0


@lru_cache(maxsize=100_000)
def _called(remedy: str, there: str) -> tuple[Called, ...]:
    done = subprocess.run(
        ["sh", "-c", f"exec 3>&1\n{_STAGE}{remedy}"],
        env={"THERE": there, "PATH": os.defpath},
        cwd="/",
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=20,
        check=False,
    )
    calls = [[word[1:] for word in each.split(b"\0")] for each in done.stdout.split(b"\0\0") if each]
    return tuple(Called(program.decode(), tuple(words)) for program, *words in calls)


def _within(call: Called, root: str, remedy: str) -> None:
    """Hold that the paths a program is given lie in the repository; what a link is to hold lies beside the link."""
    names = _names(call)
    if call.program not in _TOUCHING:
        return
    if call.program == "ln" and b"-s" in call.words:
        target, link = names
        hold(re.fullmatch(rb"sessions-open/[^/]+\.yaml", target), "A link is aimed into the store.", remedy)
        names = [link]
    for name in names:
        inside = name.startswith(os.fsencode(root) + b"/") and b".." not in name.split(b"/")
        hold(inside, "A remedy touches nothing outside the repository.", remedy, call)


def _names(call: Called) -> list[bytes]:
    """What follows ``--``."""
    return list(call.words[call.words.index(b"--") + 1 :]) if b"--" in call.words else []


def _spares(before: tuple[Called, ...], call: Called, root: str) -> bool:
    """Whether what is removed is the pointer, which is a link then, or has another name already."""
    names = _names(call)
    if names == [os.fsencode(os.path.join(root, POINTER))]:
        return True
    return any(each.program == "ln" and b"-s" not in each.words and _names(each)[:1] == names for each in before)
