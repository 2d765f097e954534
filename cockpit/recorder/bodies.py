"""What a person or an agent may write into a note: progress, and never identity, which is git's to say."""

from __future__ import annotations

import re

from cockpit.formats.frontmatter import section
from cockpit.recorder.site import Refused

SECTIONS = ("Objective", "Current State", "Next Action")
_IDENTITY = re.compile(
    r"\s*(?:[-*+]\s+)?[*_`]*(head|branch|commit|worktree|worktree_id|working_tree|repository_id|changed_files|created_at"
    r"|session_id|task_id|owner|start_head|schema|schema_version)[*_`]*\s*:(?!//).*",
    re.IGNORECASE,
)


def checkpoint(text: str, most: int) -> str:
    """A checkpoint's body. Raises Refused where it is empty, too long, or authors identity."""
    body = _body(text)
    count = body.count("\n") + 1
    if count > most:
        raise Refused(
            f"This checkpoint has {count} lines, and at most {most} are allowed: it is a progress note. "
            "Write a handover instead (`cockpit handover`)."
        )
    return body


def handover(text: str) -> str:
    """A handover's body: it must have something in each of its three sections. Raises Refused."""
    body = _body(text)
    missing = [title for title in SECTIONS if not section(body, title)]
    if missing:
        said = ", ".join(f"“# {title}”" for title in missing)
        raise Refused(f"This handover has nothing in its section {said}. All three are wanted, as level-one headings.")
    return body


def summary(text: str) -> str:
    """The summary of a closed episode; it may be empty. Raises Refused where it authors identity."""
    return _body(text) if text.strip() else ""


def _body(text: str) -> str:
    body = text.replace("\r\n", "\n").strip("\n")
    if not body.strip():
        raise Refused("There is nothing on standard input to write down.")
    if field := _authored(body):
        raise Refused(f"The body says “{field}:” as a field. Identity is never authored: git is asked. Leave it out.")
    return body


def _authored(body: str) -> str:
    """The first field of identity outside fenced code; empty where there is none."""
    fence = ""
    for line in body.split("\n"):
        mark = line.lstrip()[:3]
        if fence:
            fence = "" if mark == fence else fence
        elif mark in ("```", "~~~"):
            fence = mark
        elif found := _IDENTITY.fullmatch(line):
            return found[1]
    return ""
