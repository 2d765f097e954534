"""A file's text, whatever its encoding; what is no text, and what cannot be read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cockpit.store.files import Fault
from cockpit.store.text_files import LARGEST, text


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", ""),
        (b"a\r\n\xff", "a\r\n\udcff"),
        ("ä".encode("utf-16"), "ä"),
        (b"\xff\xfe\0", "\ufffd"),
        ("ä".encode("utf-32"), "ä"),
        ("see ä".encode("utf-16-le"), "see ä"),
        ("see ä".encode("utf-16-be"), "see ä"),
        (b"a\0b", None),
        (b"x" * 8000 + b"\0", "x" * 8000 + "\0"),
    ],
)
def test_data_has_no_text_and_every_text_has_one(tmp_path: Path, data: bytes, expected: str | None) -> None:
    (tmp_path / "a").write_bytes(data)
    assert text(str(tmp_path), "a") == expected


def test_a_folder_and_nothing_have_none_and_a_link_has_its_target(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("/etc/passwd")
    assert [text(str(tmp_path), each) for each in ("folder", "none", "link")] == [None, None, "/etc/passwd"]


def test_what_cannot_be_read_is_a_fault(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(".")
    with (tmp_path / "large").open("wb") as file:
        file.write(b"x" * (LARGEST + 1))
    for path in ("pipe", "link/pipe", "large"):
        assert isinstance(text(str(tmp_path), path), Fault), path
