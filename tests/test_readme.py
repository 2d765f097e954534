"""What the README lists is what the catalog holds."""

from __future__ import annotations

import re
from pathlib import Path

from cockpit.reads.catalog import CATALOG

README = Path(__file__).parents[1] / "README.md"


def test_the_table_of_questions_is_the_catalog() -> None:
    rows = re.findall(r"^\| `([a-z]+\.[a-z]+)` \| ([^|]+) \| `([^`]+)` \|$", README.read_text("utf-8"), re.MULTILINE)
    listed = {(name, question.strip(), route) for name, question, route in rows}
    assert listed == {(read.id, read.description, read.route) for read in CATALOG}


def test_every_picture_is_there() -> None:
    pictures = re.findall(r"!\[[^]]+\]\(([^)]+)\)", README.read_text("utf-8"))
    assert pictures
    assert all((README.parent / picture).is_file() for picture in pictures)
