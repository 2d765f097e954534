"""The summary section: its items, what they point to, and the collapse at its edges."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cockpit.formats import livedoc, summary
from cockpit.formats.summary import Shelf
from tests.examples import examples
from tests.housekeeping.documents import documents

FOLDER = "progress/archive"


def item(day: str, lines: int = 5, name: str = "") -> str:
    below = "".join(f"  - outcome {number} of {day}\n" for number in range(lines - 2))
    return f"- **{day} - Session**\n{below}  → archive/{name or day}.md\n"


def days(number: int, year: int = 2026) -> list[str]:
    return [f"{year}-{1 + place // 28:02}-{1 + place % 28:02}" for place in range(number)]


def collapse(block: str, names: list[str], limit: int = 200) -> tuple[str, list[summary.Collapsed]]:
    found = summary.pieces(livedoc.raw(block), FOLDER)
    left, made = summary.collapse(found, Shelf(FOLDER, names, "\n"), limit)
    return "".join(line for piece in left for line in piece.lines), made


def names(block: str) -> set[str]:
    return set(summary.pointers(livedoc.raw(block), FOLDER))


# ---------------------------------------------------------------------- pieces
@examples(400)
@given(st.one_of(documents(), st.text(alphabet="-* 2026-01-02→archive/.md()\n\r`", max_size=80).map(livedoc.raw)))
def test_the_pieces_joined_are_the_section(block: bytes) -> None:
    joined = "".join(line for piece in summary.pieces(block, FOLDER) for line in piece.lines)
    assert livedoc.raw(joined) == block


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("- **2026-01-01 - x**\n  → archive/2026-01-01.md\n", "entry"),
        ("- **2026-01-01 — x**\n  key insight\n  → `archive/session-2026-01-01.md`\n", "entry"),
        ("* 2026-01-01: x\n  -> progress/archive/2026-01-01.md\n", "entry"),
        ("- **2026-01-01 - x** → `archive/2026-01-01.md`\n", "entry"),
        ("- **2026-01-01 - x**\n\n  → [it](./archive/2026-01-01.md)\n", "entry"),
        ("- **Phase 0 (12 sessions, 2026-03-23 → 2026-04-30)**\n  → archive/2026-03-*.md\n", "phase"),
        ('- Phase 0 (12 sessions, 2026-03-23 → 2026-04-30): done. Archive: `archive/2026-03-*.md`\n', "phase"),
        ("- **Basics (3 entries, 2026-03-23 - 2026-04-30)**\n  Archives: `archive/2026-03-*.md`\n", "phase"),
        ("- **2026-01-01 - x**\n  and no pointer\n", "hand"),
        ("- **2026-01-01 - x**\n  → elsewhere/2026-01-01.md\n", "hand"),
        ("```\n- **2026-01-01 - x**\n  → archive/2026-01-01.md\n```\n", "hand"),
        ("A sentence about 2026-01-01.\n", "hand"),
    ],
)  # fmt: skip
def test_what_points_into_the_archive_is_an_item_and_the_rest_was_written_by_hand(line: str, kind: str) -> None:
    assert [piece.kind for piece in summary.pieces(livedoc.raw(line), FOLDER)] == [kind]


def test_the_lines_of_a_section_are_counted_without_its_blank_edges() -> None:
    assert [summary.count(each) for each in (b"", b"\n\n", b"\na\n", b"\na\n\nb\n\n\n", b"a")] == [0, 0, 1, 3, 1]


# ---------------------------------------------------------------------- collapse
@pytest.mark.parametrize("lines", [199, 200])
def test_a_section_that_fits_is_left_alone(lines: int) -> None:
    block = "".join(map(item, days(38))) + item("2026-09-01", lines - 190)
    assert summary.count(livedoc.raw(block)) == lines
    assert collapse(block, [])[1] == []


def test_one_line_too_many_makes_a_phase_of_ten() -> None:
    block = "".join(map(item, days(38))) + item("2026-09-01", 11)
    left, made = collapse(block, [f"{day}.md" for day in [*days(38), "2026-09-01"]])
    assert [(each.items, each.name, each.first, each.last) for each in made] == [
        (10, "Phase 0", "2026-01-01", "2026-01-10")
    ]
    assert left.startswith(
        "- **Phase 0 (10 sessions, 2026-01-01 → 2026-01-10)**\n  - outcome 0 of 2026-01-01\n"
        "  - outcome 0 of 2026-01-06\n  - outcome 0 of 2026-01-10\n  → archive/2026-01-0*.md, archive/2026-01-10.md\n"
        "- **2026-01-11 - Session**\n"
    )


def test_hand_written_lines_are_kept_where_they_are() -> None:
    block = (
        "By hand at first.\n\n" + "".join(map(item, days(20))) + "- in the middle\n" + "".join(map(item, days(22)[20:]))
    )
    left, made = collapse(block, [f"{day}.md" for day in days(22)], 60)
    assert made
    assert left.startswith("By hand at first.\n\n- **Phase 0")
    assert "- in the middle\n" in left


def test_a_section_written_by_hand_cannot_be_collapsed() -> None:
    block = "".join(f"- line {number}\n" for number in range(300))
    assert collapse(block, []) == (block, [])


def test_fewer_than_ten_items_are_no_phase() -> None:
    block = "".join(item(day, 30) for day in days(9))
    assert collapse(block, []) == (block, [])


def test_the_oldest_go_first_in_whatever_order_they_stand() -> None:
    block = "".join(map(item, reversed(days(45))))
    left, made = collapse(block, [f"{day}.md" for day in days(45)])
    assert (made[0].first, made[0].items) == ("2026-01-01", 10)
    assert left.index("2026-02-17") < left.index("Phase 0")


def test_a_pattern_that_would_cover_another_file_is_not_used() -> None:
    block = "".join(map(item, days(40)[:12])) + "".join(map(item, days(60)[31:]))
    left, _ = collapse(block, [f"{day}.md" for day in days(60)])
    assert "archive/2026-01-*.md" not in left
    assert "archive/2026-01-0*.md" in left
    several = "".join(item(day, 30) for day in days(10)) + item("2026-02-01")
    left, _ = collapse(several, [f"{day}.md" for day in [*days(10), "2026-02-01"]])
    assert "archive/2026-01-*.md" in left
    left, _ = collapse(several, [*(f"{day}.md" for day in days(10)), "2026-01-05-2.md", "2026-01-10-notes.md"])
    assert "*.md" not in left


def test_a_range_of_two_years_has_a_pattern_for_each_part() -> None:
    old, new = days(5, 2025), days(5)
    left, made = collapse("".join(item(day, 20) for day in [*old, *new]), [f"{day}.md" for day in [*old, *new]], 100)
    assert (made[0].first, made[0].last) == ("2025-01-01", "2026-01-05")
    assert "archive/2025-01-*.md" in left
    assert "archive/2026-01-*.md" in left


def test_phases_are_numbered_on_and_old_phases_become_one() -> None:
    every = [f"{year}-{month:02}-{day:02}" for year in (2024, 2025) for month in range(1, 13) for day in range(1, 29)]
    left, made = collapse("".join(map(item, every)), [f"{day}.md" for day in every])
    assert summary.count(livedoc.raw(left)) <= 200
    assert [each.name for each in made[:3]] == ["Phase 0", "Phase 1", "Phase 2"]
    assert any(each.name.startswith("Phases 0-") for each in made)
    found = summary.pieces(livedoc.raw(left), FOLDER)
    assert sum(piece.sessions for piece in found) == len(every)


@examples(150)
@given(
    st.lists(st.tuples(st.dates(min_value=date(2025, 1, 1), max_value=date(2026, 12, 28)), st.integers(2, 9)), min_size=10, max_size=80, unique_by=lambda each: each[0]),
    st.integers(20, 120),
)  # fmt: skip
def test_whatever_is_collapsed_leads_to_every_file_still_and_to_no_other(
    found: list[tuple[object, int]], limit: int
) -> None:
    block = "".join(item(str(day), lines) for day, lines in found)
    files = [f"{day}.md" for day, _ in found]
    others = ["2025-06-01-2.md", "2026-07-15-3.md"]
    left, made = collapse(block, [*files, *others], limit)
    assert summary.reached([*files, *others], names(left)) == set(files)
    again, more = collapse(left, [*files, *others], limit)
    assert (again, more) == (left, [])
    assert summary.count(livedoc.raw(left)) <= limit or not made or _nothing_left(left)


def _nothing_left(block: str) -> bool:
    kinds = [piece.kind for piece in summary.pieces(livedoc.raw(block), FOLDER)]
    return kinds.count("entry") < 10 and kinds.count("phase") < 10


def test_no_digits_in_a_name_are_too_many() -> None:
    block = f"- **Phase {'9' * 6000} (2 sessions, 2026-01-01 → 2026-01-02)**\n  → archive/2026-01-0*.md\n"
    assert isinstance(collapse(block * 12, ["2026-01-01.md"], 5)[0], str)


def test_a_pointer_that_stands_for_a_pattern_reaches_what_it_covers() -> None:
    assert summary.reached(["2026-01-01.md", "2026-02-01.md"], ["2026-01-*.md"]) == {"2026-01-01.md"}
    assert Shelf(FOLDER, ["2026-01-01.md"], "\n").expand(["*.md"]) == {"2026-01-01.md"}
