"""No change in the sessions section goes unnoticed, whatever git thinks of it."""

from __future__ import annotations

import os
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from cockpit.store.checkout import Checkout
from tests.builders import SESSIONS, Scene
from tests.looking import checkout


@pytest.fixture
def settled(scene: Scene) -> tuple[Scene, Checkout]:
    """Three tracked records that were read long after they were written."""
    for number in range(3):
        scene.closed_record(f"s-{number}", name=f"{number}.md", title="first")
    scene.commit("Close three")
    opened = checkout(scene)
    _ids(opened)
    return scene, opened


def _ids(opened: Checkout) -> list[str]:
    """What the index holds, read as if a minute had gone by, so that every file counts as settled."""
    return [f"{f.record.session_id} {f.record.title}" for f in opened.look(_later()).section.records]


def _later() -> datetime:
    return datetime.now(UTC) + timedelta(minutes=1)


def test_an_unchanged_section_is_the_same_object(settled: tuple[Scene, Checkout]) -> None:
    scene, opened = settled
    scene.write(f"{SESSIONS}/.tmp.left.md", "half")
    before = opened.look(_later()).section
    assert opened.look(_later()).section is before


def _rewrite(path: Path, old: str, new: str) -> None:
    """Write in place: the same inode, the same length, the same modification time."""
    before = path.stat()
    text = path.read_text()
    assert old in text
    with path.open("r+") as file:
        file.write(text.replace(old, new))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_a_rewrite_in_place_with_its_time_set_back_is_seen(settled: tuple[Scene, Checkout]) -> None:
    scene, opened = settled
    _rewrite(scene.root / SESSIONS / "1.md", "first", "fresh")
    assert _ids(opened) == ["s-0 first", "s-1 fresh", "s-2 first"]


def test_a_rewrite_in_place_that_is_committed_at_once_is_seen(settled: tuple[Scene, Checkout]) -> None:
    scene, opened = settled
    _rewrite(scene.root / SESSIONS / "1.md", "first", "fresh")
    scene.git("add", "-A")
    scene.commit("Rewrite")
    assert "s-1 fresh" in _ids(opened)


def test_a_rewrite_that_is_taken_back_in_place_is_seen_both_times(settled: tuple[Scene, Checkout]) -> None:
    scene, opened = settled
    path = scene.root / SESSIONS / "1.md"
    _rewrite(path, "first", "fresh")
    assert "s-1 fresh" in _ids(opened)
    _rewrite(path, "fresh", "first")
    assert "s-1 first" in _ids(opened)


@pytest.mark.parametrize("mark", ["--assume-unchanged", "--skip-worktree"])
def test_a_file_that_git_was_told_not_to_look_at_is_looked_at_here(scene: Scene, mark: str) -> None:
    path = scene.closed_record("s-0", name="0.md", title="first")
    scene.commit("Close")
    scene.git("update-index", mark, f"{SESSIONS}/0.md")
    opened = checkout(scene)
    _ids(opened)
    _rewrite(path, "first", "fresh")
    assert _ids(opened) == ["s-0 fresh"]


def test_a_file_that_was_exchanged_is_read_again(settled: tuple[Scene, Checkout]) -> None:
    scene, opened = settled
    path = scene.root / SESSIONS / "1.md"
    fresh = path.with_name(".other")
    fresh.write_text(path.read_text().replace("first", "fresh"))
    fresh.rename(path)
    assert "s-1 fresh" in _ids(opened)


def test_another_branch_brings_its_own_records(settled: tuple[Scene, Checkout]) -> None:
    scene, opened = settled
    scene.git("checkout", "-q", "-b", "side")
    scene.git("rm", "-q", f"{SESSIONS}/2.md")
    scene.commit("Take one out")
    assert len(_ids(opened)) == 2
    scene.git("checkout", "-q", "main")
    assert len(_ids(opened)) == 3


def test_a_file_that_changed_a_moment_ago_is_read_again(scene: Scene) -> None:
    path = scene.closed_record("s-0", name="0.md", title="first")
    scene.commit("Close")
    opened = checkout(scene)
    assert [f.record.title for f in opened.look(datetime.now(UTC)).section.records] == ["first"]
    _rewrite(path, "first", "fresh")
    assert [f.record.title for f in opened.look(datetime.now(UTC)).section.records] == ["fresh"]


@pytest.mark.parametrize("attribute", ["ident", "filter=cut"])
def test_a_change_that_git_takes_for_none_is_seen(scene: Scene, attribute: str) -> None:
    scene.git("config", "filter.cut.clean", "sed 's/title: .*/title: x/'")
    scene.write(".gitattributes", f"*.md {attribute}\n")
    path = scene.closed_record("s-0", name="0.md", title='"$Id: first $"')
    scene.commit("Close")
    opened = checkout(scene)
    _ids(opened)
    path.write_text(path.read_text().replace("first", "fresh"))
    assert scene.git("status", "--porcelain") == ""
    assert _ids(opened) == ["s-0 $Id: fresh $"]


def test_an_index_that_changes_between_two_answers_of_git_gives_no_record_the_text_of_another(scene: Scene) -> None:
    path = scene.closed_record("s-0", name="0.md", title="first")
    scene.commit("Close")
    path.write_text(path.read_text().replace("first", "fresh"))
    scene.commit("Rewrite")
    opened = checkout(scene)
    look = opened.look(_later())
    assert look.status.position.working_tree == "clean"
    scene.git("reset", "-q", "--mixed", "HEAD~1")
    assert [found.record.title for found in look.section.records] == ["fresh"]
    scene.git("checkout", "--", ".")
    assert _ids(opened) == ["s-0 first"]


def test_what_git_tracks_is_asked_of_the_repository_that_the_checkout_leads_to_now(scene: Scene) -> None:
    scene.closed_record("s-0", name="0.md")
    scene.commit("Close")
    own, other = scene.root / ".git", scene.root.parent / "other"
    shutil.copytree(own, other)
    own.rename(scene.root.parent / "own")
    own.symlink_to("../own")
    opened = checkout(scene)
    assert [found.tracked for found in opened.look().section.records] == [True]
    own.unlink()
    own.symlink_to("../other")
    scene.git("rm", "-q", "--cached", f"{SESSIONS}/0.md")
    assert [found.tracked for found in opened.look().section.records] == [False]


def test_a_section_that_moved_is_told_by_its_new_name(scene: Scene) -> None:
    (scene.root / SESSIONS).mkdir(parents=True, exist_ok=True)
    (scene.root / SESSIONS / "odd.md").symlink_to("nowhere")
    opened = checkout(scene)
    assert [fault.path for fault in opened.look(_later()).section.faults] == [f"{SESSIONS}/odd.md"]
    moved = scene.root / SESSIONS
    moved.rename(moved.with_name("s2"))
    scene.write(".ai/manifest.yaml", "sections:\n  policy: repo/policy.yaml\n  sessions: repo/s2\n")
    assert [fault.path for fault in opened.look(_later()).section.faults] == [".ai/repo/s2/odd.md"]
