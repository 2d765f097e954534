"""Which checkout a folder lies in, and what it is on: read from git's own files, without starting git.

Where the state lives: **each checkout has its own**, in ``.ai/local/state`` of the worktree that the provider's working
folder lies in. The readers look nowhere else, the ledger and the pointer are about one worktree, and Codex runs its
hooks with the worktree as the working folder though it reads them from the root checkout. A worktree that does not
have the layer yet (it is not committed) is recorded all the same where the root checkout has it.

The files: https://git-scm.com/docs/gitrepository-layout
"""

from __future__ import annotations

import os

from cockpit.formats.wording import shown

DETACHED = "DETACHED"
UNBORN = "NONE"
_LONGEST = 8 << 10


class Where:
    """One checkout. ``head`` is UNBORN and ``branch`` DETACHED where there is none; both empty: git must be asked."""

    __slots__ = ("branch", "common_dir", "git_dir", "head", "root")

    def __init__(self, root: str, git_dir: str, common_dir: str, head: str = "", branch: str = "") -> None:
        self.root, self.git_dir, self.common_dir = root, git_dir, common_dir
        self.head, self.branch = head, branch


def find(folder: str) -> Where | None:
    """The checkout that an absolute folder lies in, or the nearest one above it that exists; None where none does."""
    if not folder.startswith("/") or "\0" in folder:
        return None
    at = os.path.realpath(folder)
    while True:
        git_dir = _git_dir(at)
        if git_dir:
            return _on(at, git_dir)
        if at == "/":
            return None
        at = os.path.dirname(at)


def layered(where: Where) -> bool:
    """Whether the layer is laid out here, or in the root checkout of the same repository."""
    roots = (where.root, os.path.dirname(where.common_dir))
    return any(os.path.isfile(os.path.join(root, ".ai", "manifest.yaml")) for root in roots)


def _git_dir(folder: str) -> str:
    """The git folder of a checkout; empty where ``folder`` is none."""
    entry = os.path.join(folder, ".git")
    if os.path.isdir(entry):
        return entry if os.path.lexists(os.path.join(entry, "HEAD")) else ""
    named = line(entry)
    admin = os.path.normpath(os.path.join(folder, named[8:])) if named.startswith("gitdir: ") else ""
    return admin if admin and os.path.lexists(os.path.join(admin, "HEAD")) else ""


def _on(root: str, git_dir: str) -> Where:
    common = os.path.realpath(os.path.join(git_dir, line(os.path.join(git_dir, "commondir")) or "."))
    where = Where(root, os.path.realpath(git_dir), common)
    said = line(os.path.join(git_dir, "HEAD"))
    if not said.startswith("ref: "):
        where.head, where.branch = _commit(said), DETACHED
    elif not said.endswith("/.invalid"):  # that is what a reftable repository says here
        name = said[5:]
        where.branch = shown(name.removeprefix("refs/heads/"))
        where.head = _resolved(where, name)
    return where


def _resolved(where: Where, name: str, depth: int = 5) -> str:
    said = line(os.path.join(where.common_dir, name)) or _packed(where.common_dir, name)
    if said.startswith("ref: ") and depth:
        return _resolved(where, said[5:], depth - 1)
    return _commit(said) if said else UNBORN


def _packed(common_dir: str, name: str) -> str:
    try:
        with open(os.path.join(common_dir, "packed-refs"), "rb") as file:
            refs = b"\n" + file.read()
    except OSError:
        return ""
    at = refs.find(b" " + os.fsencode(name) + b"\n")
    return "" if at < 0 else refs[refs.rfind(b"\n", 0, at) + 1 : at].decode("ascii", "replace")


def _commit(said: str) -> str:
    return said if 40 <= len(said) <= 64 and not set(said) - set("0123456789abcdef") else ""


def line(path: str) -> str:
    """The one line of a small file; empty where it cannot be read."""
    try:
        with open(path, "rb") as file:
            return os.fsdecode(file.read(_LONGEST)).rstrip("\r\n")
    except (OSError, ValueError):
        return ""
