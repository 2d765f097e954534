"""Files are read below one root: never through a link, never blocking, never more than a cap."""

from __future__ import annotations

import os
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cockpit.store.files import LIMIT, Fault, Listing, listing
from cockpit.store.memory import Memory


def _memory() -> Memory[bytes]:
    return Memory(lambda data: data)


def _read(root: Path, path: str) -> bytes | Fault | None:
    return _memory().file(str(root), path, time.time_ns())


@contextmanager
def without_power() -> Iterator[None]:
    """As a user to whom permissions apply."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


# ---------------------------------------------------------------------- one file
def test_a_regular_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/b/c").write_bytes(b"x")
    assert _read(tmp_path, "a/b/c") == b"x"


@pytest.mark.parametrize("path", ["nothing", "no/folder/here"])
def test_what_is_not_there_is_none(tmp_path: Path, path: str) -> None:
    assert _read(tmp_path, path) is None


@pytest.mark.parametrize("target", ["inside", "/etc/passwd", "nowhere", "link"])
def test_a_link_is_not_followed(tmp_path: Path, target: str) -> None:
    (tmp_path / "inside").write_text("x")
    (tmp_path / "link").symlink_to(target)
    assert _read(tmp_path, "link") == Fault("link", "is a link, which is not followed")


@pytest.mark.parametrize("level", ["a", "a/b", "a/b/c"])
def test_a_link_at_any_level_is_not_followed(tmp_path: Path, level: str) -> None:
    (tmp_path / "a/b/c").mkdir(parents=True)
    (tmp_path / "a/b/c/file").write_text("x")
    (tmp_path / level).rename(tmp_path / "moved")
    (tmp_path / level).symlink_to(tmp_path / "moved")
    read = _read(tmp_path, "a/b/c/file")
    assert isinstance(read, Fault)
    assert "link" in read.reason
    assert listing(str(tmp_path), "a/b/c").fault


def test_a_root_that_is_reached_through_a_link_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real/file").write_text("x")
    (tmp_path / "alias").symlink_to("real")
    assert _read(tmp_path / "alias", "file") == b"x"


@pytest.mark.parametrize("kind", ["fifo", "folder", "socket", "device"])
def test_anything_but_a_regular_file_is_a_fault_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.chdir(tmp_path)
    if kind == "fifo":
        os.mkfifo("odd")
    elif kind == "folder":
        Path("odd").mkdir()
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind("odd")
    began = time.monotonic()
    read = _read(Path("/dev"), "null") if kind == "device" else _read(tmp_path, "odd")
    assert isinstance(read, Fault)
    assert read.reason in ("is a folder", "is not a regular file")
    assert time.monotonic() - began < 1


def test_a_fifo_put_in_a_file_s_place_after_it_was_listed_does_not_block(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("x")
    found = listing(str(tmp_path), "")
    (tmp_path / "f").unlink()
    os.mkfifo(tmp_path / "f")
    (value,) = _memory().files(str(tmp_path), found, "", ["f"], time.time_ns()).values()
    assert isinstance(value, Fault)


def test_a_link_put_in_a_file_s_place_after_it_was_listed_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("x")
    found = listing(str(tmp_path), "")
    (tmp_path / "f").unlink()
    (tmp_path / "f").symlink_to("/etc/passwd")
    (value,) = _memory().files(str(tmp_path), found, "", ["f"], time.time_ns()).values()
    assert isinstance(value, Fault)


def test_a_file_of_exactly_a_megabyte_is_read(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"x" * LIMIT)
    assert _read(tmp_path, "f") == b"x" * LIMIT


@pytest.mark.parametrize("size", [LIMIT + 1, 3 << 30])
def test_a_larger_file_is_not_read(tmp_path: Path, size: int) -> None:
    (tmp_path / "f").touch()
    os.truncate(tmp_path / "f", size)
    began = time.monotonic()
    read = _read(tmp_path, "f")
    assert isinstance(read, Fault)
    assert read.reason.startswith("is larger than 1 MiB")
    assert time.monotonic() - began < 1


def test_a_file_that_may_not_be_read_is_a_fault() -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        root.chmod(0o755)
        (root / "f").write_text("secret")
        (root / "f").chmod(0)
        with without_power():
            assert _read(root, "f") == Fault("f", "may not be read by this user", hidden=True)


def test_a_name_that_is_too_long_is_a_fault(tmp_path: Path) -> None:
    assert _read(tmp_path, "x" * 300) == Fault("x" * 300, "has a name that is too long")


def test_what_lies_below_a_file_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("x")
    read = _read(tmp_path, "f/below")
    assert isinstance(read, Fault)
    assert "no folder" in read.reason


def test_the_path_of_a_fault_can_be_encoded(tmp_path: Path) -> None:
    (tmp_path / "a\udcff").mkdir()
    read = _read(tmp_path, "a\udcff")
    assert read == Fault("a\\xff", "is a folder")


# ---------------------------------------------------------------------- folders
def test_a_listing_says_what_each_entry_is(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("xyz")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("file")
    os.mkfifo(tmp_path / "other")
    found = listing(str(tmp_path), "")
    assert {name: entry.kind for name, entry in found.entries.items()} == {
        n: n for n in ("file", "folder", "link", "other")
    }
    assert found.entries["file"].size == 3


def test_a_folder_that_is_not_there_is_absent_without_a_fault(tmp_path: Path) -> None:
    assert listing(str(tmp_path), "no/such") == Listing("no/such", {}, present=False)


@pytest.mark.parametrize("kind", ["file", "link", "fifo"])
def test_what_is_no_folder_is_a_fault_and_not_entered(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "odd"
    {"file": path.touch, "link": lambda: path.symlink_to("/etc"), "fifo": lambda: os.mkfifo(path)}[kind]()
    found = listing(str(tmp_path), "odd")
    assert found.fault
    assert found.fault.reason == ("is a link, which is not followed" if kind == "link" else "is no folder")
    assert found.entries == {}


def test_no_descriptor_is_left_open(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "file").write_text("x")
    before = len(os.listdir("/proc/self/fd"))
    for path in ("folder", "fifo", "file", "file/x", "none", "folder/none"):
        _read(tmp_path, path)
        listing(str(tmp_path), path)
    assert len(os.listdir("/proc/self/fd")) == before
