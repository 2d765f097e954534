"""housekeep: what does it cost to rotate a document of two thousand entries, against copying its files?"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

from bench.pairs import Figure, alternate, seconds
from cockpit.formats.surfaces import Surface
from cockpit.housekeeping import rotating

TARGET = 5.0
ROUNDS = 7
ENTRIES = 2_000


def measure(folder: Path) -> Iterator[Figure]:
    """The whole rotation, from reading the document to its replacement, against a copy of the tree that it leaves."""
    data = document()
    done = folder / "done"
    _rotate(done, data)
    runs = iter(range(1_000))

    def rotate() -> float:
        root = folder / str(next(runs))
        surface = _laid_out(root, data)
        took = seconds(lambda: rotating.rotate(surface, dry_run=False))
        shutil.rmtree(root)
        return took

    def copy() -> float:
        target = folder / str(next(runs))
        took = seconds(lambda: shutil.copytree(done, target))
        shutil.rmtree(target)
        return took

    yield alternate(f"rotating {ENTRIES:,} entries", rotate, "copying their files", copy, ROUNDS, TARGET)
    again = Surface(str(done), "sessions", "log.md", "archive", "Summary of earlier sessions")

    def idle() -> float:
        return seconds(lambda: rotating.rotate(again, dry_run=False))

    yield alternate("a second rotation, which writes nothing", idle, "copying their files", copy, ROUNDS, 1 / 20)


def document() -> bytes:
    """A log of two thousand days, newest on top, each entry about a kilobyte."""
    first = date(2021, 1, 1)
    entries = [_entry(first + timedelta(days=number), number) for number in reversed(range(ENTRIES))]
    return ("# Log\n\n" + "".join(entries)).encode()


def _entry(day: date, number: int) -> str:
    return (
        f"## {day} - Session {number}: what was done about parcel {number}\n\n**Activities:**\n"
        "- read the tariff sheet, and compared it with the price table of the shop\n"
        "- wrote a test for each country that has its own rule of rounding\n\n**Outcomes:**\n"
        f"- a parcel of {number} grams is priced by the rule of its country\n- the tests say which rule failed\n\n"
        "**Key insights:** rounding is a rule of the country, and not one of the depot\n\n"
        + "Some prose that goes on for a while, as it does where a worker writes down what was tried and why.\n" * 7
        + "\n**Next:** the next parcel\n\n"
    )


def _rotate(root: Path, data: bytes) -> None:
    rotating.rotate(_laid_out(root, data), dry_run=False)


def _laid_out(root: Path, data: bytes) -> Surface:
    root.mkdir()
    (root / "log.md").write_bytes(data)
    return Surface(str(root), "sessions", "log.md", "archive", "Summary of earlier sessions")
