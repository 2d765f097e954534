"""How git is asked without a trace, and what its status says: words in, values out."""

from __future__ import annotations

# What would run a program, take a lock or fetch: https://git-scm.com/docs/git-config
SAFE = (
    "--no-optional-locks",
    "--literal-pathspecs",
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.trustctime=true"),
    *("-c", "core.checkStat=default"),
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "protocol.allow=never"),
    *("-c", "core.quotePath=false"),
    *("-c", "diff.autoRefreshIndex=false"),
)
ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",  # what a commit descends from is asked once: it must not be given other parents
    "LC_ALL": "C",
    "LANGUAGE": "C",
}
STATUS = (
    "status",
    "--porcelain=v2",
    "--branch",
    "-z",
    "--no-ahead-behind",
    "--untracked-files=normal",
    "--no-renames",
)
_BEFORE_PATH = {b"1": 8, b"u": 10, b"?": 1}  # fields of an entry before its path, see git-status(1), porcelain v2


def changed(out: bytes) -> list[bytes]:
    """The paths of a status without renames (``STATUS``), in git's order."""
    entries = (field for field in out.split(b"\0") if field and not field.startswith(b"# "))
    return [entry.split(b" ", _BEFORE_PATH.get(entry[:1], 1))[-1] for entry in entries]
