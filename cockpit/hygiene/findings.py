"""A finding of the audit, and the plain ways to make one."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType, structs

from cockpit.formats.text import shown, sound
from cockpit.reads.answers import Text, optional

Severity = Literal["error", "warning"]


class Finding(Struct, frozen=True, kw_only=True):
    """Something to be put in order: its rule, its place, a sentence, and the command that settles it, where one does.

    ``path`` is repository-relative, ``line`` counts from 1 and is absent where the whole file is meant.
    """

    code: str
    severity: Severity
    path: str
    line: int | UnsetType = UNSET
    sentence: str
    remedy: Text = UNSET


def warning(code: str, path: str, sentence: str, *, line: int = 0, remedy: str = "") -> Finding:
    """A finding that a strict audit fails for."""
    return Finding(
        code=code,
        severity="warning",
        path=shown(path),
        line=line or UNSET,
        sentence=sound(sentence),
        remedy=optional(remedy),
    )


def error(code: str, path: str, sentence: str, *, line: int = 0) -> Finding:
    """A finding that every audit fails for."""
    return structs.replace(warning(code, path, sentence, line=line), severity="error")
