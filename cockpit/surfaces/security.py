"""What stands before every route: whose name was asked for, reading only, and the token.

A WSGI middleware, so that nothing is routed, rendered or answered without it. A loopback, read-only server is still
read by any web page through DNS rebinding (the page's own name is made to lead here), unless it refuses every Host that
is not its own.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any

from msgspec import Struct

from cockpit.settings import Settings, with_port

Environ = dict[str, Any]
Start = Callable[..., Callable[[bytes], object]]
Wsgi = Callable[[Environ, Start], Iterable[bytes]]

COOKIE = "cockpit-token"
SIGN_IN = "/sign-in"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = (
    ("Content-Security-Policy", POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
)


class Refusal(Struct, frozen=True):
    """Why a request goes no further: a status, a short code for the API, a title and a sentence."""

    status: int
    code: str
    title: str
    message: str
    headers: tuple[tuple[str, str], ...] = ()


class Guard:
    """The middleware. ``page`` makes the page of a refusal."""

    def __init__(self, app: Wsgi, settings: Settings, page: Callable[[Environ, Refusal], str]) -> None:
        self._app, self._settings, self._page = app, settings, page

    def __call__(self, environ: Environ, start_response: Start) -> Iterable[bytes]:
        """Refuse, or pass on; either way with the headers."""
        start = _with_headers(start_response)
        refusal = self._host(environ) or self._method(environ) or self._token(environ)
        if refusal is None:
            return self._app(environ, start)
        return self._refuse(environ, start, refusal)

    def _host(self, environ: Environ) -> Refusal | None:
        host = environ.get("HTTP_HOST", "")
        if host and with_port(host) in self._settings.hosts:
            return None
        said = (
            "This server does not answer to the name in the request's Host header. "
            "If that name is meant to lead here, start it with --allow-host NAME[:PORT]."
        )
        return Refusal(421, "wrong_host", "Not this server's name", said)

    def _method(self, environ: Environ) -> Refusal | None:
        allowed = ["GET", "HEAD"]
        if self._settings.token is not None and environ.get("PATH_INFO") == SIGN_IN:
            allowed.append("POST")
        if environ["REQUEST_METHOD"] in allowed:
            return None
        said = "Cockpit only reads: it answers GET and HEAD."
        return Refusal(405, "method_not_allowed", "Reading only", said, (("Allow", ", ".join(allowed)),))

    def _token(self, environ: Environ) -> Refusal | None:
        token, path = self._settings.token, environ.get("PATH_INFO", "")
        if token is None or path == SIGN_IN or path.startswith("/static/") or _carries(environ, token):
            return None
        if is_api(path):
            said = "This server wants its token: send it as 'Authorization: Bearer TOKEN'."
            return Refusal(401, "token_wanted", "Token wanted", said, (("WWW-Authenticate", "Bearer"),))
        said = f"This server wants its token: sign in at {SIGN_IN}."
        return Refusal(303, "token_wanted", "Token wanted", said, (("Location", SIGN_IN),))

    def _refuse(self, environ: Environ, start: Start, refusal: Refusal) -> list[bytes]:
        if is_api(environ.get("PATH_INFO", "")):
            kind, body = "application/json", error_body(refusal.code, refusal.message)
        elif refusal.status == 421:
            kind, body = "text/plain; charset=utf-8", f"{refusal.title}. {refusal.message}\n".encode()
        else:
            kind, body = "text/html; charset=utf-8", self._page(environ, refusal).encode()
        headers = [("Content-Type", kind), ("Content-Length", str(len(body))), ("Cache-Control", "no-store")]
        start(f"{refusal.status} {HTTPStatus(refusal.status).phrase}", [*headers, *refusal.headers])
        return [] if environ["REQUEST_METHOD"] == "HEAD" else [body]


def is_api(path: str) -> bool:
    """Whether a path is one that a program asks for, so that its errors are JSON."""
    return path.startswith("/api/") or path == "/openapi.json"


def error_body(code: str, message: str) -> bytes:
    """The one error body of the API."""
    return json.dumps({"error": {"code": code, "message": message}}).encode()


def cookie_for(token: str) -> str:
    """What the cookie holds: a digest, so that no character of the token matters to a cookie's grammar."""
    return hashlib.sha256(b"cockpit cookie\0" + token.encode("utf-8", "surrogateescape")).hexdigest()


def same_secret(one: str, other: str) -> bool:
    """Whether two secrets are equal, in constant time."""
    return hmac.compare_digest(one.encode("utf-8", "surrogateescape"), other.encode("utf-8", "surrogateescape"))


def _carries(environ: Environ, token: str) -> bool:
    scheme, _, given = environ.get("HTTP_AUTHORIZATION", "").partition(" ")
    given = given.strip().encode("latin-1", "replace").decode("utf-8", "replace")  # as WSGI carries header bytes
    if scheme.lower() == "bearer" and same_secret(given, token):
        return True
    return any(same_secret(value, cookie_for(token)) for value in _cookies(environ.get("HTTP_COOKIE", "")))


def _cookies(header: str) -> list[str]:
    """Every value under our name; other cookies of this host may be written in any way."""
    pairs = (part.strip().partition("=") for part in header.split(";"))
    return [value.strip().strip('"') for name, _, value in pairs if name.strip() == COOKIE]


def _with_headers(start_response: Start) -> Start:
    def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Callable[[bytes], object]:
        ours = {name.lower() for name, _ in HEADERS}
        kept = [(name, value) for name, value in headers if name.lower() not in ours]
        return start_response(status, [*kept, *HEADERS], exc_info)

    return start
