"""What a viewer's system asks for: less motion, more contrast, colours of its own, other sizes, another time zone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser_tests.sight import Sight

Look = Callable[..., Sight]

MOVING = """() => [...document.querySelectorAll("*")].filter((element) => {
  const style = getComputedStyle(element);
  return style.transitionDuration.split(", ").some((time) => parseFloat(time) > 0) || style.animationName !== "none";
}).map((element) => element.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize(
    "asked",
    [
        {"reduced_motion": "reduce"},
        {"forced_colors": "active"},
        {"forced_colors": "active", "color_scheme": "dark"},
        {"contrast": "more"},
        {"contrast": "more", "color_scheme": "dark"},
        {"device_scale_factor": 2, "is_mobile": True, "has_touch": True, "width": 390},
    ],
    ids=lambda asked: "-".join(map(str, asked.values())),
)
def test_the_page_is_whole_however_it_is_asked_for(asked: dict[str, Any], look: Look) -> None:
    sight = look("demo", **asked)
    assert sight.complaints == []
    assert sight.barriers() == []
    assert sight.overhang <= 0


def test_nothing_moves_where_less_motion_is_asked_for(look: Look) -> None:
    sight = look("demo", reduced_motion="reduce")
    assert sight.page.evaluate(MOVING) == []


def test_forced_colours_keep_every_word_and_every_border(look: Look) -> None:
    plain, forced = look("five"), look("five", forced_colors="active")
    words = "[...document.querySelectorAll('td:first-child')].map((cell) => cell.innerText)"
    assert forced.page.evaluate(words) == plain.page.evaluate(words)


@pytest.mark.parametrize("width", [1920, 3840])
@pytest.mark.parametrize("state", ["demo", "hostile"])
def test_a_large_screen_is_no_trouble(state: str, width: int, look: Look) -> None:
    sight = look(state, width=width)
    assert sight.overhang <= 0
    assert sight.page.evaluate("document.querySelector('main').getBoundingClientRect().width") >= 1280


@pytest.mark.parametrize("state", ["demo", "hostile"])
def test_text_twice_as_large_does_not_scroll_sideways(state: str, look: Look) -> None:
    sight = look(state, width=640)
    sight.page.evaluate("document.documentElement.style.setProperty('font-size', '200%')")
    assert sight.overhang <= 0


def test_nothing_is_cut_off_where_the_page_may_not_scroll(look: Look) -> None:
    """A page that hides what is too wide would pass every test of scrolling."""
    sight = look("hostile", width=320)
    hides = "[document.documentElement, document.body].map((e) => getComputedStyle(e).overflowX)"
    assert set(sight.page.evaluate(hides)) <= {"visible", "auto"}
