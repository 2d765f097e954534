"""A document gives back the text that was written, and what cannot be read costs only itself."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cockpit.formats import document
from tests.examples import examples, soup

VERBATIM = [
    "1529143",
    "0005747",
    "0x1F",
    "1e5",
    "on",
    "no",
    "null",
    "~",
    "1.0",
    ".inf",
    "1:30",
    "2026-09-10",
    "2026-02-30T10:00:00Z",
    "/home/me/proj #2",
    "/a: b",
    "a: b: c",
    "trailing \\",
    "it's",
    "50% {of} [it]",
    "@me",
    "`tick`",
    "- dash",
    "? what",
    "<<",
    "%TAG",
    "a\x00b",
    "a\x1b[31mb",
    "a\x85b",
    "a\u2028b",
    "a\rb",
    "a\ufeffb",
    "a\tb",
    "\ue000\ue001",
    "v0",
    "vv1",
    "---",
]


@pytest.mark.parametrize("value", VERBATIM)
@pytest.mark.parametrize("beside", ["", "list:\n  - x\nmap: {a: b}\n"], ids=["fast", "yaml"])
def test_a_plain_value_is_the_text_that_was_written(value: str, beside: str) -> None:
    read = document.parse(f"{beside}key: {value}\nnext: 1\n".encode())
    assert (read.text("key"), read.text("next"), read.whole) == (value, "1", True)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ('"quoted"', "quoted"),
        ('"a \\"b\\" \\\\ \\u00fc"', 'a "b" \\ ü'),
        ("'it''s'", "it's"),
        ('""', ""),
        ('"2026-09-10" # a comment', "2026-09-10"),
        ("|\n  two\n  lines", "two\nlines\n"),
        (">-\n  two\n  lines", "two lines"),
        ("!!int 7", "7"),
        ("&anchor word", "word"),
        ("   spaced   ", "spaced"),
        ('"a\x85b\u2028c"', "a\x85b\u2028c"),
        ("|\n  a\x85b", "a\x85b\n"),
    ],
)
def test_a_value_that_yaml_must_read_is_text_too(written: str, read: str) -> None:
    assert document.parse(f"key: {written}\n".encode()).text("key") == read


@pytest.mark.parametrize("data", [b"", b"\n\n", b"# only a comment\n", b"\xef\xbb\xbf", b"---\n", b"\r\n"])
def test_an_empty_document_has_no_fields_and_no_damage(data: bytes) -> None:
    assert (document.parse(data).fields, document.parse(data).damage) == ({}, "")


@pytest.mark.parametrize("data", [b"a: 1\r\nb: two\r\n", b"\xef\xbb\xbfa: 1\nb: two", b"\xef\xbb\xbfa: 1\r\nb: two"])
def test_a_byte_order_mark_and_carriage_returns_cost_nothing(data: bytes) -> None:
    assert document.parse(data).fields == {"a": "1", "b": "two"}


@pytest.mark.parametrize("data", [b"a: 1\na: 2\n", b'a: "1"\nb: {}\na: 2\n', b"a: [\na: 1\na: 2\n"])
def test_of_two_equal_keys_the_last_one_counts(data: bytes) -> None:
    assert document.parse(data).text("a") == "2"


def test_a_comment_after_the_key_of_a_block_is_no_value() -> None:
    read = document.parse(b"scope: # what\n  - a\n  - b\nsession: # more\n\n  # and more\n  fresh: 1\nlast: #1\n")
    assert read.texts("scope") == ["a", "b"]
    assert read.block("session").text("fresh") == "1"
    assert read.text("last") == "#1"


def test_lists_and_blocks_hold_text() -> None:
    read = document.parse(
        b"a: [1, on, 0x1F]\nb:\n  - 1.0\n  - 'x'\nc:\n- name: 007\n  by: no\n- text\nd: {e: {f: 2026-01-01}}\n"
    )
    assert (read.texts("a"), read.texts("b")) == (["1", "on", "0x1F"], ["1.0", "x"])
    assert [(entry.text("name"), entry.text("by")) for entry in read.blocks("c")] == [("007", "no")]
    assert read.block("d").block("e").text("f") == "2026-01-01"


@pytest.mark.parametrize("item", ["*.md", "@x", "`x`", "%x", "&", '"unended', "[a, b", "{", "a\tb: \x00", "*"])
def test_an_item_that_is_no_yaml_does_not_cost_the_record(item: str) -> None:
    read = document.parse(f"session_id: s-1\nchanged_files:\n  - {item}\nbranch: on\n".encode())
    assert (read.text("session_id"), read.text("branch"), read.whole) == ("s-1", "on", False)
    assert "does not parse as a whole" in read.damage
    assert "(correct " in read.to_correct


def test_git_s_quoting_of_a_name_is_read() -> None:
    read = document.parse(b'changed_files:\n  - "a b.txt"\n  - plain/x.py\nhead: 0005747\n')
    assert (read.texts("changed_files"), read.text("head")) == (["a b.txt", "plain/x.py"], "0005747")


@pytest.mark.parametrize(
    ("data", "kept", "dropped"),
    [
        (b"a: 1\nb: [\nc: 3\n", {"a": "1", "c": "3"}, ("b",)),
        (b"a: 1\nb: \xff\nc: 3\n", {"a": "1", "c": "3"}, ("line 2",)),
        (b"a: 1\nb: *gone\n", {"a": "1"}, ("b",)),
        (b"a: 1\nb: &x [*x]\n", {"a": "1"}, ("b",)),
        (b"a: 1\n\tb: 2\n: 3\nc: 'x'\n", {"a": "1", "c": "x"}, ()),
        (b"a: 1\nb: " + b"[" * 5000 + b"]" * 5000 + b"\nc: 3\n", {"a": "1", "c": "3"}, ("b",)),
        (b"a: 1\nb: " + b"{x: " * 5000 + b"\nc: 3\n", {"a": "1", "c": "3"}, ("b",)),
        (b"a: 1\nb: 'x\x00y'\nc: 3\n", {"a": "1", "c": "3"}, ("b",)),
        (b'a: 1\nb: "\\ud800"\nc: 3\n', {"a": "1", "c": "3"}, ("b",)),
    ],
)
def test_a_line_that_does_not_parse_costs_only_itself(data: bytes, kept: dict[str, str], dropped: tuple[str]) -> None:
    read = document.parse(data)
    assert (read.fields, read.whole, read.dropped) == (kept, False, dropped)


@pytest.mark.parametrize("data", [b"just text", b"- a\n- b\n", b"a:b\n", b"[1, 2]", b"{[a]: b}", b"a: 1\n---\nb: 2\n"])
def test_what_is_no_mapping_has_only_its_top_level_lines(data: bytes) -> None:
    assert not document.parse(data).whole


def test_two_documents_in_one_file_keep_the_lines_of_both() -> None:
    assert document.parse(b"a: 1\n---\nb: 2\n").fields == {"a": "1", "b": "2"}


def test_recursion_through_mappings_ends() -> None:
    assert document.parse(b"a: &x {b: *x}\nc: 1\n").text("c") == "1"


def test_a_damaged_document_names_what_was_lost() -> None:
    assert document.parse(b"a: 1\nb: [\nb: {\nc: &\n").damage.endswith("(not read: b, c)")


@pytest.mark.parametrize(
    "data",
    [
        b"a: [\n" * 20_000,
        b"a: [" + b"v" * (1 << 20),
        b"a: " + b"[" * (1 << 20),
        b"a: " + b"{a: " * (1 << 18),
        b"- " * (1 << 19),
        b"a: #\n\n" * 150_000,
    ],
    ids=["broken lines", "one letter", "brackets", "braces", "dashes", "comments"],
)
def test_no_megabyte_holds_a_request(data: bytes) -> None:
    began = time.process_time()
    document.parse(data)
    assert time.process_time() - began < 10


def test_fields_of_another_kind_than_asked_for_are_absent() -> None:
    read = document.parse(b"text: a\nlist: [a, [b], {c: d}, '']\nblock: {a: b}\n")
    assert (read.text("list"), read.text("block"), read.text("none")) == ("", "", "")
    assert (read.texts("text"), read.texts("list"), read.block("list").fields) == ([], ["a"], {})
    assert [entry.fields for entry in read.blocks("list")] == [{"c": "d"}]


# ---------------------------------------------------------------------- properties
keys = st.sampled_from(["a", "b", "key", "a.b", "a-b", "ü", "v0", "-", "1a"])
rests = st.one_of(
    st.sampled_from(
        ["", "[]", "on", "#x", "# x", '"q"', '"q" # c', "'s'", "[a", "|", "a #b", "a: b", "*a", '""', "{}"]
    ),
    soup.map(lambda text: text.replace("\n", " ")),
    soup.map(lambda text: '"' + text.replace("\n", " ").replace('"', "").replace("\\", "") + '"'),
)
soup_lines = st.one_of(
    st.builds("{}: {}".format, keys, rests),
    st.builds("{}:{}".format, keys, st.sampled_from(["", " ", "\t", "\t\tx"])),
    st.builds("{}- {}".format, st.sampled_from(["", " ", "  ", "    "]), st.one_of(keys, rests)),
    st.sampled_from(["", " ", "# comment", "---", "...", "  nested: 1", "\t"]),
)


@given(st.lists(soup_lines, max_size=8))
@examples(600)
def test_the_fast_way_agrees_with_yaml_wherever_it_answers(texts: list[str]) -> None:
    plain = document._plain(texts)
    if plain is not None:
        assert plain == document._whole(texts)


@given(
    st.one_of(st.binary(max_size=200), soup.map(str.encode), st.lists(soup_lines).map(lambda t: "\n".join(t).encode()))
)
@example(b"\xff\xfe\x00a")
@example(b"a: !!python/object:os.system x")
@examples(400)
def test_no_bytes_raise(data: bytes) -> None:
    for value in document.parse(data).fields.values():
        assert isinstance(value, str | list | dict)


@given(st.text(st.characters(codec="utf-8", exclude_characters="\n"), min_size=1))
@examples(300)
def test_any_text_after_a_key_is_that_text(text: str) -> None:
    value = text.strip(" \t").removesuffix("\r").strip(" \t")
    if value and value[0] not in "\"'[{|>&*!":
        assert document.parse(f"key: {value}\n".encode()).text("key") == value


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: 1\nb: {c: d\ne: f\n", 2),
        ("a: 1\nb: [c, d\n\n\n", 2),
        ("a:\n  - b\n c: d\n", 3),
        ("a:\n  b: 1\n  words alone\n  c: 2\n", 3),
        ('a: "b\nc: d\n', 1),
        ("a:\n\tb: c\n", 2),
        ("a: 1\nb: *none\n", 2),
        ("a: {\n\n", 1),
    ],
)
def test_the_line_to_correct_is_told(text: str, line: int) -> None:
    assert document.parse(text.encode()).broken == line


def test_where_the_parser_names_no_line_none_is_told() -> None:
    read = document.parse(b"a: \xff\nb: {\n")
    assert (read.broken, "(correct its YAML)" in read.to_correct) == (0, True)
    assert document.parse(b"a: 1\n").to_correct == ""
