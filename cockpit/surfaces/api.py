"""The answers as JSON, the list of them, and their description (OpenAPI 3.1), all from the catalog."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec
from flask import Blueprint, Response, request

from cockpit import __version__
from cockpit.reads.catalog import CATALOG, Read
from cockpit.store.checkout import Checkout

INDEX = "/api/v1"
DESCRIPTION = "/openapi.json"


def blueprint(checkout: Checkout) -> Blueprint:
    """One route a read, the index and the description."""
    api = Blueprint("api", __name__)
    for read in CATALOG:
        api.add_url_rule(read.route, read.name, _view(read, checkout))
    api.add_url_rule(INDEX, "index", lambda: answered(index()))
    api.add_url_rule(DESCRIPTION, "description", lambda: answered(description()))
    return api


def _view(read: Read, checkout: Checkout) -> Any:
    def encoded(answer: object) -> tuple[bytes, str]:  # a function for each read, so that each one's last is kept
        return _encoded(answer)

    def view() -> Response:
        look = checkout.look()
        return _tagged(*look.derived(encoded, read.ask(look)))

    return view


def answered(value: object) -> Response:
    """A value as JSON, to be revalidated by its tag: an unchanged one is a 304."""
    return _tagged(*_encoded(value))


def _encoded(value: object) -> tuple[bytes, str]:
    """A value as JSON, and the tag of that."""
    body = msgspec.json.encode(value)
    return body, hashlib.sha256(body).hexdigest()[:32]


def _tagged(body: bytes, tag: str) -> Response:
    response = Response(body, content_type="application/json")
    response.headers["Cache-Control"] = "no-cache"
    response.set_etag(tag)
    response.make_conditional(request)
    return response


def index() -> dict[str, Any]:
    """The reads with their routes."""
    return {"version": __version__, "description": DESCRIPTION, "reads": [_row(read) for read in CATALOG]}


def _row(read: Read) -> dict[str, str]:
    row = {"id": read.id, "title": read.title, "description": read.description, "route": read.route, "tool": read.tool}
    return row | ({"resource": read.resource} if read.resource else {})


def description() -> dict[str, Any]:
    """The OpenAPI document; the schemas are those of the answer types."""
    answers, schemas = msgspec.json.schema_components(
        [read.answer for read in CATALOG], ref_template="#/components/schemas/{name}"
    )
    paths = {read.route: _operation(read, schema) for read, schema in zip(CATALOG, answers, strict=True)}
    plain = {"type": "object"}
    paths[INDEX] = _get("index", "The reads", "The reads with their routes.", plain)
    paths[DESCRIPTION] = _get("description", "This document", "The description of this API.", plain)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Cockpit", "version": __version__, "description": "Read-only questions of one checkout."},
        "paths": paths,
        "components": {"schemas": schemas | {"Error": _ERROR}},
    }


_ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message"],
            "properties": {"code": {"type": "string"}, "message": {"type": "string"}},
        }
    },
}


def _operation(read: Read, schema: dict[str, Any]) -> dict[str, Any]:
    return _get(read.id, read.title, read.description, schema)


def _get(operation: str, summary: str, said: str, schema: dict[str, Any]) -> dict[str, Any]:
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    return {
        "get": {
            "operationId": operation,
            "summary": summary,
            "description": said,
            "responses": {
                "200": {"description": "The answer.", "content": {"application/json": {"schema": schema}}},
                "304": {"description": "The answer has not changed since the tag that was sent."},
                "default": {"description": "An error.", "content": error},
            },
        }
    }
