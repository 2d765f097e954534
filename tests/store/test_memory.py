"""What files were parsed to is kept until they change, and no change goes unnoticed."""

from __future__ import annotations

import errno
import os
import stat
import time
from pathlib import Path

import pytest

from cockpit.store.files import Fault, listing
from cockpit.store.memory import Gathered, Memory
from tests.faults.disk import failing

LATER = 10_000_000_000  # ns; long enough that a file counts as settled


def _memory() -> Memory[bytes]:
    return Memory(lambda data: data)


def test_an_unchanged_file_is_not_parsed_again(tmp_path: Path) -> None:
    parsed: list[bytes] = []
    memory: Memory[int] = Memory(lambda data: parsed.append(data) or len(parsed))
    (tmp_path / "f").write_text("x")
    later = time.time_ns() + 10_000_000_000
    assert [memory.file(str(tmp_path), "f", later) for _ in range(3)] == [1, 1, 1]


@pytest.mark.parametrize("how", ["write", "replace", "chmod back"])
def test_a_change_of_one_size_with_its_time_set_back_is_seen(tmp_path: Path, how: str) -> None:
    memory, path = _memory(), tmp_path / "f"
    path.write_text("one")
    before = path.stat()
    assert memory.file(str(tmp_path), "f", time.time_ns()) == b"one"
    if how == "replace":
        (tmp_path / "g").write_text("two")
        (tmp_path / "g").replace(path)
    else:
        path.write_text("two")
        path.chmod(stat.S_IMODE(before.st_mode))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert memory.file(str(tmp_path), "f", time.time_ns()) == b"two"


def test_changes_within_one_tick_of_the_clock_are_seen(tmp_path: Path) -> None:
    memory, path = _memory(), tmp_path / "f"
    for number in range(300):
        path.write_text(f"{number:04}")
        assert memory.file(str(tmp_path), "f", time.time_ns()) == f"{number:04}".encode()


def test_a_file_that_comes_and_goes_is_followed(tmp_path: Path) -> None:
    memory, path = _memory(), tmp_path / "f"
    seen = []
    for content in (None, "a", None, "b"):
        path.unlink(missing_ok=True)
        if content:
            path.write_text(content)
        seen.append(memory.file(str(tmp_path), "f", time.time_ns()))
    assert seen == [None, b"a", None, b"b"]


def test_a_fault_is_healed(tmp_path: Path) -> None:
    memory, path = _memory(), tmp_path / "f"
    path.mkdir()
    assert isinstance(memory.file(str(tmp_path), "f", time.time_ns()), Fault)
    path.rmdir()
    path.write_text("x")
    assert memory.file(str(tmp_path), "f", time.time_ns()) == b"x"


def test_files_that_are_gone_are_forgotten(tmp_path: Path) -> None:
    memory = _memory()
    for name in ("a", "b"):
        (tmp_path / name).write_text(name)
    root = str(tmp_path)
    memory.files(root, listing(root, ""), "", ["a", "b"], time.time_ns())
    memory.files(root, listing(root, ""), "", ["a"], time.time_ns())
    assert len(memory._kept) == 1


# ---------------------------------------------------------------------- folders
def _folder(memory: Memory[bytes], root: Path, later: int = LATER) -> Gathered[bytes]:
    return memory.of_folder(str(root), "", lambda name: name.endswith(".md"), time.time_ns() + later)


def test_a_folder_has_the_files_that_are_wanted_in_the_order_of_their_names(tmp_path: Path) -> None:
    for name in ("b.md", "a.md", "c.txt"):
        (tmp_path / name).write_text(name)
    found = _folder(_memory(), tmp_path)
    assert list(found.values.items()) == [("a.md", b"a.md"), ("b.md", b"b.md")]
    assert set(found.listing.entries) == {"a.md", "b.md", "c.txt"}


def test_an_unchanged_folder_is_the_same_object(tmp_path: Path) -> None:
    memory = _memory()
    (tmp_path / "a.md").write_text("x")
    assert _folder(memory, tmp_path) is _folder(memory, tmp_path)


def test_a_folder_of_which_a_file_has_just_changed_is_read_again(tmp_path: Path) -> None:
    memory, path = _memory(), tmp_path / "a.md"
    for number in range(100):
        path.write_text(f"{number:04}")
        assert _folder(memory, tmp_path, later=0).values == {"a.md": f"{number:04}".encode()}


def _in_place(path: Path) -> None:
    path.write_text("two")


def _replaced(path: Path) -> None:
    other = path.with_name("other")
    other.write_text("two")
    other.replace(path)


def _linked(path: Path) -> None:
    path.unlink()
    path.symlink_to("/etc/passwd")


@pytest.mark.parametrize("change", [_in_place, _replaced, _linked, os.unlink, os.mkfifo])
def test_a_change_in_a_folder_is_seen_though_its_times_are_set_back(tmp_path: Path, change: object) -> None:
    memory, path = _memory(), tmp_path / "a.md"
    path.write_text("one")
    times = [os.stat(each) for each in (tmp_path, path)]
    before = _folder(memory, tmp_path)
    if change is os.mkfifo:
        path.unlink()
    change(path)  # type: ignore[operator]
    for each, status in zip((tmp_path, path), times, strict=True):
        if os.path.lexists(each):
            os.utime(each, ns=(status.st_atime_ns, status.st_mtime_ns), follow_symlinks=False)
    after = _folder(memory, tmp_path)
    assert after is not before
    assert after.values != before.values


def test_a_file_beside_those_that_are_wanted_is_listed(tmp_path: Path) -> None:
    memory = _memory()
    (tmp_path / "a.md").write_text("x")
    before = _folder(memory, tmp_path)
    (tmp_path / "z").touch()
    assert "z" in _folder(memory, tmp_path).listing.entries
    assert "z" not in before.listing.entries


def test_a_folder_that_goes_and_comes_again_is_followed(tmp_path: Path) -> None:
    memory, folder, aside = _memory(), tmp_path / "folder", tmp_path / "aside"
    folder.mkdir()
    (folder / "a.md").write_text("x")
    seen = [_folder(memory, folder).values]
    folder.rename(aside)
    seen.append(_folder(memory, folder).values)
    aside.rename(folder)
    seen.append(_folder(memory, folder).values)
    assert seen == [{"a.md": b"x"}, {}, {"a.md": b"x"}]


def test_a_folder_that_could_not_be_opened_is_read_once_it_can(tmp_path: Path) -> None:
    memory, root, later = _memory(), str(tmp_path), time.time_ns() + LATER
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text(name)
    _folder(memory, tmp_path)
    (tmp_path / "b.md").unlink()
    found = listing(root, "")
    with failing(root, ("open",), errno.EMFILE):
        unread = memory.of_listing(root, "", found, lambda name: True, later)
    assert isinstance(unread.values["a.md"], Fault)
    assert memory.of_listing(root, "", found, lambda name: True, later).values == {"a.md": b"a.md"}
