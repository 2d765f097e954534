"""What the manifest and the policy say, and the paths that are refused."""

from __future__ import annotations

import pytest

from cockpit.formats import document, policy
from cockpit.formats.policy import Freshness, Wiring


def _section(path: str) -> str | None:
    return policy.section_path(document.parse(f"sections:\n  sessions: {path}\n".encode()), "sessions")


@pytest.mark.parametrize(
    ("path", "relative"),
    [
        ("repo/sessions", ".ai/repo/sessions"),
        ("./repo//x/", ".ai/repo/x"),
        ("../docs/sessions", "docs/sessions"),
        ("repo/../other", ".ai/other"),
        ("localhost", ".ai/localhost"),
        ("on", ".ai/on"),
        ("'a b'", ".ai/a b"),
    ],
)
def test_a_section_lies_where_the_manifest_says(path: str, relative: str) -> None:
    assert _section(path) == relative


@pytest.mark.parametrize(
    "path",
    [
        "/etc",
        "'//etc'",
        "..",
        "../..",
        "../../x",
        "repo/../../../x",
        "../.git",
        "../.git/hooks",
        "../.GIT/x",
        "../sub/.git/x",
        "local",
        "local/state",
        "LOCAL/state",
        "repo/../local/prompts",
        "../.ai/local",
        "../.AI/local",
        '"a\\0b"',
    ],
)
def test_a_section_that_leads_where_none_may_lie_is_refused(path: str) -> None:
    assert _section(path) is None


@pytest.mark.parametrize("manifest", [b"", b"sections:\n", b"sections: x\n", b"sections:\n  other: x\n", b"[broken"])
def test_without_a_word_of_the_manifest_the_default_holds(manifest: bytes) -> None:
    read = document.parse(manifest)
    assert policy.section_path(read, "sessions") == ".ai/repo/sessions"
    assert policy.section_path(read, "policy") == ".ai/repo/policy.yaml"


@pytest.mark.parametrize(
    ("fresh", "stale", "read"),
    [
        ("720", "2880", Freshness(720, 2880)),
        ("0", "0007", Freshness(0, 7)),
        ('"720"', "2880 # two days", Freshness(720, 2880)),
        ("1.5", "on", Freshness(None, None)),
        ("-1", "1e3", Freshness(None, None)),
        ("1_000", "0x10", Freshness(None, None)),
        ("٧", "9999999999", Freshness(None, None)),
        ("", "[1]", Freshness(None, None)),
    ],
)
def test_thresholds_are_whole_minutes_or_absent(fresh: str, stale: str, read: Freshness) -> None:
    data = f"session:\n  freshness:\n    fresh_minutes: {fresh}\n    stale_minutes: {stale}\n"
    assert policy.policy(document.parse(data.encode())).freshness == read


def test_wirings_are_the_enforcement_entries_of_a_provider_s_hook() -> None:
    data = b"""
enforcement:
  - {name: a, wired_by: "provider-hook:codex"}
  - {name: b, wired_by: "provider-hook:claude-code:session:more"}
  - {wired_by: "provider-hook:amp"}
  - {name: c, wired_by: "git-hook:pre-commit"}
  - {name: d, wired_by: "provider-hook:"}
  - {name: e, wired_by: "x provider-hook:codex"}
  - {name: f, wired_by: [provider-hook:codex]}
  - text
"""
    assert policy.policy(document.parse(data)).wirings == (
        Wiring("a", "codex"),
        Wiring("b", "claude-code"),
        Wiring("(nameless)", "amp"),
    )


@pytest.mark.parametrize("data", [b"", b"enforcement: x\n", b"session: []\n", b"session:\n  freshness: on\n"])
def test_a_policy_that_says_nothing_is_empty(data: bytes) -> None:
    assert policy.policy(document.parse(data)) == policy.Policy()
