"""The states that the page can be in, each as a real repository; what is in them is fixed, so tests can count on it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cockpit.demo import build
from tests.builders import Scene, five_windows

EPISODES = 1000
CLOSED = 450
FINDINGS = 60

RUNS = "<script>window.ran = true</script>"
ESCAPES = "\"'><img src=x onerror='window.ran = true'>"
TURNED = "\u202egnp.elif\u2066 \u200b\u00ad"
HEBREW = "שלום עולם, סניף ארוך מאוד"
ENDLESS = "s-" + "x" * 498
HOSTILE = (RUNS, ESCAPES, TURNED, HEBREW, "{{ 7 * 7 }} %s $(touch pwned) `id` \\", "a" * 500, "é" * 30 + "\u0301" * 30)
"""What somebody might have recorded, or tried to."""

_DAY = datetime(2026, 9, 1, tzinfo=UTC)
_GONE = "/nowhere/at/all"


def no_layer(folder: Path) -> Path:
    """A repository with no layer in it."""
    return Scene.create(folder / "plain", layer=False).root


def never_ran(folder: Path) -> Path:
    """A layer, and nothing that ever ran."""
    return Scene.create(folder / "fresh").root


def nothing_open(folder: Path) -> Path:
    """A layer that ran, with one closed record and no open episode."""
    scene = Scene.create(folder / "calm")
    scene.ledger(scene.event("session.started", "s-1", "2026-09-11T00:00:00Z"))
    scene.ledger(scene.event("session.closed", "s-1", "2026-09-11T01:00:00Z"))
    scene.closed_record("s-1")
    scene.commit("Publish the record")
    return scene.root


def demo(folder: Path) -> Path:
    """The demonstration, on a morning that is now."""
    return build(folder, datetime.now(UTC))


def five(folder: Path) -> Path:
    """The five windows of :func:`tests.builders.five_windows`: enough for a page of every section but the closed ones."""
    scene = Scene.create(folder / "five")
    five_windows(scene)
    return scene.root


def ten(folder: Path) -> Path:
    """Ten open episodes as a busy team has them, three of them stranded, and twenty-five closed records."""
    scene = Scene.create(folder / "ten")
    for number in range(10):
        session = f"s-20260901{number:02}0000-{number:04x}"
        worktree = {"worktree": f"{_GONE}/{number}"} if number in (2, 5, 8) else {}
        scene.open_episode(
            f"key-{number}", session, branch=f"feature/number-{number}", started_at=_at(number), **worktree
        )
        scene.ledger(scene.event("session.started", session, _at(number)))
        scene.ledger(*(scene.event("task.checkpoint", session, _at(number + step / 7)) for step in range(1, 5)))
    scene.point_at("key-0")
    scene.task()
    scene.handover(next_action="Look at the labels once more, on paper.")
    scene.checkpoint(next_action="Write the test for 2.5 kg.")
    scene.questions("# Open questions\n\n- [unresolved] t-1 - A5 or A6? (2026-09-01)\n")
    _close(scene, 25)
    return scene.root


def hostile(folder: Path) -> Path:
    """Sixty findings, every recorded text hostile: markup, overrides of direction, identifiers of 500 characters."""
    scene = Scene.create(folder / "hostile")
    texts = (json.dumps(HOSTILE[number % len(HOSTILE)], ensure_ascii=False) for number in range(10**6))
    for number in range(FINDINGS):
        session = json.dumps(f"{number} {HOSTILE[number % len(HOSTILE)]}", ensure_ascii=False)
        fields = {name: next(texts) for name in ("provider", "branch", "owner", "worker")}
        scene.open_episode(f"key-{number}", session, started_at=_at(number), worktree=_gone(number), **fields)
    scene.open_episode("whole", ENDLESS, branch=next(texts))
    scene.point_at("whole")
    scene.ledger(*(scene.event(text, ENDLESS, _at(70)) for text in HOSTILE))
    scene.ledger(*(scene.event("session.started", f"{text} was lost", _at(71)) for text in HOSTILE))
    scene.task(next(texts), task=next(texts), outcome=next(texts), scope=HOSTILE[4:6], profile=next(texts))
    scene.handover(next_action="\n".join(HOSTILE))
    scene.checkpoint(branch=next(texts), next_action=RUNS)
    scene.questions("".join(f"- [unresolved] t-1 - {text} (2026-09-01)\n" for text in HOSTILE))
    for number, text in enumerate(HOSTILE):
        title, branch, outcome = (next(texts) for _ in range(3))
        identity = json.dumps(f"closed {number} {text}", ensure_ascii=False)
        scene.closed_record(identity, name=f"2026-{number}.md", title=title, branch=branch, outcome=outcome, body=text)
    scene.commit("Publish the records")
    return scene.root


def thousand(folder: Path) -> Path:
    """A thousand open episodes of all standings, providers and branches, four of them stranded; 450 closed records."""
    scene = Scene.create(folder / "thousand")
    beside = scene.worktree("side", folder / "beside")
    providers = ("claude-code", "codex", "gemini", None)
    for number in range(EPISODES):
        session, provider = session_of(number), providers[number % 4]
        place = _GONE if number % 250 == 7 else beside if number % 5 == 3 else scene.root
        scene.open_episode(
            f"key-{number}",
            session,
            provider=f'"{provider}"' if provider else None,
            branch=f"feature/{number % 7}",
            started_at=_at(number / 10),
            worktree=place,
        )
    scene.point_at("key-0")
    scene.ledger(*(line for number in range(EPISODES) for line in _heard(scene, number)))
    _close(scene, CLOSED)
    return scene.root


ALL: dict[str, Callable[[Path], Path]] = {
    each.__name__: each for each in (no_layer, never_ran, nothing_open, demo, five, ten, hostile, thousand)
}
ONE_FAILED = "one_failed"
"""The demonstration, served by a program in which the read of recovery raises."""
PATTERNS = "patterns"
"""The program that shows every component; it makes its own repositories."""


def command(root: Path, name: str) -> list[str | Path]:
    """The program that serves the page of ``root`` in that state."""
    if name == PATTERNS:
        return [sys.executable, "-m", "tests.patterns"]
    module = "tests.browser_tests.one_fails" if name == ONE_FAILED else "cockpit"
    return [sys.executable, "-m", module, "serve", "--repo", root, "--port", "0"]


def repository(folder: Path, name: str) -> Path:
    """Build the repository of a state below ``folder``; answer its root."""
    return folder if name == PATTERNS else ALL["demo" if name == ONE_FAILED else name](folder)


def session_of(number: int) -> str:
    """The session of that number among the thousand."""
    return f"s-2026-{number:04}"


def _heard(scene: Scene, number: int) -> Iterator[dict[str, object]]:
    session = session_of(number)
    yield scene.event("session.started", session, _at(number / 10))
    for step in range(number % 4):
        yield scene.event("task.checkpoint", session, _at(number / 10 + step + 1), task_id=f"t-{number}")


def _close(scene: Scene, number: int) -> None:
    outcomes = ("closed", "interrupted", "abandoned")
    for each in range(number):
        branch, outcome = f"feature/{each % 3}", outcomes[each % 3]
        title = f'"Labels of the depot, part {each}"'
        scene.closed_record(f"s-closed-{each:04}", _at(each), outcome=outcome, branch=branch, title=title)
    scene.commit("Publish the records")


def _gone(number: int) -> str:
    return json.dumps(f"{_GONE}/{HOSTILE[number % len(HOSTILE)]}", ensure_ascii=False)


def _at(hours: float) -> str:
    return f"{_DAY + timedelta(hours=hours):%Y-%m-%dT%H:%M:%SZ}"
