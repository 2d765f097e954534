"""The recorder's own records read back: open ones, and the active task."""

from __future__ import annotations

import os

from cockpit.formats import outline

_LIMIT = 1 << 20


class Record:
    """An open record: its file, and its fields as text."""

    __slots__ = ("fields", "path")

    def __init__(self, path: str, fields: dict[str, str]) -> None:
        self.path, self.fields = path, fields

    def text(self, name: str) -> str:
        """A field; empty where it is absent."""
        return self.fields.get(name, "")

    @property
    def session_id(self) -> str:
        """The episode's id, never empty."""
        return self.fields["session_id"]

    def age(self) -> tuple[str, str]:
        """What orders records from the oldest to the newest."""
        return self.text("started_at"), self.session_id

    def here(self, root: str) -> bool:
        """Whether it names this worktree, or none."""
        worktree = self.text("worktree")
        return not worktree or ("\0" not in worktree and os.path.realpath(worktree) == root)


def record(path: str) -> Record | None:
    """The open record in a file; None where there is none that has a ``session_id``."""
    fields = fields_of(path)
    return Record(path, fields) if fields.get("session_id") else None


def fields_of(path: str) -> dict[str, str]:
    """The top-level texts of a small regular file; empty where it cannot be read."""
    try:
        if not os.path.isfile(path):
            return {}
        with open(path, "rb") as file:
            data = file.read(_LIMIT + 1)
    except (OSError, ValueError):
        return {}
    if len(data) > _LIMIT:
        return {}
    read = outline.parse(data)
    if read is None:
        from cockpit.formats import document  # noqa: PLC0415  only an unusual value needs a YAML parser

        return {name: value for name, value in document.parse(data).fields.items() if isinstance(value, str)}
    return {name: value for name, value in read.items() if isinstance(value, str)}


def stored(store: str) -> list[str]:
    """The names of the records in an open store."""
    try:
        return sorted(n for n in os.listdir(store) if n.endswith(".yaml") and not n.startswith(".tmp."))
    except FileNotFoundError:
        return []
