"""The rules that handoff letters are held to: each finding with its place and the command that settles it.

An archived letter is history: what it names is not held against the disk of today, and it is not edited, since its
bytes are noted. So no rule whose mending rewrites prose is held against it; what must be mended there (a field, a
credential) has to be noted anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import UNSET, Struct

from cockpit.formats import shell
from cockpit.formats.text import sound
from cockpit.reads.answers import Text
from cockpit.store.letters import Filed, Letters, told

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
_WARNINGS = frozenset(
    {"transcript", "path-missing", "commit-missing", "placeholder", "verification-missing", "not-indexed", "large"}
)
OF_PROSE: frozenset[Code] = frozenset({"transcript", "placeholder", "verification-missing", "large"})
"""The rules about how a letter is written: held against a letter as long as it may be edited."""
_OF_FIELDS: frozenset[Code] = frozenset(
    {"metadata-missing", "supersedes-missing", "supersedes-cycle", "date-invalid", "secret"}
)
_NOTED_ANEW = " It is archived: correct what INDEX.md notes of it too."


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


class Docket(Struct, frozen=True):
    """What the rules judge: the letters, the checkout's ``root``, the moment (ns), and what git says of commits.

    ``commits`` are the whole ids of those that the repository has, by what they are named; None: git cannot say.
    ``wanted`` are those that it was asked about.
    """

    letters: Letters
    root: str
    now: int
    commits: dict[str, str] | None
    wanted: frozenset[str]

    def consume(self, filed: Filed) -> Text:
        """The command that consumes a letter; absent where it would be refused."""
        letters = self.letters
        taken = not filed.archived and any(each.name == filed.name for each in letters.archived)
        if taken or filed.secret or not letters.archive or letters.noted is None:
            return UNSET
        return shell.command("cockpit handoff consume --repo {root} -- {path}", root=self.root, path=filed.path)


def finding(code: Code, filed: Filed, line: int, sentence: str, remedy: Text = UNSET) -> LetterFinding:
    """A finding about one letter."""
    severity: Severity = "warning" if code in _WARNINGS else "error"
    if filed.archived and code in _OF_FIELDS:
        sentence += _NOTED_ANEW
    return LetterFinding(
        code=code, severity=severity, path=told(filed.path), line=line, sentence=sound(sentence), remedy=remedy
    )


def in_order(found: Iterator[LetterFinding]) -> list[LetterFinding]:
    """Findings as they are told: the errors first, then by place."""
    return sorted(found, key=lambda each: (each.severity, each.path, each.line, each.code))
