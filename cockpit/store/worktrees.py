"""Folders that records name: compared by what they resolve to, and never entered with git.

git executes what a folder's configuration says, so that a record could run a program by naming a folder. Whether a
folder is a checkout of this repository is therefore read from its ``.git`` as a file
(https://git-scm.com/docs/gitrepository-layout).
"""

from __future__ import annotations

import errno
import os
import stat
from typing import Literal

from msgspec import Struct

from cockpit.store.files import opened, read_all

_LIMIT = 4096 + 16
PRIVATE = ".ai/local"  # no folder of it is a worktree, and none is entered


class Place(Struct, frozen=True):
    """A folder that a record names: gone (ENOENT or ENOTDIR only), this checkout, or elsewhere."""

    where: Literal["here", "gone", "elsewhere"]
    checkout: bool | None
    """Whether it is a checkout of this repository; None where that cannot be told."""


def place(named: str, root: str, common_dir: str) -> Place:
    """What stands at ``named``; a relative path counts from the checkout's root."""
    path = os.path.join(root, named)
    try:
        there = os.stat(path)
    except ValueError:
        return Place("elsewhere", None)  # a NUL byte: no path at all
    except OSError as error:
        return Place("gone", False) if error.errno in (errno.ENOENT, errno.ENOTDIR) else Place("elsewhere", None)
    if same(path, root):
        return Place("here", True)
    belongs = _belongs(path, root, common_dir) if stat.S_ISDIR(there.st_mode) else False
    if belongs is False and not os.path.isdir(common_dir):
        belongs = None  # this repository itself is not where it was
    return Place("elsewhere", belongs)


def same(one: str, other: str) -> bool:
    """Whether two paths lead to one place, through whatever links, there or not."""
    if one == other:
        return True
    try:
        return os.path.realpath(one) == os.path.realpath(other)
    except (OSError, ValueError):
        return False


def _belongs(path: str, root: str, common_dir: str) -> bool | None:
    if below(path, os.path.join(root, PRIVATE)):
        return False
    try:
        status = os.stat(os.path.join(path, ".git"))
        if stat.S_ISDIR(status.st_mode):
            return _ours(os.path.join(path, ".git"), common_dir)
        named = _line(path, ".git", "gitdir:")
        return bool(named) and _ours(os.path.join(path, named), common_dir)
    except ValueError:
        return False
    except OSError as error:
        return below(path, root) if error.errno in (errno.ENOENT, errno.ENOTDIR) else None


def _ours(git_dir: str, common_dir: str) -> bool:
    """Whether a git folder is this repository's: the common one, or one of those that it keeps for its worktrees."""
    if same(git_dir, common_dir):
        return True
    return os.path.isdir(git_dir) and same(
        os.path.dirname(os.path.realpath(git_dir)), os.path.join(common_dir, "worktrees")
    )


def below(path: str, folder: str) -> bool:
    """Whether a path leads into a folder, or to it."""
    inner, outer = os.path.realpath(path), os.path.realpath(folder)
    return inner == outer or inner.startswith(os.path.join(outer, ""))


def _line(where: str, name: str, start: str) -> str:
    """The rest of the one line of a small file after ``start``; empty where it begins otherwise."""
    at = os.open(where, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with opened(at, name) as (descriptor, _):
            text = os.fsdecode(read_all(descriptor, _LIMIT))
    finally:
        os.close(at)
    return text.removeprefix(start).strip(" ").rstrip("\r\n") if text.startswith(start) else ""
