"""Whether a folder that a record names is a checkout of this repository: read from its files, never asked of git."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from cockpit.store.checkout import Checkout
from cockpit.store.worktrees import Place, place
from tests.builders import Scene
from tests.looking import ask

HERE, OURS, NOT_OURS = Place("here", True), Place("elsewhere", True), Place("elsewhere", False)


def _place(scene: Scene, named: str | Path) -> Place:
    opened = Checkout.open(str(scene.root))
    return place(str(named), opened.root, opened.common_dir)


def test_this_checkout_is_here_however_it_is_spelled(scene: Scene, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(scene.root)
    for named in (scene.root, f"{scene.root}/", ".", tmp_path / "alias", scene.root / ".ai/.."):
        assert _place(scene, named) == HERE


def test_a_linked_worktree_is_ours_from_both_sides(scene: Scene, tmp_path: Path) -> None:
    linked = scene.worktree("side", tmp_path / "linked")
    assert _place(scene, linked) == OURS
    assert _place(Scene(linked), scene.root) == OURS
    assert _place(Scene(linked), linked) == HERE


def test_a_worktree_that_was_moved_is_ours_at_its_new_place_and_gone_at_the_old_one(
    scene: Scene, tmp_path: Path
) -> None:
    linked = scene.worktree("side", tmp_path / "linked")
    linked.rename(tmp_path / "moved")
    assert (_place(scene, tmp_path / "moved"), _place(scene, linked).where) == (OURS, "gone")


def test_two_worktrees_of_one_name_are_told_apart(scene: Scene, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        assert _place(scene, scene.worktree(folder, tmp_path / folder / "x")) == OURS


def test_a_separate_git_folder_is_followed(tmp_path: Path) -> None:
    scene = Scene.create(tmp_path / "repo")
    scene.git("init", "--quiet", f"--separate-git-dir={tmp_path / 'git folder'}")
    linked = scene.worktree("side", tmp_path / "linked")
    assert (_place(scene, linked), _place(Scene(linked), scene.root)) == (OURS, OURS)


def test_a_worktree_behind_a_relative_gitdir_is_ours(scene: Scene, tmp_path: Path) -> None:
    linked = scene.worktree("side", tmp_path / "linked")
    (linked / ".git").write_text("gitdir: ../repo/.git/worktrees/linked\n")
    assert _place(scene, linked) == OURS


@pytest.mark.parametrize(
    "what", ["plain folder", "another repository", "clone", "file", "empty .git", "garbage .git", "gone gitdir"]
)
def test_anything_else_is_not_ours(scene: Scene, tmp_path: Path, what: str) -> None:
    named = tmp_path / "named"
    if what == "file":
        named.write_text("x")
    elif what == "another repository":
        Scene.create(named)
    elif what == "clone":
        scene.git("clone", "--quiet", scene.root, named)
    else:
        named.mkdir()
        texts = {"empty .git": "", "garbage .git": "\0\xff", "gone gitdir": "gitdir: /nowhere\n"}
        if what in texts:
            (named / ".git").write_text(texts[what])
    assert _place(scene, named) == NOT_OURS


@pytest.mark.parametrize("odd", ["fifo", "loop"])
def test_an_odd_dot_git_cannot_be_told_and_does_not_block(scene: Scene, tmp_path: Path, odd: str) -> None:
    (tmp_path / "named").mkdir()
    if odd == "fifo":
        os.mkfifo(tmp_path / "named/.git")
    else:
        (tmp_path / "named/.git").symlink_to(".git")
    began = time.monotonic()
    assert _place(scene, tmp_path / "named").checkout in (None, False)
    assert time.monotonic() - began < 1


@pytest.mark.parametrize("named", ["a\0b", "/" + "x" * 300, "/proc/1/root/x\udc80"])
def test_a_path_that_cannot_be_one_does_not_raise(scene: Scene, named: str) -> None:
    assert _place(scene, named).where in ("elsewhere", "gone")


def test_no_program_of_a_named_folder_s_configuration_is_run(scene: Scene, tmp_path: Path) -> None:
    hostile = Scene.create(tmp_path / "hostile")
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    program.chmod(0o755)
    for key in ("core.fsmonitor", "core.sshCommand", "core.pager", "diff.external", "core.worktree"):
        hostile.git("config", key, str(program))
    scene.open_episode("k", "s-1", worktree=hostile.root)
    scene.handover(worktree=hostile.root)
    for read in ("lifecycle.episodes", "lifecycle.recovery", "continuity.state"):
        ask(scene, read)
    assert not (tmp_path / "ran").exists()
