"""``cockpit housekeep``: what it prints, what it writes, and how it ends."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cockpit.cli import main
from tests.housekeeping.documents import declare, stamps, surface, three_months, tree

TWO = b"## 2026-01-02 - two\n\ntext\n\n## 2026-01-01 - one\n\nOutcome: done\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    place = tmp_path / "root"
    made = surface(place, TWO)
    declare(place, ("progress", made.live, made.archive))
    return place


def housekeep(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["housekeep", *map(str, words)], catch_exceptions=False)


def test_it_says_what_it_rotated_and_the_bytes_before_and_after(root: Path) -> None:
    done = housekeep(root)
    size = (root / "docs/progress.md").stat().st_size
    assert done.exit_code == 0
    assert done.stdout.splitlines() == [
        "progress  docs/progress.md",
        "  rotated    2026-01-01 - one → archive/2026-01-01.md (35 bytes)",
        f"  live       {len(TWO)} → {size} bytes; its summary has 3 of 200 lines",
    ]


def test_a_dry_run_prints_the_same_and_writes_nothing(root: Path) -> None:
    before = stamps(root)
    dry = housekeep("--dry-run", root)
    assert stamps(root) == before
    assert dry.stdout == housekeep(root).stdout
    assert "dry run" in dry.stderr


def test_a_second_run_writes_nothing_and_says_so(root: Path) -> None:
    housekeep(root)
    before = stamps(root)
    done = housekeep(root)
    assert "nothing to do, nothing written" in done.stdout
    assert stamps(root) == before


def test_verify_ends_with_one_where_something_is_wrong(root: Path) -> None:
    housekeep(root)
    assert housekeep("--verify", root).exit_code == 0
    (root / "docs/archive/2026-01-01.md").unlink()
    done = housekeep("--verify", root)
    assert done.exit_code == 1
    assert "deleted" in done.stdout


def test_a_surface_that_fails_does_not_touch_the_others(root: Path) -> None:
    declare(
        root,
        ("first", "docs/none.md", "docs/a"),
        ("out", "../x.md", "docs/b"),
        ("progress", "docs/progress.md", "docs/archive"),
    )
    done = housekeep(root)
    assert done.exit_code == 1
    assert "nothing to do: there is no docs/none.md" in done.stdout
    assert "“../x.md”" in done.stdout
    assert (root / "docs/archive/2026-01-01.md").is_file()


@pytest.mark.parametrize(
    "words",
    [
        ["a", "b"],
        ["--verify", "--dry-run"],
        ["--verify", "--retire"],
        ["--yes"],
        ["--retire", "migrate"],
        ["no such folder"],
    ],
)
def test_a_call_that_does_not_go_together_ends_with_two_and_a_sentence(words: list[str]) -> None:
    done = housekeep(*words)
    assert (done.exit_code, done.stderr[:9]) == (2, "cockpit: ")


def test_a_document_that_is_not_there_yet_is_nothing_to_do(tmp_path: Path) -> None:
    declare(tmp_path, ("progress", "docs/progress.md", "docs/archive"))
    assert [housekeep(*words, tmp_path).exit_code for words in ([], ["--dry-run"], ["--verify"])] == [0, 0, 0]


def test_a_document_that_is_gone_while_its_archive_is_there_is_damage(root: Path) -> None:
    housekeep(root)
    (root / "docs/progress.md").unlink()
    done = housekeep("--verify", root)
    assert done.exit_code == 1
    assert f"git -C {root} checkout HEAD -- {root}/docs/progress.md" in done.stdout


def test_where_there_is_nothing_it_says_what_would_be_something(tmp_path: Path) -> None:
    done = housekeep(tmp_path)
    assert done.exit_code == 0
    assert "surfaces: [{name, live, archive}]" in done.stdout


@pytest.mark.parametrize("option", [(), ("--dry-run",), ("--verify",), ("--retire",)])
def test_a_policy_that_does_not_parse_is_said_with_its_line_and_is_no_empty_one(root: Path, option: tuple[str]) -> None:
    policy = root / ".ai/repo/policy.yaml"
    policy.write_text(f"{policy.read_text()}\nhygiene: {{owner: mara\n")
    line = policy.read_text().count("\n")
    done = housekeep(*option, root)
    assert done.exit_code == 1
    assert f"The policy .ai/repo/policy.yaml does not parse as a whole (correct line {line} of it)" in done.stdout
    assert "names no surfaces" not in done.stdout


def test_a_manifest_that_does_not_parse_is_said(root: Path) -> None:
    (root / ".ai/manifest.yaml").write_text("sections: {policy: x\n")
    done = housekeep("--verify", root)
    assert (done.exit_code, "The manifest .ai/manifest.yaml does not parse" in done.stdout) == (1, True)


def test_it_works_from_a_folder_inside_the_repository(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root / "docs")
    done = housekeep()
    assert done.stdout.splitlines()[0] == "progress  progress.md"


def test_three_months_shrink_and_everything_is_still_there(tmp_path: Path) -> None:
    data = three_months()
    made = surface(tmp_path, data)
    declare(tmp_path, ("sessions", made.live, made.archive))
    done = housekeep(tmp_path)
    assert "collapsed" in done.stdout
    assert len([path for path in tree(tmp_path) if path.startswith("docs/archive/2026-")]) == 65
    assert housekeep("--verify", tmp_path).exit_code == 0
