"""A live document in parts: what an entry is, where it ends, and what hides a heading."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cockpit.formats import livedoc, rotation
from cockpit.formats.livedoc import LiveDocument
from tests.examples import examples
from tests.housekeeping.documents import TITLE, documents

ONE = "## 2026-01-01 - one\n\ntext\n"


def parse(text: str | bytes) -> LiveDocument:
    return livedoc.parse(text if isinstance(text, bytes) else livedoc.raw(text), TITLE)


def entries(text: str | bytes) -> list[str]:
    document = parse(text)
    return [livedoc.text(document.bytes_of(entry)) for entry in document.entries]


@examples(400)
@given(documents())
def test_entries_and_summary_never_overlap(data: bytes) -> None:
    document = parse(data)
    spans = [(entry.start, entry.end) for entry in document.entries]
    spans += [(document.summary.start, document.summary.end)] if document.summary else []
    edges = [edge for span in sorted(spans) for edge in span]
    assert edges == sorted(edges)
    assert all(data[: span[0]].endswith(b"\n") or data[: span[0]] in (b"", b"\xef\xbb\xbf") for span in spans)


@examples(300)
@given(st.binary(max_size=200))
def test_any_bytes_are_a_document(data: bytes) -> None:
    assert parse(data).data == data


@examples(300)
@given(st.text(alphabet="#-`~<!> 2026-01\n\r*→", max_size=60))
def test_any_markup_is_a_document(text: str) -> None:
    parse(text)


@pytest.mark.parametrize(
    "behind",
    ["## Next\n", "## 2026-01-02\n", "---\n", "---  \r\n", "##\n", "## \n", f"## {TITLE}\n", f"# {TITLE}\n"],
)
def test_an_entry_ends_before_a_level_two_heading_a_rule_or_the_summary(behind: str) -> None:
    assert ONE in entries(f"# Log\n\n{ONE}{behind}more\n")


@pytest.mark.parametrize(
    "inside", ["### deeper\n", "#### 2026-01-02\n", "----\n", " ---\n", "--- x\n", "# one\n", "##x\n"]
)
def test_everything_else_belongs_to_the_entry(inside: str) -> None:
    assert entries(f"{ONE}{inside}more\n") == [f"{ONE}{inside}more\n"]


@pytest.mark.parametrize(
    "heading",
    [
        "## 2026-01-01",
        "##\t2026-01-01 x",
        "   ## 2026-01-01",
        "## Session 4 (2026-01-01)",
        "## [2026-01-01] done ##",
        "## 2026-01-01T10:00Z later",
        "## 2026‑01‑01 with the hyphens of a word processor",
        "## 2026–01–01",
        "## 2026-02-30, no: 2026-01-01",
    ],
)
def test_a_level_two_heading_with_a_date_is_an_entry(heading: str) -> None:
    assert [entry.date for entry in parse(f"# Log\n{heading}\ntext\n").entries] == ["2026-01-01"]


@pytest.mark.parametrize(
    "heading",
    ["# 2026-01-01", "### 2026-01-01", "## 2026-13-01", "## 12026-01-012", "## 2026-1-1", "    ## 2026-01-01", "##2026-01-01",
     "> ## 2026-01-01", "- ## 2026-01-01", "## Summary of earlier sessions (until 2026-01-01)"],
)  # fmt: skip
def test_anything_else_is_none(heading: str) -> None:
    assert entries(f"{heading}\ntext\n") == []


@pytest.mark.parametrize(
    "hidden",
    [
        "```\n{}```\n",
        "~~~\n```\n{}~~~\n",
        "````\n```\n{}````\n",
        "   ``` sh\n{}   ```  \n",
        "```\n{}",
        "<!--\n{}-->\n",
        "<!-- {}",
        "---\na: b\n# {}---\n",
        "```\r\n{}```\r\n",
    ],
)
def test_code_comments_and_front_matter_hide_what_stands_in_them(hidden: str) -> None:
    assert entries(hidden.format("## 2026-01-01 hidden\n")) == []


@pytest.mark.parametrize(
    "shown", ["``` `x` ```\n{}", "    ```\n{}", "```\n```\n{}", "<!-- a -->\n{}", "`` x\n{}", "---\n{}---\n"]
)
def test_what_only_looks_like_a_fence_hides_nothing(shown: str) -> None:
    assert entries(shown.format(ONE)) == [ONE]


@pytest.mark.parametrize(
    "piece",
    [
        "```\n",
        "<!-- ",
        "## ",
        "#" * 9,
        " " * 50,
        "→ ",
        "- **2026-01-01 (",
        "~~~~ x\n",
        "`" * 40 + "x",
        "a/" * 30,
        "phase ",
    ],
)
def test_a_hostile_document_takes_no_longer_than_a_long_one(piece: str) -> None:
    """A million bytes of anything are looked through in the time of a page, also where every part could begin something."""
    data = livedoc.raw(
        f"## 2026-01-02 x {piece * 9}\n## {TITLE}\n\n- **2026-01-01 - x** → " + piece * (1_000_000 // len(piece))
    )
    entry = livedoc.raw(f"## 2026-01-01 {piece}\nOutcome: {piece * 20_000}\n- {piece * 20_000}\n")
    began = time.process_time()
    rotation.plan(livedoc.parse(entry + data, TITLE), TITLE, "docs/archive", rotation.Archive())
    assert time.process_time() - began < 8


def test_the_latest_is_the_newest_and_of_one_day_the_higher() -> None:
    document = parse("## 2026-01-01 a\n## 2026-01-03 b\n## 2026-01-03 c\n## 2026-01-02 d\n")
    assert [entry.title[-1] for entry in document.entries] == ["a", "d", "c", "b"]


def test_a_byte_order_mark_is_no_part_of_the_first_entry() -> None:
    assert entries(b"\xef\xbb\xbf" + ONE.encode()) == [ONE]


def test_the_section_of_the_name_goes_before_one_that_only_reads_like_it() -> None:
    document = parse(f"## Summary of earlier work\n\nold\n\n## {TITLE}\n\nnew\n")
    assert document.block == b"\nnew\n"


@pytest.mark.parametrize("behind", ["## Notes\n", "# Part\n", "---\n", "## 2026-01-01 x\n"])
def test_the_summary_ends_before_a_heading_of_its_level_an_entry_or_a_rule(behind: str) -> None:
    assert parse(f"## {TITLE}\n\n### a year\n\n- x\n{behind}").block == b"\n### a year\n\n- x\n"
