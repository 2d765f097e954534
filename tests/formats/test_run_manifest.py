"""A run's manifest: every member as it is meant, and one thing wrong means that it owns nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cockpit.formats import instants, run_manifest
from cockpit.formats.run_manifest import Manifest, Owned, parse
from tests.examples import examples

PLAIN: dict[str, Any] = {
    "run": "r-1",
    "owner": "mara",
    "created": "2026-09-18T08:00:00Z",
    "files": [
        {"path": "scratch/plan.txt", "class": "ephemeral", "expires_at": "2026-09-19T08:00:00Z"},
        {"path": "./synthesis.md", "class": "retained"},
    ],
    "receipts": ["receipts/verification.json"],
}


def _parsed(**changed: Any) -> Manifest | str:
    return parse(json.dumps(PLAIN | changed).encode())


def _file(path: str, **more: str) -> dict[str, str]:
    return {"path": path, "class": "ephemeral"} | more


def test_every_member_is_read_and_others_are_passed_over() -> None:
    read = _parsed(note="x")
    assert isinstance(read, Manifest)
    assert read.files == (
        Owned("scratch/plan.txt", ephemeral=True, expires=instants.parse("2026-09-19T08:00:00Z")),
        Owned("synthesis.md", ephemeral=False),
    )
    assert read.paths == {"manifest.json", "scratch/plan.txt", "synthesis.md", "receipts/verification.json"}


@pytest.mark.parametrize(
    "path",
    [
        "../x",
        "/etc/passwd",
        "a/../../x",
        "",
        ".",
        "a\0b",
        ".git/config",
        "x/.GIT/y",
        "manifest.json",
        "./manifest.json",
    ],
)
def test_a_path_that_is_none_below_the_run_spoils_the_manifest(path: str) -> None:
    for read in (_parsed(files=[_file(path)]), _parsed(receipts=[path])):
        assert isinstance(read, str)
        assert "no path of a file below its run folder" in read


@pytest.mark.parametrize(
    "changed",
    [
        {"run": ""},
        {"owner": None},
        {"created": "yesterday"},
        {"created": "2026-02-30T00:00:00Z"},
        {"files": {}},
        {"files": [_file("a"), _file("./a")]},
        {"files": [{"path": "a"}]},
        {"files": [{"path": "a", "class": "temporary"}]},
        {"files": [_file("a", expires_at="2026-09-19")]},
        {"receipts": "x"},
    ],
)
def test_one_thing_wrong_spoils_the_manifest(changed: dict[str, Any]) -> None:
    assert isinstance(_parsed(**changed), str)


def test_a_file_without_an_expiry_never_expires() -> None:
    read = _parsed(files=[_file("a")])
    assert isinstance(read, Manifest)
    assert read.files[0].expires is None


@examples(200)
@given(st.binary())
def test_no_bytes_are_too_odd(data: bytes) -> None:
    assert isinstance(parse(data), Manifest | str)


def test_a_manifest_that_nests_too_deep_is_refused() -> None:
    assert isinstance(parse(b"[" * 100_000), str)


@pytest.mark.parametrize(
    ("path", "found"),
    [
        (".agent-run", (".agent-run", "")),
        (".agent-run/r", (".agent-run", ".agent-run/r")),
        ("a/.agent-run/r/deep/x", ("a/.agent-run", "a/.agent-run/r")),
        (".work/wf/r/x", (".work/wf", ".work/wf/r")),
        (".work/other", None),
        ("x.agent-run/r", None),
        ("", None),
    ],
)
def test_a_path_says_which_run_it_lies_in(path: str, found: tuple[str, str] | None) -> None:
    assert run_manifest.run_of(path) == found
