"""Every state of the page, light and dark, narrow and wide, as a real Chromium lays it out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import product

import pytest
from playwright.sync_api import Browser, Response

from tests.browser_tests.sight import Sight

STATES = ("no_layer", "never_ran", "nothing_open", "demo", "hostile", "one_failed", "thousand")
LARGE = {("light", 320), ("dark", 1280)}
"""The dresses of a thousand episodes: axe takes seconds for each, and its rows are those of the demonstration."""
DRESSES = list(product(("light", "dark"), (320, 1280)))
MATRIX = [(state, *dress) for state in STATES for dress in DRESSES if state != "thousand" or dress in LARGE]
SENTENCES = {
    "no_layer": "There is no .ai layer in this checkout",
    "never_ran": "has never run",
    "nothing_open": "Nothing is open",
    "demo": "Round weights up before pricing",
    "hostile": "60 findings",
    "one_failed": "This read failed (RuntimeError)",
    "thousand": "1000 open episodes",
}


@pytest.fixture(scope="module", params=MATRIX, ids=lambda each: "-".join(map(str, each)))
def view(
    request: pytest.FixtureRequest,
    browser: Browser,
    address: Callable[[str], str],
    kept: Callable[[Sight, str], None],
) -> Iterator[tuple[Sight, Response, str]]:
    """A state's page as loaded once for all tests of it, what the server said, and the state's name."""
    state, scheme, width = request.param
    with ExitStack() as opened:
        sight = opened.enter_context(Sight.of(browser, address(state), None, width=width, color_scheme=scheme))
        response = sight.go()
        sight.page.wait_for_load_state("networkidle")
        kept(sight, f"{state}-{width}-{scheme}")
        yield sight, response, state


def test_the_state_is_the_one_that_is_meant(view: tuple[Sight, Response, str]) -> None:
    sight, response, state = view
    assert response.status == 200
    assert SENTENCES[state] in sight.page.inner_text("body")


def test_the_browser_has_nothing_to_complain_of(view: tuple[Sight, Response, str]) -> None:
    sight, _, _ = view
    assert sight.complaints == []
    assert sight.page.evaluate("window.ran") is None


def test_the_page_never_scrolls_sideways(view: tuple[Sight, Response, str]) -> None:
    assert view[0].overhang <= 0


def test_axe_finds_no_barrier(view: tuple[Sight, Response, str]) -> None:
    assert view[0].barriers() == []


def test_the_text_is_the_same_without_scripts(view: tuple[Sight, Response, str], browser: Browser) -> None:
    sight, response, _ = view
    size = sight.page.viewport_size
    assert size
    with Sight.of(browser, sight.address, None, width=size["width"], scripts=False) as plain:
        plain.show(response.text(), response)
        assert plain.text == sight.text
