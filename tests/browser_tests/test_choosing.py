"""Filter, sort and page the open episodes by real clicks, with scripts and without, and go back and forward."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser_tests.sight import PATH, Sight

Look = Callable[..., Sight]
ROWS = 200
both_ways = pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])


def asked(sight: Sight) -> dict[str, str]:
    """What the address in the address bar asks for."""
    return {name: value for name, (value,) in parse_qs(urlsplit(sight.page.url).query).items()}


def filtered(sight: Sight, **fields: str) -> None:
    """Fill in the form and submit it."""
    for name, value in fields.items():
        field = sight.episodes.get_by_label(name.capitalize(), exact=True)
        if name == "standing":
            field.select_option(value)
        else:
            field.fill(value)
    sight.episodes.get_by_role("button", name="Show", exact=True).click()


def heading(sight: Sight, name: str) -> Locator:
    return sight.episodes.get_by_role("columnheader", name=name)


def column(sight: Sight, name: str) -> list[str]:
    """The texts of one column, from the first row to the last."""
    titles = [title.strip() for title in sight.episodes.get_by_role("columnheader").all_inner_texts()]
    at = next(place for place, title in enumerate(titles) if title.startswith(name))
    cells: list[str] = sight.rows.evaluate_all(f"rows => rows.map((row) => row.cells[{at}].innerText.trim())")
    return cells


# ---------------------------------------------------------------------- filter
@both_ways
def test_a_filter_leaves_the_episodes_that_fit_and_says_so(scripts: bool, look: Look) -> None:
    sight = look("five", scripts=scripts)
    expect(sight.rows).to_have_count(4)
    filtered(sight, standing="stranded")
    expect(sight.rows).to_have_count(1)
    assert asked(sight)["standing"] == "stranded"
    assert column(sight, "Standing") == ["stranded"]
    expect(sight.episodes).to_contain_text("1 of 4 open episodes: only standing “stranded”")


@both_ways
def test_filters_add_up_and_show_all_takes_them_away(scripts: bool, look: Look) -> None:
    sight = look("thousand", scripts=scripts)
    filtered(sight, standing="foreign", provider="codex", branch="feature/3")
    expect(sight.episodes).to_contain_text("only standing “foreign” and provider “codex” and branch “feature/3”")
    assert set(column(sight, "Standing")) == {"foreign"}
    assert {text.split("\n")[0] for text in column(sight, "Provider")} == {"codex"}
    assert {text.split("\n")[0] for text in column(sight, "Branch")} == {"feature/3"}
    sight.episodes.get_by_role("link", name="Show all").click()
    expect(sight.rows).to_have_count(ROWS)
    assert asked(sight) == {}


@both_ways
def test_a_search_finds_what_a_row_shows(scripts: bool, look: Look) -> None:
    sight = look("thousand", scripts=scripts)
    filtered(sight, find="s-2026-0042")
    expect(sight.rows).to_have_count(1)
    expect(sight.rows).to_contain_text("s-2026-0042")
    expect(sight.episodes.get_by_label("Find", exact=True)).to_have_value("s-2026-0042")


@both_ways
def test_a_filter_that_nothing_fits_says_so(scripts: bool, look: Look) -> None:
    sight = look("five", scripts=scripts)
    filtered(sight, find="<b>nowhere</b>")
    expect(sight.episodes).to_contain_text("None of 4 open episodes has text “<b>nowhere</b>”.")
    expect(sight.rows).to_have_count(0)


def test_return_in_a_field_submits_the_form(look: Look) -> None:
    sight = look("five")
    sight.episodes.get_by_label("Find", exact=True).fill("eeee")
    sight.page.keyboard.press("Enter")
    expect(sight.episodes).to_contain_text("None of 4 open episodes has text “eeee”.")


# ---------------------------------------------------------------------- sort
@both_ways
def test_a_click_on_a_column_sorts_by_it_and_a_second_turns_it_round(scripts: bool, look: Look) -> None:
    sight = look("five", scripts=scripts)
    events = heading(sight, "Events")
    events.get_by_role("link").click()
    expect(events).to_have_attribute("aria-sort", "descending")
    down = [int(text) for text in column(sight, "Events")]
    assert down == sorted(down, reverse=True)
    assert len(set(down)) > 1
    events.get_by_role("link").click()
    expect(events).to_have_attribute("aria-sort", "ascending")
    assert [int(text) for text in column(sight, "Events")] == sorted(down)
    assert asked(sight) == {"sort": "events", "dir": "asc"}


def test_one_column_alone_is_announced_as_sorted(look: Look) -> None:
    sight = look("five")
    for name in ("Standing", "Provider", "Branch", "Last seen", "Opened"):
        heading(sight, name).get_by_role("link").click()
        expect(heading(sight, name)).to_have_attribute(
            "aria-sort", "descending" if name in ("Last seen", "Opened") else "ascending"
        )
        expect(sight.page.locator("[aria-sort]")).to_have_count(1)


@both_ways
def test_the_order_survives_a_filter_and_the_filter_a_new_order(scripts: bool, look: Look) -> None:
    sight = look("thousand", scripts=scripts)
    heading(sight, "Branch").get_by_role("link").click()
    expect(heading(sight, "Branch")).to_have_attribute("aria-sort", "ascending")
    filtered(sight, standing="stranded")
    expect(sight.rows).to_have_count(4)
    assert column(sight, "Branch") == sorted(column(sight, "Branch"))
    heading(sight, "Branch").get_by_role("link").click()
    expect(heading(sight, "Branch")).to_have_attribute("aria-sort", "descending")
    assert column(sight, "Branch") == sorted(column(sight, "Branch"), reverse=True)
    assert set(column(sight, "Standing")) == {"stranded"}


# ---------------------------------------------------------------------- page
@both_ways
def test_pages_follow_one_another_without_a_gap(scripts: bool, look: Look) -> None:
    sight = look("thousand", PATH + "?sort=started&dir=asc", scripts=scripts)
    for page in range(5):
        expect(sight.rows.first).to_contain_text(f"s-2026-{ROWS * page:04}")
        expect(sight.rows.last).to_contain_text(f"s-2026-{ROWS * page + ROWS - 1:04}")
        expect(sight.episodes).to_contain_text(f"Rows {ROWS * page + 1} to {ROWS * (page + 1)} of 1000")
        if page < 4:
            sight.episodes.get_by_role("link", name="Next page").click()
    expect(sight.episodes.get_by_role("link", name="Next page")).to_have_count(0)
    sight.episodes.get_by_role("link", name="Previous page").click()
    expect(sight.rows.first).to_contain_text("s-2026-0600")


# ---------------------------------------------------------------------- back and forward
@both_ways
def test_back_and_forward_bring_address_table_and_form_back(scripts: bool, look: Look) -> None:
    sight = look("five", scripts=scripts)
    standing = sight.episodes.get_by_label("Standing", exact=True)
    steps = [("", 4), ("stranded", 1), ("open", 1)]
    for chosen, count in steps[1:]:
        filtered(sight, standing=chosen)
        expect(sight.episodes).to_contain_text(f"only standing “{chosen}”")
        expect(sight.rows).to_have_count(count)
    for step, (chosen, count) in [(sight.page.go_back, each) for each in (steps[1], steps[0])] + [
        (sight.page.go_forward, each) for each in steps[1:]
    ]:
        step()
        expect(sight.episodes).to_contain_text(f"only standing “{chosen}”" if chosen else "no filter")
        sight.loaded()
        expect(sight.rows).to_have_count(count)
        assert asked(sight).get("standing", "") == chosen
        expect(standing).to_have_value(chosen)
    assert sight.complaints == []


def test_back_from_a_record_leads_to_the_table_as_it_was_filtered(look: Look) -> None:
    sight = look("nothing_open")
    sight.page.locator("#closed").get_by_role("link", name="s-1").click()
    expect(sight.page).to_have_url(sight.address + "/cockpit/object?uri=majordomus://session/s-1")
    sight.page.go_back()
    expect(sight.page).to_have_url(sight.address + PATH)
    expect(sight.page.get_by_role("heading", level=1)).to_contain_text("Continuity")


def test_back_from_the_note_leads_to_the_filtered_table(look: Look) -> None:
    sight = look("five")
    filtered(sight, standing="stranded")
    expect(sight.rows).to_have_count(1)
    sight.page.get_by_role("link", name="As a note").click()
    sight.page.go_back()
    expect(sight.rows).to_have_count(1)
    expect(sight.episodes.get_by_label("Standing", exact=True)).to_have_value("stranded")


# ---------------------------------------------------------------------- sparing the reload
def test_htmx_spares_the_reload_and_shows_what_a_reload_would(look: Look, browser: Browser) -> None:
    sight = look("demo")
    sight.mark()
    with sight.page.expect_response(lambda response: "sort=events" in response.url) as caught:
        heading(sight, "Events").get_by_role("link").click()
    expect(heading(sight, "Events")).to_have_attribute("aria-sort", "descending")
    assert sight.marked
    whole = caught.value
    with Sight.of(browser, sight.address, None) as reloaded:
        reloaded.show(whole.text(), whole, PATH + "?sort=events")
        assert said_beside(sight) == reloaded.text
    assert sight.complaints == []


def said_beside(sight: Sight) -> str:
    """The text of a page without the words that are there for a screen reader after a swap."""
    sight.page.evaluate("document.querySelectorAll('[role=status]').forEach((words) => words.textContent = '')")
    return sight.text


def test_every_way_of_choosing_spares_the_reload(look: Look) -> None:
    sight = look("thousand")
    sight.mark()
    filtered(sight, provider="codex")
    expect(sight.episodes).to_contain_text("only provider “codex”")
    sight.episodes.get_by_role("link", name="Next page").click()
    expect(sight.episodes).to_contain_text("Rows 201 to 250 of 250")
    heading(sight, "Opened").get_by_role("link").click()
    expect(sight.episodes).to_contain_text("Rows 1 to 200 of 250")
    assert sight.marked
    assert asked(sight) == {"provider": "codex", "sort": "started", "dir": "asc"}


def test_without_scripts_each_choice_is_a_load(look: Look) -> None:
    sight = look("five", scripts=False)
    sight.mark()
    filtered(sight, standing="stranded")
    expect(sight.rows).to_have_count(1)
    assert not sight.marked


def test_what_came_by_htmx_is_read_out_and_keeps_the_focus(look: Look) -> None:
    sight = look("five")
    filtered(sight, standing="stranded")
    expect(sight.page.get_by_role("status")).to_contain_text("only standing “stranded”")
    expect(sight.episodes.get_by_role("button", name="Show", exact=True)).to_be_focused()
    heading(sight, "Events").get_by_role("link").press("Enter")
    expect(heading(sight, "Events").get_by_role("link")).to_be_focused()


def test_a_bookmarked_choice_opens_as_it_was(look: Look) -> None:
    sight = look("five", PATH + "?standing=foreign&sort=events#episodes")
    expect(sight.rows).to_have_count(1)
    expect(sight.episodes.get_by_label("Standing", exact=True)).to_have_value("foreign")
    expect(heading(sight, "Events")).to_have_attribute("aria-sort", "descending")


def test_a_choice_that_is_refused_is_a_page_that_leads_back(look: Look) -> None:
    sight = look("five", None)
    assert sight.go(PATH + "?standing=sideways").status == 400
    assert sight.barriers() == []
    sight.page.get_by_role("main").get_by_role("link").click()
    expect(sight.rows).to_have_count(4)
