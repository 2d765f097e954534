"""Episodes that were started and are nowhere: named, and closed by a command only where nothing is hidden."""

from __future__ import annotations

import pytest
from msgspec import UNSET

from cockpit.reads.recovery import needs
from tests.builders import STATE, Scene
from tests.looking import BASE, ask, client

READ = "lifecycle.recovery"
OURS = "version: 1\nenforcement:\n  - name: session-lifecycle\n    path: cockpit\n    args: [hook, claude-code]\n    wired_by: provider-hook:claude-code:session\n"


@pytest.fixture
def ours(scene: Scene) -> Scene:
    """A layer whose one writer is Cockpit's recorder, with one episode that was started and is nowhere."""
    scene.write(".ai/repo/policy.yaml", OURS)
    scene.ledger(scene.event("session.started", "s-lost"))
    return scene


def test_an_episode_that_is_nowhere_gets_the_recorders_command(ours: Scene) -> None:
    (need,) = needs(ask(ours, READ))
    assert (need.kind, need.session_id) == ("unaccounted", "s-lost")
    assert "recover" in need.remedy


def test_where_another_tool_writes_it_is_for_that_tool_to_close_and_the_note_says_so(ours: Scene) -> None:
    said = "Closing such an episode is for the tool that writes this layer."
    note = "/cockpit/continuity.md"
    assert said not in ask(ours, READ).balance.note
    assert said not in client(ours).get(note, base_url=BASE).text
    ours.write(".ai/repo/policy.yaml", OURS.replace("path: cockpit", "path: bin/layer"))
    answer = ask(ours, READ)
    assert (answer.unaccounted, answer.balance.unaccounted_sessions) == (UNSET, ["s-lost"])
    assert answer.balance.note.endswith(f" {said}")
    assert said in client(ours).get(note, base_url=BASE).text


def test_where_nothing_is_unaccounted_for_nobody_is_told_to_close_it(scene: Scene) -> None:
    assert "Closing such" not in ask(scene, READ).balance.note


def test_every_item_is_a_finding_too(ours: Scene) -> None:
    ours.closed_record("s-lost")
    answer = ask(ours, READ)
    assert (answer.balance.unaccounted_sessions, len(answer.unaccounted)) == ([], 1)
    assert any("s-lost" in finding for finding in answer.findings)


@pytest.mark.parametrize("hidden", ["a folder that is a link", "a record that is too large"])
def test_no_command_closes_an_episode_whose_record_may_only_be_hidden(ours: Scene, hidden: str) -> None:
    store = ours.root / STATE / "sessions-open"
    if hidden == "a folder that is a link":
        store.symlink_to(ours.root)
    else:
        store.mkdir()
        with (store / "x.yaml").open("wb") as file:
            file.write(b"session_id: s-lost\n")
            file.truncate(2 << 20)
    answer = ask(ours, READ)
    assert not any(need.kind == "unaccounted" for need in needs(answer))
    assert any("cannot be read" in finding for finding in answer.findings)


def test_a_store_that_cannot_be_read_costs_no_pointer(scene: Scene) -> None:
    scene.open_episode("a", "s-a")
    scene.point_at("a")
    store = scene.root / STATE / "sessions-open"
    store.rename(scene.root / "elsewhere")
    store.symlink_to(scene.root / "elsewhere")
    answer = ask(scene, READ)
    assert not answer.pointer.remedy
    assert any("is a link" in finding for finding in answer.findings)


def test_a_reopened_episode_that_was_recovered_balances(scene: Scene) -> None:
    scene.ledger(
        scene.event("session.started", "s-a"),
        scene.event("session.closed", "s-a"),
        scene.event("session.started", "s-a"),
        scene.event("session.recovered", "s-b", session_id="s-a"),
    )
    balance = ask(scene, READ).balance
    assert (balance.started, balance.closed, balance.recovered, balance.agrees) == (2, 1, 1, True)
