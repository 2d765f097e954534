"""The pages beside the first: all closed records, the stand-up, one record; and what leads from one to another."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser_tests.sight import PATH, Sight

Look = Callable[..., Sight]
CLOSED = "/cockpit/closed"
STANDUP = PATH + "?view=standup"
both_ways = pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])


def records(sight: Sight) -> Locator:
    table = sight.page.get_by_role("region", name="Table of the closed records")
    return table.get_by_role("row").filter(has=sight.page.get_by_role("rowheader"))


# ---------------------------------------------------------------------- every page, in every dress
FULL = [
    ("demo", CLOSED),
    ("hostile", CLOSED),
    ("demo", STANDUP),
    ("hostile", STANDUP),
    ("patterns", "/cockpit/patterns"),
]
SMALL = [
    ("nothing_open", CLOSED),
    ("no_layer", CLOSED),
    ("no_layer", STANDUP),
    ("one_failed", STANDUP),
    ("nothing_open", "/cockpit/object?uri=majordomus://session/s-1"),
    ("nothing_open", "/cockpit/object?uri=majordomus://session/s-2"),
    ("demo", "/cockpit/surfaces"),
    ("demo", "/cockpit/handoffs"),
]
"""Pages with little on them: each width and each scheme once."""
DRESSED = [
    *((*page, scheme, width) for page in FULL for scheme in ("light", "dark") for width in (320, 1280)),
    *((*page, *dress) for page in SMALL for dress in (("light", 320), ("dark", 1280))),
]


@pytest.mark.parametrize(("state", "path", "scheme", "width"), DRESSED, ids=lambda each: re.sub(r"\W+", "-", str(each)))
def test_every_page_is_whole_in_every_dress(
    state: str, path: str, scheme: str, width: int, look: Look, browser: Browser, kept: Callable[[Sight, str], None]
) -> None:
    sight = look(state, None, width=width, color_scheme=scheme)
    response = sight.go(path)
    kept(sight, f"{state}-{re.sub(r'[^a-z]+', '-', path)}-{width}-{scheme}")
    refused = 1 if response.status == 404 else 0  # the browser complains of the status itself
    assert len(sight.complaints) == refused
    assert sight.barriers() == []
    assert sight.overhang <= 0
    assert sight.page.evaluate("window.ran") is None
    with Sight.of(browser, sight.address, None, width=width, scripts=False) as plain:
        plain.show(response.text(), response, path)
        assert plain.text == sight.text


# ---------------------------------------------------------------------- all closed records
@both_ways
def test_all_closed_records_are_filtered_by_branch_outcome_and_text(scripts: bool, look: Look) -> None:
    sight = look("thousand", CLOSED, scripts=scripts)
    main = sight.page.get_by_role("main")
    main.get_by_label("Outcome", exact=True).select_option("abandoned")
    main.get_by_label("Branch", exact=True).fill("feature/2")
    main.get_by_role("button", name="Show", exact=True).click()
    expect(records(sight)).to_have_count(150)
    main.get_by_role("searchbox").fill("part 44")
    main.get_by_role("button", name="Show", exact=True).click()
    expect(records(sight)).to_have_count(5)
    expect(main).to_contain_text("5 of 450 closed records")
    assert all("abandoned" in text and "part 44" in text for text in records(sight).all_inner_texts())


@both_ways
def test_all_closed_records_are_paged_and_back_leads_back(scripts: bool, look: Look) -> None:
    sight = look("thousand", CLOSED, scripts=scripts)
    expect(records(sight).first).to_contain_text("s-closed-0449")
    for first in ("s-closed-0249", "s-closed-0049"):
        sight.page.get_by_role("link", name="Next page").click()
        expect(records(sight).first).to_contain_text(first)
    expect(records(sight).last).to_contain_text("s-closed-0000")
    for first in ("s-closed-0249", "s-closed-0449"):
        sight.page.go_back()
        expect(records(sight).first).to_contain_text(first)
        sight.loaded()
    sight.page.go_forward()
    expect(records(sight).first).to_contain_text("s-closed-0249")
    assert sight.page.url.endswith("page=2") or "page=2#" in sight.page.url
    assert sight.complaints == []


def test_the_table_of_closed_records_spares_the_reload(look: Look) -> None:
    sight = look("thousand", CLOSED)
    sight.mark()
    sight.page.get_by_role("columnheader", name="Episode").get_by_role("link").click()
    expect(records(sight).first).to_contain_text("s-closed-0000")
    sight.page.get_by_role("link", name="Next page").click()
    expect(records(sight).first).to_contain_text("s-closed-0200")
    assert sight.marked


def test_the_first_page_leads_to_all_closed_records(look: Look) -> None:
    sight = look("ten")
    sight.page.locator("#closed").get_by_role("link", name="all of them").click()
    expect(records(sight)).to_have_count(25)


# ---------------------------------------------------------------------- the stand-up
def test_the_stand_up_answers_four_questions_in_order(look: Look) -> None:
    sight = look("demo", STANDUP)
    titles = sight.page.get_by_role("main").get_by_role("heading", level=2).all_text_contents()
    assert [re.sub(r"[\d\s]+$", "", title) for title in titles] == ["Open", "Closed", "Blocked", "Needs a hand"]


def test_the_stand_up_is_readable_from_three_metres(look: Look) -> None:
    sight = look("demo", STANDUP)
    sizes = sight.page.evaluate(
        "[...document.querySelectorAll('main h2, main b, main li > a')].map((e) => parseFloat(getComputedStyle(e).fontSize))"
    )
    assert min(sizes) >= 15
    assert max(sizes) >= 24


@both_ways
def test_the_stand_up_shows_what_closed_since_the_moment_that_is_named(scripts: bool, look: Look) -> None:
    sight = look("ten", STANDUP + "&since=2026-09-01T20:30:00Z", scripts=scripts)
    closed = sight.page.get_by_role("main").get_by_role("link", name="Labels of the depot")
    expect(closed).to_have_count(4)
    field = sight.page.get_by_label("since", exact=True)
    field.fill("2026-09-02")
    field.press("Enter")
    expect(closed).to_have_count(1)
    expect(field).to_have_value(re.compile("^2026-09-02"))
    assert "view=standup" in sight.page.url


# ---------------------------------------------------------------------- leading on
def test_a_bar_of_the_timeline_leads_to_its_row(look: Look) -> None:
    sight = look("thousand", PATH + "?sort=started&dir=asc&page=2")
    bar = sight.page.get_by_role("group", name=re.compile("Timeline of the open episodes")).get_by_role("link").nth(3)
    bar.click()
    target = sight.page.locator(":target")
    expect(target).to_be_in_viewport()
    expect(target).to_contain_text("s-2026-0203")
    assert "page=2" in sight.page.url


def test_each_finding_leads_to_the_section_that_explains_it(look: Look) -> None:
    sight = look("demo")
    links = sight.page.locator("#needs-a-hand").get_by_role("link", name=re.compile("^why"))
    assert links.count() == 6
    for link in links.all():
        link.click()
        expect(sight.page.locator(":target")).to_be_in_viewport()


# ---------------------------------------------------------------------- the viewer's own time
@pytest.mark.parametrize("zone", ["Australia/Eucla", "America/St_Johns"])
def test_a_time_also_says_what_the_viewers_clock_showed(zone: str, look: Look) -> None:
    sight = look("five", timezone_id=zone)
    moment = datetime(2026, 9, 11, 2, 30, tzinfo=UTC).astimezone(ZoneInfo(zone))
    time = sight.page.locator("time[datetime='2026-09-11T02:30:00Z']").first
    tip = sight.page.get_by_role("tooltip")
    expect(tip).to_be_hidden()
    time.hover()
    expect(tip).to_contain_text(f"{moment:%Y-%m-%d %H:%M}")
    expect(tip).to_contain_text(zone)
    sight.page.mouse.move(0, 0)
    expect(tip).to_be_hidden()


def test_a_time_in_focus_says_it_too_and_escape_puts_it_away(look: Look) -> None:
    sight = look("five", timezone_id="Australia/Eucla")
    time = sight.episodes.locator("time").first
    time.focus()
    tip = sight.page.get_by_role("tooltip")
    expect(tip).to_be_visible()
    expect(time).to_have_accessible_description(tip.inner_text())
    sight.page.keyboard.press("Escape")
    expect(tip).to_be_hidden()


def test_the_time_that_is_shown_is_utc_in_every_zone(look: Look) -> None:
    here, there = look("five"), look("five", timezone_id="Australia/Eucla")
    times = "[...document.querySelectorAll('#episodes time')].map((time) => time.innerText)"
    assert there.page.evaluate(times) == here.page.evaluate(times)
