"""What is written is read back as it was: records by the readers, and by the hook's own small parser where it dares."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from cockpit.formats import document, frontmatter, ledger, outline
from cockpit.recorder import objects, texts
from cockpit.recorder.ledger import encoded
from tests.examples import examples

ANYTHING = st.text(max_size=30) | st.sampled_from(
    ["", " ", "#", "# a", "a #b", "a: b", "- a", "[", "{}", "'", '"', "\\", "|", ">", "&a", "*a", "!x", "%", "@", "`", "?", ":", "true", "null",
     "1.0", "0005747", "2026-09-10", "on", "~", "---", "...", "\n", "a\nb", "\t", "\r", "\x85", "\u2028", "\ufeff", "\0", "\x1b", "😀", "ü", "a\r", "\ud800"]
)  # fmt: skip
NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,9}", fullmatch=True)
FIELDS = st.dictionaries(NAMES, ANYTHING | st.lists(ANYTHING.filter(bool), max_size=4), max_size=6)


def _sound(value: texts.Field) -> texts.Field:
    one = lambda text: text.encode("utf-8", "backslashreplace").decode()  # noqa: E731
    return one(value) if isinstance(value, str) else [one(each) for each in value]


@examples(500)
@given(FIELDS)
def test_fields_are_read_back_as_they_were_written(fields: dict[str, texts.Field]) -> None:
    read = document.parse(texts.lines(fields).encode())
    assert read.whole
    assert read.fields == {name: _sound(value) for name, value in fields.items()}


@examples(200)
@given(FIELDS, st.text(max_size=80))
def test_a_whole_record_is_read_back(fields: dict[str, texts.Field], body: str) -> None:
    read = frontmatter.parse(texts.front_matter(fields, body))
    assert read is not None
    assert read.header.fields == {name: _sound(value) for name, value in fields.items()}


LINES = st.sampled_from(
    ["a: b", "a:", "  b: c", "  b:", "    c: d", "a: [x, y]", "  b: []", 'a: "x"', '  b: "x y"', "a: b #c", "  b: c #d", "# note", "", "  ",
     "a: b: c", "  b: c: d", "- x", "  - x", "a: |", "a: 'x'", "  b: -", "a: -x", "  b: x:", "a: [a b]", "a: ü", "b: \x07", " c: d", "a: b ", "d: [", "\ta: b",
     "1: x", "a.b: c", "a-b: c", "a:b", "? a", "---", "  b: ?x", "  b: 'x", "a: ~", "  b: @x", "a: []  ", "e: \u2028", "a: \ufeff", "  b: 1.0"]
)  # fmt: skip


@examples(2000)
@given(st.lists(LINES | st.text(max_size=12), max_size=8))
@example(["a:", "  b: c", " d: e"])
@example(["a: b", "a: c"])
def test_what_the_outline_reads_the_document_reads_identically(lines: list[str]) -> None:
    data = "\n".join(lines).encode("utf-8", "surrogatepass")
    read = outline.parse(data)
    if read is not None:
        whole = document.parse(data)
        assert whole.fields == read


@examples(300)
@given(st.dictionaries(st.text(max_size=8), ANYTHING, max_size=5))
def test_a_ledger_line_is_one_line_that_the_readers_parse(fields: dict[str, str]) -> None:
    sound = {str(_sound(key)): str(_sound(value)) for key, value in fields.items()}
    data = encoded([sound | {"event": "test"}])
    assert data.count(b"\n") == 1
    read = ledger.parse(ledger.strip(data[:-1]))
    assert read is not None
    assert read.event == "test"
    assert objects.loads(data.decode()) == sound | {"event": "test"}
