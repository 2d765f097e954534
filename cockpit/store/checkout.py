"""A checkout as a value: one working tree of one repository, with what is remembered between its readings.

Nothing is global: several checkouts are several values.
"""

from __future__ import annotations

import errno
import os
from datetime import UTC, datetime

from cockpit.formats import document
from cockpit.formats.records import ActiveTask, Mismatch, active_task
from cockpit.store.ancestry import Ancestry
from cockpit.store.derived import Derived
from cockpit.store.episodes import Episodes
from cockpit.store.git import Asked, Git, GitFailed, GitMissing, GitSilent, one_line
from cockpit.store.layer import Layers
from cockpit.store.ledger import Ledger
from cockpit.store.letters import LetterFolders
from cockpit.store.memory import Memory
from cockpit.store.notes import NoteFolder
from cockpit.store.sessions import Sessions
from cockpit.store.snapshot import Snapshot

# One question each: a path may hold a newline, and rev-parse has no -z.
_PLACES = ("is-bare-repository", "show-toplevel", "absolute-git-dir", "git-common-dir")


class NotServable(Exception):
    """A folder that cannot be served; the text says why, and what to do."""


class Checkout:
    """One working tree. ``root``, ``git_dir`` and ``common_dir`` are absolute and resolved.

    With ``pin`` the index of closed records is built once and never again.
    """

    def __init__(self, root: str, git_dir: str, common_dir: str, *, pin: bool = False) -> None:
        self.root, self.git_dir, self.common_dir, self.pin = root, git_dir, common_dir, pin
        self.git = Git(root, inside=True)
        self.ancestry = Ancestry(common_dir)
        self.layers = Layers()
        self.derived = Derived()
        self.ledger = Ledger()
        self.episodes = Episodes()
        self.sessions = Sessions(root, git_dir)
        self.handovers = NoteFolder("handovers")
        self.checkpoints = NoteFolder("checkpoints")
        self.letters = LetterFolders()
        self.task: Memory[ActiveTask | Mismatch] = Memory(lambda data: active_task(document.parse(data)))
        self.questions: Memory[bytes] = Memory(lambda data: data)

    @classmethod
    def open(cls, folder: str, *, pin: bool = False) -> Checkout:
        """The checkout that ``folder`` lies in. Raises NotServable with a sentence that names the way out."""
        _enterable(folder)
        git = Git(folder)
        places: list[Asked] = []
        try:
            bare, *places = (git.begin("rev-parse", f"--{name}") for name in _PLACES)
            if one_line(bare.answer()) == "true":
                raise NotServable(
                    f"{folder} is a bare repository, which has no working tree to look at. "
                    "Name a checkout of it instead: `git -C REPOSITORY worktree list` lists them."
                )
            root, git_dir, common = (one_line(each.answer()) for each in places)
            back = one_line(Git(root, inside=True).ask("rev-parse", "--absolute-git-dir"))
        except GitFailed as error:
            raise NotServable(_sentence(folder, error)) from error
        finally:
            for each in places:
                each.end()
        if os.path.realpath(back) != os.path.realpath(git_dir):
            raise NotServable(
                f"The repository of {folder} has its working tree at {root} (core.worktree), and git there "
                "finds another repository. Name a checkout whose working tree leads back to it."
            )
        return cls(root, os.path.realpath(git_dir), os.path.realpath(os.path.join(folder, common)), pin=pin)

    def look(self, now: datetime | None = None) -> Snapshot:
        """One reading of the checkout, for one request; ``now`` (aware) is the moment it is taken."""
        return Snapshot(self, now or datetime.now(UTC))


def _enterable(folder: str) -> None:
    try:
        os.stat(os.path.join(folder, "."))
        os.listdir(folder)
    except OSError as error:
        if error.errno == errno.ENOENT:
            said = f"There is no folder {folder}. Name a folder inside a git checkout with --repo."
        elif error.errno == errno.ENOTDIR:
            said = f"{folder} is not a folder. Name a folder inside a git checkout with --repo."
        elif error.errno in (errno.EACCES, errno.EPERM):
            said = f"{folder} may not be read by this user. Run cockpit as a user who may, or change its permissions."
        else:
            said = f"{folder} cannot be entered ({error.strerror}). Name a folder inside a git checkout with --repo."
        raise NotServable(said) from error


def _sentence(folder: str, error: GitFailed) -> str:
    if isinstance(error, GitMissing):
        return "git could not be started. Install git, or put it on the PATH."
    if isinstance(error, GitSilent):
        return f"git does not answer in {folder} ({error}). Try `git status` there by hand."
    said = error.stderr
    if "dubious ownership" in said:
        return (
            f"{folder} is owned by another user, so git does not read it. If you trust it, run "
            "`git config --global --add safe.directory` with the path of the repository, and try again."
        )
    if "not a git repository" in said:
        return (
            f"{folder} is not inside a git repository. Name a folder of a checkout with --repo, "
            "or make one with `git init`."
        )
    if "must be run in a work tree" in said:
        return f"{folder} lies inside a .git folder. Name a folder of the checkout itself with --repo."
    if "ermission denied" in said:
        return f"The git repository of {folder} may not be read by this user ({said.splitlines()[-1]})."
    return f"git cannot read the repository of {folder}: {said.splitlines()[-1] if said else error}"
