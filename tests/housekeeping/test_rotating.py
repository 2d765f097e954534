"""A rotation on disk: whole archives that are never written again, a second run that writes nothing, and refusals."""

from __future__ import annotations

import os
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from cockpit.formats import livedoc, rotation
from cockpit.formats.surfaces import Surface
from cockpit.housekeeping import checking, rotating, writing
from cockpit.housekeeping.rotating import Refused
from tests.examples import examples
from tests.housekeeping.documents import ARCHIVE, LIVE, TITLE, documents, stamps, surface, tree

TWO = b"# Log\n\n## 2026-01-02 - two\n\ntext\n\n## 2026-01-01 - one\n\nOutcome: done\n"
ONE = b"## 2026-01-01 - one\n\nOutcome: done\n"


def rotate(about: Surface) -> rotation.Plan:
    return rotating.rotate(about, dry_run=False)


@pytest.fixture
def about(tmp_path: Path) -> Surface:
    return surface(tmp_path, TWO)


# ---------------------------------------------------------------------- for any document
@examples(150)
@given(documents())
def test_each_entry_is_in_exactly_one_file_and_a_second_run_moves_no_file(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        about = surface(Path(folder), data)
        document = livedoc.parse(data, TITLE)
        rotate(about)
        archived = [
            kept for path, kept in tree(Path(folder)).items() if path.startswith(ARCHIVE) and path.endswith(".md")
        ]
        assert sorted(archived) == sorted(map(document.bytes_of, document.waiting))
        before = stamps(Path(folder))
        assert rotate(about).idle
        assert stamps(Path(folder)) == before


@examples(60)
@given(documents(most=4), documents(most=4))
def test_archives_of_an_earlier_rotation_are_never_written_again(first: bytes, second: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        rotate(surface(Path(folder), first))
        before = {
            path: stamp for path, stamp in stamps(Path(folder)).items() if path.endswith(".md") and ARCHIVE in path
        }
        summary = livedoc.parse(Path(folder, LIVE).read_bytes(), TITLE).block
        again = surface(Path(folder), second + b"\n## " + TITLE.encode() + b"\n" + summary)
        rotate(again)
        assert before.items() <= stamps(Path(folder)).items()
        assert rotate(again).idle


def test_a_dry_run_plans_the_same_and_writes_nothing(about: Surface) -> None:
    before = stamps(Path(about.root))
    planned = rotating.rotate(about, dry_run=True)
    assert stamps(Path(about.root)) == before
    assert rotate(about) == planned


# ---------------------------------------------------------------------- what is kept
@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755, 0o664])
def test_the_mode_of_the_document_is_kept_and_its_archive_may_be_read_by_the_same(mode: int, about: Surface) -> None:
    live = Path(about.root, LIVE)
    live.chmod(mode)
    rotate(about)
    assert live.stat().st_mode & 0o7777 == mode
    assert Path(about.root, ARCHIVE, "2026-01-01.md").stat().st_mode & 0o7777 == mode & 0o666


def test_line_ends_a_byte_order_mark_and_bytes_that_are_no_text_are_kept(tmp_path: Path) -> None:
    data = b"\xef\xbb\xbf# Log \xff\r\n\r\n## 2026-01-02 b\r\n\xfe\r\n\r\n## 2026-01-01 a\r\n\xfd\r\nend"
    about = surface(tmp_path, data)
    rotate(about)
    live = (tmp_path / LIVE).read_bytes()
    assert live.startswith(data[: data.index(b"## 2026-01-01")])
    assert b"\n" not in live.replace(b"\r\n", b"")
    assert not live.endswith(b"\n")
    assert (tmp_path / ARCHIVE / "2026-01-01.md").read_bytes() == b"## 2026-01-01 a\r\n\xfd\r\nend"


def test_digests_are_noted_as_sha256sum_prints_them(about: Surface) -> None:
    rotate(about)
    noted = Path(about.root, ARCHIVE, ".digests").read_text()
    assert noted == f"{rotation.digest(ONE)}  2026-01-01.md\n"


def test_an_archive_that_was_there_before_is_noted_at_the_first_rotation(about: Surface) -> None:
    folder = Path(about.root, ARCHIVE)
    folder.mkdir()
    (folder / "2025-01-01.md").write_bytes(b"older")
    rotate(about)
    assert (folder / ".digests").read_text().startswith(f"{rotation.digest(b'older')}  2025-01-01.md\n")


# ---------------------------------------------------------------------- refusals
def refused(about: Surface) -> str:
    before = tree(Path(about.root))
    with pytest.raises(Refused) as error:
        rotate(about)
    assert tree(Path(about.root)) == before
    return str(error.value)


def test_a_document_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_bytes(TWO)
    root = tmp_path / "root"
    (root / "docs").mkdir(parents=True)
    (root / LIVE).symlink_to(outside)
    assert "is a link, which is not followed" in refused(surface(root))
    assert outside.read_bytes() == TWO


@pytest.mark.parametrize("where", ["docs", ARCHIVE])
def test_a_folder_that_is_a_link_is_not_entered(where: str, tmp_path: Path) -> None:
    outside, root = tmp_path / "outside", tmp_path / "root"
    outside.mkdir()
    root.mkdir()
    if where == "docs":
        (outside / "progress.md").write_bytes(TWO)
        (root / "docs").symlink_to(outside)
    else:
        surface(root, TWO)
        (root / ARCHIVE).symlink_to(outside)
    before = tree(outside)
    assert "link" in refused(surface(root))
    assert tree(outside) == before


def test_a_read_only_document_is_left_as_it_is_and_the_way_out_is_named(about: Surface) -> None:
    Path(about.root, LIVE).chmod(0o444)
    assert f"chmod u+w -- {about.root}/{LIVE}" in refused(about)


@pytest.mark.parametrize("what", ["a folder", "nothing", "a pipe"])
def test_what_is_no_file_is_refused_in_a_sentence(what: str, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    if what == "a folder":
        (tmp_path / LIVE).mkdir()
    elif what == "a pipe":
        os.mkfifo(tmp_path / LIVE)
    assert LIVE in refused(surface(tmp_path))


def test_an_archive_that_is_a_file_is_refused(about: Surface) -> None:
    Path(about.root, ARCHIVE).write_bytes(b"x")
    assert "archive" in refused(about)


def test_one_run_at_a_time_works_on_a_folder(about: Surface) -> None:
    with writing.alone(about.root, "docs"):
        assert "Another run" in refused(about)
    assert not rotate(about).idle


def test_a_full_disk_leaves_the_document_and_no_half_file(about: Surface, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(Refused, match="No space left"):
            rotate(about)
    assert Path(about.root, LIVE).read_bytes() == TWO
    assert [path for path in tree(Path(about.root)) if path.endswith(".md") and ".tmp." not in path] == [LIVE]
    rotate(about)
    assert checking.check(about)[1]


# ---------------------------------------------------------------------- an editor at the same time
NEW = b"# Log\n\n## 2026-01-03 - three\n\n## 2026-01-02 - two\n\ntext\n\n## 2026-01-01 - one\n\nOutcome: done\n"


@pytest.mark.parametrize("how", ["in place", "by a rename", "with the same size and time"])
def test_a_document_that_changes_between_reading_and_replacing_is_read_again(
    how: str, about: Surface, monkeypatch: pytest.MonkeyPatch
) -> None:
    live, edits = Path(about.root, LIVE), [1]
    real = writing.create

    def edited(*given: Any) -> None:
        real(*given)
        if edits.pop() if edits else False:
            _edit(live, how)

    monkeypatch.setattr(writing, "create", edited)
    rotate(about)
    monkeypatch.undo()
    rotate(about)
    whole = b"".join(tree(Path(about.root)).values())
    assert (b"twp" if how.startswith("with") else b"three") in whole
    assert checking.check(about)[1]


def _edit(live: Path, how: str) -> None:
    if how == "in place":
        live.write_bytes(NEW)
    elif how == "by a rename":
        (live.parent / "swap").write_bytes(NEW)
        (live.parent / "swap").rename(live)
    else:
        status = live.stat()
        with live.open("r+b") as file:
            file.write(live.read_bytes().replace(b"- two", b"- twp"))
        os.utime(live, ns=(status.st_atime_ns, status.st_mtime_ns))


def test_an_edit_in_the_last_moment_before_the_rename_is_put_back(
    about: Surface, monkeypatch: pytest.MonkeyPatch
) -> None:
    live, edits = Path(about.root, LIVE), [1]
    real = os.rename

    def edited(source: str, target: str, **more: Any) -> None:
        if target == "progress.md" and edits:
            edits.pop()
            with live.open("ab") as file:
                file.write(b"\n## 2026-01-04 - typed just now\n")
        real(source, target, **more)

    monkeypatch.setattr(os, "rename", edited)
    rotate(about)
    assert b"typed just now" in live.read_bytes()
    assert b"## 2026-01-02" not in live.read_bytes()
    assert checking.check(about)[1]


def test_a_document_that_never_comes_to_rest_is_left_alone_with_a_sentence(
    about: Surface, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = Path(about.root, LIVE)
    real = writing.create

    def edited(*given: Any) -> None:
        real(*given)
        live.write_bytes(live.read_bytes() + b"more\n")

    monkeypatch.setattr(writing, "create", edited)
    monkeypatch.setattr(rotating, "PAUSE", 0)
    with pytest.raises(Refused, match="close the editor"):
        rotate(about)
    assert live.read_bytes() == TWO + b"more\n" * rotating.ATTEMPTS


def test_a_name_that_is_taken_meanwhile_is_never_overwritten(about: Surface, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.link

    def taken(source: str, target: str, **more: Any) -> None:
        Path(about.root, ARCHIVE, target).write_bytes(b"of another")
        monkeypatch.setattr(os, "link", real)
        real(source, target, **more)

    monkeypatch.setattr(os, "link", taken)
    assert [each.name for each in rotate(about).archived] == ["2026-01-01-2.md"]
    assert Path(about.root, ARCHIVE, "2026-01-01.md").read_bytes() == b"of another"


@pytest.mark.parametrize(
    ("edit", "kept"),
    [(b"Outcome: done, and more", ["2026-01-01.md"]), (b"Outcome: other", ["2026-01-01-2.md", "2026-01-01.md"])],
)
def test_an_attempt_that_is_given_up_takes_back_its_archives_unless_they_are_the_only_copy(
    edit: bytes, kept: list[str], about: Surface, monkeypatch: pytest.MonkeyPatch
) -> None:
    live, edits = Path(about.root, LIVE), [1]
    real = writing.replace

    def edited(root: str, path: str, *rest: Any) -> None:
        if path == LIVE and edits:
            edits.pop()
            live.write_bytes(live.read_bytes().replace(b"Outcome: done", edit))
        real(root, path, *rest)

    monkeypatch.setattr(writing, "replace", edited)
    rotate(about)
    folder = Path(about.root, ARCHIVE)
    assert sorted(path.name for path in folder.iterdir()) == [".digests", *kept]
    assert edit in (folder / kept[0]).read_bytes()
    assert next(line.split()[0] for line in checking.check(about)[0]) == ("sound:" if len(kept) == 1 else "unreachable")


def test_an_editor_that_writes_all_the_time_loses_no_line(about: Surface) -> None:
    live = Path(about.root, LIVE)
    written: list[bytes] = []
    ends = time.monotonic() + 1.5

    def append() -> None:
        number = 0
        while time.monotonic() < ends:
            line = b"\n## 2026-02-01 - line %d\n" % number
            with live.open("ab") as file:
                file.write(line)
            written.append(line.strip())
            number += 1
            time.sleep(0.004)

    editor = threading.Thread(target=append)
    editor.start()
    while editor.is_alive():
        try:
            rotate(about)
        except Refused:
            continue
    editor.join()
    rotate(about)
    whole = b"".join(data for path, data in tree(Path(about.root)).items() if ".tmp." not in path)
    assert [line for line in written if line + b"\n" not in whole] == []
