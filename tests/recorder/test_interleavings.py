"""Any interleaving of starts, ends, compactions, kills and recoveries over workers and worktrees, against a small model.

The model knows one checkout as a dictionary of open episodes by worker and a set of closed ones; after every step the
six answers of both checkouts must say what it says.
"""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from cockpit.recorder import ledger, rotation
from tests.builders import STATE
from tests.examples import profile
from tests.recorder.team import answers, fire, recovered, site_of, team

WORKERS = (("claude-code", "one"), ("claude-code", "two"), ("codex", "one"), ("gemini", "three"))
PLACES = ("root", "side")
workers, places = st.sampled_from(WORKERS), st.sampled_from(PLACES)


class Model:
    """What one checkout's record must say."""

    def __init__(self) -> None:
        self.open: dict[tuple[str, str], tuple[str, int]] = {}
        self.order = self.started = self.closed = self.checkpoints = 0
        self.current: tuple[str, str] | None = None

    def aim(self) -> None:
        """The pointer leads to the newest open episode."""
        self.current = max(self.open, key=lambda worker: self.open[worker], default=None)


class Interleavings(RuleBasedStateMachine):
    """Two worktrees of one repository, four workers, a clock that only sometimes moves on."""

    @initialize()
    def lay_out(self) -> None:
        self.folder = Path(os.path.realpath(tempfile.mkdtemp(prefix="cockpit-interleavings-")))
        self.scene = team(self.folder / "repo")
        self.roots = {"root": self.scene.root, "side": self.scene.worktree("side", self.folder / "side")}
        self.models = {place: Model() for place in PLACES}
        self.second = 0

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            shutil.rmtree(self.folder)

    def _now(self) -> str:
        self.second += 1
        return f"2026-11-30T{10 + self.second // 3600:02}:{self.second // 60 % 60:02}:{self.second % 60:02}Z"

    # ------------------------------------------------------------------ what happens
    @rule(worker=workers, place=places)
    def start(self, worker: tuple[str, str], place: str) -> None:
        model, now = self.models[place], self._now()
        fire(worker[0], "start", worker[1], self.roots[place], now)
        if worker not in model.open:
            model.started += 1
            model.order += 1
            model.open[worker] = (now, model.order)
        model.aim()

    @rule(worker=workers, place=places, deliberate=st.booleans())
    def end(self, worker: tuple[str, str], place: str, deliberate: bool) -> None:
        model = self.models[place]
        more = {} if deliberate else {"reason": "no reason that is known"}
        fire(worker[0], "end", worker[1], self.roots[place], self._now(), **more)
        if model.open.pop(worker, None):
            model.closed += 1
            model.aim()

    @rule(worker=workers, place=places)
    def compact(self, worker: tuple[str, str], place: str) -> None:
        fire(worker[0], "compact", worker[1], self.roots[place], self._now())
        self.models[place].checkpoints += 1

    @rule(place=places)
    def commit(self, place: str) -> None:
        self.scene.commit("A step", None, ".gitignore", at=self.roots[place])

    @rule(place=places, keep=st.integers(0, 8))
    def rotate(self, place: str, keep: int) -> None:
        site = site_of(self.roots[place])
        ledger.prepare(site.state)
        with ledger.Lock(site.state, 5):
            rotation.rotate(site.state, keep, self._now(), "mara", ("0" * 40, "main"))

    @rule(place=places)
    def recover(self, place: str) -> None:
        if (self.roots[place] / STATE).exists():
            recovered(self.roots[place], ts=self._now())

    @rule(place=places, kind=st.sampled_from(["start", "end", "compact"]), worker=workers, steps=st.integers(0, 14))
    def killed(self, place: str, kind: str, worker: tuple[str, str], steps: int) -> None:
        """A process is killed before one of its writes; a recovery follows, and the model takes over what is there."""
        root, now = self.roots[place], self._now()
        child = os.fork()
        if child == 0:
            try:
                _deadly(steps)
                fire(worker[0], kind, worker[1], root, now)
            finally:
                os._exit(0)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        assert status in (0, -signal.SIGKILL)
        if (root / STATE).exists():
            recovered(root, ts=self._now())
        self._adopt(place, worker, kind, now)

    def _adopt(self, place: str, worker: tuple[str, str], kind: str, now: str) -> None:
        """What a killed act may have come to: nothing, or all of it; a start, also an episode that recovery closed."""
        model, seen = self.models[place], answers(self.roots[place])
        balance = seen["lifecycle.recovery"]["balance"]
        there = {(e["provider"], e["provider_session"]) for e in seen["lifecycle.episodes"]["episodes"]}
        was = worker in model.open
        if kind == "start" and worker in there and not was:
            model.order += 1
            model.open[worker] = (now, model.order)
        elif kind == "end" and worker not in there and was:
            del model.open[worker]
        assert balance["started"] - model.started in ((0, 1) if kind == "start" and not was else (0,))
        ended = balance["closed"] + balance["recovered"] - model.closed
        assert ended in (0, 1)
        model.started, model.closed = balance["started"], model.closed + ended
        notes = seen["continuity.state"]["tallies"]["checkpoints"]
        assert notes - model.checkpoints in ((0, 1) if kind == "compact" else (0,))
        model.checkpoints = notes
        current = [
            (e["provider"], e["provider_session"])
            for e in seen["lifecycle.episodes"]["episodes"]
            if e["standing"] == "current"
        ]
        assert not current or current[0] in model.open
        model.current = current[0] if current else None  # a kill may come before the pointer is aimed

    # ------------------------------------------------------------------ what must hold
    @invariant()
    @precondition(lambda self: hasattr(self, "models"))
    def the_six_answers_say_what_the_model_says(self) -> None:
        for place, model in self.models.items():
            seen = answers(self.roots[place])
            self._episodes(place, model, seen)
            self._books(model, seen)
            assert seen["lifecycle.runtime"]["agree"]
            assert len(seen["lifecycle.providers"]["providers"]) == 8
            findings = [f for answer in seen.values() for f in answer.get("findings", []) if "open at once" not in f]
            assert [f for f in findings if "records; all are counted" not in f] == []

    @staticmethod
    def _episodes(place: str, model: Model, seen: dict[str, Any]) -> None:
        episodes = seen["lifecycle.episodes"]["episodes"]
        assert {(e["provider"], e["provider_session"]) for e in episodes} == set(model.open)
        current = [(e["provider"], e["provider_session"]) for e in episodes if e["standing"] == "current"]
        assert current == ([model.current] if model.current else [])
        session = seen["continuity.state"].get("session")
        assert (session is None) == (model.current is None)
        assert all(e["standing"] in ("current", "open") for e in episodes)
        assert seen["continuity.state"]["tallies"]["checkpoints"] == model.checkpoints
        branch = {"root": "main", "side": "side"}[place]
        assert all(e["branch"] == branch for e in episodes)

    @staticmethod
    def _books(model: Model, seen: dict[str, Any]) -> None:
        balance = seen["lifecycle.recovery"]["balance"]
        assert balance["agrees"], balance
        assert balance["started"] == model.started
        assert balance["closed"] + balance["recovered"] == model.closed
        assert balance["open"] == len(model.open)
        closed = seen["lifecycle.closed"]
        assert len({row["session_id"] for row in closed["untracked"]}) >= model.closed
        for part in ("stranded", "orphans", "unreadable", "unaccounted"):
            assert seen["lifecycle.recovery"][part] == []
        assert "remedy" not in seen["lifecycle.recovery"]["pointer"]


def _deadly(steps: int) -> None:
    """Let this process be killed before its n-th call that changes a disk."""
    left = steps

    def counted(original: Any) -> Any:
        def call(*arguments: Any, **named: Any) -> Any:
            nonlocal left
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return original(*arguments, **named)

        return call

    for name in ("write", "link", "unlink", "rename", "symlink", "mkdir", "fsync"):
        setattr(os, name, counted(getattr(os, name)))


def test_no_interleaving_contradicts_the_model() -> None:
    from hypothesis.stateful import run_state_machine_as_test

    run_state_machine_as_test(Interleavings, settings=profile(7, stateful_step_count=18))
