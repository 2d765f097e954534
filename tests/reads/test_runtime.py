"""The commit this process answers about against the repository's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET

from cockpit import __version__
from cockpit.store.checkout import Checkout
from tests.builders import SESSIONS, Scene
from tests.looking import ask, checkout

READ = "lifecycle.runtime"


def _pinned(scene: Scene) -> Checkout:
    opened = checkout(scene, pin=True)
    ask(opened, READ)
    return opened


def _relation(answer: Any) -> tuple[str, int | None, int | None, bool]:
    return answer.relation, answer.behind or None, answer.ahead or None, answer.agree


def test_a_first_reading_is_equal(scene: Scene) -> None:
    answer = ask(scene, READ)
    assert _relation(answer) == ("equal", None, None, True)
    assert answer.served_head == answer.repository_head == scene.head
    assert answer.served_branch == answer.repository_branch == "main"
    assert answer.served_working_tree == answer.repository_working_tree == "clean"
    assert (answer.root, answer.served_at, answer.version) == (str(scene.root), "2026-09-12T12:00:00Z", __version__)
    assert (answer.objects, answer.index_state, answer.behind, answer.ahead) == (0, "ok", UNSET, UNSET)


def test_the_index_follows_the_repository(scene: Scene) -> None:
    opened = checkout(scene)
    ask(opened, READ)
    scene.closed_record("s-1")
    head = scene.commit("Close")
    answer = ask(opened, READ)
    assert (*_relation(answer), answer.served_head, answer.objects) == ("equal", None, None, True, head, 1)


def test_a_pinned_index_is_behind(scene: Scene) -> None:
    opened = _pinned(scene)
    before = scene.head
    scene.closed_record("s-1")
    scene.commit("One")
    scene.commit("Two")
    answer = ask(opened, READ)
    assert (*_relation(answer), answer.served_head, answer.objects) == ("behind", 2, None, False, before, 0)
    assert "2 commits behind" in answer.note
    assert "pinned" in answer.note


def test_a_pinned_index_is_ahead_when_the_branch_goes_back(scene: Scene) -> None:
    scene.commit("One")
    opened = _pinned(scene)
    scene.git("reset", "--quiet", "--hard", "HEAD~1")
    assert _relation(ask(opened, READ)) == ("ahead", None, 1, False)


def test_a_pinned_index_is_diverged_when_the_branch_is_rewritten(scene: Scene) -> None:
    scene.commit("One")
    opened = _pinned(scene)
    scene.git("reset", "--quiet", "--hard", "HEAD~1")
    scene.commit("Other")
    scene.commit("Another")
    assert _relation(ask(opened, READ)) == ("diverged", 2, 1, False)


def test_another_branch_is_said_before_anything_else(scene: Scene) -> None:
    opened = _pinned(scene)
    scene.git("switch", "--quiet", "-c", "other")
    answer = ask(opened, READ)
    assert (answer.relation, answer.agree, answer.repository_branch) == ("other_branch", False, "other")


def test_detached_is_a_branch_of_its_own(scene: Scene) -> None:
    opened = _pinned(scene)
    scene.git("switch", "--quiet", "--detach")
    answer = ask(opened, READ)
    assert (answer.relation, answer.repository_branch) == ("other_branch", "DETACHED")
    assert ask(scene, READ).agree


def test_two_unborn_branches_of_one_name_agree(tmp_path: Path) -> None:
    scene = Scene.create(tmp_path / "repo", commit=False)
    answer = ask(_pinned(scene), READ)
    assert _relation(answer) == ("equal", None, None, True)
    assert (answer.served_head, answer.repository_head, answer.served_branch) == (UNSET, UNSET, "main")


def test_a_branch_born_since_is_ahead_of_the_pinned_index(tmp_path: Path) -> None:
    scene = Scene.create(tmp_path / "repo", commit=False)
    opened = _pinned(scene)
    scene.commit("Born")
    scene.commit("Grown")
    assert _relation(ask(opened, READ)) == ("behind", 2, None, False)


def test_a_branch_that_was_killed_since_is_behind_the_pinned_index(scene: Scene) -> None:
    opened = _pinned(scene)
    scene.git("update-ref", "-d", "HEAD")
    assert _relation(ask(opened, READ)) == ("ahead", None, 1, False)


def test_the_working_trees_are_both_read(scene: Scene) -> None:
    opened = _pinned(scene)
    scene.write("new", "x")
    answer = ask(opened, READ)
    assert (answer.served_working_tree, answer.repository_working_tree, answer.agree) == ("clean", "dirty", True)


def test_when_git_breaks_the_last_good_index_goes_on_and_is_healed_afterwards(scene: Scene) -> None:
    scene.closed_record("s-1")
    head = scene.commit("Close")
    opened = checkout(scene)
    ask(opened, READ)
    (scene.root / ".git/HEAD").rename(scene.root / ".git/HEAD.lost")
    broken = ask(opened, READ)
    assert (*_relation(broken), broken.index_state) == ("unknown", None, None, False, "degraded")
    assert (broken.served_head, broken.objects, broken.repository_head) == (head, 1, UNSET)
    assert "git does not say" in broken.note
    assert ask(opened, "lifecycle.closed").total == 1
    (scene.root / ".git/HEAD.lost").rename(scene.root / ".git/HEAD")
    healed = ask(opened, READ)
    assert (*_relation(healed), healed.index_state) == ("equal", None, None, True, "ok")


def test_a_corrupt_index_file_degrades_and_the_commit_is_still_told(scene: Scene) -> None:
    opened = checkout(scene)
    ask(opened, READ)
    (scene.root / ".git/index").write_bytes(b"corrupt")
    answer = ask(opened, READ)
    assert (answer.index_state, answer.repository_head, answer.repository_working_tree) == (
        "degraded",
        scene.head,
        UNSET,
    )


def test_a_process_that_started_while_git_was_broken_says_so_and_heals(scene: Scene) -> None:
    opened = checkout(scene)
    (scene.root / ".git/HEAD").rename(scene.root / ".git/HEAD.lost")
    broken = ask(opened, READ)
    assert (broken.relation, broken.agree, broken.index_state) == ("unknown", False, "degraded")
    (scene.root / ".git/HEAD.lost").rename(scene.root / ".git/HEAD")
    assert (ask(opened, READ).agree, ask(opened, READ).index_state) == (True, "ok")


def test_a_record_that_cannot_be_read_degrades_the_index(scene: Scene) -> None:
    scene.closed_record("s-1")
    scene.write(f"{SESSIONS}/broken.md", "x")
    scene.commit("Close")
    answer = ask(scene, READ)
    assert (answer.index_state, answer.objects) == ("degraded", 1)
    assert "1 file of the sessions section" in answer.note


@pytest.mark.parametrize("init", [(), ("--object-format=sha256",)])
def test_both_object_formats_are_told(tmp_path: Path, init: tuple[str, ...]) -> None:
    scene = Scene.create(tmp_path / "repo", init=init)
    opened = _pinned(scene)
    scene.commit("One")
    answer = ask(opened, READ)
    assert (answer.relation, answer.behind, answer.repository_head) == ("behind", 1, scene.head)
