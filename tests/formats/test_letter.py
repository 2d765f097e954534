"""A letter as bytes: which line is a field, where a section ends, what is named; nothing is lost and nothing raises."""

from __future__ import annotations

import hashlib
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cockpit.formats import letter, livedoc
from cockpit.formats.letter import HEAD, parse
from cockpit.formats.livedoc import hidden
from cockpit.formats.text import lines

LETTER = """\
# Labels: second leg

Status: active - the printer is on loan until Friday
Effort: labels
Leg: 2
Supersedes: docs/archive/HANDOFF-2026-11-28-labels.md sha256:{digest}
Consumed-at: pending

## Original goal

Labels that a depot can read.

## Progress

- `parcels/labels.py` wraps long lines (commit 1234567).
- See [the test](tests/test_labels.py) and 89abcdef01.

### Details

In docs/printers/a6.md:12.

## Remainder

1. parcels/margins.py

## Verification

    python -m pytest tests/test_labels.py
""".format(digest="ab" * 32).encode()


def fields(text: str | bytes) -> dict[str, str]:
    found = parse(text.encode() if isinstance(text, str) else text).fields
    return {name: field.value for name, field in found.items()}


# ---------------------------------------------------------------------- fields
def test_a_letter_is_read_whole() -> None:
    read = parse(LETTER)
    assert (read.title, read.text("Effort"), read.text("leg")) == ("Labels: second leg", "labels", "2")
    assert (read.status.word, read.status.prose) == ("active", "the printer is on loan until Friday")
    assert read.supersedes is not None
    assert (read.supersedes.path, read.supersedes.digest) == ("docs/archive/HANDOFF-2026-11-28-labels.md", "ab" * 32)
    assert [read.line(name) for name in letter.REQUIRED] == [3, 4, 5, 6, 7]
    assert (read.digest, read.size) == (hashlib.sha256(LETTER).hexdigest(), len(LETTER))


@pytest.mark.parametrize(
    "line",
    [
        "Status: active",
        "STATUS:active",
        "status :   active  ",
        "- Status: active",
        "* **Status**: active",
        "**Status:** active",
        "**Status: active**",
        "  + **status** : `active`",
        "Status: active\r",
    ],
)
def test_a_field_may_be_written_in_any_of_these_ways(line: str) -> None:
    assert fields(f"# x\n\n{line}\n") == {"status": "active"}


@pytest.mark.parametrize(
    "line",
    ["> Status: active", "The Status: active", "Status active", "# Status: active", "Stat: active", "    Status: x"],
)
def test_another_line_is_no_field(line: str) -> None:
    assert fields(f"{line}\n") == {}


def test_blank_lines_may_stand_between_fields_and_a_byte_order_mark_before_them() -> None:
    assert fields(b"\xef\xbb\xbfStatus: active\r\n\r\n\r\nEffort: e\r\n") == {"status": "active", "effort": "e"}


def test_the_first_of_a_name_counts() -> None:
    assert fields("Leg: 1\n\nLeg: 2\n") == {"leg": "1"}


def test_a_field_begins_in_the_first_four_kibibytes() -> None:
    before = "x" * (HEAD - 1)
    assert fields(f"{before[:-1]}\nLeg: 1\n") == {"leg": "1"}
    assert fields(f"{before}\nLeg: 1\n") == {}
    assert fields(f"{'é' * (HEAD // 2 - 1)}x\nLeg: 1\n") == {}


@pytest.mark.parametrize("hiding", ["```\n{}\n```", "~~~~\n{}\n~~~\n~~~~", "<!--\n{}\n-->", "```\n{}"])
def test_code_and_comments_hold_neither_fields_nor_headings(hiding: str) -> None:
    read = parse(hiding.format("Status: active\n# Progress").encode())
    assert (read.fields, [each.level for each in read.sections]) == ({}, [0])


@pytest.mark.parametrize(
    ("said", "word", "prose"),
    [
        ("active", "active", ""),
        ("Awaiting-Human: which format?", "awaiting-human", "which format?"),
        ("consumed, superseded by x", "consumed", "superseded by x"),
        ("PAUSED until Friday", "paused", "until Friday"),
        ("active—soon", "active", "soon"),
        ("42", "", "42"),
        ("", "", ""),
    ],
)
def test_a_status_is_a_word_and_prose(said: str, word: str, prose: str) -> None:
    status = parse(f"Status: {said}\n".encode()).status
    assert (status.word, status.prose) == (word, prose)


@pytest.mark.parametrize("said", ["none", "None (the first leg)", "`none`", "", "NONE"])
def test_a_letter_may_supersede_nothing(said: str) -> None:
    assert parse(f"Supersedes: {said}\n".encode()).supersedes is None


@pytest.mark.parametrize(
    "said", ["`a/b c.md`", "a/b c.md", "./a/b c.md", "[the first](a/b c.md)", "a/b c.md (sha256:" + "0" * 64 + ")"]
)
def test_what_is_superseded_is_a_path(said: str) -> None:
    found = parse(f"Supersedes: {said}\n".encode()).supersedes
    assert found is not None
    assert (found.path, found.digest) == ("a/b c.md", "0" * 64 if "sha256" in said else "")


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("HANDOFF-2026-11-30-x.md", date(2026, 11, 30)),
        ("HANDOFF-2026-02-30-x.md", None),
        ("HANDOFF-2026-11-30.md", None),
        ("HANDOFF-x.md", None),
    ],
)
def test_the_day_is_the_one_in_the_name(name: str, day: date | None) -> None:
    assert letter.is_letter(name)
    assert letter.written_on(name) == day


@pytest.mark.parametrize("name", ["INDEX.md", "README.md", "HANDOFF-2026-11-30-x.txt", ".tmp.HANDOFF-2026-11-30-x.md"])
def test_another_name_is_no_letter(name: str) -> None:
    assert not letter.is_letter(name)


# ---------------------------------------------------------------------- sections
def test_sections_have_their_roles_and_pass_them_on_to_what_is_below() -> None:
    found = [(each.heading, each.level, each.line, each.role) for each in parse(LETTER).sections]
    assert found == [
        ("Labels: second leg", 1, 1, ""),
        ("Original goal", 2, 9, "goal"),
        ("Progress", 2, 13, "progress"),
        ("Details", 3, 18, "progress"),
        ("Remainder", 2, 22, "remainder"),
        ("Verification", 2, 26, "verification"),
    ]


def test_a_title_has_no_role_and_level_one_sections_have() -> None:
    assert [each.role for each in parse(b"# Progress of labels\n## Next steps\n").sections] == ["", "remainder"]
    assert [each.role for each in parse(b"# Goal\n# Progress\n").sections] == ["goal", "progress"]


def test_a_heading_may_be_closed_and_a_hashtag_is_none() -> None:
    found = parse(b"## Progress ##\n#hash\n####### seven\n   ### C#\n").sections
    assert [(each.heading, each.level) for each in found] == [("Progress", 2), ("C#", 3)]


# ---------------------------------------------------------------------- what is named
def test_paths_and_commits_are_named_with_their_lines() -> None:
    read = parse(LETTER)
    assert [(each.name, each.line) for each in read.within("progress", read.paths)] == [
        ("parcels/labels.py", 15), ("tests/test_labels.py", 16), ("docs/printers/a6.md", 20),
    ]  # fmt: skip
    assert [(each.name, each.line) for each in read.commits] == [("1234567", 15), ("89abcdef01", 16)]
    assert ("parcels/margins.py", 24) in [(each.name, each.line) for each in read.paths]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("`a/b.py`", "a/b.py"),
        ("**a/b.py**.", "a/b.py"),
        ("(a/b.py:12-20)", "a/b.py"),
        ("a/b.py::test_x", "a/b.py"),
        ("a/b.md#L3", "a/b.md"),
        ("./a/b.py, and", "a/b.py"),
        ("--file=a/b.py", "a/b.py"),
        ("docs/", "docs/"),
        (".github/workflows/ci.yml", ".github/workflows/ci.yml"),
        ("über/größe.md", "über/größe.md"),
    ],
)
def test_this_is_a_path(text: str, path: str) -> None:
    assert [each.name for each in parse(f"See {text}\n".encode()).paths] == [path]


@pytest.mark.parametrize(
    "text",
    [
        "and/or", "origin/main", "feature/returns", "24/7.5", "https://example.org/a.html", "example.org/a.html",
        "src/*.py", "/etc/passwd.txt", "~/a/b.py", "../a/b.py", "a/../b.py", "letter.py", "os.path", "-a/b.c", "$HOME/a.py",
        "a//b.py", "git@host.x:a/b.git", "C:\\a\\b.py", "docs/HANDOFF-<slug>.md",
    ],
)  # fmt: skip
def test_this_is_no_path(text: str) -> None:
    assert parse(f"See {text} now\n".encode()).paths == ()


@pytest.mark.parametrize("text", ["`1529a43`", "(1529a43).", "commit 1529143", "1529a43..89abcde", "a" * 39 + "1"])
def test_this_is_a_commit(text: str) -> None:
    assert parse(f"See {text} now\n".encode()).commits


@pytest.mark.parametrize(
    "text",
    [
        "20261130", "defaced", "sha256:" + "a1" * 32, "8f14e45f-ceea-4672-9a1b-3d2a8f6d9c11", "1529a4", "x1529a43",
        "a/1529a43", "1529a43.py", "#1529a43", "a1" * 33, "v1.1529a43", "1529A43",
    ],
)  # fmt: skip
def test_this_is_no_commit(text: str) -> None:
    assert parse(f"See {text} now\n".encode()).commits == ()


# ---------------------------------------------------------------------- whatever the bytes are
_PIECES = st.sampled_from(
    [
        b"Status: active\n",
        b"# Progress\n",
        b"```\n",
        b"<!--",
        b"-->\n",
        b"a/b.py 1234abc\n",
        b"\xff",
        b"\r\n",
        b"\n",
        b"**",
    ]
)


@given(st.lists(_PIECES | st.binary(max_size=20), max_size=40).map(b"".join))
def test_no_line_is_lost_whatever_the_bytes_are(data: bytes) -> None:
    read = parse(data)
    covered = [line for each in read.sections for line in range(each.line, each.first + each.text.count("\n"))]
    assert covered == list(range(1, len(lines(data)) + 1))
    texts = [line.decode("utf-8", "backslashreplace") for line in lines(data)]
    held = [line for each in read.sections for line in each.text.split("\n")[:-1]]
    assert held == [texts[number - 1] for number in covered if number not in {e.line for e in read.sections if e.level}]
    assert all(0 < each.line <= len(texts) for each in (*read.paths, *read.commits, *read.fields.values()))
    "".join([read.title, *(field.value for field in read.fields.values()), read.status.prose]).encode()


# ---------------------------------------------------------------------- what is told fast is told right
@given(
    st.lists(
        st.sampled_from(["```", "````", "~~~", "~~~ x", "``` `", "<!--", "-->", " <!-- x -->", "    ```", "é", ""])
    )
)
def test_a_line_is_hidden_where_a_heading_in_its_place_would_be(texts: list[str]) -> None:
    for number, covered in enumerate(hidden(texts)):
        headed = [*texts[:number], "## 2026-01-01", *texts[number + 1 :]]
        if "`" not in texts[number] and "~" not in texts[number] and "-" not in texts[number]:
            entries = livedoc.parse("".join(f"{text}\n" for text in headed).encode()).entries
            assert covered == (not entries), number


@given(st.lists(st.sampled_from(["# Progress", "## Goal", "### Done", "a/b.py", "", "word", "# Goal"]), max_size=12))
def test_what_stands_under_a_heading_is_what_stands_in_its_section(texts: list[str]) -> None:
    read = parse("\n".join(texts).encode())
    lines_of = {n for each in read.of("progress") for n in range(each.first, each.first + each.text.count("\n"))}
    assert read.within("progress", read.paths) == [each for each in read.paths if each.line in lines_of]
