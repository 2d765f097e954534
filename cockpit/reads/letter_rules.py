"""The rules that handoff letters are held to: each finding with its place and the command that settles it."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct

from cockpit.reads.answers import Text
from cockpit.store.snapshot import Snapshot

Severity = Literal["error", "warning"]
Code = Literal[
    "metadata-missing",
    "duplicate-active",
    "consumed-live",
    "consumed-undated",
    "active-archived",
    "supersedes-missing",
    "supersedes-cycle",
    "superseded-active",
    "date-invalid",
    "digest-mismatch",
    "secret",
    "transcript",
    "path-missing",
    "commit-missing",
    "placeholder",
    "verification-missing",
    "not-indexed",
    "large",
]


class LetterFinding(Struct, frozen=True, kw_only=True):
    """One fault of one letter: its rule, its place, a sentence, and the command that settles it.

    ``line`` begins at 1. Without ``remedy`` a person must decide, and the sentence says what.
    """

    code: Code
    severity: Severity
    path: str
    line: int
    sentence: str
    remedy: Text = UNSET


def findings(snapshot: Snapshot) -> list[LetterFinding]:
    """Every fault of every letter, the errors first."""
    return []
