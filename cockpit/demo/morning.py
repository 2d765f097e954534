"""The demonstration: a repository as an operator finds it on a morning after six days with several agents.

It holds one of everything that the page can report. Every date is counted back from ``now`` and nothing is left to
chance, so two builds with one ``now`` differ in nothing but the folder they name.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from cockpit.demo import documents
from cockpit.demo.letters import letters
from cockpit.demo.project import LATEST, PAST, RECOVERED, RESUMED, RETURNS, STEPS, Past, Step
from cockpit.demo.scene import POLICY, SESSIONS, STATE, Scene

Line = tuple[str, dict[str, object]]
"""When (RFC 3339), and the ledger line: sorted by the first before it is written."""


def build(folder: Path, now: datetime) -> Path:
    """Build the repository and its linked worktrees below ``folder`` (empty or missing); answer its path.

    ``now`` is aware. Nothing outside ``folder`` is written or configured.
    """
    morning = _Morning(folder.resolve(), now.astimezone(UTC).replace(microsecond=0))
    morning.history()
    morning.open_episodes()
    morning.unfinished_business()
    morning.notes()
    morning.task_and_questions()
    morning.last_audit()
    morning.write_ledger()
    return morning.scene.root


class _Open(NamedTuple):
    """An open episode: how many minutes ago it started, and what the ledger heard of it since."""

    label: str
    provider: str | None
    branch: str
    started: int
    heard: tuple[tuple[int, str, str | None], ...]  # minutes ago, event, task


_OPEN = (
    _Open(
        "current",
        "claude-code",
        "main",
        160,
        (
            (158, "task.started", "weights"),
            (121, "task.checkpoint", "weights"),
            (94, "decision.recorded", "weights"),
            (55, "verification.ran", "weights"),
            (12, "task.checkpoint", "weights"),
            (4, "context.built", None),
        ),
    ),
    _Open(
        "beside",
        "codex",
        "main",
        312,
        ((309, "task.started", "labels"), (240, "task.checkpoint", "labels"), (111, "question.opened", "labels")),
    ),
    _Open("by hand", None, "main", 1570, ((1566, "task.started", "tariff"), (1490, "task.checkpoint", "tariff"))),
    _Open(
        "returns",
        "gemini",
        "feature/returns",
        205,
        (
            (203, "task.started", "returns"),
            (150, "task.checkpoint", "returns"),
            (77, "task.checkpoint", "returns"),
            (23, "verification.ran", "returns"),
        ),
    ),
    _Open(
        "vanished",
        "codex",
        "fix/label-width",
        2750,
        ((2745, "task.started", "labels"), (2610, "task.checkpoint", "labels"), (2604, "task.handed_over", "labels")),
    ),
    _Open("spike", "claude-code", "spike/tracking-map", 1720, ((1715, "task.started", "map"),)),
)

_TASKS = {"labels": 5950, "map": 1715, "returns": 203, "tariff": 1566, "weights": 158}
"""How many minutes ago each task was started."""

_HANDOVER = """\
# Objective

Labels that a depot can read: nothing cut off, one format for all printers.

# Current State

Long addresses wrap. Names with umlauts print on both test printers. A5 paper is not tried.

# Next Action

{action}
"""

_CHECKPOINT = """\
# Objective

A parcel of 2.5 kg is priced as 3 kg, as the tariff says.

# Current State

`whole_kilograms` rounds up and is committed. The tests for whole weights pass; one for 2.5 kg is missing.

# Next Action

Write the test for 2.5 kg in `tests/test_pricing.py`, then look at prices that were already quoted.
"""

_QUESTIONS = """\
# Open questions

<!-- One line a question: "- [unresolved] <task> - <question> (<date>)". -->

- [unresolved] {labels} - Does the carrier take A5 labels, or A6 only? Asked by mail. ({day2})
- [resolved {day3}] {labels} - How many characters fit on a line? Forty. ({day4})
- [unresolved] {weights} - Are prices that were quoted before the rounding change honoured? ({day0})
"""


_HYGIENE = """
hygiene:
  owner: mara
  cadence: 3 days
  scope: documents and runs
  cap: 60 s
  disable_when: nobody works here any more
"""


@dataclass
class _Morning:
    """The repository while it is built: the scene, the clock, and the ledger lines collected so far."""

    folder: Path
    now: datetime
    scene: Scene = field(init=False)
    lines: list[Line] = field(default_factory=list)
    commits: list[tuple[datetime, str]] = field(default_factory=list)

    # ------------------------------------------------------------------ time and names
    def ago(self, *, days: float = 0, minutes: float = 0) -> datetime:
        return self.now - timedelta(days=days, minutes=minutes)

    def task_of(self, name: str) -> str:
        return f"t-{self.ago(minutes=_TASKS[name]):%Y%m%d%H%M%S}-{_hex(name, 4)}"

    def head_at(self, when: datetime) -> str:
        """The newest commit of ``main`` at that moment."""
        return [commit for since, commit in self.commits if since <= when][-1]

    def commit(self, message: str, when: datetime, *paths: str) -> None:
        """Commit ``paths`` (default: everything) on ``main`` and remember since when it is the head."""
        self.commits.append((when, self.scene.commit(message, when, *paths)))

    def hear(self, when: datetime, event: str, session: str, **payload: object) -> None:
        """Collect a ledger line; it names the commit that was the head when it was written."""
        line = self.scene.event(event, session, _text(when), **{"head": self.head_at(when)} | payload)
        self.lines.append((_text(when), line))

    # ------------------------------------------------------------------ six days of history
    def history(self) -> None:
        """Each day a commit, about five closed episodes, and the publication of their records."""
        self.scene = Scene.create(self.folder / "parcels", commit=False)
        self.scene.write(".ai/repo/policy.yaml", POLICY + documents.POLICY + _HYGIENE)
        self.commit("Lay out the repository", self.ago(days=7))
        for place, step in enumerate(STEPS):
            begun = self.ago(days=len(STEPS) - place)
            self.write(self.scene, step)
            self.commit(step.message, begun + timedelta(minutes=25), *step.files)
            today = [at for at in range(len(PAST)) if at * len(STEPS) // len(PAST) == place]
            for nth, at in enumerate(today):
                self.close(at, begun + timedelta(minutes=7 + 108 * nth))
            if step is STEPS[-1]:
                documents.documents(self.scene, self.now)
            self.commit(f"Publish the session records of {begun:%d %B}", begun + timedelta(minutes=640))
        for path, text in letters(self.now, self.head_at(self.ago(days=2))).items():
            self.scene.write(path, text)
        documents.lost(self.scene)
        self.commit("Hand over the labels, and ask about the returns", self.ago(minutes=300))
        self.write(self.scene, LATEST)
        self.commit(LATEST.message, self.ago(minutes=56))

    def write(self, scene: Scene, step: Step) -> None:
        for path, text in step.files.items():
            scene.write(path, text)

    def close(self, at: int, started: datetime) -> None:
        """Write what the episode in that place of PAST left: its closed records and its ledger lines."""
        past, closed = PAST[at], started + timedelta(minutes=41 + at % 5 * 9)
        session = _session_id(started, past.title)
        self.hear(started, "session.started", session, branch=past.branch, provider=past.provider)
        self.work(session, past, started, closed)
        if at == RECOVERED:
            self.recover(session, past, started, closed + timedelta(hours=2))
            return
        self.end(session, past, started, closed)
        if at in RESUMED:
            self.hear(closed + timedelta(minutes=3), "session.started", session, branch=past.branch)
            self.end(session, past, started, closed + timedelta(minutes=35))

    def work(self, session: str, past: Past, started: datetime, closed: datetime) -> None:
        """What the ledger heard between the start and the end of a closed episode."""
        task, third = _task_id(started, session), (closed - started) / 3
        self.hear(started + timedelta(minutes=2), "task.started", session, branch=past.branch, task_id=task)
        self.hear(started + third, "task.checkpoint", session, branch=past.branch, task_id=task)
        if past.outcome == "closed":
            self.hear(started + 2 * third, "task.finished", session, branch=past.branch, task_id=task)

    def end(self, session: str, past: Past, started: datetime, closed: datetime) -> Path:
        """Close an episode as its provider does: a record, and the line that names it."""
        path = self.record(past, session, started, closed)
        where = f"{SESSIONS}/{path.name}"
        self.hear(closed, "session.closed", session, branch=past.branch, outcome=past.outcome, session_path=where)
        return path

    def recover(self, session: str, past: Past, started: datetime, when: datetime) -> None:
        """Close an episode as a recovery does: it claims no commit, and the line is somebody else's."""
        self.record(past, session, started, when, head=None, working_tree=None, commits=[])
        self.hear(when, "session.recovered", _session_id(when, "rescuer"), session_id=session)

    def record(self, past: Past, session: str, started: datetime, closed: datetime, **fields: object) -> Path:
        """Write the closed record of a past episode; ``fields`` replace or, when None, drop what it says."""
        start_head, head = self.head_at(started), self.head_at(closed)
        given: dict[str, Any] = {
            "branch": past.branch,
            "head": head,
            "started_at": _text(started),
            "outcome": past.outcome,
            "title": f'"{past.title}"',
            "worker": f'"{past.provider}"',
            "start_head": start_head,
            "commits": [f'"{head[:7]}"'] if head != start_head else [],
            "tasks": [f'"{_task_id(started, session)}"'],
        }
        return self.scene.closed_record(session, _text(closed), body=past.body, **given | fields)

    # ------------------------------------------------------------------ what is open
    def open_episodes(self) -> None:
        """Six open episodes: current, open twice, foreign, and two stranded, each for another reason."""
        places = self.worktrees()
        for episode in _OPEN:
            started = self.ago(minutes=episode.started)
            session = _session_id(started, episode.label)
            key = "hand" if episode.provider is None else _provider_session(episode)
            known = {} if episode.provider else {"provider": None, "provider_session": None}
            fields: dict[str, str | Path | None] = {
                "started_at": _text(started),
                "provider": f'"{episode.provider}"',
                "worktree": places.get(episode.label, self.scene.root),
                "branch": episode.branch,
                "start_head": self.head_at(started),
            }
            self.scene.open_episode(key, session, **fields | known)
            if episode.label == "current":
                self.scene.point_at(key)
            self.listen(episode, session, started)

    def listen(self, episode: _Open, session: str, started: datetime) -> None:
        """The ledger lines of an open episode."""
        self.hear(started, "session.started", session, branch=episode.branch)
        for minutes, event, task in episode.heard:
            named = {"task_id": self.task_of(task)} if task else {}
            self.hear(self.ago(minutes=minutes), event, session, branch=episode.branch, **named)

    def worktrees(self) -> dict[str, Path]:
        """One linked worktree that stands, one that was removed by hand, one folder that is no checkout at all."""
        returns = self.scene.worktree("feature/returns", self.folder / "parcels-returns", start="HEAD~1")
        self.write(Scene(returns), RETURNS)
        Scene(returns).commit(RETURNS.message, self.ago(minutes=77))
        vanished = self.scene.worktree("fix/label-width", self.folder / "parcels-labels", start="HEAD~2")
        shutil.rmtree(vanished)
        spike = self.folder / "parcels-spike"
        spike.mkdir()
        (spike / "notes.txt").write_text("A map of the depots? Coordinates are in the carrier's sheet.\n", "utf-8")
        return {"returns": returns, "vanished": vanished, "spike": spike}

    # ------------------------------------------------------------------ what went wrong
    def unfinished_business(self) -> None:
        """An untracked record, three orphans, an unreadable record, and an episode that the books miss."""
        published = min((self.scene.root / SESSIONS).glob("2*.md")).read_bytes()
        only_copy = self.late("Prices that were already quoted", 1130)
        only_copy.rename(only_copy.with_name(".tmp.q7Xw2a"))
        self.late("Postcodes of Slovakia", 830)
        self.scene.write(f"{SESSIONS}/.tmp.Zk30Lb", published)
        self.scene.write(f"{SESSIONS}/.tmp.5mVdPe", published[: published.index(b"branch:")])
        self.scene.write(
            f"{STATE}/sessions-open/{_uuid('torn')}.yaml",
            f'session_id:\nstarted_at: {_text(self.ago(minutes=905))}\nowner: "mara"\n',
        )
        self.vanish(self.ago(minutes=1385))

    def late(self, title: str, minutes: int) -> Path:
        """Write the record of an episode that ended after the last publication, with its ledger lines."""
        started, closed = self.ago(minutes=minutes), self.ago(minutes=minutes - 48)
        past, session = Past(title, provider="codex"), _session_id(started, title)
        self.hear(started, "session.started", session)
        self.work(session, past, started, closed)
        return self.end(session, past, started, closed)

    def vanish(self, started: datetime) -> None:
        """The ledger lines of an episode whose end arrived and produced nothing."""
        session = _session_id(started, "unaccounted")
        self.hear(started, "session.started", session)
        self.hear(started + timedelta(minutes=21), "task.checkpoint", session, task_id=self.task_of("tariff"))
        self.hear(
            started + timedelta(minutes=37),
            "provider.event.received",
            session,
            provider="claude-code",
            provider_event="SessionEnd",
        )

    # ------------------------------------------------------------------ what is handed on
    def notes(self) -> None:
        """A stale handover whose commit HEAD has left behind, an exact checkpoint, and older ones of both."""
        scene, weights = self.scene, self.task_of("weights")
        self.hand_over(self.ago(days=4.1), "Wrap the address lines.")
        self.hand_over(self.ago(days=2.4), "Print the test sheet on A5 and compare the margins with A6.")
        returns = self.folder / "parcels-returns"
        scene.handover(
            _text(self.ago(minutes=70)),
            branch="feature/returns",
            worktree=returns,
            head=Scene(returns).head,
            task_id=self.task_of("returns"),
            next_action="Ask the shop for its list of reasons.",
        )
        earlier = self.ago(minutes=121)
        scene.checkpoint(_text(earlier), head=self.head_at(earlier), task_id=weights)
        scene.checkpoint(_text(self.ago(minutes=12)), working_tree="dirty", task_id=weights, body=_CHECKPOINT)

    def hand_over(self, when: datetime, action: str) -> None:
        """A handover of the labels task, written in this worktree at that moment."""
        body = _HANDOVER.format(action=action)
        self.scene.handover(_text(when), head=self.head_at(when), task_id=self.task_of("labels"), body=body)

    def task_and_questions(self) -> None:
        """The active task and the questions: two that block, one that was settled."""
        self.scene.task(
            self.task_of("weights"),
            task='"Round weights up before pricing"',
            outcome='"2.5 kg costs as much as 3 kg, and a test says so"',
            scope=["parcels/pricing.py", "tests/test_pricing.py"],
            requires=["python -m pytest tests/test_pricing.py"],
            started_at=_text(self.ago(minutes=_TASKS["weights"])),
            head=self.head_at(self.ago(minutes=_TASKS["weights"])),
        )
        days = {f"day{number}": f"{self.ago(days=number):%Y-%m-%d}" for number in (0, 2, 3, 4)}
        text = _QUESTIONS.format(labels=self.task_of("labels"), weights=self.task_of("weights"), **days)
        self.scene.questions(text)

    def last_audit(self) -> None:
        """The last success of periodic hygiene, two days longer ago than the policy's cadence allows."""
        when = self.ago(days=5)
        record = {"last_success": _text(when), "head": self.head_at(when)}
        self.scene.write(".ai/local/hygiene.json", json.dumps(record) + "\n")

    # ------------------------------------------------------------------ the ledger
    def write_ledger(self) -> None:
        """All lines in the order of their time: the oldest in an archive, one torn line among the newest."""
        rotated = _text(self.ago(days=3))
        self.lines.append((rotated, self.scene.event("ledger.rotated", None, rotated)))
        self.lines.sort(key=lambda line: line[0])
        old = [line for when, line in self.lines if when < rotated]
        new = [line for when, line in self.lines if when >= rotated]
        stamp = rotated.replace("-", "").replace(":", "")
        self.scene.ledger(*old, name=f"ledger.{stamp}.jsonl.archived")
        torn = f'{{"ts":"{_text(self.ago(minutes=101))}","event":"task.check'
        self.scene.ledger(*new[:-6], torn, *new[-6:])


# ---------------------------------------------------------------------- names that look like the real ones
def _text(when: datetime) -> str:
    """An instant as every writer prints it: UTC, to the second."""
    return f"{when:%Y-%m-%dT%H:%M:%SZ}"


def _hex(seed: str, digits: int) -> str:
    return hashlib.sha256(seed.encode()).hexdigest()[:digits]


def _session_id(started: datetime, seed: str) -> str:
    return f"s-{started:%Y%m%d%H%M%S}-{_hex(seed, 4)}"


def _task_id(started: datetime, session: str) -> str:
    return f"t-{started:%Y%m%d%H%M%S}-{_hex(session, 4)}"


def _uuid(seed: str) -> str:
    digits = _hex(seed, 32)
    return "-".join((digits[:8], digits[8:12], f"4{digits[13:16]}", f"a{digits[17:20]}", digits[20:]))


def _provider_session(episode: _Open) -> str:
    return _uuid(f"{episode.provider} {episode.label}")
