"""How one commit stands to another: three-valued, and never guessed."""

from __future__ import annotations

import errno
import os
import re
from bisect import bisect_left
from typing import Literal

from msgspec import Struct

from cockpit.store.git import Answer, GitFailed, one_line
from cockpit.store.position import Ask

_ID = re.compile(r"[0-9a-fA-F]{7,64}", re.ASCII)
_KEPT = 1024
_AT_ONCE = 1000  # ids in one call of git

Word = Literal["exact", "advanced", "diverged", "unknown"]


class Standing(Struct, frozen=True):
    """How a recorded commit stands to HEAD, and a reason in words."""

    word: Word
    reason: str


class Distance(Struct, frozen=True):
    """How many commits each of two commits has that the other lacks."""

    ahead: int
    behind: int


class Ancestry:
    """Answers about commits of one repository. What can never change is asked once."""

    def __init__(self, common_dir: str) -> None:
        self._shallow = os.path.join(common_dir, "shallow")
        self._ancestors: dict[tuple[str, str], bool] = {}
        self._distances: dict[tuple[str, str], Distance] = {}

    def standing(self, ask: Ask, recorded: str, head: str) -> Standing:
        """How the commit ``recorded`` (text from a record) stands to ``head`` (a full id from git, or empty)."""
        if not _ID.fullmatch(recorded):
            return Standing("unknown", "what it records is no commit id")
        if not head:
            return Standing("unknown", "there is no commit to compare with")
        commit = recorded.lower()
        if commit == head:
            return Standing("exact", "it was written at this very commit")
        try:
            return self._of(ask, commit, head)
        except GitFailed as error:
            return Standing("unknown", f"git does not say: {error}")

    def _of(self, ask: Ask, commit: str, head: str) -> Standing:
        if len(commit) > len(head):  # git would take it for the name of a branch
            return self._absent(commit)
        if len(commit) < len(head):
            candidates = _expanded(ask, commit)
            if len(candidates) > 1:
                return Standing("unknown", f"{commit} may be any of {len(candidates)} commits")
            if not candidates:
                return self._absent(commit)
            commit = candidates[0]
            if commit == head:
                return Standing("exact", "it was written at this very commit")
        answer = self._is_ancestor(ask, commit, head)
        if answer is None:
            return self._absent(commit)
        if answer:
            return Standing("advanced", "the branch has moved on since: its commit is an ancestor of HEAD")
        if self._is_shallow():
            return Standing("unknown", "this clone is shallow: what lies before its history cannot be told")
        return Standing("diverged", "its commit is no ancestor of HEAD")

    def _absent(self, commit: str) -> Standing:
        if self._is_shallow():
            return Standing("unknown", f"this clone is shallow and does not have {commit[:12]}")
        return Standing("diverged", f"this repository does not have its commit {commit[:12]}")

    def _is_shallow(self) -> bool:
        """Whether this clone lacks a part of its history. Raises GitFailed where that cannot be seen."""
        try:
            os.stat(self._shallow)
        except OSError as error:
            if error.errno in (errno.ENOENT, errno.ENOTDIR):
                return False
            raise GitFailed(("rev-parse",), None, f"its file shallow cannot be read ({error.strerror})") from error
        return True

    def _is_ancestor(self, ask: Ask, commit: str, head: str) -> bool | None:
        """Whether ``commit`` is an ancestor of ``head``; None where the repository does not have it."""
        pair = commit, head
        known = self._ancestors.get(pair)
        if known is not None:
            return known
        try:
            answer = ask("merge-base", "--is-ancestor", data=pair, codes=(0, 1))
        except GitFailed as error:
            if _no_commit(error.stderr):
                return None
            raise
        if answer.out:
            raise answer.garbled()
        if "error: " in answer.stderr:  # it could not look at every commit in between
            raise GitFailed(answer.arguments, answer.returncode, answer.stderr)
        yes = answer.returncode == 0
        if yes or not self._is_shallow():
            _keep(self._ancestors, pair, yes)
        return yes

    def known(self, ask: Ask, ids: list[str]) -> dict[str, str] | None:
        """The whole id of each of these commits that the repository has, by what it was asked for (lowercase hex).

        None where git cannot say, or where this clone is shallow and lacks one of them.
        """
        found: dict[str, str] = {}
        try:
            for start in range(0, len(ids), _AT_ONCE):
                found |= _present(ask, ids[start : start + _AT_ONCE])
            return None if len(found) < len(ids) and self._is_shallow() else found
        except GitFailed:
            return None

    def distance(self, ask: Ask, here: str, there: str) -> Distance | None:
        """What ``here`` has that ``there`` lacks (ahead) and the other way round; None where git cannot say.

        Either may be empty for an unborn branch, which has no commit.
        """
        pair = here, there
        known = self._distances.get(pair)
        if known is None:
            try:
                known = _counted(ask, here, there)
                shallow = self._is_shallow()
            except (GitFailed, ValueError):
                return None
            if not shallow:
                _keep(self._distances, pair, known)
        return known


def _no_commit(stderr: str) -> bool:
    """Whether git says that there is no such commit, and not that it cannot read the one there is."""
    faults = [line for line in stderr.splitlines() if line.startswith("error: ") and "not a commit" not in line]
    return "Not a valid commit name" in stderr and not faults


def _keep(
    memory: dict[tuple[str, str], bool] | dict[tuple[str, str], Distance], pair: tuple[str, str], value: object
) -> None:
    if len(memory) >= _KEPT:
        memory.clear()
    memory[pair] = value  # type: ignore[assignment]


def _counted(ask: Ask, here: str, there: str) -> Distance:
    if here and there:
        both = one_line(ask("rev-list", "--count", "--left-right", data=(f"{here}...{there}",)))
        ahead, behind = both.split()
        return Distance(int(ahead), int(behind))
    count = int(one_line(ask("rev-list", "--count", data=(here or there,)))) if here or there else 0
    return Distance(count if here else 0, count if there else 0)


def _present(ask: Ask, ids: list[str]) -> dict[str, str]:
    """Whole ids by their beginnings; a branch of such a name, and what is no commit, are no answer."""
    whole = sorted(_ids(ask("rev-list", "--no-walk=unsorted", "--ignore-missing", data=tuple(ids)))) if ids else []
    places = ((each, bisect_left(whole, each)) for each in ids)
    return {each: whole[at] for each, at in places if at < len(whole) and whole[at].startswith(each)}


def _expanded(ask: Ask, start: str) -> list[str]:
    """The commits whose id begins so; asked as an id, so that a branch of that name is no answer."""
    found = _ids(ask("rev-parse", f"--disambiguate={start}"))
    return [oid for oid in found if _is_commit(ask("cat-file", "-t", oid))]


def _ids(answer: Answer) -> list[str]:
    """The ids of an answer that has one a line. Raises GitFailed."""
    *whole, rest = os.fsdecode(answer.out).split("\n")
    if rest or not all(map(_ID.fullmatch, whole)):
        raise answer.garbled()
    return whole


def _is_commit(answer: Answer) -> bool:
    """Whether the type of an object is that of a commit. Raises GitFailed."""
    if one_line(answer) not in ("blob", "commit", "tag", "tree"):
        raise answer.garbled()
    return one_line(answer) == "commit"
