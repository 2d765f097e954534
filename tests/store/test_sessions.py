"""The index of closed records follows the section, git's index and HEAD."""

from __future__ import annotations

from datetime import timedelta

from cockpit.store.checkout import Checkout
from cockpit.store.sessions import Index
from tests.builders import SESSIONS, Scene
from tests.looking import NOW, checkout


def _index(opened: Checkout, minutes: int = 0) -> Index:
    return opened.look(NOW + timedelta(minutes=minutes)).index


def _tracked(index: Index) -> list[str]:
    return [found.record.session_id for found in index.section.records if found.tracked]


def test_an_unchanged_repository_keeps_its_index(scene: Scene) -> None:
    opened = checkout(scene)
    assert _index(opened) is _index(opened, 5)


def test_a_new_commit_rebuilds_it(scene: Scene) -> None:
    opened = checkout(scene)
    before = _index(opened)
    scene.commit("Go on")
    after = _index(opened, 5)
    assert (before.built_at, after.built_at) == ("2026-09-12T12:00:00Z", "2026-09-12T12:05:00Z")
    assert after.position.head == scene.head


def test_a_changed_section_rebuilds_it_without_a_commit(scene: Scene) -> None:
    opened = checkout(scene)
    _index(opened)
    path = scene.closed_record("s-1")
    assert (_tracked(_index(opened)), len(_index(opened).section.records)) == ([], 1)
    scene.git("add", path)
    assert _tracked(_index(opened)) == ["s-1"]
    path.unlink()
    assert _index(opened).section.records == ()


def test_a_record_that_is_rewritten_is_read_again(scene: Scene) -> None:
    opened = checkout(scene)
    scene.closed_record("s-1", name="x.md")
    _index(opened)
    scene.closed_record("s-2", name="x.md")
    assert [found.record.session_id for found in _index(opened).section.records] == ["s-2"]


def test_a_pinned_index_never_moves_and_the_section_does(scene: Scene) -> None:
    opened = checkout(scene, pin=True)
    _index(opened)
    scene.closed_record("s-1")
    scene.commit("Close")
    assert _index(opened).section.records == ()
    assert len(opened.look(NOW).section.records) == 1


def test_a_section_that_breaks_leaves_the_last_good_index(scene: Scene) -> None:
    opened = checkout(scene)
    scene.closed_record("s-1")
    scene.commit("Close")
    _index(opened)
    folder = scene.root / SESSIONS
    folder.rename(scene.root / "moved")
    folder.symlink_to(scene.root / "moved")
    broken = _index(opened)
    assert (_tracked(broken), "is a link" in broken.failure) == (["s-1"], True)
    folder.unlink()
    (scene.root / "moved").rename(folder)
    assert (_tracked(_index(opened)), _index(opened).failure) == (["s-1"], "")


def test_a_linked_worktree_has_its_own_index_of_git(scene: Scene) -> None:
    linked = Scene(scene.worktree("side", scene.root.parent / "linked"))
    opened = checkout(linked)
    path = linked.closed_record("s-1")
    assert _tracked(_index(opened)) == []
    linked.git("add", path)
    assert _tracked(_index(opened)) == ["s-1"]


def test_a_split_index_is_followed(scene: Scene) -> None:
    scene.git("update-index", "--split-index")
    opened = checkout(scene)
    path = scene.closed_record("s-1")
    assert _tracked(_index(opened)) == []
    scene.git("add", path)
    assert _tracked(_index(opened)) == ["s-1"]
