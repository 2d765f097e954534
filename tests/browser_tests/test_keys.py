"""The keys of the page: all optional, none taken from a form field, and none where the address turns them off."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.browser_tests.sight import PATH, Sight
from tests.browser_tests.test_copying import CLIPBOARD, clipboard, remedies

Look = Callable[..., Sight]


def press(sight: Sight, *keys: str) -> None:
    for key in keys:
        sight.page.keyboard.press(key)


def search(sight: Sight) -> Locator:
    return sight.page.get_by_role("main").get_by_role("searchbox")


def finding_in_focus(sight: Sight) -> str:
    """The text of what has the focus; empty where nothing has."""
    text: str = sight.page.evaluate("document.activeElement === document.body ? '' : document.activeElement.innerText")
    return text


@pytest.mark.parametrize("path", [PATH, "/cockpit/closed"])
def test_a_slash_leads_to_the_search_and_is_not_typed_there(path: str, look: Look) -> None:
    sight = look("demo", path)
    press(sight, "/")
    expect(search(sight)).to_be_focused()
    expect(search(sight)).to_have_value("")


def test_j_and_k_walk_through_the_findings_and_stop_at_the_ends(look: Look) -> None:
    sight = look("demo")
    wanted = remedies(sight)
    for remedy in wanted:
        press(sight, "j")
        assert remedy in finding_in_focus(sight)
    press(sight, "j")
    assert wanted[-1] in finding_in_focus(sight)
    for remedy in wanted[-2::-1]:
        press(sight, "k")
        assert remedy in finding_in_focus(sight)
    press(sight, "k")
    assert wanted[0] in finding_in_focus(sight)


def test_the_finding_in_focus_is_in_sight_also_in_a_closed_group(look: Look) -> None:
    sight = look("hostile")
    for number in range(1, 6):
        press(sight, "j")
        box = sight.page.evaluate("document.activeElement.getBoundingClientRect().toJSON()")
        assert 0 <= box["top"] < 900, number
        assert box["height"] > 0


def test_c_copies_the_command_of_the_finding_in_focus(look: Look) -> None:
    sight = look("demo", permissions=CLIPBOARD)
    press(sight, "j", "j", "c")
    expect(sight.page.get_by_role("status")).to_have_text("Copied")
    assert clipboard(sight) == remedies(sight)[1]


def test_c_without_a_finding_in_focus_copies_nothing(look: Look) -> None:
    sight = look("demo", permissions=CLIPBOARD)
    sight.page.evaluate("navigator.clipboard.writeText('as it was')")
    press(sight, "c")
    assert clipboard(sight) == "as it was"


def test_a_question_mark_lists_the_keys_and_escape_puts_the_list_away(look: Look) -> None:
    sight = look("demo")
    keys = sight.page.get_by_role("dialog")
    press(sight, "?")
    expect(keys).to_be_visible()
    for key in "/jkc?":
        expect(keys.get_by_text(key, exact=True)).to_be_visible()
    assert sight.barriers() == []
    press(sight, "Escape")
    expect(keys).to_be_hidden()


def test_in_a_form_field_every_key_is_a_letter(look: Look) -> None:
    sight = look("demo")
    field = search(sight)
    field.click()
    press(sight, *"/jkc?")
    expect(field).to_have_value("/jkc?")
    expect(field).to_be_focused()
    expect(sight.page.get_by_role("dialog")).to_be_hidden()


def test_a_key_in_a_list_of_choices_chooses_there(look: Look) -> None:
    sight = look("demo")
    standing = sight.episodes.get_by_label("Standing", exact=True)
    standing.focus()
    press(sight, "c")
    expect(standing).to_be_focused()
    expect(standing).to_have_value("current")


@pytest.mark.parametrize("chord", ["Control+j", "Alt+j", "Meta+j", "Control+c"])
def test_a_key_with_a_modifier_is_left_to_the_browser(chord: str, look: Look) -> None:
    sight = look("demo")
    sight.page.evaluate("addEventListener('keydown', (event) => { window.taken = event.defaultPrevented; })")
    press(sight, chord)
    assert sight.page.evaluate("window.taken") is False
    assert finding_in_focus(sight) == ""


def test_the_address_turns_the_keys_off(look: Look) -> None:
    sight = look("demo", PATH + "?keys=off")
    sight.page.evaluate("addEventListener('keydown', (event) => { window.taken ||= event.defaultPrevented; })")
    press(sight, *"/jkc?")
    assert sight.page.evaluate("window.taken") is False
    assert finding_in_focus(sight) == ""
    expect(sight.page.get_by_role("dialog")).to_be_hidden()


def test_keys_stay_off_after_a_choice(look: Look) -> None:
    sight = look("demo", PATH + "?keys=off")
    sight.episodes.get_by_role("button", name="Show", exact=True).click()
    expect(sight.page.get_by_role("status")).to_contain_text("no filter")
    sight.episodes.get_by_role("columnheader", name="Events").get_by_role("link").click()
    expect(sight.page.locator("[aria-sort=descending]")).to_contain_text("Events")
    assert "keys=off" in sight.page.url


def test_the_keys_work_on_what_htmx_brought(look: Look) -> None:
    sight = look("demo")
    sight.episodes.get_by_role("columnheader", name="Events").get_by_role("link").click()
    expect(sight.page.locator("[aria-sort=descending]")).to_contain_text("Events")
    press(sight, "j")
    assert remedies(sight)[0] in finding_in_focus(sight)
