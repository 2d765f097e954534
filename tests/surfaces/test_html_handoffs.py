"""The page of handoff letters: each condition in its words, every command of the read, and nothing more than text."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

from cockpit.reads import handoffs_state
from cockpit.reads.catalog import CATALOG
from cockpit.reads.handoffs_state import HandoffsState
from cockpit.surfaces.lanes import needs
from tests.builders import Scene
from tests.fuzz import pages
from tests.handoffs import repositories
from tests.handoffs.letters import ARCHIVE, LIVE, OTHER
from tests.looking import BASE, ask, client

PAGE = "/cockpit/handoffs"


def page(root: Path) -> str:
    reply = client(Scene(root)).get(PAGE, base_url=BASE)
    assert reply.status_code == 200
    assert reply.headers["Cache-Control"] == "no-store"
    return reply.text


def words(text: str) -> str:
    """The text of a page, each run of space as one."""
    return " ".join(pages.check(PAGE, text).split())


def state(root: Path) -> HandoffsState:
    found = ask(Scene(root), "handoffs.state")
    assert isinstance(found, HandoffsState)
    return found


def section(text: str, name: str) -> str:
    return text.partition(f'<section id="{name}"')[2].partition("</section>")[0]


def test_a_checkout_without_letters_says_so_and_where_they_would_lie(tmp_path: Path) -> None:
    text = page(repositories.none(tmp_path))
    assert f"No letter or folder of letters is here, in {LIVE} or {ARCHIVE}." in text
    assert "<title>(0) Handoffs" in text
    assert "<section" not in text


def test_letters_in_order_say_whose_work_they_hand_on_and_need_nobody(tmp_path: Path) -> None:
    text = page(repositories.in_order(tmp_path))
    assert "<title>(0) Handoffs" in text
    assert "No rule finds fault with any letter." in text
    active = words(f"<p>{section(text, 'active').partition('>')[2]}</p>")
    for said in (
        "labels",
        "leg 1",
        "2026-09-11, Mara",
        f"{ARCHIVE}/{OTHER}",
        "advanced",
        "HEAD has 1 commit that it lacks",
    ):
        assert said in active
    assert OTHER in section(text, "archive")
    assert "2026-09-12 08:00 UTC" in section(text, "archive")


def test_what_waits_stands_apart_and_all_that_wants_a_person_is_counted(tmp_path: Path) -> None:
    text = page(repositories.waiting(tmp_path))
    assert "<title>(3) Handoffs" in text
    assert "A5 or A6?" in section(text, "waiting")
    assert "Answer its question in the letter" in section(text, "waiting")
    assert "margins" not in section(text, "active")
    assert "4 letters of 3 efforts" in section(text, "active")
    assert "25 letters in" in section(text, "archive")
    assert section(text, "archive").count("<tr>") == 1 + handoffs_state.WINDOW


def test_a_finding_has_its_command_or_says_that_a_person_settles_it(tmp_path: Path) -> None:
    root = repositories.waiting(tmp_path)
    found = section(page(root), "findings")
    first, second = re.findall(r'<li class="need".*?</li>', found, re.DOTALL)
    assert f">cockpit handoff consume --repo {root} -- {LIVE}/HANDOFF-2026-09-11-map.md<" in first
    assert ("No command settles this" in first, "No command settles this" in second) == (False, True)
    assert (">error<" in first, ">warning<" in second) == (True, True)


def test_periodic_hygiene_says_who_how_often_and_how_overdue(tmp_path: Path) -> None:
    text = section(page(repositories.waiting(tmp_path)), "hygiene")
    assert ">overdue<" in text
    for said in ("mara", "7 days", "documents and runs", "60 s", "2026-01-01 00:00 UTC", "It was due"):
        assert said in text
    assert 'id="hygiene"' not in page(repositories.in_order(tmp_path))


@pytest.mark.parametrize("condition", repositories.STATES)
def test_every_finding_and_every_command_of_the_read_stands_on_the_page(condition: str, tmp_path: Path) -> None:
    root = repositories.STATES[condition](tmp_path)
    text = html.unescape(page(root))
    for each in state(root).findings:
        assert each.sentence in text
        assert not each.remedy or each.remedy in text


def test_many_findings_of_one_rule_have_one_block_of_commands(tmp_path: Path) -> None:
    text = section(page(repositories.broken(tmp_path)), "findings")
    assert f"{repositories.UNNOTED} findings of not-indexed" in text
    [block] = re.findall(r'<pre id="commands-\d+"[^>]*>(.*?)</pre>', text, re.DOTALL)
    assert block.count("cockpit handoff consume") == len(block.splitlines()) == repositories.UNNOTED
    assert f">Copy {repositories.UNNOTED}</button>" in text


def test_what_letters_say_is_text_and_no_more(tmp_path: Path) -> None:
    text = page(repositories.broken(tmp_path))
    assert "&lt;img src=x" in text
    assert "\\u202e" in text
    assert "{{ 7 * 7 }}" in words(text)


@pytest.mark.parametrize(
    ("condition", "said"), [("refused", "handoffs.path (../outside) is refused"), ("broken", "fifo.md")]
)
def test_what_is_refused_or_unreadable_is_said_and_nothing_is_called_in_order(
    condition: str, said: str, tmp_path: Path
) -> None:
    text = page(repositories.STATES[condition](tmp_path))
    assert said in section(text, "faults")
    assert "card good" not in text
    assert "No rule finds fault with any letter." not in text


def test_a_read_that_fails_is_one_card_and_the_page_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = repositories.in_order(tmp_path)
    monkeypatch.setattr(handoffs_state, "_newest", None)
    reply = client(Scene(root)).get(PAGE, base_url=BASE)
    assert (reply.status_code, "This read failed (TypeError)" in reply.text) == (200, True)
    assert "<title>(?) Handoffs" in reply.text


def test_it_waits_only_for_what_its_two_reads_need() -> None:
    asked = {read.needs for read in CATALOG if read.id in ("handoffs.state", "lifecycle.runtime")}
    assert needs(PAGE) == frozenset().union(*asked)


def test_each_page_leads_to_it(tmp_path: Path) -> None:
    web = client(Scene(repositories.none(tmp_path)))
    for path in ("/cockpit/continuity", "/cockpit/continuity?view=standup", "/cockpit/closed", "/cockpit/surfaces"):
        assert '<a href="/cockpit/handoffs">Handoffs</a>' in web.get(path, base_url=BASE).text
    assert '<a href="/cockpit/handoffs" aria-current="page">' in web.get(PAGE, base_url=BASE).text


def test_a_letter_without_a_commit_or_a_branch_says_why_its_stand_is_unknown_and_nothing_else(tmp_path: Path) -> None:
    text = section(page(repositories.waiting(tmp_path)), "waiting")
    assert "it names no commit that this repository has" in text
    assert text.count("no commit") == 1


@pytest.mark.parametrize("condition", repositories.STATES)
def test_every_section_is_reached_from_the_top(condition: str, tmp_path: Path) -> None:
    text = page(repositories.STATES[condition](tmp_path))
    there = re.findall(r'<section id="(\w+)"', text)
    led = re.findall(r'<li><a href="#(\w+)">', text)
    assert led == there
