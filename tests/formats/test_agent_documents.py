"""Which documents are for agents, and what their first lines say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cockpit.formats.agent_documents import canonical_key, for_agents, fresh, is_document, line_count
from tests.examples import examples


@pytest.mark.parametrize(
    "path", ["AGENTS.md", "a/claude.md", "SKILL.md", ".cursorrules", ".claude/x.md", "a/.codex/b/c.md"]
)
def test_these_are_for_agents(path: str) -> None:
    assert is_document(path.rpartition("/")[2])
    assert for_agents(path)


@pytest.mark.parametrize("path", ["README.md", "docs/agents/x.md", "claude/x.md", "MY-AGENTS.md"])
def test_these_are_for_everybody(path: str) -> None:
    assert not for_agents(path)


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("Canonical key: A b", "A b"),
        ("> - **CANONICAL KEY:** `x`", None),
        ("- **Canonical key**: x", "x"),
        ("Canonical key:", None),
        ("The Canonical key: x", None),
    ],
)
def test_a_key_is_a_line_of_its_own(line: str, key: str | None) -> None:
    assert canonical_key(f"# T\n{line}\n".encode()) == (None if key is None else (key, 2))


@pytest.mark.parametrize(
    "line", ["Updated: 2026-09-19", "As of 2026-09-19 14:00", "_Last verified 2026-09-19_", "Freshness: 2026-09-19"]
)
def test_a_dated_line_says_how_fresh_it_is(line: str) -> None:
    assert fresh(f"{line}\n".encode())
    assert fresh(("\n" * 11 + line).encode())
    assert not fresh(("\n" * 12 + line).encode())


@pytest.mark.parametrize(("data", "lines"), [(b"", 0), (b"a", 1), (b"a\n", 1), (b"a\n\nb", 3)])
def test_a_last_line_needs_no_newline(data: bytes, lines: int) -> None:
    assert line_count(data) == lines


@examples(200)
@given(st.binary())
def test_no_bytes_are_too_odd(data: bytes) -> None:
    for text in (data, b"Canonical key: " + data, b"Updated: " + data):
        assert canonical_key(text) is None or len(canonical_key(text) or ()) == 2
        assert fresh(text) in (True, False)
