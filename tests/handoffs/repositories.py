"""Checkouts with letters in every condition that the page of handoffs can show."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from tests.builders import Scene
from tests.handoffs.letters import ARCHIVE, DAY, LIVE, NAME, OTHER, archived, body, consumed, letter, live

ESCAPES = "<img src=x onerror='window.ran = true'>\u202egnp.elif\u2066 {{ 7 * 7 }} שלום עולם"
HOSTILE = f"{ESCAPES} {'x' * 300}"
UNNOTED = 8
"""Archived letters that no index names, in the condition ``broken``."""

POLICY = ".ai/repo/policy.yaml"
HYGIENE = "\nhygiene:\n  owner: mara\n  cadence: 7 days\n  scope: documents and runs\n  cap: 60 s\n"


def none(folder: Path) -> Path:
    """No letter, and no folder for any."""
    return Scene.create(folder / "plain").root


def in_order(folder: Path) -> Path:
    """One letter in force that supersedes an archived one, written one commit ago; nothing to do."""
    scene = Scene.create(folder / "calm")
    written_at = scene.head
    scene.commit("More", datetime(2026, 9, 12, tzinfo=UTC))
    archived(scene, consumed(leg="0"), OTHER)
    live(scene, letter(commit=written_at, branch="main", owner="Mara", supersedes=f"{ARCHIVE}/{OTHER}"))
    return scene.root


def waiting(folder: Path) -> Path:
    """A letter that waits, two efforts of which one is spelled two ways, a consumed letter left, overdue hygiene."""
    scene = Scene.create(folder / "waiting")
    live(scene, letter(status="awaiting-human - A5 or A6?", effort="margins"), OTHER)
    for leg, effort in enumerate(("labels", "Labels", "returns"), 1):
        live(scene, letter(effort=effort, leg=str(leg)), f"HANDOFF-{DAY}-{leg}.md")
    live(scene, consumed(effort="map"), f"HANDOFF-{DAY}-map.md")
    live(scene, letter(body("In `a/gone.py`."), effort="gone"), f"HANDOFF-{DAY}-gone.md")
    for number in range(25):
        archived(scene, consumed(), f"HANDOFF-2026-08-{number + 1:02}-x.md")
    scene.write(POLICY, HYGIENE)
    scene.write(".ai/local/hygiene.json", '{"last_success": "2026-01-01T00:00:00Z"}\n')
    return scene.root


def broken(folder: Path) -> Path:
    """Markup, turned text and endless words in every field; many findings of one rule; a fault, a refused folder."""
    scene = Scene.create(folder / "broken")
    fields = {"effort": HOSTILE, "leg": HOSTILE, "owner": HOSTILE, "branch": HOSTILE, "commit": HOSTILE}
    for number, status in enumerate(("active", "awaiting-human", "z" * 300)):
        text = letter(
            title=f"# {HOSTILE}\n", status=f"{status} - {HOSTILE}", supersedes=f"docs/{'y' * 300}.md", **fields
        )
        live(scene, text, f"HANDOFF-{DAY}-{number}-{'n' * 180}.md")
    live(scene, "# Nothing said\n", NAME)
    for number in range(UNNOTED):
        scene.write(
            f"{ARCHIVE}/HANDOFF-{DAY}-{ESCAPES.replace('/', '|')}-{number}.md", consumed(title=f"# {HOSTILE}\n")
        )
    os.mkfifo(scene.root / LIVE / f"HANDOFF-{DAY}-fifo.md")
    scene.write(POLICY, f'hygiene:\n  owner: "{"w" * 300}"\n  disable_when: "<b>never</b>"\n')
    return scene.root


def refused(folder: Path) -> Path:
    """Both folders of the policy are refused, so that no letter is read."""
    scene = Scene.create(folder / "refused")
    scene.write(POLICY, "handoffs:\n  path: ../outside\n  archive: /etc\n")
    live(scene, letter())
    return scene.root


STATES: dict[str, Callable[[Path], Path]] = {each.__name__: each for each in (none, in_order, waiting, broken, refused)}
