"""The page of live documents in every condition, light and dark, narrow and wide, as a real Chromium lays it out."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import pairwise, product
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser_tests.sight import Sight
from tests.housekeeping import repositories
from tests.serving import served

PROJECT = Path(__file__).parents[2]
PAGE = "/cockpit/surfaces"
DRESSES = list(product(("light", "dark"), (320, 1280)))


@pytest.fixture(scope="module")
def surfaces_at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], str]]:
    """Answer where a condition is served; it is built when it is first asked for."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "COCKPIT_"))}
    known: dict[str, str] = {}
    with ExitStack() as servers:

        def serve(state: str) -> str:
            if state not in known:
                root = repositories.STATES[state](tmp_path_factory.mktemp(state))
                command = [sys.executable, "-m", "cockpit", "serve", "--repo", root, "--port", "0"]
                known[state], _ = servers.enter_context(served(command, PROJECT, plain))
            return known[state]

        yield serve


@pytest.mark.parametrize("state", repositories.STATES)
@pytest.mark.parametrize(("scheme", "width"), DRESSES)
def test_in_every_condition_and_dress_it_is_readable_by_everybody(
    state: str, scheme: str, width: int, browser: Browser, surfaces_at: Callable[[str], str]
) -> None:
    with Sight.of(browser, surfaces_at(state), PAGE, width=width, color_scheme=scheme) as sight:
        assert sight.barriers() == []
        assert sight.overhang == 0
        assert sight.complaints == []
        assert sight.page.evaluate("window.ran") is None
        levels = sight.page.evaluate(
            "[...document.querySelectorAll('main h1, main h2, main h3')].map(e => +e.tagName[1])"
        )
        assert levels[0] == 1
        assert all(after - before <= 1 for before, after in pairwise(levels))


def test_a_command_is_copied_whole(browser: Browser, surfaces_at: Callable[[str], str]) -> None:
    with Sight.of(browser, surfaces_at("waiting"), PAGE, permissions=["clipboard-read", "clipboard-write"]) as sight:
        wanted = sight.page.locator("#rotate-1").inner_text()
        sight.page.locator("button[data-copy=rotate-1]").click()
        assert sight.page.evaluate("navigator.clipboard.readText()") == wanted


def test_the_page_is_whole_without_scripts(browser: Browser, surfaces_at: Callable[[str], str]) -> None:
    with Sight.of(browser, surfaces_at("waiting"), PAGE, scripts=False) as sight:
        assert sight.page.locator("#rotate-1").is_visible()
        assert sight.page.get_by_role("img", name="0 of 200 lines").count() >= 1
