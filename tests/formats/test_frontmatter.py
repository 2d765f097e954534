"""Front matter lies between two fences; a section is what stands below its heading."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cockpit.formats import frontmatter
from tests.examples import examples


@pytest.mark.parametrize(
    "data",
    [
        b"---\na: on\n---\nbody\n",
        b"---\r\na: on\r\n---\r\nbody\r\n",
        b"\xef\xbb\xbf---\na: on\n---\nbody\n",
        b"--- \na: on\n---\t\nbody\n",
    ],
)
def test_the_lines_between_the_fences_are_the_header(data: bytes) -> None:
    read = frontmatter.parse(data)
    assert read
    assert (read.header.fields, read.body) == ({"a": "on"}, "body\n")


@pytest.mark.parametrize(
    "data", [b"", b"---", b"---\na: 1\n", b"a: 1\n---\n", b"\n---\na: 1\n---\n", b"----\na: 1\n---\n"]
)
def test_without_both_fences_there_is_none(data: bytes) -> None:
    assert frontmatter.parse(data) is None


def test_a_third_fence_belongs_to_the_body() -> None:
    read = frontmatter.parse(b"---\na: 1\n---\nx\n---\ny")
    assert read
    assert read.body == "x\n---\ny"


def test_bytes_that_are_no_utf_8_stay_visible_in_the_body() -> None:
    read = frontmatter.parse(b"---\na: 1\n---\n\xff!")
    assert read
    assert read.body == "\\xff!"


@given(st.binary(max_size=120).map(lambda data: b"---\n" + data))
@examples(200)
def test_no_bytes_raise(data: bytes) -> None:
    read = frontmatter.parse(data)
    assert read is None or frontmatter.section(read.body, "Next Action") in read.body.replace("\r", "\n") + "\r"


# ---------------------------------------------------------------------- sections
@pytest.mark.parametrize(
    "body",
    [
        "# Next Action\n\nGo on.\n",
        "# Objective\n\nx\n\n# Next Action\nGo on.\n# Later\nno\n",
        "# next action #\nGo on.",
        "#   Next Action  \nGo on.\n#\nno",
        "```\n# Next Action\nnot this\n```\n# Next Action\nGo on.\n",
        "~~~~ md\n```\n# Next Action\nnot this\n~~~\n# Next Action\nnor this\n~~~~\n# Next Action\nGo on.\n",
    ],
)
def test_a_section_ends_at_the_next_level_one_heading(body: str) -> None:
    assert frontmatter.section(body, "Next Action") == "Go on."


@pytest.mark.parametrize(
    "inside",
    [
        "## Smaller\n\ntext",
        "```sh\n# a comment\nmake\n```\nand then",
        "~~~\n# a comment\n```\n# another\n~~~\nand then",
        "````md\n```\n# a comment\n```\n````\nand then",
        "```\n```python\n# a comment\n```\nand then",
        "- a list:\n  ```\n# a comment\n  ```\nand then",
        "#hashtag",
    ],
)
def test_what_is_no_level_one_heading_belongs_to_the_section(inside: str) -> None:
    assert frontmatter.section(f"# Next Action\n\n{inside}\n\n# Notes\nno\n", "Next Action") == inside


@pytest.mark.parametrize(
    "body", ["", "Next Action\n", "## Next Action\nx", "# Next Actions\nx", "# Next Action\n\n# X\ny"]
)
def test_where_there_is_no_such_section_there_is_no_text(body: str) -> None:
    assert frontmatter.section(body, "Next Action") == ""
