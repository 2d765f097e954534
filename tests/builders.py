"""What the tests build their repositories with: the demonstration's own builder, and the situations many tests share."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from types import SimpleNamespace

from cockpit.demo.scene import CREATED_AT, EVENT_AT, SESSIONS, STARTED_AT, STATE, ZERO, Scene, picture

__all__ = [
    "CREATED_AT",
    "EVENT_AT",
    "SESSIONS",
    "STARTED_AT",
    "STATE",
    "ZERO",
    "Scene",
    "five_windows",
    "paste",
    "picture",
]


def five_windows(scene: Scene) -> SimpleNamespace:
    """Five episodes started, four open, one pointer; answers their ids and the folders they name.

    ``here`` is current, ``beside`` open, ``sibling`` foreign (in the linked worktree ``scene.root/../sibling``),
    ``gone`` stranded; ``missing`` was started and left nothing. They started a second apart, in that order. The
    ledger has four lines of ``here`` (tasks t-2, t-1; last at 02:30), one of every other.
    """
    ids = dict(zip(("here", "beside", "sibling", "gone", "missing"), _session_ids(), strict=True))
    sibling = scene.worktree("side", scene.root.parent / "sibling")
    vanished = scene.root.parent / "vanished"
    places = {"here": scene.root, "beside": scene.root, "sibling": sibling, "gone": vanished}
    for second, (key, worktree) in enumerate(places.items(), 1):
        scene.open_episode(key, ids[key], started_at=f"2026-09-11T00:00:0{second}Z", worktree=worktree)
    scene.point_at("here")
    scene.ledger(*(scene.event("session.started", each, STARTED_AT) for each in ids.values()))
    scene.ledger(
        scene.event("task.checkpoint", ids["here"], "2026-09-11T01:00:00Z", task_id="t-2"),
        scene.event("task.finished", ids["here"], "2026-09-11T02:00:00Z", task_id="t-1"),
        scene.event("task.checkpoint", ids["here"], "2026-09-11T02:30:00Z", task_id="t-2"),
    )
    return SimpleNamespace(**ids, folders=SimpleNamespace(sibling=sibling, vanished=vanished))


def paste(command: str, at: str | Path = "/") -> subprocess.CompletedProcess[bytes]:
    """Run ``command`` as a person would paste it into a plain POSIX shell standing in ``at``; answer what came of it."""
    home = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    quiet = home | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C"}
    return subprocess.run(["sh", "-c", command], cwd=at, env=quiet, capture_output=True, timeout=60, check=False)


def _session_ids() -> list[str]:
    return [f"s-2026091100000{number}-{letter * 4}" for number, letter in enumerate("abcde", 1)]
