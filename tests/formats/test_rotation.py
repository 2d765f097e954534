"""The plan of a rotation: lossless, the same the second time, and everything that is no entry byte for byte."""

from __future__ import annotations

import pytest
from hypothesis import given

from cockpit.formats import livedoc, rotation, verification
from cockpit.formats.rotation import Archive, Plan
from tests.examples import examples
from tests.housekeeping.documents import TITLE, documents, three_months

FOLDER = "docs/archive"
TWO = "## 2026-01-02 - two\n\ntext\n\n## 2026-01-01 - one\n\nOutcome: done\n"


def plan(data: bytes | str, archive: Archive | None = None, limit: int = 200) -> Plan:
    data = data if isinstance(data, bytes) else livedoc.raw(data)
    return rotation.plan(livedoc.parse(data, TITLE), TITLE, FOLDER, archive or Archive(), limit)


def after(done: Plan) -> Archive:
    """The archive folder when a plan was carried out."""
    files = {each.name: each.data for each in done.archived}
    return Archive(frozenset(files), files, {name: rotation.digest(data) for name, data in files.items()})


def shared(one: bytes, other: bytes) -> int:
    """How many bytes two texts begin with together."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


# ---------------------------------------------------------------------- for any document
@examples(500)
@given(documents())
def test_every_earlier_entry_is_whole_in_one_archive_and_the_latest_stays(data: bytes) -> None:
    document = livedoc.parse(data, TITLE)
    done = plan(data)
    assert sorted(each.data for each in done.archived) == sorted(map(document.bytes_of, document.waiting))
    assert len({each.name for each in done.archived}) == len(done.archived)
    left = livedoc.parse(done.data, TITLE)
    if document.latest:
        assert [left.bytes_of(each).rstrip() for each in left.entries] == [document.bytes_of(document.latest).rstrip()]


@examples(500)
@given(documents())
def test_what_is_no_entry_stays_byte_for_byte_around_one_place_where_the_summary_grows(data: bytes) -> None:
    document = livedoc.parse(data, TITLE)
    rest = livedoc.without(data, [(entry.start, entry.end) for entry in document.waiting])
    new = plan(data).data
    assert len(new) >= len(rest)
    assert shared(rest, new) + shared(rest[::-1], new[::-1]) >= len(rest)
    if b"\r\n" in data:
        assert b"\n" not in new.replace(b"\r\n", b"")


@examples(500)
@given(documents())
def test_a_second_rotation_has_nothing_to_do(data: bytes) -> None:
    done = plan(data)
    again = plan(done.data, after(done))
    assert again.idle
    assert again.data == done.data


@examples(300)
@given(documents())
def test_a_plan_that_was_carried_out_in_part_comes_out_the_same(data: bytes) -> None:
    done = plan(data)
    whole = after(done)
    half = dict(list(whole.held.items())[: len(whole.held) // 2])
    again = plan(data, Archive(frozenset(half), half, {}))
    assert (again.data, [each.name for each in again.archived]) == (done.data, [each.name for each in done.archived])
    assert plan(data, whole).data == done.data


@examples(300)
@given(documents())
def test_every_new_archive_can_be_reached(data: bytes) -> None:
    done = plan(data)
    names = frozenset(each.name for each in done.archived)
    problems = verification.leads(livedoc.parse(done.data, TITLE), FOLDER, names)
    assert [each.name for each in problems if each.kind == "unreachable"] == []


@examples(200)
@given(documents(most=12))
def test_a_document_in_which_summaries_are_collapsed_is_at_rest_too(data: bytes) -> None:
    done = plan(data, limit=8)
    names = after(done)
    assert plan(done.data, names, limit=8).idle
    leads = verification.leads(livedoc.parse(done.data, TITLE), FOLDER, names.names)
    assert [each.name for each in leads if each.kind == "unreachable"] == []


# ---------------------------------------------------------------------- names of archive files
def test_entries_of_one_day_are_numbered_from_the_lowest_up() -> None:
    done = plan("## 2026-01-02 x\n## 2026-01-01 c\n## 2026-01-01 b\n## 2026-01-01 a\n")
    assert [(each.title[-1], each.name) for each in done.archived] == [
        ("a", "2026-01-01.md"), ("b", "2026-01-01-2.md"), ("c", "2026-01-01-3.md"),
    ]  # fmt: skip


def test_of_two_entries_of_the_newest_day_the_higher_one_stays() -> None:
    assert plan("## 2026-01-01 a\n## 2026-01-01 b\n").data.startswith(b"## 2026-01-01 a\n")


def test_a_name_that_other_bytes_have_is_passed_over_and_the_very_bytes_are_taken_for_the_archive() -> None:
    other = Archive(frozenset({"2026-01-01.md"}), {"2026-01-01.md": b"other"})
    assert [(each.name, each.there) for each in plan(TWO, other).archived] == [("2026-01-01-2.md", False)]
    same = Archive(frozenset({"2026-01-01.md"}), {"2026-01-01.md": b"## 2026-01-01 - one\n\nOutcome: done\n"})
    assert [(each.name, each.there) for each in plan(TWO, same).archived] == [("2026-01-01.md", True)]


@pytest.mark.parametrize("by", ["a pointer", "a digest"])
def test_the_name_of_an_archive_that_is_gone_is_never_given_again(by: str) -> None:
    pointing = f"## {TITLE}\n\n- **2026-01-01 - lost**\n  → archive/2026-01-01.md\n"
    lost = Archive(digests={} if by == "a pointer" else {"2026-01-01.md": "0" * 64})
    done = plan(f"{TWO}\n{pointing}" if by == "a pointer" else TWO, lost)
    assert [each.name for each in done.archived] == ["2026-01-01-2.md"]


def test_an_archive_that_is_gone_comes_back_where_the_very_entry_is_live_again() -> None:
    data = b"## 2026-01-01 - one\n\nOutcome: done\n"
    done = plan(TWO, Archive(digests={"2026-01-01.md": rotation.digest(data)}))
    assert [each.name for each in done.archived] == ["2026-01-01.md"]


def test_an_entry_that_the_summary_knows_already_gets_no_second_item() -> None:
    first = plan(TWO)
    again = plan(first.data + b"\n## 2026-01-01 - one\n\nOutcome: done\n", after(first))
    assert again.data.count(b"archive/2026-01-01.md") == 1
    assert [each.there for each in again.archived] == [True]


def test_the_same_entry_twice_is_one_archive_and_one_item() -> None:
    done = plan(
        TWO + "\n---\n" + "## 2026-01-01 - one\n\nOutcome: done\n\n---\n## 2026-01-01 - one\n\nOutcome: done\n\n"
    )
    assert {each.name for each in done.archived} == {"2026-01-01.md"}
    assert done.data.count(b"archive/2026-01-01.md") == 1


# ---------------------------------------------------------------------- where the summary stands
def test_the_first_summary_section_follows_the_latest_entry() -> None:
    done = plan(f"# Log\n\n{TWO}\n---\n\n## Notes\n\nkept\n")
    assert done.data.decode() == (
        "# Log\n\n## 2026-01-02 - two\n\ntext\n\n"
        f"## {TITLE}\n\n- **2026-01-01 - one**\n  - Outcome: done\n  → archive/2026-01-01.md\n\n"
        "---\n\n## Notes\n\nkept\n"
    )


def test_a_summary_in_the_middle_grows_at_its_end_and_keeps_what_was_written_by_hand() -> None:
    hand = "A line by hand.\n\n- **2025-01-01** — a dash of another kind\n"
    done = plan(f"## 2026-01-02 a\n\n## {TITLE}\n\n{hand}\n\n## 2026-01-01 b\n\nend")
    assert done.data.decode() == (
        f"## 2026-01-02 a\n\n## {TITLE}\n\n{hand}\n- **2026-01-01 - b**\n  → archive/2026-01-01.md\n\n\n"
    )


def test_without_a_final_newline_there_is_none_afterwards() -> None:
    assert plan("## 2026-01-01 a\n\n## 2026-01-02 b\n\nend").data.endswith(b"  \xe2\x86\x92 archive/2026-01-01.md")
    assert plan(f"## 2026-01-01 a\n## 2026-01-02 b\n## {TITLE}").data.endswith(b"2026-01-01.md")


def test_nothing_is_put_behind_a_fence_that_is_never_closed() -> None:
    done = plan("## 2026-01-01 a\n\n## 2026-01-02 b\n\n```\nopen\n")
    assert done.data.index(TITLE.encode()) < done.data.index(b"## 2026-01-02 b")
    held = plan(f"## 2026-01-02 b\n\n## 2026-01-01 a\n\n## {TITLE}\n\n```\nopen\n").data
    assert held.index(b"archive/2026-01-01.md") < held.index(b"```")


def test_a_heading_on_the_last_line_is_a_summary_section_too() -> None:
    done = plan(f"## 2026-01-02 a\n## 2026-01-01 b\n## {TITLE}")
    assert done.data.decode() == f"## 2026-01-02 a\n## {TITLE}\n\n- **2026-01-01 - b**\n  → archive/2026-01-01.md"


def test_three_months_leave_one_entry_and_a_summary_that_fits() -> None:
    data = three_months()
    done = plan(data)
    assert len(done.archived) == 65
    assert done.summary_lines <= 200
    assert done.collapsed
    assert b"Ask the carrier for the tariff of 2027." in done.data
    assert len(done.data) < len(data) / 3


def test_a_document_of_ten_megabytes_is_planned() -> None:
    big = b"## 2026-01-02 big\n\n" + b"a line of text that says little\n" * 330_000 + b"\n## 2026-01-01 - one\n\ntext\n"
    assert len(plan(big).archived) == 1
