"""The page of handoff letters in every condition, light and dark, narrow and wide, as a real Chromium lays it out."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from itertools import pairwise, product

import pytest
from playwright.sync_api import Browser
from pypdf import PdfReader

from tests.browser_tests.conditions import At, served_in
from tests.browser_tests.sight import Sight
from tests.handoffs import repositories

PAGE = "/cockpit/handoffs"
DRESSES = list(product(("light", "dark"), (320, 1280)))


@pytest.fixture(scope="module")
def handoffs_at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[At]:
    """Answer where a condition is served."""
    with served_in(repositories.STATES, tmp_path_factory.mktemp) as at:
        yield at


@pytest.mark.parametrize("state", repositories.STATES)
@pytest.mark.parametrize(("scheme", "width"), DRESSES)
def test_in_every_condition_and_dress_it_is_readable_by_everybody(
    state: str, scheme: str, width: int, browser: Browser, handoffs_at: At
) -> None:
    with Sight.of(browser, handoffs_at(state), PAGE, width=width, color_scheme=scheme) as sight:
        assert sight.barriers() == []
        assert sight.overhang == 0
        assert sight.complaints == []
        assert sight.page.evaluate("window.ran") is None
        levels = sight.page.evaluate(
            "[...document.querySelectorAll('main :is(h1, h2, h3, h4)')].map(e => +e.tagName[1])"
        )
        assert levels[0] == 1
        assert all(after - before <= 1 for before, after in pairwise(levels))


@pytest.mark.parametrize("state", ["waiting", "broken"])
def test_the_page_is_whole_without_scripts(state: str, browser: Browser, handoffs_at: At) -> None:
    with (
        Sight.of(browser, handoffs_at(state), None) as sight,
        Sight.of(browser, sight.address, None, scripts=False) as plain,
    ):
        response = sight.go(PAGE)
        plain.show(response.text(), response, PAGE)
        assert "Waiting for a person" in sight.page.inner_text("main")
        assert plain.text == sight.text


def test_a_command_is_copied_whole_by_its_button(browser: Browser, handoffs_at: At) -> None:
    with Sight.of(browser, handoffs_at("waiting"), PAGE, permissions=["clipboard-read", "clipboard-write"]) as sight:
        wanted = sight.page.locator("#command-1").inner_text()
        sight.page.locator("button[data-copy=command-1]").click()
        assert sight.page.evaluate("navigator.clipboard.readText()") == wanted


def test_keys_lead_past_a_letter_that_waits_to_a_finding_and_copy_its_command(
    browser: Browser, handoffs_at: At
) -> None:
    with Sight.of(browser, handoffs_at("waiting"), PAGE, permissions=["clipboard-read", "clipboard-write"]) as sight:
        wanted = sight.page.locator("#command-1").inner_text()
        for key in ("j", "j", "c"):
            sight.page.keyboard.press(key)
        sight.until("document.getElementById('said').textContent === 'Copied'")
        assert sight.page.evaluate("navigator.clipboard.readText()") == wanted


def test_a_block_of_commands_is_copied_whole(browser: Browser, handoffs_at: At) -> None:
    with Sight.of(browser, handoffs_at("broken"), PAGE, permissions=["clipboard-read", "clipboard-write"]) as sight:
        sight.page.get_by_role("button", name=f"Copy these {repositories.UNNOTED} commands").click()
        copied = sight.page.evaluate("navigator.clipboard.readText()")
        assert len(copied.splitlines()) == copied.count("cockpit handoff consume") == repositories.UNNOTED


@pytest.mark.parametrize("state", ["waiting", "broken"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_in_forced_colours_it_is_readable_too(state: str, scheme: str, browser: Browser, handoffs_at: At) -> None:
    asked = {"forced_colors": "active", "color_scheme": scheme}
    with Sight.of(browser, handoffs_at(state), PAGE, **asked) as sight:
        assert sight.barriers() == []
        assert sight.overhang == 0


def test_on_paper_every_command_stands_whole_on_one_sheet(browser: Browser, handoffs_at: At) -> None:
    with Sight.of(browser, handoffs_at("waiting"), PAGE, color_scheme="dark") as sight:
        commands = [_letters(each) for each in sight.page.locator("main pre").all_inner_texts()]
        sheets = PdfReader(io.BytesIO(sight.page.pdf(prefer_css_page_size=True))).pages
        texts = [_letters(sheet.extract_text()) for sheet in sheets]
    assert len(texts) <= 2
    assert commands
    assert [each for each in commands if not any(each in text for text in texts)] == []
    for said in ("A5 or A6?", "a/gone.py", "HANDOFF-2026-08-25-x.md", "overdue"):
        assert _letters(said) in "".join(texts)
    assert "Copy" not in "".join(texts)


def _letters(text: str) -> str:
    """``text`` without its spaces: where a line is broken on paper, a space may stand or fall."""
    return re.sub(r"\s+", "", text)
