"""Everything by keyboard: the skip link, the Tab key, details, and tables that scroll inside themselves."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser_tests.sight import Sight

Look = Callable[..., Sight]

STOPS = """() => [...document.querySelectorAll(
  "a[href], button, input:not([type=hidden]), select, summary, [tabindex]:not([tabindex^='-'])"
)].filter((element) => element.tabIndex >= 0 && !element.disabled && element.checkVisibility()).length"""
STOP = """() => {
  const at = document.activeElement;
  if (at === document.body) return null;
  const style = getComputedStyle(at), box = at.getBoundingClientRect();
  return {
    place: [...document.querySelectorAll("*")].indexOf(at),
    name: at.getAttribute("aria-label") || at.innerText || at.id || at.nodeName,
    outlined: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
    seen: box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
    ordered: at.tabIndex === 0,
  };
}"""


def stops(sight: Sight) -> list[dict[str, Any]]:
    """Every stop of the Tab key, from the top of the page until it leaves the page."""
    found: list[dict[str, Any]] = []
    for _ in range(sight.page.evaluate(STOPS) + 5):
        sight.page.keyboard.press("Tab")
        stop = sight.page.evaluate(STOP)
        if stop is None or (found and stop["place"] == found[0]["place"]):
            break
        found.append(stop)
    return found


@pytest.mark.parametrize("width", [320, 1280])
def test_tab_reaches_everything_from_top_to_bottom_and_shows_where_it_is(width: int, look: Look) -> None:
    sight = look("demo", width=width, reduced_motion="reduce")
    expected = sight.page.evaluate(STOPS)
    found = stops(sight)
    assert len(found) == expected
    places = [stop["place"] for stop in found]
    assert places == sorted(places)
    assert [stop["name"] for stop in found if not stop["outlined"]] == []
    assert [stop["name"] for stop in found if not stop["seen"]] == []
    assert all(stop["ordered"] for stop in found)


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_the_first_stop_skips_to_the_content(scripts: bool, look: Look) -> None:
    sight = look("demo", scripts=scripts)
    sight.page.keyboard.press("Tab")
    skip = sight.page.get_by_role("link", name="Skip to the content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport(ratio=1)
    sight.page.keyboard.press("Enter")
    expect(sight.page).to_have_url(sight.page.url.partition("#")[0] + "#main")
    sight.page.keyboard.press("Tab")
    assert sight.page.evaluate("document.querySelector('main').contains(document.activeElement)")


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_details_open_and_close_by_keyboard(key: str, look: Look) -> None:
    sight = look("demo")
    details = sight.page.locator("details").filter(has_text="All commands, one a line")
    summary = details.locator("summary")
    summary.focus()
    for opened in (True, False):
        sight.page.keyboard.press(key)
        expect(details).to_have_js_property("open", opened)


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_details_open_by_a_click_without_scripts_too(scripts: bool, look: Look) -> None:
    sight = look("demo", scripts=scripts)
    details = sight.page.locator("details").filter(has_text="All commands, one a line")
    expect(details.locator("pre")).to_be_hidden()
    details.locator("summary").click()
    expect(details.locator("pre")).to_be_visible()


def test_a_wide_table_scrolls_inside_itself_by_keyboard(look: Look) -> None:
    sight = look("demo", width=320)
    table = sight.page.get_by_role("region", name="Table of the open episodes")
    table.focus()
    sight.page.keyboard.press("ArrowRight")
    sight.until("document.activeElement.scrollLeft > 0")
    assert sight.overhang <= 0


def test_each_section_is_reached_from_the_top(look: Look) -> None:
    sight = look("demo")
    ways = sight.page.get_by_role("navigation", name="Sections of this page").get_by_role("link")
    for link in ways.all():
        anchor = link.get_attribute("href") or ""
        if anchor.startswith("#"):
            link.press("Enter")
            expect(sight.page.locator(anchor).get_by_role("heading").first).to_be_in_viewport()


def test_headings_are_ordered_and_landmarks_are_there(look: Look) -> None:
    sight = look("demo")
    levels = sight.page.evaluate("[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map((h) => +h.nodeName[1])")
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(later - earlier <= 1 for earlier, later in pairwise(levels))
    for role in ("banner", "main", "contentinfo"):
        expect(sight.page.get_by_role(role)).to_have_count(1)  # type: ignore[arg-type]
