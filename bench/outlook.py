"""outlook: what nobody has promised yet, measured all the same."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from bench.lines import LIVE, append
from bench.pairs import Figure, alternate, seconds
from cockpit.demo.scene import Scene
from cockpit.reads import episodes
from cockpit.store.checkout import Checkout

LEDGERS = ((100_000, 7), (1_000_000, 3))  # lines, rounds
OPEN = 5_000


def measure(folder: Path) -> Iterator[Figure]:
    """A ledger read cold against ``cat``, and thousands of open episodes against encoding their answer."""
    for lines, rounds in LEDGERS:
        yield _cold(Scene.create(folder / f"{lines}", layer=False).root, lines, rounds)
    yield _many(Scene.create(folder / "open"))


def _cold(root: Path, lines: int, rounds: int) -> Figure:
    append(root / LIVE, 0, lines)

    def read() -> float:
        checkout = Checkout.open(str(root))
        return seconds(lambda: checkout.look().ledger)

    def cat() -> float:
        return seconds(lambda: subprocess.run(["cat", root / LIVE], stdout=subprocess.DEVNULL, check=True))

    return alternate(f"a ledger of {lines:,} lines, cold", read, "cat of the file", cat, rounds)


def _many(scene: Scene) -> Figure:
    for number in range(OPEN):
        scene.open_episode(f"key-{number}", f"s-{number:014}-{number % 65536:04x}")
    checkout = Checkout.open(str(scene.root))
    later = datetime.now(UTC) + timedelta(minutes=1)  # all files count as settled, without waiting for it
    answer = episodes.answer(checkout.look(later))

    def asked() -> float:
        return seconds(lambda: msgspec.json.encode(episodes.answer(checkout.look(later))))

    def encoded() -> float:
        return seconds(lambda: msgspec.json.encode(answer))

    return alternate(f"{OPEN:,} open episodes as JSON, warm", asked, "encoding the answer", encoded, 9)
