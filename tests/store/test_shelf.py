"""A large folder that git tracks is not looked at file by file, and no change in it goes unnoticed."""

from __future__ import annotations

import os
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


def _stats(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    looked: list[str] = []
    real = os.stat

    def stat(path: object, **more: object) -> os.stat_result:
        looked.append(str(path))
        return real(path, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "stat", stat)
    return looked


def test_an_unchanged_folder_costs_no_look_at_its_files(
    settled: tuple[Scene, Checkout], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, opened = settled
    looked = _stats(monkeypatch)
    _ids(opened)
    assert not [name for name in looked if name.endswith(".md")]


def test_an_unchanged_section_is_the_same_object(settled: tuple[Scene, Checkout]) -> None:
    scene, opened = settled
    scene.write(f"{SESSIONS}/.tmp.left.md", "half")
    before = opened.look(_later()).section
    assert opened.look(_later()).section is before


def test_an_untracked_record_is_looked_at_each_time(
    settled: tuple[Scene, Checkout], monkeypatch: pytest.MonkeyPatch
) -> None:
    scene, opened = settled
    scene.closed_record("s-new", name="new.md")
    _ids(opened)
    looked = _stats(monkeypatch)
    _ids(opened)
    assert [name for name in looked if name.endswith(".md")] == ["new.md"]


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


def test_a_file_that_changed_a_moment_ago_is_never_taken_on_gits_word(scene: Scene) -> None:
    path = scene.closed_record("s-0", name="0.md", title="first")
    scene.commit("Close")
    opened = checkout(scene)
    assert [f.record.title for f in opened.look(datetime.now(UTC)).section.records] == ["first"]
    _rewrite(path, "first", "fresh")
    assert [f.record.title for f in opened.look(datetime.now(UTC)).section.records] == ["fresh"]


def test_where_git_does_not_answer_every_file_is_looked_at(
    settled: tuple[Scene, Checkout], monkeypatch: pytest.MonkeyPatch
) -> None:
    scene, opened = settled
    (scene.root / ".git" / "HEAD").rename(scene.root / ".git" / "HEAD.away")
    looked = _stats(monkeypatch)
    _ids(opened)
    assert len([name for name in looked if name.endswith(".md")]) == 3
