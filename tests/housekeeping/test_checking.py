"""``--verify`` finds each kind of damage, names what to do about it, and finds nothing on a healthy tree."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given

from cockpit.formats.surfaces import Surface
from cockpit.housekeeping import checking, rotating
from tests.examples import examples
from tests.housekeeping.documents import ARCHIVE, LIVE, documents, stamps, surface, three_months

TEXT = b"## 2026-01-03 - c\n\n## 2026-01-02 - b\n\n## 2026-01-01 - a\n\ntext\n"


@pytest.fixture
def about(tmp_path: Path) -> Surface:
    made = surface(tmp_path, TEXT)
    rotating.rotate(made, dry_run=False)
    return made


def archive(about: Surface) -> Path:
    return Path(about.root, ARCHIVE)


def kinds(about: Surface) -> list[str]:
    """What is found, a word each; nothing is written by looking."""
    before = stamps(Path(about.root))
    lines, sound = checking.check(about)
    assert stamps(Path(about.root)) == before
    assert sound == (len(lines) == 1 and lines[0].startswith("  sound"))
    return [line.split()[0] for line in lines if not line.startswith("      ")]


def remedies(about: Surface) -> str:
    return "\n".join(line.strip() for line in checking.check(about)[0] if line.startswith("      "))


def test_a_healthy_tree_is_sound(about: Surface) -> None:
    assert kinds(about) == ["sound:"]


@examples(150)
@given(documents())
def test_every_tree_that_a_rotation_leaves_is_sound_but_for_what_was_broken_before(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        about = surface(Path(folder), data)
        rotating.rotate(about, dry_run=False)
        lines, _ = checking.check(about)
        assert [
            line for line in lines[::2] if "sound:" not in line and "2025-12-01.md leads to no file" not in line
        ] == []


def test_three_months_with_phases_are_sound(tmp_path: Path) -> None:
    about = surface(tmp_path, three_months())
    assert rotating.rotate(about, dry_run=False).collapsed
    assert kinds(about) == ["sound:"]


def test_an_edited_archive_is_found(about: Surface) -> None:
    with (archive(about) / "2026-01-01.md").open("ab") as file:
        file.write(b"\nmore")
    assert kinds(about) == ["edited"]
    for verb in ("diff HEAD", "log -p"):
        command = f"git -C {about.root} --literal-pathspecs {verb} -- {ARCHIVE}/2026-01-01.md"
        assert f"`{command}`" in remedies(about)


def test_a_deleted_archive_is_found_once(about: Surface) -> None:
    (archive(about) / "2026-01-01.md").unlink()
    assert kinds(about) == ["deleted"]
    assert f"git -C {about.root} checkout HEAD -- {about.root}/{ARCHIVE}/2026-01-01.md" in remedies(about)


def test_an_unreachable_archive_is_found_and_the_line_for_it_is_given(about: Surface) -> None:
    (archive(about) / "2025-12-12.md").write_bytes(b"lost")
    assert kinds(about) == ["unreachable"]
    assert "→ archive/2025-12-12.md" in remedies(about)
    with Path(about.root, LIVE).open("a") as file:
        file.write("- **2025-12-12 - found again**\n  → archive/2025-12-12.md\n")
    assert kinds(about) == ["sound:"]


@pytest.mark.parametrize("pointer", ["2025-01-01.md", "2025-*.md"])
def test_a_pointer_or_a_pattern_to_nothing_is_found(pointer: str, about: Surface) -> None:
    with Path(about.root, LIVE).open("a") as file:
        file.write(f"- **2025-01-01 - gone**\n  → archive/{pointer}\n")
    assert kinds(about) == ["broken"]


def test_an_entry_that_is_live_and_archived_is_found(about: Surface) -> None:
    live = Path(about.root, LIVE)
    live.write_bytes(live.read_bytes() + b"\n## 2026-01-01 - a\n\ntext\n")
    assert kinds(about) == ["twice"]
    assert f"cockpit housekeep {about.root}" in remedies(about)
    rotating.rotate(about, dry_run=False)
    assert kinds(about) == ["sound:"]


def test_the_latest_entry_as_an_archive_is_found_too(about: Surface) -> None:
    live = Path(about.root, LIVE)
    live.write_bytes(b"## 2026-01-01 - a\n\ntext\n" + live.read_bytes()[live.read_bytes().index(b"## Summary") :])
    assert kinds(about) == ["twice"]
    assert "by hand" in remedies(about)


def test_what_a_killed_run_left_is_found(about: Surface) -> None:
    (archive(about) / ".tmp.2026-01-09.md").write_bytes(b"half")
    assert kinds(about) == ["leftover"]


def test_an_archive_that_is_no_file_is_found(about: Surface) -> None:
    (archive(about) / "2026-01-01.md").unlink()
    (archive(about) / "2026-01-01.md").mkdir()
    assert kinds(about) == ["unreadable"]


def test_every_damage_at_once_is_named(about: Surface) -> None:
    (archive(about) / "2026-01-01.md").write_bytes(b"x")
    (archive(about) / "2026-01-02.md").unlink()
    (archive(about) / "2025-12-12.md").write_bytes(b"lost")
    assert kinds(about) == ["edited", "deleted", "unreachable"]


def test_a_readme_of_the_archive_needs_no_pointer(about: Surface) -> None:
    (archive(about) / "README.md").write_bytes(b"what lies here")
    assert kinds(about) == ["sound:"]
