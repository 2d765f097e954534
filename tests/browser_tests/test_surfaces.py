"""The page of live documents in every condition, light and dark, narrow and wide, as a real Chromium lays it out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product

import pytest
from playwright.sync_api import Browser

from tests.browser_tests.conditions import At, served_in
from tests.browser_tests.sight import Sight
from tests.housekeeping import repositories

PAGE = "/cockpit/surfaces"
DRESSES = list(product(("light", "dark"), (320, 1280)))


@pytest.fixture(scope="module")
def surfaces_at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[At]:
    """Answer where a condition is served."""
    with served_in(repositories.STATES, tmp_path_factory.mktemp) as at:
        yield at


@pytest.mark.parametrize("state", repositories.STATES)
@pytest.mark.parametrize(("scheme", "width"), DRESSES)
def test_in_every_condition_and_dress_it_is_readable_by_everybody(
    state: str, scheme: str, width: int, browser: Browser, surfaces_at: At
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


def test_a_command_is_copied_whole(browser: Browser, surfaces_at: At) -> None:
    with Sight.of(browser, surfaces_at("waiting"), PAGE, permissions=["clipboard-read", "clipboard-write"]) as sight:
        wanted = sight.page.locator("#rotate-1").inner_text()
        sight.page.locator("button[data-copy=rotate-1]").click()
        assert sight.page.evaluate("navigator.clipboard.readText()") == wanted


def test_the_page_is_whole_without_scripts(browser: Browser, surfaces_at: At) -> None:
    with Sight.of(browser, surfaces_at("waiting"), PAGE, scripts=False) as sight:
        assert sight.page.locator("#rotate-1").is_visible()
        assert sight.page.get_by_role("img", name="0 of 200 lines").count() >= 1
