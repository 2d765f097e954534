"""How a recorded commit stands to HEAD: three-valued, never guessed, never an option."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cockpit.store.ancestry import Ancestry
from cockpit.store.git import Git
from tests.builders import ZERO, Scene
from tests.looking import checkout, look


def _word(scene: Scene, recorded: str) -> str:
    return look(scene).standing(recorded).word


def _history(scene: Scene) -> tuple[str, str, str]:
    """An ancestor, HEAD, and a commit of another branch."""
    first = scene.head
    scene.git("switch", "--quiet", "-c", "side")
    other = scene.commit("Elsewhere")
    scene.git("switch", "--quiet", "main")
    return first, scene.commit("Here"), other


@pytest.mark.parametrize("digits", [7, 12, 40])
def test_an_id_may_be_cut_to_seven_digits(scene: Scene, digits: int) -> None:
    first, head, other = _history(scene)
    words = [_word(scene, commit[:digits]) for commit in (head, first, other)]
    assert words == ["exact", "advanced", "diverged"]


def test_the_case_of_an_id_does_not_matter(scene: Scene) -> None:
    first, head, _ = _history(scene)
    assert [_word(scene, head.upper()), _word(scene, first[:8].upper())] == ["exact", "advanced"]


@pytest.mark.parametrize("recorded", [ZERO, "f" * 40, "abcdef0", "0123456789"])
def test_a_commit_that_this_repository_does_not_have_is_diverged(scene: Scene, recorded: str) -> None:
    assert _word(scene, recorded) == "diverged"


@pytest.mark.parametrize(
    "recorded",
    [
        "",
        "HEAD",
        "main",
        "abcdef",
        "HEAD~1",
        "--upload-pack=x",
        "-h",
        "g" * 40,
        "a" * 65,
        "0x12345",
        "٠" * 7,
        "abcdef0\n",
        "none",
    ],
)
def test_what_is_no_commit_id_is_unknown_and_never_asked(scene: Scene, recorded: str) -> None:
    assert _word(scene, recorded) == "unknown"


@pytest.mark.parametrize("name", ["abcdef0", "a" * 39, "b" * 41, "c" * 64])
def test_a_branch_whose_name_looks_like_an_id_is_no_answer(scene: Scene, name: str) -> None:
    scene.git("update-ref", f"refs/heads/{name}", "HEAD")
    scene.commit("Go on")
    assert _word(scene, name) == "diverged"


def test_the_id_of_a_tree_or_of_a_tag_is_no_commit(scene: Scene) -> None:
    scene.git("tag", "--annotate", "--message=x", "v1")
    ids = [scene.git("rev-parse", name) for name in ("HEAD^{tree}", "v1")]
    for oid in ids:
        assert _word(scene, oid[:9]) == "diverged"
    assert _word(scene, ids[0]) == "diverged"


def test_in_a_shallow_clone_what_lies_before_it_is_unknown(scene: Scene, tmp_path: Path) -> None:
    first, head, _ = _history(scene)
    scene.git("clone", "--quiet", "--depth=1", f"file://{scene.root}", tmp_path / "clone")
    clone = Scene(tmp_path / "clone")
    assert [_word(clone, commit) for commit in (head, first, first[:9], ZERO)] == [
        "exact",
        "unknown",
        "unknown",
        "unknown",
    ]


def test_without_a_commit_to_compare_with_it_is_unknown(tmp_path: Path) -> None:
    scene = Scene.create(tmp_path / "repo", commit=False)
    assert _word(scene, ZERO) == "unknown"


def test_in_a_repository_of_the_other_hash(tmp_path: Path) -> None:
    scene = Scene.create(tmp_path / "repo", init=("--object-format=sha256",))
    first, head, other = _history(scene)
    assert [_word(scene, each) for each in (head, first[:40], other[:7])] == ["exact", "advanced", "diverged"]


def test_a_missing_history_is_unknown_when_git_fails(scene: Scene) -> None:
    first, head, _ = _history(scene)
    snapshot = look(scene)
    assert snapshot.position.head == head
    (scene.root / ".git/HEAD").unlink()
    assert snapshot.standing(first).word == "unknown"


def test_what_git_said_once_is_asked_again_only_where_it_can_change(scene: Scene) -> None:
    first, _, other = _history(scene)
    opened = checkout(scene)
    asked: list[str] = []
    begin = opened.git.begin

    def counting(*arguments: str, **more: Any) -> Any:
        asked.append(arguments[0])
        return begin(*arguments, **more)

    opened.git.begin = counting  # type: ignore[method-assign]
    for _ in range(2):
        assert [opened.look().standing(each).word for each in (first, other)] == ["advanced", "diverged"]
    assert asked.count("merge-base") == 2
    scene.git("merge", "--quiet", "--no-edit", "side")
    assert [opened.look().standing(each).word for each in (first, other)] == ["advanced", "advanced"]


def test_a_commit_that_arrives_later_is_known_then(scene: Scene, tmp_path: Path) -> None:
    elsewhere = Scene.create(tmp_path / "elsewhere")
    commit = elsewhere.commit("Theirs")
    opened = checkout(scene)
    assert "does not have" in opened.look().standing(commit).reason
    scene.git("fetch", "--quiet", elsewhere.root)
    assert "no ancestor" in opened.look().standing(commit).reason


# ---------------------------------------------------------------------- which of many commits there are
def test_commits_are_known_by_their_beginnings_and_nothing_else_is(scene: Scene) -> None:
    head, tree = scene.head, scene.git("rev-parse", "HEAD^{tree}")
    scene.git("branch", "deadbee1")
    asked = [head, head[:7], "deadbee1", "0" * 40, tree, "1234567"]
    found = Ancestry(str(scene.root / ".git")).known(Git(str(scene.root)).ask, asked)
    assert found == {head: head, head[:7]: head}


def test_nothing_asked_is_nothing_known_and_git_is_not_started() -> None:
    assert Ancestry("/nowhere").known(Git("/nowhere").ask, []) == {}


def test_where_git_fails_or_history_is_cut_off_it_cannot_be_told(scene: Scene) -> None:
    ancestry = Ancestry(str(scene.root / ".git"))
    assert ancestry.known(Git(str(scene.root.parent)).ask, ["1234567"]) is None
    (scene.root / ".git/shallow").write_text(f"{scene.head}\n")
    assert ancestry.known(Git(str(scene.root)).ask, ["1234567"]) is None
    assert ancestry.known(Git(str(scene.root)).ask, [scene.head]) == {scene.head: scene.head}
