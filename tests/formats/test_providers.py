"""The providers file is read in the three shapes that occur."""

from __future__ import annotations

import pytest

from cockpit.formats import document, providers


def _one(entry: str) -> providers.Declaration:
    (found,) = providers.declarations(document.parse(f"providers:\n  p:\n{entry}".encode()))
    return found


@pytest.mark.parametrize(
    ("entry", "lifecycle", "captured"),
    [
        ("    lifecycle: [SessionStart, SessionEnd]\n    prompt_capture: true\n", ("SessionStart", "SessionEnd"), True),
        ("    lifecycle: []\n    prompt_capture: false\n", (), False),
        ("    lifecycle:\n      episode: hooks\n      prompts: hook\n", ("hooks",), True),
        ("    lifecycle:\n      episode: connection\n      prompts: none\n", ("connection",), False),
        ("    lifecycle:\n      episode: none\n      prompts: none\n", (), False),
        (
            "    hooks:\n      start: Begin\n      end: End\n      compact: Squeeze\n",
            ("Begin", "End", "Squeeze"),
            False,
        ),
        ("    hooks:\n      end: End\n      start: Begin\n    prompt_capture: true\n", ("Begin", "End"), True),
        ("    title: Nothing\n", (), False),
    ],
)
def test_each_shape_gives_its_events_and_whether_prompts_can_be_captured(
    entry: str, lifecycle: tuple[str, ...], captured: bool
) -> None:
    read = _one(entry)
    assert (read.lifecycle, read.prompt_capture) == (lifecycle, captured)


def test_a_provider_without_a_title_is_called_by_its_id() -> None:
    assert _one("    title: The One\n").title == "The One"
    assert _one("    lifecycle: []\n").title == "p"


def test_providers_come_in_the_order_of_the_file() -> None:
    read = providers.declarations(document.parse(b"providers:\n  z: {}\n  a: {}\n  m: {}\n"))
    assert [each.id for each in read] == ["z", "a", "m"]


@pytest.mark.parametrize("data", [b"", b"providers: x\n", b"providers: []\n"])
def test_a_file_that_declares_nobody_has_no_providers(data: bytes) -> None:
    assert providers.declarations(document.parse(data)) == []
