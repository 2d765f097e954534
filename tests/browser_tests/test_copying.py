"""What a copy button leaves behind is the command, byte for byte; where there is no clipboard the text is selected."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.browser_tests.sight import PATH, Sight
from tests.serving import ask

Look = Callable[..., Sight]
CLIPBOARD = ["clipboard-read", "clipboard-write"]
NO_CLIPBOARD = "Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined })"


@pytest.fixture
def copying(look: Look) -> Callable[[str], Sight]:
    """Answer a page that may use the clipboard."""
    return lambda state: look(state, permissions=CLIPBOARD)


def remedies(sight: Sight) -> list[str]:
    """The command of every finding as the API has it, worst first."""
    found = json.loads(ask(f"{sight.address}/api/v1/lifecycle/recovery").text)
    pointer = [found["pointer"]] if found["pointer"].get("remedy") else []
    whole = [item for item in found["orphans"] if item["holds"] == "record"]
    rest = [item for item in found["orphans"] if item["holds"] != "record"]
    items = [*pointer, *found["stranded"], *whole, *found["unreadable"], *rest]
    return [item["remedy"] for item in items]


def buttons(sight: Sight) -> Locator:
    """The copy buttons of the findings one by one, in their order; groups of findings are opened."""
    for group in sight.page.locator("#needs-a-hand li > div > details:not([open]) > summary").all():
        group.click()
    return sight.page.locator("#needs-a-hand").get_by_role("button", name="Copy this command")


def clipboard(sight: Sight) -> str:
    text: str = sight.page.evaluate("navigator.clipboard.readText()")
    return text


def selected(sight: Sight) -> str:
    text: str = sight.page.evaluate("getSelection().toString()")
    return text


@pytest.mark.parametrize("state", ["demo", "hostile"])
def test_each_button_copies_its_command_and_nothing_else(state: str, copying: Callable[[str], Sight]) -> None:
    sight = copying(state)
    wanted = remedies(sight)
    expect(buttons(sight)).to_have_count(len(wanted))
    for number, command in list(enumerate(wanted))[:12]:
        buttons(sight).nth(number).click()
        expect(buttons(sight).nth(number)).to_have_text("Copied")
        assert clipboard(sight) == command
    assert sight.complaints == []


@pytest.mark.parametrize("state", ["demo", "hostile"])
def test_copy_all_copies_every_command_one_a_line(state: str, copying: Callable[[str], Sight]) -> None:
    sight = copying(state)
    sight.page.get_by_role("button", name="Copy all commands").click()
    expect(sight.page.get_by_role("status")).to_have_text("Copied")
    assert clipboard(sight).removesuffix("\n").split("\n") == remedies(sight)


def test_the_command_of_an_untracked_record_can_be_copied_too(copying: Callable[[str], Sight]) -> None:
    sight = copying("demo")
    (record,) = json.loads(ask(f"{sight.address}/api/v1/lifecycle/closed").text)["untracked"]
    sight.page.locator("#closed").get_by_role("button", name="Copy").click()
    expect(sight.page.get_by_role("status")).to_have_text("Copied")
    assert clipboard(sight) == record["remedy"]


def test_copying_still_works_after_a_choice(copying: Callable[[str], Sight]) -> None:
    sight = copying("demo")
    sight.episodes.get_by_role("columnheader", name="Events").get_by_role("link").click()
    expect(sight.page.locator("[aria-sort=descending]")).to_contain_text("Events")
    buttons(sight).first.click()
    expect(buttons(sight).first).to_have_text("Copied")
    assert clipboard(sight) == remedies(sight)[0]


def test_one_button_at_a_time_says_that_it_copied(copying: Callable[[str], Sight]) -> None:
    sight = copying("demo")
    for number in (0, 1, 1):
        buttons(sight).nth(number).click()
        expect(buttons(sight).nth(number)).to_have_text("Copied")
    expect(buttons(sight).first).to_have_text("Copy")


def test_without_a_clipboard_the_command_is_left_selected(look: Look) -> None:
    sight = look("demo", None)
    sight.page.add_init_script(NO_CLIPBOARD)
    sight.go(PATH)
    buttons(sight).nth(1).click()
    expect(sight.page.get_by_role("status")).to_contain_text("selected")
    assert selected(sight) == remedies(sight)[1]
    assert sight.complaints == []


def test_without_a_clipboard_copy_all_opens_the_block_and_selects_it(look: Look) -> None:
    sight = look("demo", None)
    sight.page.add_init_script(NO_CLIPBOARD)
    sight.go(PATH)
    sight.page.get_by_role("button", name="Copy all commands").click()
    expect(sight.page.get_by_role("status")).to_contain_text("selected")
    assert selected(sight).removesuffix("\n").split("\n") == remedies(sight)


def test_a_clipboard_that_refuses_leaves_the_command_selected(look: Look) -> None:
    sight = look("demo", None)
    sight.page.add_init_script(
        "Clipboard.prototype.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'))"
    )
    sight.go(PATH)
    buttons(sight).first.click()
    expect(sight.page.get_by_role("status")).to_contain_text("selected")
    assert selected(sight) == remedies(sight)[0]


def test_without_scripts_there_is_no_button_that_does_nothing(look: Look) -> None:
    sight = look("demo", scripts=False)
    expect(sight.page.get_by_role("button", name="Copy")).to_have_count(0)
    expect(sight.page.locator("#needs-a-hand")).to_contain_text(remedies(sight)[0])
