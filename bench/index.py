"""index: what does one more closed record cost, against building the index?"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from bench.page import SETTLING
from bench.pairs import Figure, figure, seconds
from cockpit.demo.scene import SESSIONS, Scene
from cockpit.reads import closed
from cockpit.store.checkout import Checkout

TARGET = 1 / 20
ROUNDS = 7
RECORDS = 10_000


def measure(folder: Path) -> Iterator[Figure]:
    """The first answer of a fresh checkout, then the next one after a record was written and added, several times."""
    scene = Scene.create(folder / "repository")
    for number in range(RECORDS):
        closed_record(scene, number)
    scene.commit("Ten thousand records")
    time.sleep(SETTLING)
    what = f"lifecycle.closed after one more record of {RECORDS:,}"
    yield figure(what, "its first answer", [_grown(scene, RECORDS + turn) for turn in range(ROUNDS)], TARGET)


def _grown(scene: Scene, number: int) -> tuple[float, float]:
    checkout = Checkout.open(str(scene.root))
    first = seconds(lambda: closed.answer(checkout.look()))
    scene.git("add", "--", closed_record(scene, number))
    return seconds(lambda: _answer(checkout, number + 1)), first


def _answer(checkout: Checkout, expected: int) -> None:
    total = closed.answer(checkout.look()).total
    assert total == expected, f"{total} records were counted where there are {expected}"


def closed_record(scene: Scene, number: int) -> str:
    """Write the record of one episode; answer its path below the root."""
    minute, hour, day = number % 60, number // 60 % 24, 1 + number // 1440 % 28
    created = f"2026-08-{day:02}T{hour:02}:{minute:02}:00Z"
    name = f"{number:06}.md"
    scene.closed_record(f"s-{number:014}-{number % 65536:04x}", created, name=name, changed_files=["README.md"])
    return f"{SESSIONS}/{name}"
