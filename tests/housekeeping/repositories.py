"""Checkouts with live documents in every condition that the page of surfaces can show."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from cockpit.housekeeping import rotating
from tests.builders import Scene
from tests.housekeeping.documents import ARCHIVE, LIVE, surface, three_months

HOSTILE = "<img src=x onerror='window.ran = true'>\u202egnp.elif {{ 7 * 7 }} " + "x" * 300


def none(folder: Path) -> Path:
    """No live document at all."""
    return Scene.create(folder / "plain").root


def in_order(folder: Path) -> Path:
    """Three months that were rotated, with nothing to do."""
    root = _declared(folder / "calm")
    rotating.rotate(surface(root, three_months()), dry_run=False)
    return root


def waiting(folder: Path) -> Path:
    """A month of entries that wait, in a BodhiKit project with a spaced review that could shrink."""
    root = _declared(folder / "grown")
    surface(root, three_months(days=30))
    bodhi = root / ".bodhi"
    (bodhi / "assessments").mkdir(parents=True)
    (bodhi / "state.json").write_text("{}")
    (bodhi / "progress.md").write_text("# Log\n\n## 2026-06-02 - b\n\n## 2026-06-01 - a\n")
    (bodhi / "assessments/latest.md").write_text("## Basics - 2026-05-01\n\nwell\n")
    old = [{"name": f"c{number}", "box": 1, "lastReviewed": "2025-01-01"} for number in range(201)]
    (bodhi / "spaced-review.json").write_text(json.dumps({"concepts": old}))
    return root


def broken(folder: Path) -> Path:
    """A summary that is too long, pointers to nothing, archive files that nothing leads to, and names that are none."""
    root = _declared(
        folder / "broken", (HOSTILE.replace("\n", " "), "docs/hostile.md", "docs/other"), ("gone", "docs/no.md", "a")
    )
    hand = "".join(f"- a line by hand, {number}\n" for number in range(230))
    lost = "".join(f"- **2026-01-{day:02} - lost**\n  → archive/2026-01-{day:02}.md\n" for day in range(1, 29))
    surface(root, f"## 2026-06-01 - x\n\n## Summary of earlier progress\n\n{hand}{lost}".encode())
    (root / ARCHIVE).mkdir()
    for number in range(60):
        (root / ARCHIVE / f"unknown-{number}-{'y' * 80}.md").write_text("x")
    (root / "docs/hostile.md").write_text(f"## 2026-06-01 {HOSTILE}\n\n## 2026-05-01 {HOSTILE}\n")
    return root


STATES: dict[str, Callable[[Path], Path]] = {each.__name__: each for each in (none, in_order, waiting, broken)}


def _declared(folder: Path, *more: tuple[str, str, str]) -> Path:
    root = Scene.create(folder).root
    policy = root / ".ai/repo/policy.yaml"
    entries = [("progress", LIVE, ARCHIVE), *more]
    lines = "".join(f"  - name: {json.dumps(n)}\n    live: {live}\n    archive: {kept}\n" for n, live, kept in entries)
    policy.write_text(f"{policy.read_text()}\nsurfaces:\n{lines}")
    return root
