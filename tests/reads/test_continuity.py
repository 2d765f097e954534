"""What a worker resuming in this checkout is handed, and how far it may be trusted."""

from __future__ import annotations

import os
import shutil
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET

from tests.builders import STATE, ZERO, Scene
from tests.looking import NOW, ask

READ = "continuity.state"


def _minutes(ago: float) -> str:
    return (NOW - timedelta(minutes=ago)).isoformat()


def _handover(scene: Scene) -> Any:
    return ask(scene, READ).handover


def _name(scene: Scene) -> str:
    found = _handover(scene)
    return found.path.rpartition("/")[2] if found else ""


def _outcomes(scene: Scene) -> dict[str, str]:
    return {each.path.rpartition("/")[2]: each.outcome for each in _handover(scene).considered}


# ---------------------------------------------------------------------- absence
def test_a_fresh_clone_hands_over_nothing_and_has_no_fault(scene: Scene) -> None:
    answer = ask(scene, READ)
    assert (answer.present, answer.branch, answer.head, answer.working_tree) == (False, "main", scene.head, "clean")
    assert {answer.session, answer.task, answer.handover, answer.checkpoint} == {UNSET}
    assert (answer.blockers, answer.findings, answer.tallies.ledger_lines) == ([], [], 0)


@pytest.mark.parametrize("what", ["ledger line", "task", "episode", "handover", "checkpoint"])
def test_any_trace_of_the_lifecycle_means_that_it_has_run(scene: Scene, what: str) -> None:
    {
        "ledger line": lambda: scene.ledger(scene.event("x")),
        "task": scene.task,
        "episode": lambda: scene.open_episode("k", "s-1"),
        "handover": scene.handover,
        "checkpoint": scene.checkpoint,
    }[what]()
    assert ask(scene, READ).present


def test_empty_folders_are_no_trace(scene: Scene) -> None:
    for name in ("sessions-open", "handovers", "checkpoints"):
        (scene.state / name).mkdir(parents=True)
    scene.ledger("", "  ")
    assert not ask(scene, READ).present


def test_tallies_count_files_questions_and_events_of_the_live_ledger(scene: Scene) -> None:
    scene.handover()
    scene.write(f"{STATE}/handovers/broken.md", "x")
    scene.write(f"{STATE}/handovers/other.txt", "x")
    scene.checkpoint()
    scene.questions("- [unresolved] t-1 - why?\n- [resolved 2026-09-11] t-2 - how?\n")
    scene.ledger(scene.event("a"), "torn{", "", scene.event("b"))
    scene.ledger(scene.event("c"), name="ledger.20260910T000000Z.jsonl.archived")
    tallies = ask(scene, READ).tallies
    assert (tallies.handovers, tallies.checkpoints, tallies.blockers, tallies.ledger_lines) == (2, 1, 1, 2)


# ---------------------------------------------------------------------- session and task
def test_the_session_is_the_one_the_pointer_resolves_to(scene: Scene) -> None:
    scene.open_episode("a", "s-a")
    scene.open_episode("b", "s-b", branch="on")
    scene.point_at("b")
    session = ask(scene, READ).session
    assert (session.session_id, session.branch, session.foreign) == ("s-b", "on", False)


@pytest.mark.parametrize("there", [True, False])
def test_a_session_of_another_worktree_is_foreign_and_said(scene: Scene, tmp_path: Path, there: bool) -> None:
    scene.open_episode("k", "s-1", worktree=tmp_path / ("repo/.." if there else "gone"))
    scene.point_at("k")
    answer = ask(scene, READ)
    assert answer.session.foreign
    assert "names another worktree" in answer.findings[0]


def test_without_a_pointer_no_session_is_adopted(scene: Scene) -> None:
    scene.open_episode("k", "s-1")
    assert ask(scene, READ).session is UNSET


def test_the_task_is_as_it_was_written(scene: Scene) -> None:
    scene.task("t-1", head="0005747", scope=["a", "on"], requires=[])
    task = ask(scene, READ).task
    assert (task.id, task.head, task.scope, task.requires) == ("t-1", "0005747", ["a", "on"], [])


@pytest.mark.parametrize("content", ["task: x\n", b"\xff", "- a\n"])
def test_a_task_that_is_none_is_a_finding(scene: Scene, content: str | bytes) -> None:
    scene.write(f"{STATE}/current.yaml", content)
    answer = ask(scene, READ)
    assert (answer.task, "current.yaml is no task" in answer.findings[0]) == (UNSET, True)


# ---------------------------------------------------------------------- resolution
def test_the_nearer_tier_wins_whatever_the_time(scene: Scene, tmp_path: Path) -> None:
    scene.handover(_minutes(5), name="sibling.md", worktree=tmp_path / "other")
    scene.handover(_minutes(500), name="here.md")
    assert (_name(scene), _handover(scene).matched) == ("here.md", "same_worktree_same_branch")
    assert _outcomes(scene) == {"here.md": "selected", "sibling.md": "superseded"}


def test_the_same_branch_in_another_worktree_is_the_second_tier(scene: Scene, tmp_path: Path) -> None:
    scene.handover(_minutes(5), name="sibling.md", worktree=tmp_path / "other")
    assert _handover(scene).matched == "same_branch"


def test_a_note_of_another_branch_is_never_offered(scene: Scene) -> None:
    scene.handover(_minutes(5), branch="other")
    assert _handover(scene) is UNSET


def test_a_note_that_names_no_worktree_is_the_second_tier(scene: Scene) -> None:
    scene.handover(_minutes(5), worktree=None)
    assert _handover(scene).matched == "same_branch"


def test_a_worktree_is_compared_by_what_it_resolves_to(scene: Scene, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(scene.root)
    scene.handover(_minutes(5), worktree=tmp_path / "alias")
    assert _handover(scene).matched == "same_worktree_same_branch"


def test_a_branch_with_an_odd_name_is_text(scene: Scene) -> None:
    scene.git("switch", "--quiet", "-c", "on")
    scene.handover(_minutes(5), branch="on")
    assert (_handover(scene).branch, ask(scene, READ).branch) == ("on", "on")


@pytest.mark.parametrize("here", [True, False])
def test_detached_only_this_worktree_s_own_notes_are_offered(scene: Scene, tmp_path: Path, here: bool) -> None:
    scene.git("switch", "--quiet", "--detach")
    scene.handover(_minutes(5), branch="DETACHED", worktree=scene.root if here else tmp_path / "other")
    answer = ask(scene, READ)
    assert (answer.branch, answer.handover is not UNSET) == ("DETACHED", here)


def test_an_unborn_branch_has_notes_and_no_head(tmp_path: Path) -> None:
    scene = Scene.create(tmp_path / "repo", commit=False)
    scene.handover(_minutes(5), head=ZERO)
    answer = ask(scene, READ)
    assert (answer.branch, answer.head, answer.handover.divergence) == ("main", UNSET, "unknown")


def test_the_newest_is_so_by_instant(scene: Scene) -> None:
    scene.handover("2026-09-12T09:30:00Z", name="b.md")
    scene.handover("2026-09-12T12:00:00+02:00", name="a.md")
    scene.handover("2026-09-12T09:59:59Z", name="c.md")
    assert _name(scene) == "a.md"


@pytest.mark.parametrize("created", [_minutes(-1), _minutes(-9999), "2026-02-30T10:00:00Z", "today"])
def test_a_time_that_cannot_be_right_loses_to_any_that_can(scene: Scene, created: str) -> None:
    scene.handover(created, name="z.md")
    scene.handover(_minutes(9999), name="a.md")
    assert _name(scene) == "a.md"


def test_a_time_less_than_a_minute_ahead_is_a_clock_s_difference(scene: Scene) -> None:
    scene.handover(_minutes(-0.5), name="a.md")
    scene.handover(_minutes(1), name="b.md")
    assert (_name(scene), _handover(scene).freshness, _handover(scene).age_minutes) == ("a.md", "fresh", 0)


def test_the_nearer_tier_wins_even_with_a_time_that_cannot_be_right(scene: Scene, tmp_path: Path) -> None:
    scene.handover("today", name="here.md")
    scene.handover(_minutes(5), name="there.md", worktree=tmp_path / "other")
    assert _name(scene) == "here.md"


def test_of_one_instant_the_later_mention_in_the_ledger_wins(scene: Scene) -> None:
    for name in ("a.md", "b.md", "c.md"):
        scene.handover("2026-09-12T10:00:00Z", name=name)
    scene.ledger(scene.event("x", path="handovers/c.md"), name="ledger.20260910T000000Z.jsonl.archived")
    for name in ("a.md", "b.md", "a.md"):
        scene.ledger(scene.event("task.handover", path=f"handovers/{name}"))
    assert _name(scene) == "a.md"


def test_one_instant_may_be_spelled_in_two_ways(scene: Scene) -> None:
    scene.handover("2026-09-12T10:00:00Z", name="a.md")
    scene.handover("2026-09-12T12:00:00.000+02:00", name="b.md")
    scene.ledger(scene.event("x", path="a.md"))
    assert _name(scene) == "a.md"


def test_without_a_mention_the_later_file_name_wins(scene: Scene) -> None:
    for name in ("a.md", "c.md", "b.md"):
        scene.handover("2026-09-12T10:00:00Z", name=name)
    assert _name(scene) == "c.md"


def test_file_times_decide_nothing(scene: Scene) -> None:
    scene.handover(_minutes(5), name="a.md")
    os.utime(scene.handover(_minutes(50), name="b.md"), (2e9, 2e9))
    assert _name(scene) == "a.md"


@pytest.mark.parametrize(
    "without", [{"schema_version": "2"}, {"schema_version": None}, {"head": None}, {"created_at": ""}]
)
def test_a_note_without_what_it_needs_is_skipped_counted_and_named(scene: Scene, without: dict[str, Any]) -> None:
    created = without.pop("created_at", _minutes(5))
    scene.handover(created, name="bad.md", **without)
    scene.handover(_minutes(50), name="good.md")
    answer = ask(scene, READ)
    assert answer.handover.path.endswith("good.md")
    assert _outcomes(scene) == {"bad.md": "rejected", "good.md": "selected"}
    assert "1 handover was skipped: bad.md" in answer.findings[0]


@pytest.mark.parametrize("odd", ["link", "folder", "fifo", "bytes", "no utf-8 name"])
def test_an_odd_note_costs_only_itself(scene: Scene, odd: str) -> None:
    scene.handover(_minutes(50), name="good.md")
    path = scene.state / "handovers/odd.md"
    if odd == "link":
        path.symlink_to("good.md")
    elif odd == "folder":
        path.mkdir()
    elif odd == "fifo":
        os.mkfifo(path)
    elif odd == "bytes":
        path.write_bytes(b"---\n\xff\n---\n")
    else:
        scene.write(f"{STATE}/handovers/\udcff.md", "no front matter")
    answer = ask(scene, READ)
    assert answer.handover.path.endswith("good.md")
    assert "1 handover was skipped" in answer.findings[0]
    assert all(finding.encode() for finding in answer.findings)


def test_a_folder_of_notes_that_is_a_link_is_not_entered(scene: Scene, tmp_path: Path) -> None:
    scene.handover(_minutes(5))
    shutil.move(scene.state / "handovers", tmp_path / "notes")
    (scene.state / "handovers").symlink_to(tmp_path / "notes")
    answer = ask(scene, READ)
    assert (answer.handover, "is a link, which is not followed" in answer.findings[0]) == (UNSET, True)


def test_checkpoints_are_resolved_by_the_same_rule(scene: Scene) -> None:
    scene.handover(_minutes(5), name="h.md")
    scene.checkpoint(_minutes(50), name="old.md")
    scene.checkpoint(_minutes(10), name="new.md")
    answer = ask(scene, READ)
    assert (answer.handover.path, answer.checkpoint.path) == (f"{STATE}/handovers/h.md", f"{STATE}/checkpoints/new.md")


# ---------------------------------------------------------------------- freshness
def _policy(scene: Scene, fresh: str, stale: str) -> None:
    freshness = f"    fresh_minutes: {fresh}\n    stale_minutes: {stale}\n"
    scene.write(".ai/repo/policy.yaml", f"session:\n  freshness:\n{freshness}")


@pytest.mark.parametrize(
    ("ago", "word"),
    [(0, "fresh"), (9.99, "fresh"), (10, "aging"), (19.99, "aging"), (20, "stale"), (99, "stale"), (-1, "invalid")],
)
def test_at_or_past_a_threshold_is_past_it(scene: Scene, ago: float, word: str) -> None:
    _policy(scene, "10", "20")
    scene.handover(_minutes(ago))
    found = _handover(scene)
    assert found.freshness == word
    assert found.age_minutes == (UNSET if word == "invalid" else int(ago))


@pytest.mark.parametrize(
    ("ago", "said"),
    [
        (60, "It is 1 hour old; up to 12 hours a note is fresh."),
        (750, "It is 12 hours 30 minutes old; from 12 hours on a note is no longer fresh."),
        (3456, "It is 2 days 9 hours 36 minutes old; from 2 days on a note is stale."),
    ],
)
def test_an_age_and_its_threshold_are_told_in_words(scene: Scene, ago: float, said: str) -> None:
    _policy(scene, "720", "2880")
    scene.handover(_minutes(ago))
    assert _handover(scene).freshness_reason == said


@pytest.mark.parametrize(("fresh", "stale"), [("1.5", "20"), ("10", "on"), ("", ""), ("-1", "20"), ("ten", "20")])
def test_thresholds_that_are_no_whole_minutes_are_unknown_and_said(scene: Scene, fresh: str, stale: str) -> None:
    _policy(scene, fresh, stale)
    scene.handover(_minutes(99999))
    found = _handover(scene)
    assert (found.freshness, found.next_action) == ("unknown", "Go on.")
    assert "whole minutes" in found.freshness_reason


def test_without_a_policy_no_default_is_invented(scene: Scene) -> None:
    (scene.root / ".ai/repo/policy.yaml").unlink()
    scene.handover(_minutes(99999))
    assert _handover(scene).freshness == "unknown"


@pytest.mark.parametrize("created", ["today", "2026-02-30T10:00:00Z", "2026-09-12T10:00:00"])
def test_a_time_that_does_not_parse_is_invalid_and_has_no_age(scene: Scene, created: str) -> None:
    scene.handover(created)
    found = _handover(scene)
    assert (found.freshness, found.age_minutes, found.next_action) == ("invalid", UNSET, UNSET)


def test_the_policy_is_where_the_manifest_says(scene: Scene) -> None:
    scene.write(".ai/manifest.yaml", "sections:\n  policy: other.yaml\n")
    scene.write(".ai/other.yaml", "session:\n  freshness:\n    fresh_minutes: 1\n    stale_minutes: 2\n")
    scene.handover(_minutes(3))
    assert _handover(scene).freshness == "stale"


@pytest.mark.parametrize("path", ["../../policy.yaml", "/policy.yaml", "../.git/config", "local/policy.yaml"])
def test_a_policy_where_none_may_lie_is_a_finding_and_the_default_is_not_used(scene: Scene, path: str) -> None:
    scene.write(".ai/manifest.yaml", f"sections:\n  policy: {path}\n")
    scene.handover(_minutes(3))
    answer = ask(scene, READ)
    assert (answer.handover.freshness, path in answer.findings[0]) == ("unknown", True)


def test_a_policy_behind_a_link_is_not_read(scene: Scene) -> None:
    policy = scene.root / ".ai/repo/policy.yaml"
    policy.rename(scene.root / "real.yaml")
    policy.symlink_to(scene.root / "real.yaml")
    scene.handover(_minutes(3))
    answer = ask(scene, READ)
    assert (answer.handover.freshness, "is a link" in answer.findings[0]) == ("unknown", True)


# ---------------------------------------------------------------------- divergence
def test_a_note_of_this_very_commit_is_exact(scene: Scene) -> None:
    scene.handover(_minutes(5))
    assert _handover(scene).divergence == "exact"


def test_a_note_may_be_advanced_and_stale_at_once(scene: Scene) -> None:
    scene.handover(_minutes(99999))
    scene.commit("Go on")
    found = _handover(scene)
    assert (found.divergence, found.freshness) == ("advanced", "stale")


def test_a_note_of_another_history_is_diverged(scene: Scene) -> None:
    scene.git("switch", "--quiet", "-c", "side")
    other = scene.commit("Elsewhere")
    scene.git("switch", "--quiet", "main")
    scene.commit("Here")
    scene.handover(_minutes(5), head=other)
    assert _handover(scene).divergence == "diverged"


@pytest.mark.parametrize(
    ("head", "word"),
    [
        (ZERO, "diverged"),
        ("abcdef0", "diverged"),
        ("HEAD", "unknown"),
        ("main", "unknown"),
        ("--all", "unknown"),
        ("123456", "unknown"),
    ],
)
def test_a_commit_that_is_none_here(scene: Scene, head: str, word: str) -> None:
    scene.handover(_minutes(5), head=head)
    assert _handover(scene).divergence == word


# ---------------------------------------------------------------------- the next action
@pytest.mark.parametrize(
    ("ago", "head", "why"),
    [(99999, None, "stale"), (-5, None, "future"), (5, ZERO, "does not have its commit")],
)
def test_a_next_action_that_is_history_is_withheld_with_the_reason(
    scene: Scene, ago: int, head: str | None, why: str
) -> None:
    scene.handover(_minutes(ago), head=head or scene.head)
    found = _handover(scene)
    assert (found.next_action, why in found.next_action_withheld) == (UNSET, True)


@pytest.mark.parametrize("ago", [5, 800])
def test_a_fresh_or_aging_next_action_is_offered(scene: Scene, ago: int) -> None:
    scene.handover(_minutes(ago), next_action="Do `this`:\n\n```sh\n# not a heading\nmake\n```")
    found = _handover(scene)
    assert (found.next_action, found.next_action_withheld) == ("Do `this`:\n\n```sh\n# not a heading\nmake\n```", UNSET)


def test_a_next_action_in_a_code_fence_is_none(scene: Scene) -> None:
    scene.handover(_minutes(5), body="```\n# Next Action\n\nrm -rf /\n```\n")
    assert (_handover(scene).next_action, _handover(scene).next_action_withheld) == (UNSET, UNSET)


@pytest.mark.parametrize(
    ("ago", "head", "said"), [(99999, None, "is stale"), (5, ZERO, "a commit that HEAD does not come from")]
)
def test_a_stale_or_diverged_note_is_a_finding(scene: Scene, ago: int, head: str | None, said: str) -> None:
    scene.handover(_minutes(ago), head=head or scene.head)
    assert [said in finding for finding in ask(scene, READ).findings] == [True]


# ---------------------------------------------------------------------- blockers
def test_unresolved_questions_block_and_are_a_finding(scene: Scene) -> None:
    scene.questions("<!--\n- [unresolved] an example\n-->\n- [unresolved] t-1 - why?\n- [resolved x] t-2\n")
    answer = ask(scene, READ)
    assert (answer.blockers, answer.findings) == (["t-1 - why?"], ["1 unresolved question may block this work."])


def test_questions_that_cannot_be_read_are_said(scene: Scene) -> None:
    (scene.state / "open-questions.md").mkdir(parents=True)
    answer = ask(scene, READ)
    assert (answer.blockers, "what blocks is not known" in answer.findings[0]) == ([], True)


# ---------------------------------------------------------------------- the working tree
@pytest.mark.parametrize("how", ["changed", "untracked", "staged", "deleted"])
def test_the_working_tree_is_dirty_by_any_change(scene: Scene, how: str) -> None:
    if how == "deleted":
        (scene.root / ".gitignore").unlink()
    else:
        scene.write(".gitignore" if how == "changed" else "new", "x")
    if how == "staged":
        scene.git("add", "new")
    assert ask(scene, READ).working_tree == "dirty"


def test_what_is_ignored_does_not_make_it_dirty(scene: Scene) -> None:
    scene.write(".ai/local/anything", "x")
    assert ask(scene, READ).working_tree == "clean"
