"""One ledger line: the first event of a line counts, and a broken line costs only itself."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from cockpit.formats import ledger
from tests.examples import examples, soup


def _read(line: bytes) -> ledger.Line | None:
    return ledger.parse(ledger.strip(line))


def test_the_fields_that_are_used_are_read() -> None:
    line = b'{"ts":"t","event":"e","head":"0","branch":"on","by":"m","session":"s","task_id":"k","session_id":"r"}'
    assert _read(line) == ledger.Line("e", "t", "s", "k", "r")


@pytest.mark.parametrize(
    "line",
    [
        b'{"event":"first","event":"second"}',
        b'{"event":"first","x":{"event":"inner"},"event":"second"}',
        b'{"event":"first","\\u0065vent":"second"}',
        b'{"\\u0065vent":"first","event":"second"}',
        '{"event":"first","note":"ü","event":"second"}'.encode(),
    ],
)
def test_the_first_event_of_a_line_is_the_event(line: bytes) -> None:
    read = _read(line)
    assert read
    assert read.event == "first"


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b'{"event":"x"',
        b'{"event":"x"}{"event":"y"}',
        b'{"event":"x"} y',
        b"[]",
        b'"x"',
        b"1",
        b"null",
        b"text",
        b'{"event":"x\x00"}',
        b'{"event":"x"}\x00',
        b'{"event":"x","a":"\x01"}',
        b'{"event":"x","a":"\xff"}',
        b'{"event":"\xff"}',
        b'{"event":"x","a":NaN}',
        b'{"event":"x","a":-Infinity}',
        b'{"event":"x","a":01}',
        b'{"event":"x",}',
        b"{'event':'x'}",
    ],
)
def test_what_is_no_json_object_is_none(line: bytes) -> None:
    assert _read(line) is None


@pytest.mark.parametrize("depth", [10_000, 1_000_000])
def test_a_line_nested_too_deep_is_none(depth: int) -> None:
    assert _read(b'{"event":"x","a":' + b"[" * depth + b"]" * depth + b"}") is None


@pytest.mark.parametrize("number", [b"9" * 6000, b"-" + b"9" * 6000, b"1e999", b"1" * 400 + b".5"])
def test_a_huge_number_costs_nothing(number: bytes) -> None:
    read = _read(b'{"event":"x","a":' + number + b"}")
    assert read
    assert read.event == "x"


@pytest.mark.parametrize("other", [b"1", b"null", b"true", b"[]", b'{"event":"x"}', b"9" * 5000])
def test_a_field_of_another_type_is_absent(other: bytes) -> None:
    assert _read(b'{"event":' + other + b',"session":"s"}') == ledger.Line(UNSET, UNSET, "s", UNSET, UNSET)


@pytest.mark.parametrize(
    ("start", "end"), [(b"\xef\xbb\xbf", b""), (b"", b"\r"), (b"", b"\xef\xbb\xbf\r"), (b" \t", b" \t")]
)
def test_an_odd_edge_costs_nothing(start: bytes, end: bytes) -> None:
    assert _read(start + b'{"event":"x"}' + end) == ledger.Line("x")


@pytest.mark.parametrize("blank", [b"", b"\r", b"  \t", b"\xef\xbb\xbf", b"\xef\xbb\xbf\r"])
def test_a_blank_line_is_nothing(blank: bytes) -> None:
    assert ledger.strip(blank) == b""


@pytest.mark.parametrize("inside", ["\u2028", "\x85", "ü", "😀"])
def test_a_line_separator_inside_a_text_stays(inside: str) -> None:
    assert _read(json.dumps({"event": f"a{inside}b"}, ensure_ascii=False).encode()) == ledger.Line(f"a{inside}b")


def test_a_lone_surrogate_can_be_encoded_afterwards() -> None:
    read = _read(b'{"event":"a\\ud800b"}')
    assert read
    assert read.event == "a\\ud800b"


values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), soup),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(soup, inner, max_size=3)),
    max_leaves=5,
)
objects = st.lists(
    st.tuples(st.sampled_from(["event", "ts", "session", "task_id", "session_id", "x"]), values), max_size=6
)


@given(objects, st.booleans(), st.integers(0, 300), st.sampled_from([b"", b"\0", b"x", b"}", b"\xff", b'"']))
@examples(400)
def test_the_fast_way_agrees_with_the_patient_one(
    fields: list[tuple[str, object]], plain: bool, at: int, noise: bytes
) -> None:
    inner = ",".join(f"{json.dumps(key)}:{json.dumps(value, ensure_ascii=plain)}" for key, value in fields)
    line = f"{{{inner}}}".encode()
    line = line[:at] + noise + line[at:]
    assert ledger.parse(line) == ledger._patient(line)


pieces = st.lists(
    st.one_of(
        st.sampled_from(
            [
                b'{"ts":"t","event":"e","session":"s"}',
                b'{"event":"first","event":"second"}',
                b'{"session":"s"}',
                b'{"event":"a"}{"event":"b"}',
                b'{"event":',
                b'"x"}',
                b'{"event":"x","a":"\xff"}',
                b'{"event":"x","a":"\xc3\xbc"}',
                b'{"event":"x","a":"\\ud800"}',
                b'{"event":1}',
                b"",
                b" \r",
                b'\xef\xbb\xbf{"event":"x"}\r',
            ]
        ),
        st.binary(max_size=9).filter(lambda data: b"\n" not in data),
    ),
    max_size=6,
)


@given(pieces)
@examples(400)
def test_lines_together_are_what_each_is_alone(lines: list[bytes]) -> None:
    alone = [ledger.parse(stripped) for line in lines if (stripped := ledger.strip(line))]
    events = [line for line in alone if line is not None]
    assert ledger.parse_lines(b"".join(line + b"\n" for line in lines)) == (events, len(alone) - len(events))


def test_of_another_key_the_last_counts_as_everywhere_in_json() -> None:
    line = b'{"event":"e","session":"a","session":"b"}'
    assert _read(line) == ledger._patient(line) == ledger.Line("e", UNSET, "b")


@given(st.binary(max_size=60))
@examples(300)
def test_no_bytes_raise(data: bytes) -> None:
    if stripped := ledger.strip(data):
        ledger.parse(stripped)
