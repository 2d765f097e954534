"""``cockpit recover``: a plan with its evidence, then exactly that, once; and the page's remedies lead to a clean page."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from cockpit.formats import document, frontmatter
from cockpit.reads.recovery import answer, needs
from cockpit.store.checkout import Checkout
from tests.builders import STATE, Scene
from tests.recorder.team import (
    answers,
    closed_records,
    cockpit,
    contents,
    events,
    fire,
    healthy,
    open_records,
    pointed,
    program,
    recovered,
    team,
)

A, B, C, D, E = (f"s-2026091100000{n}-{c * 4}" for n, c in enumerate("abcde", 1))


@pytest.fixture
def here(tmp_path: Path) -> Scene:
    return team(tmp_path / "repo")


def _broken(scene: Scene) -> None:
    """One of everything: lost, stranded for three reasons, only copies, doubles, fragments, a pointer to nothing."""
    plain = scene.root.parent / "plain"
    plain.mkdir(exist_ok=True)
    scene.ledger(*(scene.event("session.started", each, provider="codex") for each in (A, B, C, D, E)))
    scene.open_episode("bbbb", B, worktree=scene.root.parent / "vanished")
    scene.open_episode("cccc", C, worktree=plain)
    scene.open_episode("dddd", D)
    scene.ledger(scene.event("session.closed", D))
    scene.closed_record(E, name=".tmp.ONLY01")
    double = scene.closed_record(D)
    double.with_name(".tmp.TWICE1").write_bytes(double.read_bytes())
    scene.write(".ai/repo/sessions/.tmp.HALF01", "---\nschema: ses")
    scene.point_to("sessions-open/nowhere.yaml")


def _needs(root: Path) -> list[tuple[str, str]]:
    return [(need.kind, need.remedy) for need in needs(answer(Checkout.open(str(root)).look()))]


def test_the_plan_is_printed_with_its_evidence_and_nothing_is_written(here: Scene) -> None:
    _broken(here)
    before = here.picture()
    done = cockpit("recover", "--repo", here.root)
    assert done.returncode == 0
    said = done.stdout.decode()
    assert [said.index(each) for each in (E, B, C, D, A, "pointer")] == sorted(
        said.index(each) for each in (E, B, C, D, A, "pointer")
    )
    assert "gone from disk" in said
    assert "Nothing was written" in said
    assert here.picture() == before


def test_everything_is_mended_in_order_and_a_second_run_does_nothing(here: Scene) -> None:
    _broken(here)
    before = contents(here.root)
    assert recovered(here.root) == [
        "only copy", "left over", "left over", "stranded", "stranded", "stranded", "unaccounted", "pointer",
    ]  # fmt: skip
    assert before - contents(here.root) == set()
    healthy(here.root)
    ledger = (here.root / STATE / "ledger.jsonl").read_bytes()
    assert recovered(here.root) == []
    assert (here.root / STATE / "ledger.jsonl").read_bytes() == ledger
    assert len(events(here.root, "session.recovered")) == 8


def test_a_recovered_record_claims_only_what_is_proven(here: Scene) -> None:
    here.ledger(here.event("session.started", A, "2026-09-11T00:00:01Z", provider="codex", worker="gpt"))
    here.ledger(here.event("task.checkpoint", A, "2026-09-11T02:00:00Z", task_id="t-1", checkpoint_path="c/1.md"))
    recovered(here.root)
    (path,) = closed_records(here.root)
    read = frontmatter.parse(path.read_bytes())
    assert read is not None
    header: document.Document = read.header
    assert {n: header.text(n) for n in ("outcome", "closed_at", "worker", "branch", "start_head")} == {
        "outcome": "interrupted", "closed_at": "2026-09-11T02:00:00Z", "worker": "gpt", "branch": "main", "start_head": "0" * 40,
    }  # fmt: skip
    assert not {"head", "working_tree"} & header.fields.keys()
    assert (header.fields["changed_files"], header.fields["commits"]) == ("", [])
    assert (header.fields["tasks"], header.fields["checkpoints"]) == (["t-1"], ["c/1.md"])
    healthy(here.root)


def test_a_running_episode_is_never_touched(here: Scene) -> None:
    fire("claude-code", "start", "a", here.root)
    sibling = here.worktree("side", here.root.parent / "side")
    here.open_episode("far", B, worktree=sibling)
    here.ledger(here.event("session.started", B))
    before = [p.read_bytes() for p in open_records(here.root)]
    assert recovered(here.root) == []
    assert [p.read_bytes() for p in open_records(here.root)] == before


def test_an_only_copy_of_an_open_episode_is_published_and_the_episode_goes_on(here: Scene) -> None:
    fire("claude-code", "start", "a", here.root)
    session = events(here.root, "session.started")[0]["session"]
    here.closed_record(session, name=".tmp.ONLY01")
    assert recovered(here.root) == ["only copy"]
    assert len(open_records(here.root)) == len(closed_records(here.root)) == 1
    healthy(here.root)


def test_one_item_alone(here: Scene) -> None:
    _broken(here)
    assert recovered(here.root, B) == ["stranded"]
    assert [p.stem for p in open_records(here.root)] == ["cccc", "dddd"]
    assert recovered(here.root, ".tmp.HALF01") == ["left over"]
    assert recovered(here.root, "pointer") == ["pointer"]
    assert recovered(here.root, "no such thing") == []


def test_the_pointer_of_the_older_layout_moves_into_the_store(here: Scene) -> None:
    here.ledger(here.event("session.started", A))
    record = here.open_episode("aaaa", A)
    record.rename(here.state / "session-current.yaml")
    assert recovered(here.root) == ["pointer"]
    assert pointed(here.root) == "aaaa.yaml"
    healthy(here.root)


@pytest.mark.parametrize("named", [(), ("--only", "broken.yaml"), ("--only", A)])
def test_what_cannot_be_read_is_left_alone_and_named_with_the_command_of_the_page(
    here: Scene, named: tuple[str, ...]
) -> None:
    here.ledger(here.event("session.started", A))  # the record that cannot be read may be its own
    here.write(f"{STATE}/sessions-open/broken.yaml", "{{{")
    done = cockpit("recover", "--yes", "--repo", here.root, *named)
    (remedy,) = (remedy for kind, remedy in _needs(here.root) if kind == "unreadable")
    assert done.returncode == 0
    said = done.stdout.decode().splitlines()
    assert said[:2] == ["Nothing to recover.", "1 thing cannot be read and is left alone:"]
    assert said[2].startswith(f"{STATE}/sessions-open/broken.yaml - It ")
    assert said[3:] == [f"    {remedy}"]
    assert (here.root / STATE / "sessions-open/broken.yaml").read_text() == "{{{"
    assert closed_records(here.root) == []


def test_what_cannot_be_read_is_not_told_where_another_item_is_named(here: Scene) -> None:
    here.write(f"{STATE}/sessions-open/broken.yaml", "{{{")
    here.write(f"{STATE}/checkpoints/.tmp.HALF01", "---")
    done = cockpit("recover", "--only", ".tmp.HALF01", "--repo", here.root)
    assert (done.returncode, b".tmp.HALF01" in done.stdout, b"broken" in done.stdout) == (0, True, False)


@pytest.mark.parametrize("act", [(), ("--yes",)])
def test_a_name_that_nothing_goes_by_is_a_wrong_call(here: Scene, act: tuple[str, ...]) -> None:
    _broken(here)
    before = here.picture()
    done = cockpit("recover", "--only", "NOPE", *act, "--repo", here.root)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"goes by NOPE" in done.stderr
    assert here.picture() == before


@pytest.mark.parametrize("name", [A, B, E, ".tmp.HALF01", "pointer"])
def test_what_is_settled_is_named_once_more_without_harm(here: Scene, name: str) -> None:
    _broken(here)
    recovered(here.root)
    done = cockpit("recover", "--only", name, "--yes", "--repo", here.root)
    assert (done.returncode, done.stdout) == (0, b"Nothing to recover.\n")


POINTERS = {
    "nothing is open": ((), "removed: no episode is open in this worktree", ""),
    "one is open": ((A,), f"aimed at {A}", A),
    "several are open": ((A, B), f"aimed at {B}", B),
    "the newest is closed first": ((A, D), f"aimed at {A}", A),
}


@pytest.mark.parametrize("what", POINTERS)
def test_the_plan_says_where_the_pointer_will_lead_and_there_it_leads(here: Scene, what: str) -> None:
    opened, said, to = POINTERS[what]
    for session in opened:
        here.ledger(here.event("session.started", session))
        here.open_episode(session, session, started=session[2:16])
    if D in opened:
        here.ledger(here.event("session.closed", D))
    here.point_to("sessions-open/nowhere.yaml")
    printed = cockpit("recover", "--repo", here.root).stdout.decode()
    (line, why) = printed[printed.index("pointer: ") :].splitlines()[:2]
    assert line.startswith(f"pointer: {STATE}/session-current.yaml - {said}")
    assert why == "    It leads nowhere (sessions-open/nowhere.yaml)."
    recovered(here.root)
    assert pointed(here.root) == (f"{to}.yaml" if to else "")


def test_a_pointer_that_is_a_stranded_record_is_one_step(here: Scene) -> None:
    here.ledger(here.event("session.started", A), here.event("session.closed", A))
    here.open_episode("aaaa", A).rename(here.state / "session-current.yaml")
    printed = cockpit("recover", "--repo", here.root).stdout.decode()
    assert ("stranded: " in printed, "pointer: " in printed) == (True, False)
    assert recovered(here.root) == ["stranded"]


@pytest.mark.parametrize("hidden", [False, True])
def test_after_every_remedy_on_the_page_it_needs_no_hand_and_the_books_agree(
    here: Scene, tmp_path: Path, hidden: bool
) -> None:
    """While an open record cannot be read the unaccounted have no command; they have it once that one is settled."""
    _broken(here)
    if hidden:
        here.write(f"{STATE}/sessions-open/broken.yaml", "{{{")
    before = contents(here.root)
    recovering: list[str] = []
    with program(tmp_path / "bin") as path:
        for _ in range(1 + hidden):
            found = _needs(here.root)
            recovering += [remedy for kind, remedy in found if kind in ("stranded", "unaccounted")]
            for _, remedy in found:
                done = subprocess.run(
                    ["sh", "-c", remedy], cwd="/", env=os.environ | {"PATH": path}, capture_output=True, check=False
                )
                assert done.returncode == 0, (remedy, done.stderr)
    assert recovering == [f"cockpit recover --repo {here.root} --only {each} --yes" for each in (B, C, D, A, E)]
    healthy(here.root)
    assert _needs(here.root) == []
    assert before - contents(here.root) == set()
    assert len(closed_records(here.root)) == 5


HOSTILE = ["-rf", "--yes", "a b", "a'b", 'a"b', "$(touch x)", "`id`", "a\nb", "a\n", "ü", "*", "\\", "a;b", "\u202e"]


@pytest.mark.parametrize("session", HOSTILE)
def test_the_remedy_closes_exactly_its_episode_whatever_the_id_holds(here: Scene, tmp_path: Path, session: str) -> None:
    here.ledger(*(here.event("session.started", each) for each in (session, A)))
    here.open_episode("odd", json.dumps(session), worktree=tmp_path / "vanished")
    here.open_episode("aaaa", A, worktree=tmp_path / "vanished")
    (remedy,) = (
        s["remedy"] for s in answers(here.root)["lifecycle.recovery"]["stranded"] if s["session_id"] == session
    )
    assert remedy.isascii()
    assert "\n" not in remedy
    with program(tmp_path / "bin") as path:
        done = subprocess.run(
            ["sh", "-c", remedy], cwd="/", env=os.environ | {"PATH": path}, capture_output=True, check=False
        )
    assert (done.returncode, done.stderr) == (0, b"")
    assert [p.stem for p in open_records(here.root)] == ["aaaa"]
    assert answers(here.root)["lifecycle.recovery"]["balance"]["agrees"]


def test_without_the_recorder_the_set_aside_remedy_stays(tmp_path: Path) -> None:
    scene = Scene.create(tmp_path / "repo")
    _broken(scene)
    recovery = answers(scene.root)["lifecycle.recovery"]
    assert "unaccounted" not in recovery
    assert all("mv --" in item["remedy"] for item in recovery["stranded"])


def test_where_majordomus_writes_the_plan_is_shown_and_acting_refused(here: Scene) -> None:
    _broken(here)
    policy = here.root / ".ai/repo/policy.yaml"
    policy.write_text(
        policy.read_text() + "  - name: sessions\n    path: bin/majordomus\n    wired_by: provider-hook:codex\n"
    )
    before = here.picture()
    shown = cockpit("recover", "--repo", here.root)
    assert shown.returncode == 0
    assert b"majordomus is the writer here" in shown.stdout
    refused = cockpit("recover", "--yes", "--repo", here.root)
    assert (refused.returncode, refused.stdout) == (3, b"")
    assert b"majordomus writes here" in refused.stderr
    assert here.picture() == before
    assert all("mv --" in item["remedy"] for item in answers(here.root)["lifecycle.recovery"]["stranded"])


@pytest.mark.parametrize("line", ['{"ts":"x","event":"task.started","by":"majordomus 1.4"}'])
def test_ledger_lines_by_majordomus_are_evidence_too(here: Scene, line: str) -> None:
    here.ledger(line)
    assert cockpit("recover", "--yes", "--repo", here.root).returncode == 3


def test_outside_a_repository_it_says_so(tmp_path: Path) -> None:
    done = cockpit("recover", "--repo", tmp_path)
    assert done.returncode == 2
    assert b"not inside a checkout" in done.stderr
