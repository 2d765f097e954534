"""The pages of a real checkout: what stands when something fails, is empty or is asked wrongly."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from msgspec import structs

from cockpit.app import create_app
from cockpit.reads.catalog import CATALOG
from cockpit.settings import Settings
from cockpit.store.checkout import Checkout
from cockpit.surfaces import photograph
from tests.builders import Scene, five_windows

PAGE = "/cockpit/continuity"
ANCHORS = ["needs-a-hand", "resume", "episodes", "recovery", "runtime", "providers", "closed"]


@pytest.fixture
def client(scene: Scene) -> FlaskClient:
    return create_app(Checkout.open(str(scene.root)), Settings(hosts=frozenset({"localhost:80"}))).test_client()


def anchors(html: str) -> list[str]:
    return re.findall(r'<section id="([\w-]+)"', html)


def broken(_: Any) -> Any:
    raise RuntimeError("in /usr/lib/secret")


@pytest.mark.parametrize("name", [read.name for read in CATALOG if read.page == "continuity"])
def test_a_read_that_fails_is_one_failed_card_and_the_others_stand(
    name: str, client: FlaskClient, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    five_windows(scene)
    reads = tuple(structs.replace(read, ask=broken) if read.name == name else read for read in CATALOG)
    monkeypatch.setattr(photograph, "_IN_TURN", reads)
    reply = client.get(PAGE)
    assert (reply.status_code, anchors(reply.text)) == (200, ANCHORS)
    assert reply.text.count("This read failed (RuntimeError)") == (2 if name == "recovery" else 1)
    assert "secret" not in reply.text
    assert "secret" not in client.get(f"{PAGE}.md").text


def test_each_empty_state_has_its_own_sentence(client: FlaskClient, scene: Scene) -> None:
    assert "has never run" in client.get(PAGE).text
    scene.ledger(scene.event("session.closed", "s-1", "2026-09-11T01:00:00Z"))
    assert "Nothing is open" in client.get(PAGE).text


def test_without_a_layer_the_pages_name_the_command_that_lays_one_out_and_the_note_does_not(tmp_path: Path) -> None:
    bare = Scene.create(tmp_path / "bare", layer=False)
    asked = create_app(Checkout.open(str(bare.root)), Settings(hosts=frozenset({"localhost:80"}))).test_client()
    pages = [asked.get(address).text for address in (PAGE, f"{PAGE}?view=standup")]
    note = asked.get(f"{PAGE}.md").text
    assert ["cockpit init --provider" in text for text in (*pages, note)] == [True, True, False]


@pytest.mark.parametrize("query", ["standing=x", "sort=x", "dir=x", "page=0", "sort=last&sort=last"])
def test_an_address_that_asks_wrongly_is_refused_in_a_sentence(query: str, client: FlaskClient) -> None:
    reply = client.get(f"{PAGE}?{query}")
    assert reply.status_code == 400
    assert f"`{query.partition('=')[0]}`" in reply.text
    assert f'href="{PAGE}"' in reply.text


def test_a_filter_acts_on_the_table_alone(client: FlaskClient, scene: Scene) -> None:
    ids = five_windows(scene)
    whole, part = client.get(PAGE).text, client.get(f"{PAGE}?standing=current").text
    table = part[part.index("<tbody>") : part.index("</tbody>")]
    assert ids.here in table
    assert ids.gone not in table
    assert ids.gone in part[part.index('id="needs-a-hand"') : part.index('id="resume"')]
    assert re.search("<title>(.*)</title>", whole)[1] == re.search("<title>(.*)</title>", part)[1]  # type: ignore[index]


def test_an_unknown_address_of_a_record_is_not_found_and_leads_back(client: FlaskClient) -> None:
    reply = client.get("/cockpit/object?uri=majordomus://session/<b>")
    assert reply.status_code == 404
    assert "session/&lt;b&gt;" in reply.text
    assert f'href="{PAGE}"' in reply.text


@pytest.mark.parametrize("path", ["/", "/cockpit", "/cockpit/", f"{PAGE}/"])
def test_an_address_above_the_page_or_with_a_slash_leads_to_it(path: str, client: FlaskClient) -> None:
    reply = client.get(path)
    assert (reply.status_code, reply.location) == (302, PAGE)


@pytest.mark.parametrize("path", ["/", "/cockpit", PAGE, f"{PAGE}.md", f"{PAGE}?page=x", "/cockpit/object?uri=x"])
def test_every_page_is_a_new_photograph(path: str, client: FlaskClient) -> None:
    assert client.get(path).headers["Cache-Control"] == "no-store"
