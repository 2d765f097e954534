"""Where a checkout stands: commit, branch and whether its working tree is clean, from one ``git status``."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from cockpit.formats.calls import STATUS
from cockpit.formats.text import shown
from cockpit.store.git import Answer, GitFailed, GitMissing, GitSilent, fields, one_line

Ask = Callable[..., Answer]

DETACHED = "DETACHED"
_BRANCHES = "refs/heads/"
_OID = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_UNSEEN = "could not open directory"  # a warning: git calls clean what it cannot see
_ENTRIES = (b"# ", b"1 ", b"u ", b"? ")  # of git-status(1), porcelain v2, without renames


class Position(Struct, frozen=True):
    """What git says now. A branch without a head is unborn; no branch and no head: git does not say.

    ``branch`` is ``DETACHED`` where HEAD names none. ``failure`` is git's sentence where a part is missing.
    """

    head: str = ""
    branch: str = ""
    working_tree: Literal["clean", "dirty", ""] = ""
    failure: str = ""


class Status(Struct, frozen=True):
    """A position, and whether git said it without a complaint."""

    position: Position
    sure: bool = False


def status(ask: Ask) -> Status:
    """Ask git once; where its status fails, ask for commit and branch alone."""
    try:
        answer = ask(*STATUS)
        position = _position(ask, answer)
    except (GitMissing, GitSilent) as error:
        return Status(Position(failure=str(error)))
    except GitFailed as error:
        return Status(_without_status(ask, str(error)))
    return Status(position, sure=not position.failure and not answer.stderr)


def _position(ask: Ask, answer: Answer) -> Position:
    """What a status says. Raises GitFailed where it is none."""
    entries = fields(answer)
    headers = dict(entry[2:].split(b" ", 1) for entry in entries if entry.startswith(b"# ") and b" " in entry[2:])
    oid, branch = headers.get(b"branch.oid", b""), headers.get(b"branch.head", b"")
    unborn = oid == b"(initial)"
    if not branch or not (unborn or _OID.fullmatch(oid)) or not all(entry.startswith(_ENTRIES) for entry in entries):
        raise answer.garbled()
    name = shown(branch.decode("utf-8", "surrogateescape"))
    if name in ("(detached)", "(null)", "(unknown)"):  # also names that a branch may have
        name = _branch(ask)
    head = "" if unborn else oid.decode()
    unseen = next((line for line in answer.stderr.splitlines() if _UNSEEN in line), "")
    if any(not entry.startswith(b"# ") for entry in entries):
        return Position(head, name, "dirty", unseen)
    return Position(head, name, "" if unseen else "clean", unseen)


def _branch(ask: Ask) -> str:
    """The branch that HEAD names, or ``DETACHED``. Raises GitFailed."""
    answer = ask("symbolic-ref", "--quiet", "HEAD", codes=(0, 1))
    if answer.returncode:
        return DETACHED
    named = one_line(answer)
    if not named.startswith("refs/"):
        raise answer.garbled()
    return shown(named.removeprefix(_BRANCHES)) if named.startswith(_BRANCHES) else DETACHED


def _without_status(ask: Ask, failure: str) -> Position:
    """Commit and branch where the status fails, for example with a corrupt index."""
    try:
        branch = _branch(ask)
        head = ask("rev-parse", "--quiet", "--verify", "HEAD^{commit}", codes=(0, 1))
        if head.returncode:
            unborn = ask("rev-parse", "--quiet", "--verify", "HEAD", codes=(0, 1)).returncode == 1
            return Position("", branch, "", failure) if unborn else Position(failure=failure)
        oid = one_line(head)
        if not _OID.fullmatch(os.fsencode(oid)):
            raise head.garbled()
    except GitFailed:
        return Position(failure=failure)
    return Position(oid, branch, "", failure)
