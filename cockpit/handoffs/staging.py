"""What git's index is told of a consumed letter, and the commands that are left to a person.

``git mv`` stages a letter as git knew it: what a commit would publish is not what lies in the archive. So a letter that
git tracks is staged whole, and the archive's index with it where that differs from git's by the line of this letter
alone; whatever else a person wrote into it is the person's to stage. Nothing is committed.
"""

from __future__ import annotations

import os

from cockpit.formats import letter_index, shell
from cockpit.formats.letter_index import INDEX
from cockpit.formats.text import lines
from cockpit.handoffs.desk import Desk
from cockpit.store import surfaces as disk
from cockpit.store.git import fields
from cockpit.store.surfaces import File


def stage(desk: Desk, path: str, digest: str) -> None:
    """Stage the archived letter at ``path``, whose bytes have this SHA-256, where git tracks it. Raises GitFailed."""
    if not desk.git("ls-files", "-z", "--", path).out:
        return
    folder, _, name = path.rpartition("/")
    index = f"{folder}/{INDEX}"
    wanted = [path, index] if _adds_one_line(desk, index, name, digest) else [path]
    loose = [each for each in wanted if _differs(desk, each)]
    if loose:
        desk.git("update-index", "--add", "--", *loose)


def _differs(desk: Desk, path: str) -> bool:
    """Whether a file is not what git's index holds of it, or is not in it; a changed time alone makes no difference."""
    if not desk.git("ls-files", "-z", "--", path).out:
        return True
    compared = desk.git("diff", "--quiet", "--no-ext-diff", "--no-textconv", "--", path, codes=(0, 1))
    return compared.returncode == 1


def _adds_one_line(desk: Desk, index: str, name: str, digest: str) -> bool:
    """Whether the archive's index is what git's index holds of it, and the line of this letter as it was noted."""
    read = disk.file(desk.root, index)
    noted = letter_index.parse(read.data).get(name) if isinstance(read, File) else None
    if not isinstance(read, File) or noted is None or noted.digest != digest:
        return False
    line = lines(read.data)[noted.line - 1].decode("utf-8", "replace")
    known = desk.git("ls-files", "-z", "--", index).out
    before = desk.git("cat-file", "--filters", f":0:{index}").out if known else b""
    return letter_index.with_entry(before, name, line) == read.data


def left(desk: Desk, message: str, *paths: str) -> list[str]:
    """The commands that put these paths into a commit; none for what is in it already or is ignored."""
    asked = desk.git("status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--", *paths)
    found = [(entry[:2], os.fsdecode(entry[3:])) for entry in fields(asked)]
    loose = [path for code, path in found if not code.endswith(b" ")]
    commands = [_command(desk, "add", loose)] if loose else []
    return [*commands, _command(desk, f"commit -m '{message}'", [path for _, path in found])] if found else []


def _command(desk: Desk, verb: str, paths: list[str]) -> str:
    words = {f"path{number}": path for number, path in enumerate(paths)}
    names = " ".join(f"{{{key}}}" for key in words)
    return shell.command(f"git -C {{root}} --literal-pathspecs {verb} -- {names}", root=desk.root, **words)
