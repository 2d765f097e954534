"""cold: what does the first answer about a long ledger cost, against cat of the file, and against jq?"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from bench.drawing import Curve, drawn
from bench.lines import LIVE, append
from bench.pairs import Figure, alternate, figure, seconds
from cockpit.demo.scene import Scene
from cockpit.reads import episodes
from cockpit.store.checkout import Checkout

LENGTHS = ((1_000, 9), (10_000, 9), (100_000, 7), (1_000_000, 5))  # lines, rounds
TARGET, TARGET_JQ = 10.0, 1 / 100
ROUNDS_JQ = 2
PROGRAM = Path(__file__).with_name("episodes.jq")
PICTURE = Path(__file__).with_name("growth.svg")


def measure(folder: Path) -> Iterator[Figure]:
    """Four ledgers, each read by a fresh checkout and by ``cat``; the longest also by ``jq``, where there is one."""
    figures = []
    for lines, rounds in LENGTHS:
        root = Scene.create(folder / f"{lines}").root
        append(root / LIVE, 0, lines)
        figures.append(_against_cat(root, lines, rounds))
        yield figures[-1]
        if lines >= 100_000 and shutil.which("jq"):
            yield _against_jq(root, lines)
    answers, cats = zip(*(each.milliseconds for each in figures), strict=True)
    lengths = [lines for lines, _ in LENGTHS]
    curves = [Curve("first lifecycle.episodes", lengths, answers), Curve("cat of the ledger", lengths, cats)]
    PICTURE.write_text(drawn("First answer by lines of the ledger", "lines", "ms", curves), "utf-8")


def _first(root: Path) -> float:
    checkout = Checkout.open(str(root))
    return seconds(lambda: msgspec.json.encode(episodes.answer(checkout.look())))


def _silently(*command: str | Path) -> Callable[[], float]:
    return lambda: seconds(lambda: subprocess.run(command, stdout=subprocess.DEVNULL, check=True))


def _against_cat(root: Path, lines: int, rounds: int) -> Figure:
    target = TARGET if lines == LENGTHS[-1][0] else None
    what = f"first lifecycle.episodes, {lines:,} lines"
    return alternate(what, lambda: _first(root), "cat of the ledger", _silently("cat", root / LIVE), rounds, target)


def _against_jq(root: Path, lines: int) -> Figure:
    jq = _silently("jq", "-n", "-f", PROGRAM, root / LIVE)
    pairs = [(_first(root), jq()) for _ in range(ROUNDS_JQ)]
    return figure(f"first lifecycle.episodes, {lines:,} lines", "the same join in jq", pairs, TARGET_JQ)
