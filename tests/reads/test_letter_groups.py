"""The letters as the page tells them: by effort, by rule, and how many want a person."""

from __future__ import annotations

from typing import Any

from cockpit.reads.handoffs_state import ActiveLetter
from cockpit.reads.letter_groups import by_effort, by_rule
from cockpit.reads.letter_rules import LetterFinding


def letter(effort: str | None, path: str) -> ActiveLetter:
    stated = {} if effort is None else {"effort": effort}
    return ActiveLetter(path=path, digest="d", bytes=1, stand="unknown", stand_reason="r", **stated)


def finding(code: Any, severity: Any, number: int = 1) -> LetterFinding:
    return LetterFinding(code=code, severity=severity, path=f"{number}.md", line=1, sentence="s.")


def test_letters_of_one_effort_are_together_however_it_is_capitalised() -> None:
    found = by_effort([letter("Labels", "a"), letter("map", "b"), letter("labels", "c")])
    assert [(each.name, [one.path for one in each.letters]) for each in found] == [
        ("Labels", ["a", "c"]),
        ("map", ["b"]),
    ]


def test_letters_without_an_effort_stand_last() -> None:
    found = by_effort([letter(None, "a"), letter("map", "b"), letter(None, "c")])
    assert [(each.name, len(each.letters)) for each in found] == [("map", 1), ("", 2)]


def test_findings_stand_worst_first_and_rule_by_rule() -> None:
    found = by_rule([
        finding("secret", "error"), finding("large", "warning"), finding("duplicate-active", "error"),
        finding("transcript", "warning"), finding("secret", "error", 2),
    ])  # fmt: skip
    assert [(each.kind, each.first, each.title) for each in found] == [
        ("duplicate-active", 1, ""), ("secret", 2, ""), ("secret", 3, ""), ("transcript", 4, ""), ("large", 5, ""),
    ]  # fmt: skip


def test_many_of_one_rule_are_one_group_wherever_they_stood() -> None:
    mixed = [
        each
        for number in range(6)
        for each in (finding("not-indexed", "warning", number), finding("large", "warning", number))
    ]
    found = by_rule(mixed)
    assert [(each.title, each.first, len(each.needs)) for each in found] == [
        ("6 findings of not-indexed", 1, 6), ("6 findings of large", 7, 6),
    ]  # fmt: skip
