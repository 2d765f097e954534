"""Periodic hygiene is opted in to; its last success is recorded, and how overdue it is shows."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec import UNSET

from cockpit.cli import main
from cockpit.hygiene.audit import audit
from cockpit.hygiene.recording import record
from cockpit.reads import handoffs_state
from cockpit.reads.hygiene import HygieneState
from cockpit.recorder.site import Refused
from cockpit.store.checkout import Checkout
from tests.builders import Scene
from tests.hygiene.runs import NOW

RECORD = ".ai/local/hygiene.json"
BLOCK = """
hygiene:
  owner: mara
  cadence: 7 days
  scope: [docs, .agent-run]
  cap: 60 s
  disable_when: "the release is out; $(touch pwned)"
"""


def _opted_in(scene: Scene, block: str = BLOCK) -> Scene:
    with (scene.root / ".ai/repo/policy.yaml").open("a") as policy:
        policy.write(block)
    return scene


def _recorded(scene: Scene, at: datetime) -> None:
    checkout = Checkout.open(str(scene.root))
    record(checkout.look(at), audit(checkout, at))


def _state(scene: Scene, at: datetime = NOW) -> HygieneState:
    state = handoffs_state.answer(Checkout.open(str(scene.root)).look(at)).hygiene
    assert isinstance(state, HygieneState)
    return state


def test_without_the_block_nothing_shows_and_nothing_is_recorded(scene: Scene) -> None:
    assert handoffs_state.answer(Checkout.open(str(scene.root)).look(NOW)).hygiene is UNSET
    before = scene.picture()
    with pytest.raises(Refused, match="opt-in"):
        _recorded(scene, NOW)
    assert scene.picture() == before


@pytest.mark.parametrize(
    ("manifest", "policy", "said"),
    [
        ("", "", r"^The policy \(\.ai/repo/policy\.yaml\) has no hygiene block"),
        ("sections: {policy: own.yaml}", "", r"^The policy \(\.ai/own\.yaml\) has no hygiene block"),
        ("sections: {policy: /etc/own.yaml}", "", r"sections\.policy .* is refused\. So it opts in to nothing"),
        ("", "a: [", r"^The policy \.ai/repo/policy\.yaml .* So it opts in to nothing"),
    ],
)
def test_the_refusal_names_the_file_of_the_policy(scene: Scene, manifest: str, policy: str, said: str) -> None:
    scene.write(".ai/manifest.yaml", manifest)
    scene.write(".ai/repo/policy.yaml", policy)
    with pytest.raises(Refused, match=said):
        _recorded(scene, NOW)


def test_what_the_block_says_shows_as_it_is_and_is_never_run(scene: Scene) -> None:
    state = _state(_opted_in(scene))
    assert (state.owner, state.scope, state.cap) == ("mara", "docs, .agent-run", "60 s")
    assert state.disable_when == "the release is out; $(touch pwned)"
    assert (state.due, state.last_success) == ("never", UNSET)
    assert not list(scene.root.glob("**/pwned"))


@pytest.mark.parametrize(
    ("days", "due", "minutes"),
    [(0, "on time", UNSET), (7, "on time", UNSET), (8, "overdue", 1440), (-1, "unknown", UNSET)],
)
def test_the_cadence_counts_from_the_last_success(scene: Scene, days: int, due: str, minutes: object) -> None:
    _recorded(_opted_in(scene), NOW)
    state = _state(scene, NOW + timedelta(days=days))
    assert (state.due, state.overdue_minutes) == (due, minutes)
    assert state.last_success == "2024-09-20T12:00:00Z"


def test_a_cadence_that_cannot_be_read_is_unknown_and_says_so(scene: Scene) -> None:
    _recorded(_opted_in(scene, "hygiene:\n  owner: mara\n  cadence: now and then\n"), NOW)
    assert (_state(scene).due, "cannot be read" in _state(scene).note) == ("unknown", True)


@pytest.mark.parametrize("content", [b"", b"{}", b'{"last_success": "once"}'])
def test_a_record_that_is_none_is_unknown(scene: Scene, content: bytes) -> None:
    _opted_in(scene).write(RECORD, content)
    assert _state(scene).due == "unknown"


def test_only_the_record_is_written(scene: Scene) -> None:
    before = _opted_in(scene).picture()
    _recorded(scene, NOW)
    after = scene.picture()
    assert set(after) - set(before) == {".ai/local", RECORD}
    assert all(after[path] == before[path] for path in before)


def test_an_audit_with_an_error_is_no_success(scene: Scene) -> None:
    _opted_in(scene)
    for name in ("a.md", "b.md"):
        scene.write(name, "Canonical key: x\n")
    done = _audit(scene)
    assert (done.exit_code, os.path.lexists(scene.root / RECORD)) == (1, False)


def _letter(scene: Scene) -> None:
    os.mkfifo(scene.write("docs/handoffs/x", "").with_name("HANDOFF-2024-09-19-x.md"))


def _letters(scene: Scene) -> None:
    scene.write("docs/handoffs", "no folder")


def _index(scene: Scene) -> None:
    (scene.root / ".git/index").write_bytes(b"DIRCgarbage")


def _document(scene: Scene) -> None:
    os.mkfifo(scene.root / "AGENTS.md")


@pytest.mark.parametrize("spoil", [_letter, _letters, _index, _document])
def test_what_could_not_be_looked_at_is_an_error_and_no_success(scene: Scene, spoil: Callable[[Scene], None]) -> None:
    spoil(_opted_in(scene))
    done = _audit(scene)
    assert (done.exit_code, os.path.lexists(scene.root / RECORD)) == (1, False)
    assert done.stdout.startswith("error  unreadable  ")
    assert done.stdout.splitlines()[0].endswith(": the audit is incomplete.")
    assert "not recorded" in done.stderr


def test_a_policy_that_cannot_be_read_makes_an_audit_incomplete(scene: Scene) -> None:
    scene.write(".ai/repo/policy.yaml", "hygiene: {owner: mara\n")
    assert (_audit(scene).exit_code, "the audit is incomplete" in _audit(scene).stdout) == (1, True)


def test_a_link_on_the_way_is_refused(scene: Scene, tmp_path: Path) -> None:
    _opted_in(scene)
    (scene.root / ".ai/local").symlink_to(tmp_path)
    with pytest.raises(Refused, match="link"):
        _recorded(scene, NOW)
    assert not (tmp_path / "hygiene.json").exists()


def test_the_command_keeps_its_output_for_the_findings(scene: Scene) -> None:
    assert (_audit(scene).exit_code, "opt-in" in _audit(scene).stderr) == (3, True)
    done = _audit(_opted_in(scene))
    assert (done.exit_code, done.stdout, done.stderr) == (0, "Nothing has accumulated.\n", f"Recorded in {RECORD}.\n")


def _audit(scene: Scene) -> Result:
    return CliRunner().invoke(main, ["audit", "--record", "--repo", str(scene.root)], catch_exceptions=False)


def test_what_is_recorded_is_the_look_that_was_judged(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[object] = []
    look = Checkout.look

    def counting(checkout: Checkout, now: datetime | None = None) -> object:
        looks.append(now)
        return look(checkout, now)

    monkeypatch.setattr(Checkout, "look", counting)
    CliRunner().invoke(main, ["audit", "--record", "--repo", str(scene.root)])
    assert len(looks) == 1
