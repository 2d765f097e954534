"""Where a checkout stands, in every state that a repository can be in."""

from __future__ import annotations

from pathlib import Path

import pytest

from cockpit.store.position import Position
from tests.builders import Scene
from tests.looking import look


def _position(scene: Scene) -> Position:
    return look(scene).position


def test_a_branch_with_a_commit(scene: Scene) -> None:
    assert _position(scene) == Position(scene.head, "main", "clean")


def test_an_unborn_branch_has_no_head(tmp_path: Path) -> None:
    scene = Scene.create(tmp_path / "repo", commit=False, layer=False)
    assert _position(scene) == Position("", "main", "clean")


def test_without_a_branch_it_is_detached(scene: Scene) -> None:
    scene.git("switch", "--quiet", "--detach")
    assert _position(scene) == Position(scene.head, "DETACHED", "clean")


@pytest.mark.parametrize("name", ["(detached)", "on", "0005747", "feature/x", "ü", "HEAD2", "a.b", "#1", "@{x"])
def test_a_branch_of_any_name_is_that_branch(scene: Scene, name: str) -> None:
    scene.git("update-ref", f"refs/heads/{name}", "HEAD") if name != "@{x" else None
    scene.git("symbolic-ref", "HEAD", f"refs/heads/{name}") if name != "@{x" else scene.git("switch", "-q", "-c", "@x")
    assert _position(scene).branch == (name if name != "@{x" else "@x")


def test_a_branch_s_name_that_is_no_utf_8_can_be_shown(scene: Scene) -> None:
    (scene.root / ".git/HEAD").write_bytes(b"ref: refs/heads/a\xff\n")
    assert _position(scene).branch == "a\\xff"


def test_a_repository_of_the_other_hash(tmp_path: Path) -> None:
    scene = Scene.create(tmp_path / "repo", init=("--object-format=sha256",))
    assert _position(scene) == Position(scene.head, "main", "clean")
    assert len(scene.head) == 64


def test_a_corrupt_index_leaves_commit_and_branch(scene: Scene) -> None:
    (scene.root / ".git/index").write_bytes(b"DIRCcorrupt")
    position = _position(scene)
    assert (position.head, position.branch, position.working_tree) == (scene.head, "main", "")
    assert position.failure


def test_a_lost_head_leaves_nothing_but_git_s_sentence(scene: Scene) -> None:
    snapshot = look(scene)
    (scene.root / ".git/HEAD").unlink()
    position = snapshot.position
    assert (position.head, position.branch, "not a git repository" in position.failure) == ("", "", True)


def test_a_branch_that_points_at_no_commit_is_not_taken_for_unborn(scene: Scene) -> None:
    (scene.root / ".git/refs/heads/main").write_text("garbage\n")
    position = _position(scene)
    assert position.failure or position.head == ""


@pytest.mark.parametrize("name", ["# branch.oid x", "# branch.head evil", "1 .M", "? x", "new\nline", "\udcff"])
def test_no_file_name_is_mistaken_for_a_header(scene: Scene, name: str) -> None:
    scene.write(name, "x")
    assert _position(scene) == Position(scene.head, "main", "dirty")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("status.showUntrackedFiles", "no"),
        ("status.showStash", "true"),
        ("status.relativePaths", "true"),
        ("core.quotePath", "true"),
        ("status.branch", "false"),
        ("color.ui", "always"),
    ],
)
def test_the_user_s_taste_changes_nothing(scene: Scene, key: str, value: str) -> None:
    scene.git("config", key, value)
    scene.write("new", "x")
    assert _position(scene) == Position(scene.head, "main", "dirty")


def test_a_git_that_complains_is_not_sure(scene: Scene) -> None:
    assert look(scene).status.sure
    scene.git("config", "core.excludesFile", f"/{'x' * 300}")
    assert not look(scene).status.sure
    assert _position(scene) == Position(scene.head, "main", "clean")
