"""The API is the catalog: a route a read, one list, one description, one error body."""

from __future__ import annotations

import json
import logging
from typing import Any

import jsonschema
import pytest
from flask import Flask
from flask.testing import FlaskClient

from cockpit.app import create_app
from cockpit.reads.catalog import CATALOG
from cockpit.settings import Settings, own_hosts
from cockpit.surfaces.api import DESCRIPTION, INDEX
from tests.builders import Scene, five_windows
from tests.looking import BASE, checkout, client

ROUTES = [read.route for read in CATALOG]
EVERY = [*ROUTES, INDEX, DESCRIPTION]


def _app(scene: Scene) -> Flask:
    return create_app(checkout(scene), Settings(own_hosts("127.0.0.1", 80)))


@pytest.fixture
def web(scene: Scene) -> FlaskClient:
    return client(scene)


def _json(web: FlaskClient, path: str) -> Any:
    return web.get(path, base_url=BASE).get_json()


# ---------------------------------------------------------------------- one catalog
def test_the_catalog_the_routes_the_description_and_the_index_are_equal(scene: Scene) -> None:
    app = _app(scene)
    web = app.test_client()
    routed = {rule.rule for rule in app.url_map.iter_rules() if rule.endpoint.startswith("api.")}
    assert routed == set(EVERY) == set(_json(web, DESCRIPTION)["paths"])
    assert [row["route"] for row in _json(web, INDEX)["reads"]] == ROUTES


def test_the_catalog_holds_the_six_questions_at_their_addresses() -> None:
    six = {
        "continuity.state": ("/api/v1/continuity", "continuity_state", "majordomus://continuity"),
        "lifecycle.episodes": ("/api/v1/lifecycle/episodes", "lifecycle_episodes", "majordomus://lifecycle/episodes"),
        "lifecycle.recovery": ("/api/v1/lifecycle/recovery", "lifecycle_recovery", "majordomus://lifecycle/recovery"),
        "lifecycle.runtime": ("/api/v1/lifecycle/runtime", "lifecycle_runtime", ""),
        "lifecycle.providers": ("/api/v1/lifecycle/providers", "lifecycle_providers", ""),
        "lifecycle.closed": ("/api/v1/lifecycle/closed", "lifecycle_closed", ""),
    }
    assert six == {read.id: (read.route, read.tool, read.resource) for read in CATALOG if read.page == "continuity"}


def test_every_schema_is_one_and_the_document_names_its_version(web: FlaskClient) -> None:
    document = _json(web, DESCRIPTION)
    assert document["openapi"].startswith("3.1")
    for schema in document["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("read", CATALOG, ids=lambda read: read.id)
def test_an_answer_is_valid_against_its_own_schema(scene: Scene, read: Any, full: bool) -> None:
    if full:
        five_windows(scene)
        scene.handover()
        scene.task()
        scene.closed_record("s-1")
        scene.commit("Close")
    web = client(scene)
    document = _json(web, DESCRIPTION)
    schema = document["paths"][read.route]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    answer = _json(web, read.route)
    jsonschema.validate(answer, schema | {"components": document["components"]})
    assert set(answer) <= set(read.answer.__struct_fields__)


@pytest.mark.parametrize("path", ROUTES)
def test_nothing_is_null_or_an_empty_optional_text(web: FlaskClient, path: str) -> None:
    text = web.get(path, base_url=BASE).get_data(as_text=True)
    assert ":null" not in text
    assert ':""' not in text


# ---------------------------------------------------------------------- freshness
@pytest.mark.parametrize("path", EVERY)
def test_an_unchanged_answer_is_a_304_without_a_body(web: FlaskClient, path: str) -> None:
    first = web.get(path, base_url=BASE)
    tag = first.headers["ETag"]
    assert (first.status_code, first.mimetype, first.headers["Cache-Control"]) == (200, "application/json", "no-cache")
    assert not tag.startswith("W/")
    again = web.get(path, base_url=BASE, headers={"If-None-Match": tag})
    assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", tag)
    assert web.get(path, base_url=BASE, headers={"If-None-Match": '"other"'}).status_code == 200


def test_a_changed_answer_has_another_tag(scene: Scene) -> None:
    web = client(scene)
    before = web.get(ROUTES[1], base_url=BASE)
    scene.open_episode("k", "s-1")
    after = web.get(ROUTES[1], base_url=BASE, headers={"If-None-Match": before.headers["ETag"]})
    assert (after.status_code, after.headers["ETag"] != before.headers["ETag"]) == (200, True)


@pytest.mark.parametrize("path", EVERY)
def test_head_is_get_without_a_body(web: FlaskClient, path: str) -> None:
    got, head = (web.open(path, method=method, base_url=BASE) for method in ("GET", "HEAD"))
    assert (head.status_code, head.data, head.headers["ETag"]) == (200, b"", got.headers["ETag"])
    assert head.headers["Content-Length"] == str(len(got.data))


# ---------------------------------------------------------------------- one error body
def _is_an_error(response: Any, status: int) -> dict[str, str]:
    assert (response.status_code, response.mimetype) == (status, "application/json")
    body = response.get_json()
    assert list(body) == ["error"]
    assert sorted(body["error"]) == ["code", "message"]
    assert all(isinstance(value, str) and value for value in body["error"].values())
    error: dict[str, str] = body["error"]
    return error


@pytest.mark.parametrize(
    "path", ["/api/v1/nothing", "/api/", "/api/v1/lifecycle", "/api/v1/continuity/", "/api/v2", "/api/v1/%2e%2e"]
)
def test_an_unknown_read_is_a_404(web: FlaskClient, path: str) -> None:
    assert _is_an_error(web.get(path, base_url=BASE), 404)["code"] == "not_found"


@pytest.mark.parametrize("path", [*EVERY, "/api/v1/nothing"])
def test_every_refusal_has_the_same_body(scene: Scene, path: str) -> None:
    web = client(scene, token="0123456789abcdef")
    assert _is_an_error(web.get(path, base_url=BASE), 401)["code"] == "token_wanted"
    assert _is_an_error(web.post(path, base_url=BASE), 405)["code"] == "method_not_allowed"
    assert _is_an_error(web.get(path, base_url="http://evil.example"), 421)["code"] == "wrong_host"


@pytest.mark.parametrize("read", CATALOG, ids=lambda read: read.id)
def test_a_read_that_raises_is_a_500_that_tells_nothing_of_the_program(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, read: Any
) -> None:
    web = client(scene)

    def broken(_self: object, _now: object = None) -> None:
        raise RuntimeError(f"a secret of {__file__}")

    monkeypatch.setattr("cockpit.store.checkout.Checkout.look", broken)
    with caplog.at_level(logging.ERROR):
        response = web.get(read.route, base_url=BASE)
    assert _is_an_error(response, 500)["code"] == "internal_error"
    text = json.dumps(response.get_json())
    assert [word for word in ("secret", "Traceback", "/", ".py") if word in text] == []
    assert "a secret of" in caplog.text
