"""The names this format gives: short, plain, never a way out of a folder."""

from __future__ import annotations

import hashlib
import os
import re
from urllib.parse import unquote_to_bytes

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cockpit.formats import names
from cockpit.formats.document import Document
from tests.examples import examples, file_names, soup

NAME = re.compile(r"[A-Za-z0-9._-]+")


def _header(**fields: str) -> Document:
    return Document(dict(fields))


def test_a_record_is_named_by_its_content() -> None:
    header = _header(created_at="2026-09-12T10:00:01Z", session_id="s-1", branch="feature/x", head="0123456789abcdef")
    digest = hashlib.sha256(b"data").hexdigest()[:16]
    assert names.record(header, b"data") == f"20260912T100001Z--s-1--feature-x--0123456--{digest}.md"


def test_what_a_record_does_not_say_is_none() -> None:
    assert names.record(_header(session_id="s-1"), b"").startswith("none--s-1--none--none--")


def test_the_name_of_a_record_carries_its_moment_in_utc() -> None:
    assert names.record(_header(created_at="2026-09-12T00:30:00+02:00", session_id="s"), b"").startswith(
        "20260911T223000Z--"
    )


@given(soup, soup, soup, st.binary(max_size=5))
@example("s" * 500, "b" * 500, "/../", b"")
@example("s", "b", "0001-01-01T00:00:00+01:00", b"")
@example("s", "b", "9999-12-31T23:59:59-01:00", b"")
@examples(200)
def test_no_record_s_name_is_long_odd_or_hidden(session_id: str, branch: str, created: str, data: bytes) -> None:
    name = names.record(_header(session_id=session_id or "x", branch=branch, created_at=created), data)
    assert NAME.fullmatch(name)
    assert len(name.encode()) <= 200
    assert name.endswith(f"--{hashlib.sha256(data).hexdigest()[:16]}.md")
    assert not name.startswith(".")


# ---------------------------------------------------------------------- the key of an open episode
@pytest.mark.parametrize(
    ("session", "key"),
    [
        ("0b5d3c1e-aaaa", "0b5d3c1e-aaaa"),
        ("", "hand"),
        (".", "%2E"),
        ("..", "%2E."),
        (".hidden", "%2Ehidden"),
        ("a/b", "a%2Fb"),
        ("../../x", "%2E.%2F..%2Fx"),
        ("a b%", "a%20b%25"),
        ("ü\n", "%C3%BC%0A"),
        ("\0", "%00"),
    ],
)
def test_the_key_of_a_provider_s_session(session: str, key: str) -> None:
    assert names.key(session) == key


@given(soup)
@examples(200)
def test_a_key_is_plain_and_gives_the_session_back(session: str) -> None:
    key = names.key(session)
    assert re.fullmatch(r"[A-Za-z0-9._%-]{1,200}", key)
    assert not key.startswith(".")
    if len(key) < 183 and session:
        assert unquote_to_bytes(key) == os.fsencode(session)


def test_two_long_sessions_have_two_keys_of_at_most_200_bytes() -> None:
    keys = {names.key("ü" * 300), names.key("ü" * 300 + "x")}
    assert len(keys) == 2
    assert max(map(len, keys)) <= 200


# ---------------------------------------------------------------------- names to set things aside under
@given(file_names)
@example(b"...")
@example(b"\xff" * 255)
@examples(200)
def test_a_name_to_set_aside_is_plain_and_visible(raw: bytes) -> None:
    name = names.aside(os.fsdecode(raw))
    assert NAME.fullmatch(name)
    assert len(name) <= 200
    assert not name.startswith((".", "-"))


@pytest.mark.parametrize(
    ("name", "taken", "free"),
    [
        ("a.md", [], "a.md"),
        ("a.md", ["a.md"], "a-2.md"),
        ("a.md", ["a.md", "a-2.md", "a-3.md"], "a-4.md"),
        ("a.tar.md", ["a.tar.md"], "a.tar-2.md"),
        ("plain", ["plain"], "plain-2"),
        (".md", [".md"], ".md-2"),
    ],
)
def test_a_name_that_is_taken_is_numbered(name: str, taken: list[str], free: str) -> None:
    assert names.free(name, taken) == free
