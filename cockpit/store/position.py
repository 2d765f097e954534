"""Where a checkout stands: commit, branch and whether its working tree is clean, from one ``git status``."""

from __future__ import annotations

import os
from collections.abc import Callable, Set
from typing import Literal

from msgspec import Struct

from cockpit.formats.calls import STATUS, changed
from cockpit.formats.text import shown
from cockpit.store.git import Answer, GitFailed, GitMissing, GitSilent, one_line

Ask = Callable[..., Answer]

DETACHED = "DETACHED"
_BRANCHES = "refs/heads/"


class Position(Struct, frozen=True):
    """What git says now. A branch without a head is unborn; no branch and no head: git does not say.

    ``branch`` is ``DETACHED`` where HEAD names none. ``failure`` is git's sentence where a part is missing.
    """

    head: str = ""
    branch: str = ""
    working_tree: Literal["clean", "dirty", ""] = ""
    failure: str = ""


class Status(Struct, frozen=True):
    """A position, and the repository-relative paths that git calls changed.

    None where git did not say, or complained: what it may not look at it passes over, and calls it unchanged.
    """

    position: Position
    changed: Set[str] | None = None


def status(ask: Ask) -> Status:
    """Ask git once; where its status fails, ask for commit and branch alone."""
    try:
        answer = ask(*STATUS)
    except (GitMissing, GitSilent) as error:
        return Status(Position(failure=str(error)))
    except GitFailed as error:
        return Status(_without_status(ask, str(error)))
    paths = changed(answer.out)
    position = _position(ask, answer.out.split(b"\0"), dirty=bool(paths))
    return Status(position, None if answer.stderr else frozenset(map(os.fsdecode, paths)))


def _position(ask: Ask, fields: list[bytes], *, dirty: bool) -> Position:
    headers = dict(field[2:].split(b" ", 1) for field in fields if field.startswith(b"# ") and b" " in field[2:])
    oid, branch = headers.get(b"branch.oid", b""), headers.get(b"branch.head", b"")
    name = shown(branch.decode("utf-8", "surrogateescape"))
    if name in ("(detached)", "(null)"):  # also names that a branch may have
        try:
            name = _branch(ask)
        except GitFailed as error:
            return Position(failure=str(error))
    return Position("" if oid == b"(initial)" else oid.decode(), name, "dirty" if dirty else "clean")


def _branch(ask: Ask) -> str:
    """The branch that HEAD names, or ``DETACHED``. Raises GitFailed."""
    answer = ask("symbolic-ref", "--quiet", "HEAD", codes=(0, 1))
    named = one_line(answer)
    return shown(named.removeprefix(_BRANCHES)) if named.startswith(_BRANCHES) else DETACHED


def _without_status(ask: Ask, failure: str) -> Position:
    """Commit and branch where the status fails, for example with a corrupt index."""
    try:
        branch = _branch(ask)
        head = ask("rev-parse", "--quiet", "--verify", "HEAD^{commit}", codes=(0, 1))
    except GitFailed:
        return Position(failure=failure)
    return Position(one_line(head) if head.returncode == 0 else "", branch, "", failure)
