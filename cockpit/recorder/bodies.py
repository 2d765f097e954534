"""What a person or an agent may write into a note: progress; never identity, which is git's to say; no credential."""

from __future__ import annotations

import re

from cockpit.formats import credentials
from cockpit.formats.frontmatter import section
from cockpit.formats.text import counted, visible
from cockpit.recorder.site import Refused

SECTIONS = ("Objective", "Current State", "Next Action")
_IDENTITY = re.compile(
    r"\s*(?:[-*+]\s+)?[*_`]*(head|branch|commit|worktree|worktree_id|working_tree|repository_id|changed_files|created_at"
    r"|session_id|task_id|owner|start_head|schema|schema_version)[*_`]*\s*:(?!//).*",
    re.IGNORECASE,
)


def checkpoint(text: str, most: int) -> str:
    """A checkpoint's body. Raises Refused where it is empty, too long, authors identity or holds a credential."""
    body = _body(text)
    count = body.count("\n") + 1
    if count > most:
        raise Refused(
            f"This checkpoint has {count} lines, and at most {most} are allowed: it is a progress note. "
            "Write a handover instead (`cockpit handover`)."
        )
    return body


def shows(body: str) -> str:
    """What the page shows of a checkpoint that has this body: of its text, the next action alone."""
    if section(body, "Next Action"):
        return "Of its text the page shows the section “# Next Action”."
    return (
        "It has no section “# Next Action”, which is all that the page shows of its text: it shows when it was written."
    )


def handover(text: str) -> str:
    """A handover's body: something in each of its three sections, and no credential. Raises Refused."""
    body = _body(text)
    missing = [title for title in SECTIONS if not section(body, title)]
    if missing:
        said = ", ".join(f"“# {title}”" for title in missing)
        raise Refused(f"This handover has nothing in its section {said}. All three are wanted, as level-one headings.")
    return body


def summary(text: str) -> str:
    """The summary of a closed episode; it may be empty. Raises Refused, as for a note."""
    return _body(text) if text.strip() else ""


def derived(body: str) -> str:
    """A body that was composed of what is on record. Raises Refused where that holds a credential."""
    _refuse_credential(body, "the composed text", "Take it out of the task, the question or the file name it is from")
    return body


def _body(text: str) -> str:
    body = text.replace("\r\n", "\n").strip("\n")
    if not body.strip():
        raise Refused("There is nothing on standard input to write down.")
    if field := _authored(body):
        raise Refused(f"The body says “{field}:” as a field. Identity is never authored: git is asked. Leave it out.")
    _refuse_credential(text, "the text", "Take it out")
    return body


def _refuse_credential(text: str, where: str, cure: str) -> None:
    if found := credentials.find(text):
        first = found[0]
        raise Refused(
            f"Line {first.line} of {where} holds what looks like a credential ({first.kind}, {visible(first.masked)}); "
            f"{counted(len(found), 'credential')} in all. {cure}: a note is kept, shown and handed on."
        )


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
