"""What cannot be seen is shown, what cannot be encoded is written out, and only a newline ends a line."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cockpit.formats import text
from tests.examples import examples


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("\u202egpj", "\\u202egpj"),
        ("a\u200bb", "a\\u200bb"),
        ("\ufeffa", "\\ufeffa"),
        ("\x1b[31m", "\\x1b[31m"),
        ("a\x00b\x85c", "a\\x00b\\x85c"),
        ("a\u2028b", "a\\u2028b"),
        ("\U000e0041", "\\U000e0041"),
        ("\ud800", "\\ud800"),
        ("a\rb", "a\\x0db"),
    ],
)
def test_what_cannot_be_seen_is_shown_as_an_escape(raw: str, shown: str) -> None:
    assert text.visible(raw) == shown


def test_what_must_stay_one_line_does() -> None:
    assert text.one_line("a\nb\tc\x1bd") == "a\\nb\\tc\\x1bd"


@pytest.mark.parametrize("raw", ["", "plain", "two\nlines\tand a tab", "ü 漢字 עברית 😀", "<b>&amp;"])
def test_what_can_be_seen_stays(raw: str) -> None:
    assert text.visible(raw) == raw


@given(st.text(st.characters(categories=["Cc", "Cf", "Cs", "Zl", "Zp"])))
@examples(300)
def test_no_control_or_format_character_is_left(raw: str) -> None:
    kinds = {unicodedata.category(c) for c in text.visible(raw) if c not in "\n\t"}
    assert kinds & {"Cc", "Cs", "Zl", "Zp"} == set()


@given(st.binary(max_size=20).map(lambda raw: raw.decode("utf-8", "surrogateescape")))
@examples(200)
def test_a_name_can_be_encoded_once_it_is_shown(name: str) -> None:
    assert text.shown(name).encode() is not None


def test_a_byte_that_is_no_utf_8_keeps_its_number() -> None:
    assert text.shown("a\udcff") == "a\\xff"


@given(st.text(st.characters()))
@examples(200)
def test_sound_text_can_be_encoded(raw: str) -> None:
    assert text.sound(raw).encode() is not None


def test_only_a_newline_ends_a_line() -> None:
    data = b"\xef\xbb\xbfa\r\nb\xc2\x85c\xe2\x80\xa8d\x0ce\n"
    assert text.lines(data) == [b"a", b"b\xc2\x85c\xe2\x80\xa8d\x0ce", b""]


@pytest.mark.parametrize(("raw", "cut"), [("abc", "abc"), ("abcd", "ab…")])
def test_a_cut_text_says_so(raw: str, cut: str) -> None:
    assert text.cut(raw, 3) == cut


def test_counted_words_agree_with_their_number() -> None:
    assert [text.counted(n, "line") for n in (0, 1, 2)] == ["0 lines", "1 line", "2 lines"]
    assert text.counted(2, "copy", "copies") == "2 copies"
