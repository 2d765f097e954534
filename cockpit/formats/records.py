"""The records of the layer as values: open episodes, notes, the active task, closed sessions.

Each function takes a document and returns the record, or a sentence that says why it is none.
"""

from __future__ import annotations

import re

from msgspec import Struct

from cockpit.formats.document import Document
from cockpit.formats.frontmatter import FrontMatter, section

LINK = re.compile(r"\s*((?:\./)?sessions-open/[^/\n]+\.yaml)\s*")


class OpenRecord(Struct, frozen=True):
    """An open episode as its file says; an absent field is the empty text."""

    session_id: str
    started_at: str
    owner: str
    worker: str
    provider: str
    provider_session: str
    worktree: str
    branch: str
    start_head: str
    damage: str = ""


class Note(Struct, frozen=True):
    """A handover's or checkpoint's front matter, and the next action in its body."""

    created_at: str
    task_id: str
    worktree: str
    branch: str
    head: str
    working_tree: str
    next_action: str
    damage: str = ""


class ActiveTask(Struct, frozen=True):
    """The task in ``current.yaml``."""

    id: str
    task: str
    profile: str
    outcome: str
    scope: list[str]
    requires: list[str]
    started_at: str
    head: str
    damage: str = ""


class SessionRecord(Struct, frozen=True):
    """What an index keeps of a closed record."""

    session_id: str
    created_at: str
    branch: str
    head: str
    outcome: str
    title: str
    damage: str = ""


class Mismatch(Struct, frozen=True):
    """Why a document is not the record asked for; ``other`` when it plainly is another kind of document."""

    reason: str
    other: bool = False


def open_record(read: Document) -> OpenRecord | Mismatch:
    """An open record; it must name a ``session_id``."""
    if not read.text("session_id"):
        return Mismatch(_why("it has no session_id", read))
    return OpenRecord(**_texts(read, OpenRecord), damage=read.damage)


def note(read: FrontMatter | None) -> Note | Mismatch:
    """A handover or checkpoint; it must carry ``schema_version: 1``, ``created_at`` and ``head``."""
    if read is None:
        return Mismatch("it has no front matter")
    header = read.header
    version = header.text("schema_version")
    if version != "1":
        return Mismatch(_why(f"its schema_version is {version or 'absent'}, not 1", header))
    missing = [name for name in ("created_at", "head") if not header.text(name)]
    if missing:
        return Mismatch(_why(f"it has no {' and no '.join(missing)}", header))
    fields = _texts(header, Note) | {"next_action": section(read.body, "Next Action")}
    return Note(**fields, damage=header.damage)


def active_task(read: Document) -> ActiveTask | Mismatch:
    """The active task; it must have an ``id``."""
    if not read.text("id"):
        return Mismatch(_why("it has no id", read))
    return ActiveTask(
        id=read.text("id"),
        task=read.text("task"),
        profile=read.text("profile"),
        outcome=read.text("outcome"),
        scope=read.texts("scope"),
        requires=read.texts("requires"),
        started_at=read.text("started_at"),
        head=read.text("head"),
        damage=read.damage,
    )


def session_record(read: FrontMatter | None) -> SessionRecord | Mismatch:
    """A closed record: both fences, ``schema: session/v1``, ``kind: session`` and a ``session_id``."""
    if read is None:
        return Mismatch("it has no front matter")
    header = read.header
    schema, kind, session_id = (header.text(n) for n in ("schema", "kind", "session_id"))
    if kind and kind != "session":
        return Mismatch(f"its kind is {kind}", other=True)
    if schema != "session/v1":
        return Mismatch(_why(f"its schema is {schema or 'absent'}, not session/v1", header))
    if not kind:
        return Mismatch(_why("it has no kind", header))
    if not session_id:
        return Mismatch(_why("it has no session_id", header))
    return SessionRecord(**_texts(header, SessionRecord), damage=header.damage)


def link_text(data: bytes) -> str:
    """The target, where a regular file stands for the pointer's link and holds just that; else empty."""
    try:
        found = LINK.fullmatch(data.decode())
    except UnicodeDecodeError:
        return ""
    return found[1] if found else ""


def _texts(read: Document, record: type[Struct]) -> dict[str, str]:
    """The text of every field that a record has, but for its damage."""
    return {name: read.text(name) for name in record.__struct_fields__ if name != "damage"}


def _why(reason: str, read: Document) -> str:
    return f"{reason} ({read.damage})" if read.damage else reason
