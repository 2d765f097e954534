"""A change of a file: as a unified diff, and the commands that show it; what cannot be shown is written out."""

from __future__ import annotations

import difflib

from cockpit.formats import shell
from cockpit.formats.text import one_line, shown


def unified(before: bytes | None, after: bytes | None, old: str, new: str = "") -> str:
    """The diff of one file, without a newline at its end; None: it is not there. ``new`` is its path where it moved."""
    names = (
        "/dev/null" if before is None else f"a/{one_line(shown(old))}",
        "/dev/null" if after is None else f"b/{one_line(shown(new or old))}",
    )
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        for line in difflib.unified_diff(_lines(before), _lines(after), *names)
    ).rstrip("\n")


def _lines(data: bytes | None) -> list[str]:
    text = (data or b"").decode("utf-8", "backslashreplace")
    return [f"{line}\n" for line in text.split("\n")[:-1]] + ([last] if (last := text.rpartition("\n")[2]) else [])


def differences(root: str, path: str) -> str:
    """Where a person sees what was changed in a tracked file, in words: what is not committed yet, and what is."""
    git = "git -C {root} --literal-pathspecs"
    commands = (shell.command(f"{git} {verb} -- {{path}}", root=root, path=path) for verb in ("diff HEAD", "log -p"))
    return " and ".join(f"`{each}`" for each in commands)
