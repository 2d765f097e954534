"""The page on paper: at most two A4 sheets for ten episodes, every command on them whole."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser
from pypdf import PdfReader

from tests.browser_tests.sight import PATH, Sight
from tests.serving import ask

A4 = (595, 842)
"""Width and height in points."""


class Paper(NamedTuple):
    """A page as printed: each sheet's size and text (without its spaces), and the moment that the screen showed."""

    sizes: list[tuple[int, int]]
    texts: list[str]
    taken: str
    address: str

    def answer(self, read: str) -> Any:
        return json.loads(ask(f"{self.address}/api/v1/lifecycle/{read}").text)

    @property
    def commands(self) -> list[str]:
        found = self.answer("recovery")
        return [item["remedy"] for item in (*found["stranded"], *found["orphans"], *found["unreadable"])]


@pytest.fixture(scope="module")
def printed(browser: Browser, address: Callable[[str], str]) -> Callable[..., Paper]:
    """Answer the printed page of a state; each is printed once."""
    known: dict[tuple[str, str], Paper] = {}

    def print_once(state: str, path: str = PATH) -> Paper:
        if (state, path) not in known:
            known[state, path] = _printed(browser, address(state), path)
        return known[state, path]

    return print_once


def _printed(browser: Browser, address: str, path: str) -> Paper:
    with Sight.of(browser, address, path, color_scheme="dark") as sight:
        taken = sight.page.locator("header time").first.inner_text()
        sheets = PdfReader(io.BytesIO(sight.page.pdf(prefer_css_page_size=True))).pages
        sizes = [(round(sheet.mediabox.width), round(sheet.mediabox.height)) for sheet in sheets]
        return Paper(sizes, [letters(sheet.extract_text()) for sheet in sheets], taken, address)


def letters(text: str) -> str:
    """``text`` without its spaces: where a line is broken on paper, a space may stand or fall."""
    return re.sub(r"\s+", "", text)


@pytest.mark.parametrize("state", ["ten", "demo"])
def test_ten_episodes_take_at_most_two_sheets_of_a4(state: str, printed: Callable[..., Paper]) -> None:
    assert printed(state).sizes in ([A4], [A4, A4])


@pytest.mark.parametrize("state", ["ten", "demo"])
def test_every_command_stands_whole_on_one_sheet(state: str, printed: Callable[..., Paper]) -> None:
    paper = printed(state)
    assert len(paper.commands) >= 3
    assert [each for each in paper.commands if not any(letters(each) in text for text in paper.texts)] == []


def test_every_open_episode_and_every_section_is_on_paper(printed: Callable[..., Paper]) -> None:
    paper = printed("ten")
    whole = "".join(paper.texts)
    episodes = paper.answer("episodes")["episodes"]
    assert len(episodes) == 10
    assert [each["session_id"] for each in episodes if each["session_id"] not in whole] == []
    for title in ("Needs a hand", "Resume from here", "Every open episode", "Recovery", "Providers", "Closed episodes"):
        assert letters(title) in whole


def test_what_only_a_screen_can_use_is_left_out(printed: Callable[..., Paper]) -> None:
    whole = "".join(printed("ten").texts)
    for words in ("Skip to the content", "Copy", "Show all", "reload for a new one", "/api/v1"):
        assert letters(words) not in whole


def test_the_sheet_says_when_it_was_taken(printed: Callable[..., Paper]) -> None:
    paper = printed("ten")
    assert letters(f"Taken {paper.taken}") in paper.texts[0]


def test_sixty_findings_take_more_sheets_and_lose_no_command(printed: Callable[..., Paper]) -> None:
    paper = printed("hostile")
    whole = "".join(paper.texts)
    assert len(paper.commands) >= 60
    assert [each for each in paper.commands if letters(each) not in whole] == []
