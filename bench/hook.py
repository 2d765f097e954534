"""hook: what does a provider's hook cost, against a bare Python?"""

from __future__ import annotations

import compileall
import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from pathlib import Path

import cockpit
from bench.pairs import Figure, alternate, figure, seconds
from cockpit.demo.scene import Scene

TARGET = 3.0
ROUNDS = 40
AT_ONCE = 8
LONGEST = 0.4  # seconds, with eight at once on two cores
EVENTS = {"start": "SessionStart", "compact": "PreCompact", "end": "SessionEnd"}
_numbers = count()


def measure(folder: Path) -> Iterator[Figure]:
    """``cockpit hook`` end to end for each kind of event; then eight at once, the slowest against its limit.

    The package is compiled first, as its first run leaves it.
    """
    compileall.compile_dir(Path(cockpit.__file__).parent, quiet=1)
    scene = Scene.create(folder / "repository")
    _hook(scene.root, "warm", "start")
    for kind in EVENTS:
        turns = (f"{kind}-{number}" for number in _numbers)
        yield alternate(
            f"cockpit hook, {kind}", partial(_timed, scene.root, turns, kind), "python -c pass", _bare, ROUNDS, TARGET
        )
    pairs = [(_slowest(scene.root), LONGEST) for _ in range(ROUNDS // 4)]
    yield figure(f"the slowest of {AT_ONCE} hooks at once", f"{LONGEST * 1000:.0f} ms", pairs, 1.0)


def _timed(root: Path, turns: Iterator[str], kind: str) -> float:
    session = next(turns)
    if kind != "start":
        _hook(root, session, "start")
    taken = _hook(root, session, kind)
    if kind != "end":
        _hook(root, session, "end")
    return taken


def _hook(root: Path, session: str, kind: str) -> float:
    told = {
        "session_id": session,
        "cwd": str(root),
        "hook_event_name": EVENTS[kind],
        "source": "startup",
        "reason": "clear",
    }
    command = [sys.executable, "-m", "cockpit", "hook", "claude-code"]
    return seconds(
        lambda: subprocess.run(command, input=json.dumps(told).encode(), check=True, stderr=subprocess.DEVNULL)
    )


def _bare() -> float:
    return seconds(lambda: subprocess.run([sys.executable, "-c", "pass"], input=b"", check=True))


def _slowest(root: Path) -> float:
    sessions = [f"at-once-{next(_numbers)}" for _ in range(AT_ONCE)]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        taken = list(pool.map(lambda session: _hook(root, session, "start"), sessions))
    for session in sessions:
        _hook(root, session, "end")
    return max(taken)
