"""The stand-up view, the page of all closed records, the patterns, and what every page shares."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from cockpit.demo import build
from tests.builders import SESSIONS, Scene, five_windows
from tests.looking import BASE, client
from tests.patterns import states

STANDUP = "/cockpit/continuity?view=standup"
CLOSED = "/cockpit/closed"


def page(scene: Scene, path: str) -> str:
    reply = client(scene).get(path, base_url=BASE)
    assert reply.status_code == 200
    return reply.text


def section(html: str, anchor: str) -> str:
    return html[html.index(f'<section id="{anchor}"') :].partition("</section>")[0]


# ---------------------------------------------------------------------- stand-up
def test_the_stand_up_says_four_things_in_this_order(scene: Scene) -> None:
    ids = five_windows(scene)
    scene.questions("- [unresolved] Which carrier?\n")
    scene.closed_record("s-done", "2026-09-12T10:00:00Z", title='"Labels are done"')
    scene.commit("A record")
    html = page(scene, f"{STANDUP}&since=2026-09-12")
    assert re.findall(r'<section id="([\w-]+)"', html) == ["open", "closed-since", "blocked", "needs-a-hand"]
    assert "mara" in section(html, "open")
    assert "Labels are done" in section(html, "closed-since")
    assert "Which carrier?" in section(html, "blocked")
    assert ids.gone in section(html, "needs-a-hand")


def test_what_closed_before_is_no_news(scene: Scene) -> None:
    scene.closed_record("s-done", "2026-09-12T10:00:00Z")
    scene.commit("A record")
    assert "Nothing closed since then." in section(page(scene, f"{STANDUP}&since=2026-09-13"), "closed-since")


@pytest.mark.parametrize(
    "query", ["view=x", "view=standup&since=soon", "since=soon", "view=standup&view=standup", "keys=on"]
)
def test_an_unknown_view_or_since_is_refused_in_a_sentence(query: str, scene: Scene) -> None:
    reply = client(scene).get(f"/cockpit/continuity?{query}", base_url=BASE)
    assert reply.status_code == 400
    assert re.search(r"`(view|since|keys)` is ", reply.text)


def test_a_read_that_fails_costs_the_stand_up_one_section(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("in /usr/lib/secret")

    monkeypatch.setattr("cockpit.reads.archive.since", broken)
    html = page(scene, STANDUP)
    assert html.count("This read failed (RuntimeError)") == 1
    assert "secret" not in html


# ---------------------------------------------------------------------- all closed records
def records(scene: Scene, number: int) -> None:
    for each in range(number):
        scene.closed_record(f"s-{each:04}", f"2026-09-12T10:{each // 60:02}:{each % 60:02}Z", branch=f"b-{each % 2}")
    scene.commit("Records")


def test_all_closed_records_stand_on_pages_of_two_hundred(scene: Scene) -> None:
    records(scene, 205)
    first, second = page(scene, CLOSED), page(scene, f"{CLOSED}?page=2")
    assert (first.count('<th scope="row"'), second.count('<th scope="row"')) == (200, 5)
    assert "Rows 201 to 205 of 205, page 2 of 2." in second
    assert 'href="/cockpit/closed?page=2#records"' in first


def test_a_page_past_the_end_is_the_last_one_and_says_so(scene: Scene) -> None:
    past = "The page that was asked for is past the end: this is the last one."
    assert "No closed record is tracked here." in page(scene, f"{CLOSED}?page=99")
    records(scene, 205)
    html = page(scene, f"{CLOSED}?page=99")
    assert html.count('<th scope="row"') == 5
    assert past in html
    assert past not in page(scene, f"{CLOSED}?page=2")


def test_one_of_a_kind_is_told_as_one(scene: Scene) -> None:
    records(scene, 1)
    scene.write(f"{SESSIONS}/.tmp.half", "x")
    scene.handover()
    html = " ".join(page(scene, "/cockpit/continuity").split())
    for said in (
        "1 record of 1 episode, 0 on this branch",
        "the newest 1 stands here",
        "1 byte.",
        "1 handover<",
        "1 other branch<",
    ):
        assert said in html
    assert re.findall(r"\b1 (?:records|episodes|handovers|checkpoints|commands|bytes)\b", html) == []


def test_whatever_is_painted_has_its_paint(tmp_path: Path) -> None:
    html = page(Scene(build(tmp_path / "demo", datetime.now(UTC))), "/cockpit/continuity")
    wanted = set(re.findall(r"url\(#(weave-[^)]+)\)", html))
    assert {"weave-handovers", "weave-other-branches"} <= wanted
    assert wanted - set(re.findall(r'<pattern id="([^"]+)"', html)) == set()


def test_the_filter_of_the_closed_records_is_said_and_kept_by_what_sorts(scene: Scene) -> None:
    records(scene, 4)
    html = page(scene, f"{CLOSED}?branch=b-1&keys=off")
    assert "2 of 4 closed records: only branch “b-1”; newest first." in html
    assert 'href="/cockpit/closed?branch=b-1&amp;sort=title&amp;keys=off#records"' in html
    assert '<input type="hidden" name="keys" value="off">' in html


@pytest.mark.parametrize("query", ["outcome=x", "sort=events", "dir=x", "page=0", "page=1&page=2"])
def test_the_closed_records_refuse_what_they_do_not_know(query: str, scene: Scene) -> None:
    assert client(scene).get(f"{CLOSED}?{query}", base_url=BASE).status_code == 400


def test_the_page_leads_to_all_closed_records(scene: Scene) -> None:
    html = page(scene, "/cockpit/continuity")
    assert 'href="/cockpit/closed"' in section(html, "closed")
    assert '<a href="/cockpit/closed">Closed records</a>' in html
    assert '<a href="/cockpit/closed" aria-current="page">' in page(scene, CLOSED)


# ---------------------------------------------------------------------- findings and bars
def test_many_of_one_kind_are_one_group_with_a_block_and_each_command_stands_in_order(scene: Scene) -> None:
    for number in range(7):
        scene.write(f"{SESSIONS}/.tmp.{number}", "half")
    html = section(page(scene, "/cockpit/continuity"), "needs-a-hand")
    commands = re.findall(r'<code id="command-\d+">(.*?)</code>', html)
    assert [f".tmp.{number} " in command for number, command in enumerate(commands)] == [True] * 7
    [block] = re.findall(r'<pre id="commands-1".*?>(.*?)\n</pre>', html, re.DOTALL)
    assert block.split("\n") == commands


def test_each_bar_leads_to_its_row_and_each_finding_to_its_section(scene: Scene) -> None:
    five_windows(scene)
    html = page(scene, "/cockpit/continuity")
    assert re.findall(r'class="lane" href="#(episode-\d+)"', html) == re.findall(r'<tr id="(episode-\d+)"', html)
    assert 'class="why" href="#episodes"' in html


def test_a_bar_shows_its_events_and_says_its_facts(scene: Scene) -> None:
    five_windows(scene)
    lanes = re.findall(r'<li><a class="lane".*?</li>', page(scene, "/cockpit/continuity"), re.DOTALL)
    assert 'class="events"' in lanes[-1]
    assert "s-20260911000001-aaaa, current, 4 events, 2026-09-11 00:00 to 2026-09-11 02:30 UTC (2 h 29 m)" in lanes[-1]


# ---------------------------------------------------------------------- every page
@pytest.mark.parametrize(
    "path", ["/cockpit/continuity", STANDUP, CLOSED, "/cockpit/object?uri=majordomus://session/s-0000"]
)
def test_every_page_says_when_it_was_taken_of_which_commit_and_how_long_it_took(path: str, scene: Scene) -> None:
    records(scene, 1)
    html = page(scene, path)
    head = html[: html.index("<main")]
    assert re.search(r'Taken <time datetime="[\dTZ:-]+">', head)
    assert scene.head[:9] in head
    assert re.search(r"\d reads? in \d+ ms", head)


def test_the_patterns_show_every_state_and_escape_the_hostile_one(tmp_path: Path) -> None:
    shown = states(tmp_path)
    reply = client(shown[0][1], patterns=shown).get("/cockpit/patterns", base_url=BASE)
    assert reply.status_code == 200
    assert re.findall(r'<section id="([\w-]+)"', reply.text) == ["words", "ordinary", "empty", "long", "hostile"]
    assert "<b>\\u202eabc" not in reply.text
    assert "&lt;b&gt;\\u202eabc&lt;/b&gt; {{ 7*7 }}" in reply.text
    ids = re.findall(r'\sid="([^"]+)"', reply.text)
    assert len(ids) == len(set(ids))


def test_there_are_no_patterns_without_the_setting(scene: Scene) -> None:
    assert client(scene).get("/cockpit/patterns", base_url=BASE).status_code == 404
