"""What stands before every route: whose name was asked for, reading only, and the token."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from werkzeug.datastructures import Headers
from werkzeug.test import EnvironBuilder, run_wsgi_app

from cockpit.app import create_app
from cockpit.settings import Settings, loopback, own_hosts, wildcard, with_port
from cockpit.surfaces.security import COOKIE, HEADERS, cookie_for
from tests.builders import Scene
from tests.looking import checkout

TOKEN = "a-token-of-32-characters-or-so-ü"
METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND", "get"]
OWN = ["localhost", "LocalHost:80", "127.0.0.1", "127.0.0.1:80", "[::1]", "[::1]:80"]
FOREIGN = [
    None,
    "",
    " ",
    "evil.example",
    "localhost:81",
    "localhost:",
    "localhost:080",
    "localhost:80:80",
    "localhost.",
    "localhost.:80",
    "localhost,evil.example",
    "localhost, localhost",
    "evil.example, localhost:80",
    "localhost@evil.example",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "127.0.0.2",
    "127.1",
    "0.0.0.0",
    "::1",
    "[::1",
    "[::]",
    "localhost:٨٠",
    "http://localhost",
]
ODD_PATHS = [
    "/nothing",
    "/api/v1/nothing",
    "/static/../app.py",
    "/static/nothing",
    "/sign-in",
    "//evil.example",
    "/%00",
]


class Reply:
    """What a WSGI application answered."""

    def __init__(self, app: Flask, path: str, method: str, host: str | None, **environ: Any) -> None:
        asked = EnvironBuilder(path=path, method=method, base_url="http://localhost").get_environ() | environ
        if host is None:
            asked.pop("HTTP_HOST")
        else:
            asked["HTTP_HOST"] = host
        chunks, status, headers = run_wsgi_app(app, asked, buffered=True)
        self.status, self.headers, self.body = int(status[:3]), Headers(headers), b"".join(chunks)


def _app(scene: Scene, **settings: Any) -> Flask:
    return create_app(checkout(scene), Settings(own_hosts("127.0.0.1", 80), **settings))


def _paths(app: Flask) -> Iterator[str]:
    """An address of every rule, and some that no rule has."""
    for rule in app.url_map.iter_rules():
        yield rule.rule.replace("<path:filename>", "cockpit.css").replace("<filename>", "cockpit.css")
    yield from ODD_PATHS


def _guarded(reply: Reply) -> None:
    for name, value in HEADERS:
        assert reply.headers.getlist(name) == [value]
    assert [name for name in reply.headers.keys() if name.lower().startswith("access-control")] == []  # noqa: SIM118


# ---------------------------------------------------------------------- the matrix
@pytest.mark.parametrize("token", [None, TOKEN])
def test_a_foreign_host_is_refused_on_every_route_by_every_method(scene: Scene, token: str | None) -> None:
    app = _app(scene, token=token)
    for path in _paths(app):
        for method in METHODS:
            for host in FOREIGN:
                reply = Reply(app, path, method, host)
                assert (reply.status, path, method, host) == (421, path, method, host)
                _guarded(reply)
                assert method == "HEAD" or b"--allow-host NAME[:PORT]" in reply.body


@pytest.mark.parametrize("token", [None, TOKEN])
def test_only_get_and_head_exist_on_every_route(scene: Scene, token: str | None) -> None:
    app = _app(scene, token=token)
    for path in _paths(app):
        for method in METHODS:
            reply = Reply(app, path, method, "localhost")
            _guarded(reply)
            if method in ("GET", "HEAD"):
                assert reply.status < 500
                assert reply.status not in (405, 421)
                assert re.match(r"(/|http://localhost/)(?!/)", reply.headers.get("Location", "/"))
                assert method == "GET" or reply.body == b""
            elif not (token and path == "/sign-in" and method == "POST"):
                assert (reply.status, path, method) == (405, path, method)
                allowed = "GET, HEAD, POST" if token and path == "/sign-in" else "GET, HEAD"
                assert reply.headers["Allow"] == allowed


@pytest.mark.parametrize("host", OWN)
def test_every_own_name_is_answered(scene: Scene, host: str) -> None:
    assert Reply(_app(scene), "/cockpit/continuity", "GET", host).status == 200


def test_the_body_of_a_refusal_does_not_repeat_the_name_that_was_sent(scene: Scene) -> None:
    reply = Reply(_app(scene), "/", "GET", "<script>evil</script>")
    assert (reply.status, b"evil" in reply.body) == (421, False)


def test_the_policy_allows_nothing_but_this_origin() -> None:
    policy = dict(HEADERS)["Content-Security-Policy"]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert (rules["default-src"], rules["base-uri"], rules["frame-ancestors"]) == ("'none'", "'none'", "'none'")
    assert {value for name, value in rules.items() if name not in ("default-src", "base-uri", "frame-ancestors")} == {
        "'self'"
    }


def test_an_error_inside_carries_the_headers_too(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    app = _app(scene)
    monkeypatch.setattr("cockpit.store.checkout.Checkout.look", lambda *_: 1 / 0)
    for path in ("/cockpit/continuity", "/api/v1/continuity", "/cockpit/object"):
        reply = Reply(app, path, "GET", "localhost", QUERY_STRING="uri=majordomus://session/x")
        assert reply.status == 500
        _guarded(reply)
        assert b"Traceback" not in reply.body
        assert b"ZeroDivision" not in reply.body or b"division by zero" not in reply.body


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static/../../pyproject.toml", "/static//etc/passwd"]
)
def test_no_asset_leads_out_of_its_folder(scene: Scene, path: str) -> None:
    assert Reply(_app(scene), path, "GET", "localhost").status in (308, 404)


# ---------------------------------------------------------------------- names
@pytest.mark.parametrize(
    ("allowed", "asked", "status"),
    [
        ("cockpit.example", "cockpit.example", 200),
        ("cockpit.example", "COCKPIT.example:80", 200),
        ("cockpit.example", "cockpit.example:8741", 421),
        ("cockpit.example:8741", "cockpit.example:8741", 200),
        ("cockpit.example:8741", "cockpit.example", 421),
        ("cockpit.example", "x.cockpit.example", 421),
        ("[fe80::1]", "[fe80::1]", 200),
    ],
)
def test_a_further_name_is_exact_and_has_a_port(scene: Scene, allowed: str, asked: str, status: int) -> None:
    app = create_app(checkout(scene), Settings(own_hosts("127.0.0.1", 8741, (allowed,))))
    assert Reply(app, "/api/v1", "GET", asked).status == status


@pytest.mark.parametrize(
    ("address", "names"),
    [
        ("127.0.0.1", {"localhost:1", "127.0.0.1:1", "[::1]:1"}),
        ("192.0.2.7", {"localhost:1", "127.0.0.1:1", "[::1]:1", "192.0.2.7:1"}),
        ("0.0.0.0", {"localhost:1", "127.0.0.1:1", "[::1]:1"}),
        ("::", {"localhost:1", "127.0.0.1:1", "[::1]:1"}),
        ("fe80::1", {"localhost:1", "127.0.0.1:1", "[::1]:1", "[fe80::1]:1"}),
    ],
)
def test_a_server_s_own_names_hold_its_address_unless_that_is_a_wildcard(address: str, names: set[str]) -> None:
    assert own_hosts(address, 1) == names


def test_a_host_without_a_port_means_80() -> None:
    assert [with_port(host) for host in ("A", "a:1", "[::1]", "[::1]:1", "a:")] == [
        "a:80",
        "a:1",
        "[::1]:80",
        "[::1]:1",
        "a::80",
    ]


@pytest.mark.parametrize(
    ("address", "inside", "every"),
    [
        ("127.0.0.1", True, False),
        ("127.9.9.9", True, False),
        ("::1", True, False),
        ("localhost", True, False),
        ("0.0.0.0", False, True),
        ("::", False, True),
        ("192.0.2.7", False, False),
        ("cockpit.example", False, False),
    ],
)
def test_which_addresses_only_this_machine_reaches(address: str, inside: bool, every: bool) -> None:
    assert (loopback(address), wildcard(address)) == (inside, every)


# ---------------------------------------------------------------------- the token
def _with(**headers: str) -> dict[str, str]:
    return {f"HTTP_{name.upper()}": value.encode().decode("latin-1") for name, value in headers.items()}


def test_without_the_token_every_route_wants_it(scene: Scene) -> None:
    app = _app(scene, token=TOKEN)
    for path in _paths(app):
        reply = Reply(app, path, "GET", "localhost")
        if path == "/sign-in" or path.startswith("/static/"):
            assert reply.status in (200, 404)
        elif path.startswith("/api/") or path == "/openapi.json":
            assert (reply.status, reply.headers["WWW-Authenticate"]) == (401, "Bearer")
        else:
            assert (reply.status, reply.headers["Location"]) == (303, "/sign-in")


@pytest.mark.parametrize("header", [f"Bearer {TOKEN}", f"bearer {TOKEN}", f"BEARER   {TOKEN} "])
def test_the_token_as_a_bearer_opens_every_route(scene: Scene, header: str) -> None:
    app = _app(scene, token=TOKEN)
    for path in ("/api/v1/continuity", "/openapi.json", "/cockpit/continuity", "/cockpit/continuity.md"):
        assert Reply(app, path, "GET", "localhost", **_with(authorization=header)).status == 200


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer ",
        f"Basic {TOKEN}",
        TOKEN,
        f"Bearer {TOKEN}x",
        f"Bearer {TOKEN[:-1]}",
        f"Bearer {TOKEN.upper()}",
        f"Bearer {cookie_for(TOKEN)}",
        "Bearer \xff\xff",
    ],
)
def test_a_wrong_bearer_opens_nothing(scene: Scene, header: str) -> None:
    reply = Reply(_app(scene, token=TOKEN), "/api/v1", "GET", "localhost", **_with(authorization=header))
    assert reply.status == 401


@pytest.mark.parametrize(
    "cookie",
    [
        "",
        COOKIE,
        f"{COOKIE}=",
        f"{COOKIE}={TOKEN}",
        f"{COOKIE}={cookie_for('x')}",
        f"other={cookie_for(TOKEN)}",
        '"',
        f"{COOKIE}=\xff",
    ],
)
def test_a_wrong_cookie_opens_nothing(scene: Scene, cookie: str) -> None:
    assert Reply(_app(scene, token=TOKEN), "/api/v1", "GET", "localhost", **_with(cookie=cookie)).status == 401


def test_the_token_in_an_address_opens_nothing(scene: Scene) -> None:
    for query in (f"token={TOKEN}", f"access_token={TOKEN}"):
        assert Reply(_app(scene, token=TOKEN), "/api/v1", "GET", "localhost", QUERY_STRING=query).status == 401


def _sign_in(app: Flask, token: str) -> Any:
    return app.test_client().post("/sign-in", base_url="http://localhost", data={"token": token})


def test_signing_in_gives_a_cookie_that_opens_and_no_script_can_read(scene: Scene) -> None:
    app = _app(scene, token=TOKEN)
    reply = _sign_in(app, TOKEN)
    cookie = reply.headers["Set-Cookie"]
    assert (reply.status_code, reply.headers["Location"]) == (303, "/cockpit/continuity")
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookie.split("; "))
    assert "Domain" not in cookie
    assert TOKEN not in cookie
    kept = _with(cookie=cookie.split(";")[0])
    assert Reply(app, "/cockpit/continuity", "GET", "localhost", **kept).status == 200
    assert Reply(app, "/api/v1", "GET", "localhost", **kept).status == 200


@pytest.mark.parametrize("given", ["", "wrong", TOKEN[:-1], f"{TOKEN} x", cookie_for(TOKEN)])
def test_signing_in_with_anything_else_gives_none(scene: Scene, given: str) -> None:
    reply = _sign_in(_app(scene, token=TOKEN), given)
    assert (reply.status_code, "Set-Cookie" in reply.headers, TOKEN in reply.text) == (403, False, False)


def test_without_a_token_there_is_no_sign_in(scene: Scene) -> None:
    app = _app(scene)
    assert Reply(app, "/sign-in", "GET", "localhost").status == 404
    assert _sign_in(app, "x").status_code == 405


def test_the_token_is_in_no_answer_and_no_log(scene: Scene, caplog: pytest.LogCaptureFixture) -> None:
    app = _app(scene, token=TOKEN)
    with caplog.at_level(logging.DEBUG):
        replies = [
            Reply(app, path, "GET", "localhost", **_with(authorization=f"Bearer {TOKEN}")) for path in _paths(app)
        ]
        _sign_in(app, TOKEN)
        _sign_in(app, f"{TOKEN}x")
    for reply in replies:
        assert TOKEN.encode() not in reply.body + str(reply.headers).encode()
    assert TOKEN not in caplog.text


def test_a_foreign_host_with_the_token_is_refused_all_the_same(scene: Scene) -> None:
    reply = Reply(_app(scene, token=TOKEN), "/api/v1", "GET", "evil.example", **_with(authorization=f"Bearer {TOKEN}"))
    assert reply.status == 421


# ---------------------------------------------------------------------- caching
def test_pages_are_never_kept_and_answers_are_revalidated(scene: Scene) -> None:
    app = _app(scene)
    kept = {
        "/cockpit/continuity": "no-store",
        "/cockpit/continuity.md": "no-store",
        "/nothing": "no-store",
        "/api/v1": "no-cache",
        "/api/v1/continuity": "no-cache",
    }
    assert {path: Reply(app, path, "GET", "localhost").headers["Cache-Control"] for path in kept} == kept
