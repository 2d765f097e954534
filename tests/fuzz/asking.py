"""A place asked in every way there is: the answers of one reading, the routes, the pages and the tools."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime
from typing import Any
from unittest.mock import patch

import msgspec
from anyio.from_thread import start_blocking_portal
from jsonschema import Draft202012Validator
from mcp import Client

from cockpit.app import create_app
from cockpit.reads.catalog import CATALOG
from cockpit.reads.recovery import needs
from cockpit.settings import Settings, own_hosts
from cockpit.store.checkout import Checkout
from cockpit.store.snapshot import Snapshot
from cockpit.surfaces import mcp
from tests.fuzz import pages
from tests.fuzz.holding import hold
from tests.fuzz.invariants import Answers
from tests.looking import BASE

_RECOVERY = "lifecycle.recovery"
_PAGES = (
    "/cockpit/continuity",
    "/cockpit/continuity?standing=open&sort=last&dir=asc&q=s",
    "/cockpit/continuity?view=standup&since=2026-09-01",
    "/cockpit/closed?sort=episode&q=s",
    "/cockpit/surfaces",
    "/cockpit/handoffs",
)
_NOTE = "/cockpit/continuity.md"


class Stand:
    """Stands where the program has its checkout: every surface lays out the one reading that was put here."""

    def __init__(self, root: str) -> None:
        self.root, self.pin = root, False
        self.reading: Snapshot | None = None

    def look(self) -> Snapshot:
        assert self.reading
        return self.reading


class Surfaces:
    """The routes, pages and tools of a place, started once for many readings."""

    def __init__(self, root: str, stack: ExitStack) -> None:
        self._stand: Any = Stand(root)
        self._root = root
        self._web = create_app(self._stand, Settings(own_hosts("127.0.0.1", 80))).test_client()
        described = self._web.get("/openapi.json", base_url=BASE).get_json()
        self._schemas = {read.id: _validator(described, read.route) for read in CATALOG}
        self._portal = stack.enter_context(start_blocking_portal())
        self._tools = stack.enter_context(self._portal.wrap_async_context_manager(Client(mcp.server(self._stand))))

    def check(self, reading: Snapshot, answers: Answers) -> None:
        """Hold that each surface answers what the reads answered of this reading."""
        self._stand.reading = reading
        for read in CATALOG:
            self._api(read.id, read.route, answers)
            self._tool(read.id, read.tool, answers)
        found = needs(answers[_RECOVERY])  # type: ignore[arg-type]
        texts = {address: self._page(address) for address in (*_PAGES, *_objects(answers))}
        for need in found:
            hold(need.remedy in texts[_PAGES[0]], "Each command stands on the page.", need)
        self._note([need.remedy for need in found])

    def _api(self, read: str, route: str, answers: Answers) -> None:
        response = self._web.get(route, base_url=BASE)
        hold(response.status_code == 200, "An answer is a 200.", read, response.text)
        hold(response.data == msgspec.json.encode(answers[read]), "A route answers what its read answers.", read)
        errors = list(self._schemas[read].iter_errors(response.get_json()))
        hold(not errors, "An answer is as it is described.", read, errors)
        tag = response.headers["ETag"]
        again = self._web.get(route, base_url=BASE, headers={"If-None-Match": tag})
        hold((again.status_code, again.headers["ETag"]) == (304, tag), "An unchanged answer is a 304.", read)

    def _tool(self, read: str, name: str, answers: Answers) -> None:
        result = self._portal.call(self._tools.call_tool, name, {})
        hold(not result.is_error, "A tool answers.", read, result)
        hold(
            result.structured_content == msgspec.to_builtins(answers[read]),
            "A tool answers what its read answers.",
            read,
        )

    def _page(self, address: str) -> str:
        response = self._web.get(address, base_url=BASE)
        hold(response.status_code == 200, "A page is a 200.", address, response.text)
        return pages.check(address, response.text)

    def _note(self, commands: Sequence[str]) -> None:
        response = self._web.get(_NOTE, base_url=BASE)
        hold(response.status_code == 200, "The note is a 200.", response.text)
        pages.plain(_NOTE, response.text)
        hold(self._root not in response.text, "The note names no absolute path.", response.text)
        hold(not any(command in response.text for command in commands), "The note holds no command.", response.text)


def _validator(described: dict[str, Any], route: str) -> Draft202012Validator:
    operation = described["paths"][route]["get"]["responses"]["200"]
    schema = operation["content"]["application/json"]["schema"] | {"components": described["components"]}
    return Draft202012Validator(schema)


def _objects(answers: Answers) -> Iterator[str]:
    """The address of one closed episode, where there is any."""
    closed: Any = answers["lifecycle.closed"]
    yield from (f"/cockpit/object?uri={row.uri.replace('%', '%25')}" for row in closed.newest[:1])


# ---------------------------------------------------------------------- readings
def read(checkout: Checkout, moment: datetime) -> tuple[Snapshot, Answers]:
    """One reading of a checkout, and what each read answers of it."""
    reading = checkout.look(moment)
    return reading, {each.id: each.ask(reading) for each in CATALOG}


@contextmanager
def backwards() -> Iterator[None]:
    """Folders are listed the other way round than by name."""
    scandir, listdir = os.scandir, os.listdir
    with (
        patch("os.scandir", lambda *where: _Listed(scandir(*where))),
        patch("os.listdir", lambda *where: sorted(listdir(*where), reverse=True)),
    ):
        yield


class _Listed:
    """What ``os.scandir`` answers, in an order of its own."""

    def __init__(self, scan: Any) -> None:
        with scan:
            self._entries = iter(sorted(scan, key=lambda entry: entry.name, reverse=True))

    def __iter__(self) -> Iterator[Any]:
        return self._entries

    def __next__(self) -> Any:
        return next(self._entries)

    def __enter__(self) -> _Listed:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def close(self) -> None:
        pass
