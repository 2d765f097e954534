"""The follower says what a fresh reading says, whatever happens to the ledger."""

from __future__ import annotations

import errno
import json
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from cockpit.store.ledger import Ledger, LedgerFacts
from tests.builders import STATE, Scene
from tests.examples import profile
from tests.faults.disk import failing, held
from tests.looking import look


def _follow(ledger: Ledger, root: Path) -> LedgerFacts:
    return ledger.follow(str(root), STATE, time.time_ns())


def _line(event: str = "x", session: str = "s-1", **more: object) -> bytes:
    return json.dumps({"ts": "2026-09-11T00:00:00Z", "event": event, "session": session} | more).encode() + b"\n"


lines = st.sampled_from(
    [
        _line("session.started"),
        _line("session.closed"),
        _line("task.started", task_id="t-1"),
        _line("session.started", "s-2"),
        _line("session.recovered", "s-2", session_id="s-1"),
        _line(ts="2026-09-12T00:00:00Z", task_id="t-2"),
        b"torn{\n",
        b"\n",
        b"\xff\n",
        b"\xef\xbb\xbf" + _line().rstrip() + b"\r\n",
    ]
)
many = st.lists(lines, min_size=1, max_size=5).map(b"".join)


class Follower(RuleBasedStateMachine):
    """A ledger to which things happen between two readings."""

    @initialize()
    def begin(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        self.path = self.root / STATE / "ledger.jsonl"
        self.path.parent.mkdir(parents=True)
        self.ledger, self.rotations = Ledger(), 0

    def _now(self) -> bytes:
        return self.path.read_bytes() if self.path.exists() else b""

    @rule(data=many)
    def append(self, data: bytes) -> None:
        with self.path.open("ab") as file:
            file.write(data)

    @rule(data=lines, at=st.integers(1, 30))
    def append_in_two_writes(self, data: bytes, at: int) -> None:
        for part in (data[:at], data[at:]):
            self.append(part)
            _follow(self.ledger, self.root)

    @rule(data=lines, at=st.integers(1, 30))
    def leave_a_line_unfinished(self, data: bytes, at: int) -> None:
        self.append(data[:at].rstrip(b"\n"))

    @rule(share=st.floats(0, 1))
    def truncate(self, share: float) -> None:
        if self.path.exists():
            os.truncate(self.path, int(len(self._now()) * share))

    @rule(data=many)
    def replace(self, data: bytes) -> None:
        other = self.path.with_suffix(".new")
        other.write_bytes(data)
        other.replace(self.path)

    @rule(data=many)
    def rewrite_in_place(self, data: bytes) -> None:
        self.path.write_bytes(data)

    @rule()
    def rewrite_in_place_with_the_same_size(self) -> None:
        if self.path.exists():
            self.path.write_bytes(self._now().replace(b"s-1", b"s-3", 1))

    @rule(data=many)
    def rewrite_in_place_and_append(self, data: bytes) -> None:
        if self.path.exists():
            self.path.write_bytes(self._now().replace(b"closed", b"opened", 1) + data)

    @rule(data=many)
    def rotate(self, data: bytes) -> None:
        if not self.path.exists():
            return
        self.rotations += 1
        self.path.rename(self.path.with_name(f"ledger.{self.rotations:03}.jsonl.archived"))
        self.path.write_bytes(data)

    @rule(data=many)
    def rotate_the_older_half(self, data: bytes) -> None:
        if not self.path.exists():
            return
        kept = self._now().split(b"\n")
        older, newer = kept[: len(kept) // 2], kept[len(kept) // 2 :]
        self.rotations += 1
        archive = self.path.with_name(f"ledger.{self.rotations:03}.jsonl.archived")
        archive.write_bytes(b"".join(line + b"\n" for line in older))
        self.path.write_bytes(b"\n".join(newer) + b"\n" + data)

    @rule()
    def delete(self) -> None:
        self.path.unlink(missing_ok=True)

    @rule(data=many)
    def change_an_archive(self, data: bytes) -> None:
        if self.rotations:
            self.path.with_name("ledger.001.jsonl.archived").write_bytes(data)

    @rule()
    def delete_the_archives(self) -> None:
        for path in self.path.parent.glob("*.archived"):
            path.unlink()

    @invariant()
    def follower_equals_a_fresh_reading(self) -> None:
        if hasattr(self, "ledger"):
            assert _follow(self.ledger, self.root) == _follow(Ledger(), self.root)

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            self.folder.cleanup()


TestFollower = Follower.TestCase
TestFollower.settings = profile(60, stateful_step_count=20)


# ---------------------------------------------------------------------- one thing at a time
def test_only_what_was_appended_is_read_again(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = Ledger()
    scene.ledger(*[scene.event("x", "s-1")] * 1000)
    assert _follow(ledger, scene.root).live == 1000
    taken: list[int] = []
    read = os.read
    monkeypatch.setattr(os, "read", lambda fd, size: taken.append(len(piece := read(fd, size))) or piece)
    scene.ledger(scene.event("y", "s-1"))
    assert (_follow(ledger, scene.root).live, sum(taken) < 200) == (1001, True)


def test_a_line_is_an_event_once_it_has_its_end(scene: Scene) -> None:
    ledger, seen = Ledger(), []
    for end in ("", "\n"):
        scene.ledger(scene.event("x", "s-1") if not end else "", end=end)
        facts = _follow(ledger, scene.root)
        seen.append((facts.live, facts.torn))
    assert seen == [(0, 0), (1, 0)]


def test_the_last_line_of_an_archive_counts_without_an_end(scene: Scene) -> None:
    scene.ledger(scene.event("x", "s-1"), end="", name="ledger.20260910T000000Z.jsonl.archived")
    assert _follow(Ledger(), scene.root).archived == 1


def test_archives_are_read_in_their_order_and_before_the_live_ledger(scene: Scene) -> None:
    scene.ledger(scene.event("session.closed", "s-1"), name="ledger.20260910T000000Z.jsonl.archived")
    scene.ledger(scene.event("session.started", "s-1"), name="ledger.20260909T000000Z.jsonl.archived")
    facts = _follow(Ledger(), scene.root)
    assert facts.episodes["s-1"].closed_last
    scene.ledger(scene.event("session.started", "s-1"))
    assert not _follow(Ledger(), scene.root).episodes["s-1"].closed_last


def test_a_rotation_costs_no_line_of_a_follower(scene: Scene) -> None:
    ledger, live = Ledger(), scene.state / "ledger.jsonl"
    scene.ledger(*[scene.event("x", "s-1")] * 10)
    _follow(ledger, scene.root)
    live.rename(scene.state / "ledger.20260910T000000Z.jsonl.archived")
    scene.ledger(scene.event("ledger.rotated"))
    facts = _follow(ledger, scene.root)
    assert (facts.archived, facts.live, facts.episodes["s-1"].events) == (10, 1, 10)


@pytest.mark.parametrize("first", [1 << 20, 3 << 20, 17 << 20])
def test_a_huge_line_is_torn_once_it_ends_however_it_was_followed(scene: Scene, first: int) -> None:
    ledger = Ledger()
    huge = b'{"event":"x","session":"s-1","a":"' + b"a" * (20 << 20)
    scene.ledger(huge[:first], end="")
    assert (_follow(ledger, scene.root).live, _follow(ledger, scene.root).torn) == (0, 0)
    scene.ledger(huge[first:], end="")
    facts = _follow(ledger, scene.root)
    assert (facts.live, facts.torn) == (0, 0)
    assert facts == _follow(Ledger(), scene.root)
    scene.ledger(b'"}\n' + _line(), end="")
    facts = _follow(ledger, scene.root)
    assert (facts.live, facts.torn) == (1, 1)
    assert facts == _follow(Ledger(), scene.root)


@pytest.mark.parametrize("size", [(16 << 20) - 100, (16 << 20) + 100, (18 << 20)])
def test_whether_a_line_is_too_long_does_not_depend_on_the_pieces(scene: Scene, size: int) -> None:
    ledger, long = Ledger(), b'{"event":"x","a":"' + b"a" * size + b'"}\n'
    scene.ledger(long[: 5 << 20], end="")
    _follow(ledger, scene.root)
    scene.ledger(long[5 << 20 :], end="")
    facts = _follow(ledger, scene.root)
    assert facts == _follow(Ledger(), scene.root)
    assert (facts.live, facts.torn) == ((1, 0) if size < 16 << 20 else (0, 1))


@pytest.mark.parametrize("odd", ["folder", "fifo", "link"])
def test_an_odd_ledger_is_a_fault_and_heals(scene: Scene, odd: str) -> None:
    ledger, path = Ledger(), scene.state / "ledger.jsonl"
    path.parent.mkdir(parents=True)
    {"folder": path.mkdir, "fifo": lambda: os.mkfifo(path), "link": lambda: path.symlink_to("/etc/passwd")}[odd]()
    assert [fault.path for fault in _follow(ledger, scene.root).faults] == [f"{STATE}/ledger.jsonl"]
    path.rmdir() if odd == "folder" else path.unlink()
    scene.ledger(scene.event("x", "s-1"))
    facts = _follow(ledger, scene.root)
    assert (facts.live, facts.faults) == (1, ())


def test_an_archive_that_cannot_be_read_is_a_fault_and_costs_only_itself(scene: Scene) -> None:
    scene.ledger(scene.event("x", "s-1"))
    (scene.state / "ledger.20260910T000000Z.jsonl.archived").symlink_to("ledger.jsonl")
    facts = _follow(Ledger(), scene.root)
    assert (facts.live, facts.archived, len(facts.faults)) == (1, 0, 1)


def test_an_archive_that_cannot_be_read_makes_nobody_read_the_others_again(scene: Scene) -> None:
    ledger, older = Ledger(), "ledger.20260909T000000Z.jsonl.archived"
    scene.ledger(scene.event("x", "s-1"), name=older)
    unreadable = scene.ledger(scene.event("x", "s-1"), name="ledger.20260910T000000Z.jsonl.archived")
    with failing(str(unreadable), ("open",), errno.EACCES):
        before = _follow(ledger, scene.root)
        with held(str(scene.state / older)) as gate:
            gate.open.set()
            assert (_follow(ledger, scene.root), gate.times) == (before, 0)
    assert (len(before.faults), before.archived) == (1, 1)
    assert _follow(ledger, scene.root) == _follow(Ledger(), scene.root)


STARTS = [_line("session.started", f"s-{number:04}") for number in range(100)]
ENDS = [_line("session.closed", f"s-{number:04}") for number in range(100)]


def _edited_behind_its_beginning(live: Path) -> None:
    with live.open("r+b") as file:
        file.write(live.read_bytes().replace(b"s-0060", b"s-0960", 1))


def _completed(live: Path) -> None:
    with live.open("ab") as file:
        file.write(b"".join(STARTS[71:]))


def _cut(live: Path) -> None:
    os.truncate(live, len(b"".join(STARTS[:81])))


@pytest.mark.parametrize(
    ("began", "change"),
    [(STARTS + ENDS, _edited_behind_its_beginning), (STARTS[:71], _completed), (STARTS + ENDS, _cut)],
)
def test_whether_an_archive_is_a_copy_is_compared_again_once_the_ledger_changed(
    scene: Scene, began: list[bytes], change: Callable[[Path], None]
) -> None:
    scene.ledger(b"".join(STARTS), end="", name="ledger.20260910T000000Z.jsonl.archived")
    live = scene.ledger(b"".join(began), end="")
    ledger = Ledger()
    for alter in (lambda _: None, change, lambda path: scene.ledger(_line(), end="")):
        alter(live)
        assert _follow(ledger, scene.root) == _follow(Ledger(), scene.root)


@pytest.mark.parametrize(
    "name", ["ledger.jsonl.archived", "ledger.x.jsonl", "other.x.jsonl.archived", "ledger.jsonl.bak"]
)
def test_other_files_beside_it_are_no_archives(scene: Scene, name: str) -> None:
    scene.ledger(scene.event("x", "s-1"), name=name)
    assert _follow(Ledger(), scene.root) == LedgerFacts()


def test_facts_that_were_handed_out_do_not_change(scene: Scene) -> None:
    ledger = Ledger()
    scene.ledger(scene.event("x", "s-1", task_id="t-1"))
    before = _follow(ledger, scene.root)
    scene.ledger(scene.event("y", "s-1", task_id="t-2"))
    _follow(ledger, scene.root)
    assert (before.episodes["s-1"].events, list(before.episodes["s-1"].tasks)) == (1, ["t-1"])


def test_the_last_mention_of_a_name_is_found_over_all_files(scene: Scene) -> None:
    scene.ledger('{"a":"x.md"}', '{"a":"y.md"}', name="ledger.20260910T000000Z.jsonl.archived")
    scene.ledger("torn x.md", '{"a":"z"}')
    snapshot = look(scene)
    assert snapshot.ledger.live == 1
    assert snapshot.mentions(["x.md", "y.md", "none.md"]) == {"y.md": 2, "x.md": 3}
