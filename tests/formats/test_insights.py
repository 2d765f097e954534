"""A headline and lines of an entry's own, by stated rules: nothing is invented."""

from __future__ import annotations

import re

import pytest
from hypothesis import given

from cockpit.formats import insights, livedoc
from tests.examples import examples
from tests.housekeeping.documents import TITLE, documents


@pytest.mark.parametrize(
    ("heading", "said"),
    [
        ("2026-01-01 — Session 12: Ownership", "Session 12: Ownership"),
        ("Session 12 (2026-01-01)", "Session 12"),
        ("2026-01-01T10:30Z: Phase 0 complete", "Phase 0 complete"),
        ("[2026-01-01] **Bold** words", "Bold words"),
        ("Basics / Rust — 2026-01-01", "Basics / Rust"),
        ("2026-01-01", "The first line of text."),
    ],
)
def test_the_headline_is_the_heading_without_its_date(heading: str, said: str) -> None:
    assert insights.headline(heading, ["", "```", "code", "```", "The first line", "of text."]) == said


def test_an_entry_without_a_word_has_no_headline() -> None:
    assert insights.headline("2026-01-01", ["", "***"]) == ""


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("**Outcomes:**\n- one\n- two\n\n**Next:** x", ["one", "two"]),
        ("Outcome: one thing\nKey insight: another", ["Outcome: one thing", "Key insight: another"]),
        ("- **Decision:** keep it", ["Decision: keep it"]),
        ("### Key insights\n\n1. first\n2. second\n\n### Next\n- no", ["first", "second"]),
        ("**Bloom adjustments:**\n- borrow: 2 → 3", ["borrow: 2 → 3"]),
        ("**Outcomes:**\n- a line\n  that wraps\n- two", ["a line that wraps", "two"]),
        ("**Outcomes:**\n- one\n\nA paragraph that is none.\n- nor this", ["one"]),
        ("**Key insights:** one\n**Next:** another", ["Key insights: one"]),
        ("```\nOutcome: in code\n```\n<!-- Outcome: in a comment -->", []),
        ("Outcome: a\nOutcome: b\nOutcome: c\nOutcome: d", ["Outcome: a", "Outcome: b", "Outcome: c"]),
        ("Outcome: a\nOutcome: a", ["Outcome: a"]),
        ("We went for a walk.\n- and back", []),
    ],
)
def test_lines_are_those_the_writer_marked(body: str, said: list[str]) -> None:
    assert insights.lines("x", body.split("\n")) == said


def test_a_milestone_may_have_more_lines() -> None:
    body = [f"Outcome: {number}" for number in range(30)]
    assert len(insights.lines("Phase 2 complete", body)) == 18
    assert len(insights.lines("An ordinary day", body)) == 3


def test_what_is_too_long_is_cut_at_a_word() -> None:
    assert insights.cut("one two three", 9) == "one two…"
    assert insights.cut("onetwothree", 6) == "onetw…"
    assert insights.cut("one two", 7) == "one two"
    long = insights.headline("2026-01-01 " + "word " * 60, [])
    assert len(long) <= insights.HEADLINE
    assert long.endswith("word…")


@examples(300)
@given(documents())
def test_every_word_of_a_summary_is_a_word_of_its_entry(data: bytes) -> None:
    document = livedoc.parse(data, TITLE)
    for entry in document.entries:
        whole = livedoc.text(document.bytes_of(entry))
        body = whole.split("\n")[1:]
        for said in [insights.headline(entry.title, body), *insights.lines(entry.title, body)]:
            assert set(re.findall(r"\w+", said)) <= set(re.findall(r"\w+", whole))
