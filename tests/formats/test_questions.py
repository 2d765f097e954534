"""Only unresolved questions block, and a comment is documentation."""

from __future__ import annotations

import pytest

from cockpit.formats.questions import unresolved


def test_unresolved_questions_come_in_the_order_of_the_file() -> None:
    text = b"# Questions\n\n- [unresolved] t-2 - why? (2026-09-11)\n- [resolved 2026-09-12] t-1 - x\n  - [unresolved] t-1 - who?\n"
    assert unresolved(text) == ["t-2 - why? (2026-09-11)", "t-1 - who?"]


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"<!-- - [unresolved] example -->",
        b"<!--\n- [unresolved] example\n-->\n",
        b"<!--\n- [unresolved] never ended\n",
        b"[unresolved] x",
        b"- [Unresolved] x",
        b"- [x] [unresolved] y",
    ],
)
def test_what_is_no_unresolved_question_does_not_block(text: bytes) -> None:
    assert unresolved(text) == []


@pytest.mark.parametrize(
    "text", [b"- [unresolved] a\r\n", b"\xef\xbb\xbf- [unresolved] a", b"<!-- x -->- [unresolved] a"]
)
def test_the_edges_of_a_line_cost_nothing(text: bytes) -> None:
    assert unresolved(text) == ["a"]


def test_bytes_that_are_no_utf_8_stay_visible() -> None:
    assert unresolved(b"- [unresolved] \xff\n") == ["\\xff"]


def test_a_line_separator_ends_no_question() -> None:
    assert unresolved("- [unresolved] a\u2028b\x85c".encode()) == ["a\u2028b\x85c"]
