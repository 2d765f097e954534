"""store: what do thousands of open episodes and of closed records cost, against a few, and against their bytes?"""

from __future__ import annotations

import http.client
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from bench.index import closed_record
from bench.page import SETTLING
from bench.pairs import Figure, alternate, seconds
from bench.serving import PAGE, served, timed
from cockpit.demo.scene import SESSIONS, Scene
from cockpit.reads import closed, episodes
from cockpit.store.checkout import Checkout

OPEN, FEW_OPEN, CLOSED, FEW_CLOSED = 5_000, 200, 10_000, 100
ROUNDS = 15
ROUTE = "/api/v1/lifecycle/episodes"


def measure(folder: Path) -> Iterator[Figure]:
    """Two repositories with many of a kind, each beside one with few."""
    yield from _open(folder)
    yield from _closed(folder)


def _open(folder: Path) -> Iterator[Figure]:
    few, many = (_with_open(folder / f"open-{count}", count) for count in (FEW_OPEN, OPEN))
    checkout = Checkout.open(str(many))
    later = datetime.now(UTC) + timedelta(minutes=1)  # all files count as settled, without waiting for it
    answer = episodes.answer(checkout.look(later))

    def asked() -> float:
        return seconds(lambda: msgspec.json.encode(episodes.answer(checkout.look(later))))

    def encoded() -> float:
        return seconds(lambda: msgspec.json.encode(answer))

    yield alternate(f"lifecycle.episodes, {OPEN:,} open", asked, "encoding the answer", encoded, ROUNDS, 3.0)
    time.sleep(SETTLING)
    with served(few) as little, served(many) as much:
        what, against = f"the page, {OPEN:,} open", f"the page, {FEW_OPEN} open"
        yield alternate(what, timed(much, PAGE), against, timed(little, PAGE), ROUNDS, 2.0)
        tag = _tag(much)

        def unchanged() -> float:
            return seconds(lambda: _unchanged(much, tag))

        yield alternate(f"a 304 of {OPEN:,} open", unchanged, "its 200", timed(much, ROUTE), ROUNDS, 0.5)


def _closed(folder: Path) -> Iterator[Figure]:
    few, many = (_with_closed(folder / f"closed-{count}", count) for count in (FEW_CLOSED, CLOSED))
    time.sleep(SETTLING)

    def first() -> float:
        checkout = Checkout.open(str(many))
        return seconds(lambda: closed.answer(checkout.look()))

    def bytes_() -> float:
        return seconds(lambda: [path.read_bytes() for path in (many / SESSIONS).iterdir()])

    yield alternate(f"lifecycle.closed, {CLOSED:,} records, cold", first, "reading their bytes", bytes_, 5, 4.0)
    with served(few) as little, served(many) as much:
        what, against = f"the page, {CLOSED:,} closed, warm", f"the page, {FEW_CLOSED} closed"
        yield alternate(what, timed(much, PAGE), against, timed(little, PAGE), ROUNDS, 1.2)


def _with_open(root: Path, count: int) -> Path:
    scene = Scene.create(root)
    for number in range(count):
        scene.open_episode(f"key-{number}", f"s-{number:014}-{number % 65536:04x}")
    return scene.root


def _with_closed(root: Path, count: int) -> Path:
    scene = Scene.create(root)
    for number in range(count):
        closed_record(scene, number)
    scene.commit("Closed records")
    return scene.root


def _tag(connection: http.client.HTTPConnection) -> str:
    connection.request("GET", ROUTE)
    answer = connection.getresponse()
    answer.read()
    return answer.headers["ETag"]


def _unchanged(connection: http.client.HTTPConnection, tag: str) -> None:
    connection.request("GET", ROUTE, headers={"If-None-Match": tag})
    answer = connection.getresponse()
    answer.read()
    assert answer.status == 304, f"an unchanged answer came with {answer.status}"
