"""The process declaration: its lines and rows in any dress, and nothing from outside its section."""

from __future__ import annotations

import pytest
from hypothesis import given

from cockpit.formats.declaration import Item, declared, open_items
from cockpit.formats.letter import parse
from tests.examples import examples, soup

TITLE = "## Repository process declaration"


@pytest.mark.parametrize(
    "line",
    [
        "Work map: docs/map.md",
        "- Work map: `docs/map.md` is the one",
        "* **Work map:** ./docs/map.md",
        "1. **Work map**: [the map](docs/map.md)",
        "| Work map | docs/map.md | weekly |",
    ],
)
def test_an_owner_is_read_in_any_dress(line: str) -> None:
    found = declared(f"# A\n\n{TITLE}\n\n{line}\n".encode())
    assert found is not None
    place, owners = found
    assert place == 3
    assert [(each.stated, each.line, each.maps_work) for each in owners] == [("docs/map.md", 5, True)]


@pytest.mark.parametrize(
    "text", ["", "# Repository process\n\nMap: x\n", f"```\n{TITLE}\n\nMap: x\n```\n", "process: x"]
)
def test_without_the_section_there_is_no_declaration(text: str) -> None:
    assert declared(text.encode()) is None


def test_the_section_ends_with_the_next_heading_of_its_level() -> None:
    found = declared(f"{TITLE}\n\nA: a.md\n\n### Inner\n\nB: b.md\n\n## Next\n\nC: c.md\n".encode())
    assert found is not None
    assert [each.name for each in found[1]] == ["A", "B"]


def test_an_item_that_is_ticked_or_says_none_is_not_open() -> None:
    section = parse(b"# Gates\n\n- [ ] a\n- [x] b\n* c\n2) d\n- none.\n\n```\n- e\n```\n").sections[0]
    assert open_items(section) == [Item("a", 3), Item("c", 5), Item("d", 6)]


@examples(200)
@given(soup, soup)
def test_no_text_is_too_odd(name: str, where: str) -> None:
    found = declared(f"{TITLE}\n{name}: {where}\n".encode())
    assert found is not None
