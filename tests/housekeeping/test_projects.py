"""BodhiKit projects: what is retired, what is migrated, and the one line about the places of old."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from cockpit.housekeeping import retiring, run
from tests.housekeeping import killing
from tests.housekeeping.documents import declare, stamps, surface, tree

TODAY = date(2026, 9, 1)
LOG = "# Progress Log\n\n| module | state |\n|---|---|\n\n## 2026-06-02 - two\n\n**Outcomes:**\n- learned\n\n## 2026-06-01 - one\n\ntext\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    place = tmp_path / "home"
    place.mkdir()
    return place


def project(gathered: Path, name: str = "rust", **files: str) -> Path:
    """A project with ``.bodhi/state.json`` and further files in ``.bodhi/``, ``_`` for a dot and ``__`` for a slash."""
    root = gathered / name
    (root / ".bodhi").mkdir(parents=True)
    (root / ".bodhi/state.json").write_text('{"version": 2}\n')
    for key, text in files.items():
        path = root / ".bodhi" / key.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def concepts(*special: dict[str, Any], filler: int = 200) -> str:
    plain = [{"name": f"c{number}", "box": 3, "lastReviewed": "2026-08-01"} for number in range(filler)]
    return json.dumps({"version": 3, "concepts": [*special, *plain], "sessionHistory": []}, indent=2)


OLD = {"name": "lifetimes", "box": 1, "lastReviewed": "2026-01-01", "ease": 2.5, "unknown": [None]}


# ---------------------------------------------------------------------- retirement
@pytest.fixture
def review(home: Path) -> Path:
    root = project(home / "learningWithBodhi")
    path = root / ".bodhi/spaced-review.json"
    path.write_text(concepts(OLD).replace("2.5", "2.50"))
    return path


def retire(home: Path, *, really: bool) -> list[str]:
    done = run.retire(str(home), str(home), TODAY, really=really)
    assert not done.failed
    return done.lines


def test_a_run_suggests_with_the_count_and_moves_nothing(home: Path, review: Path) -> None:
    before = stamps(home)
    lines = run.rotate(str(home), str(home), TODAY, dry_run=False).lines
    assert any("201 concepts, 1 of them in box 1" in line and "--retire --yes" in line for line in lines)
    assert any("1 of them" in line for line in retire(home, really=False))
    assert stamps(home) == before
    assert review.is_file()


def test_only_yes_moves_them_and_numbers_stay_as_written(home: Path, review: Path) -> None:
    retire(home, really=True)
    retired = (review.parent / retiring.RETIRED).read_text()
    assert '"ease": 2.50' in retired
    assert json.loads(retired) == {"concepts": [OLD]}
    assert json.loads(review.read_text()) == json.loads(concepts())
    before = stamps(home)
    assert "  nothing to retire, nothing written" in retire(home, really=True)
    assert stamps(home) == before


def test_a_kill_at_every_call_leaves_a_double_at_most_and_the_next_run_ends_the_same(home: Path, review: Path) -> None:
    start = review.read_bytes()
    folder = review.parent
    retire(home, really=True)
    expected = tree(folder)
    number, calls = 0, 1
    while calls is not None and number < 200:
        (folder / retiring.RETIRED).unlink(missing_ok=True)
        review.write_bytes(start)
        ended = killing.run(lambda: retire(home, really=True), number)
        assert b"lifetimes" in b"".join(tree(folder).values()), number
        retire(home, really=True)
        assert {path: data for path, data in tree(folder).items() if ".tmp." not in path} == expected, number
        number += 1
        calls = None if ended is not None else number
    assert number > 30


def test_a_review_that_is_no_json_is_refused_and_left(home: Path, review: Path) -> None:
    review.write_text("{")
    done = run.retire(str(home), str(home), TODAY, really=True)
    assert done.failed
    assert review.read_text() == "{"


# ---------------------------------------------------------------------- projects outside of where it is run
@pytest.mark.parametrize("dry_run", [True, False])
def test_what_is_rotated_outside_of_the_repository_is_named_by_its_whole_path(
    home: Path, tmp_path: Path, dry_run: bool
) -> None:
    there = project(home / "learningWithBodhi", progress_md=LOG)
    made = surface(tmp_path / "repo", LOG.encode())
    declare(tmp_path / "repo", ("progress", made.live, made.archive))
    before = (there / ".bodhi/progress.md").read_bytes()
    lines = run.rotate(made.root, str(home), TODAY, dry_run=dry_run).lines
    assert [line for line in lines if not line.startswith(" ")] == [
        "progress  docs/progress.md",
        f"sessions  {there}/.bodhi/progress.md",
    ]
    assert ((there / ".bodhi/progress.md").read_bytes() == before) == dry_run


# ---------------------------------------------------------------------- the places of old
@pytest.fixture
def legacy(home: Path) -> Path:
    state = '{"version": 1, "goal": "x", "lastSessionSummary": "We met\\n## traits", "bloom": 1.0, "lastSessionAt": "2026-05-30T10:00:00Z"}\n'
    root = project(
        home / "code/learningWithBodhi",
        progress_md=LOG,
        assessment_md="# Assessment\n\n## 2026-05-01 - Basics\n\nwell\n",
    )
    (root / ".bodhi/state.json").write_text(state)
    return root


def test_the_line_about_projects_of_old_is_said_once_ever(home: Path, legacy: Path) -> None:
    said = [
        line
        for _ in range(3)
        for line in run.rotate(str(home), str(home), TODAY, dry_run=False).lines
        if "Found" in line
    ]
    assert len(said) == 1
    assert str(legacy.parent) in said[0]
    assert "cockpit housekeep migrate" in said[0]


def test_a_dry_run_does_not_use_the_line_up(home: Path, legacy: Path) -> None:
    before = stamps(home)
    run.rotate(str(home), str(home), TODAY, dry_run=True)
    run.migrate(str(home), str(home), TODAY, really=True, dry_run=True)
    assert stamps(home) == before
    assert legacy.is_dir()


def test_migrate_saves_the_paths_and_says_file_by_file_what_is_old(home: Path, legacy: Path) -> None:
    before = tree(legacy)
    done = run.migrate(str(home), str(home), TODAY, really=False, dry_run=False)
    config = json.loads((home / ".bodhikit/config.json").read_text())
    assert config == {"searchPaths": ["$PWD", "~/learningWithBodhi", "~/code/learningWithBodhi"]}
    old = "\n".join(line for line in done.lines if line.startswith("  old"))
    assert [name in old for name in ("progress.md", "assessment.md", "state.json")] == [True] * 3
    assert tree(legacy) == before
    assert "Found" not in "\n".join(run.rotate(str(home), str(home), TODAY, dry_run=True).lines)


def test_with_yes_each_is_converted_after_a_copy_was_laid_beside_it(home: Path, legacy: Path) -> None:
    before = tree(legacy)
    done = run.migrate(str(home), str(home), TODAY, really=True, dry_run=False)
    assert not done.failed
    after = tree(legacy)
    for name in ("progress.md", "assessment.md", "state.json"):
        assert after[f".bodhi/{name}.before-migration"] == before[f".bodhi/{name}"]
    assert (
        after[".bodhi/state.json"]
        == b'{"version": 1, "goal": "x", "bloom": 1.0, "lastSessionAt": "2026-05-30T10:00:00Z"}\n'
    )
    assert b"> We met\n> ## traits\n" in after[".bodhi/progress/archive/2026-05-30.md"]
    assert after[".bodhi/progress.md"].count(b"\n## ") == 2
    assert after[".bodhi/assessments/latest.md"].startswith(before[".bodhi/assessment.md"])
    assert b"## Summary of earlier assessments\n" in after[".bodhi/assessments/latest.md"]
    assert ".bodhi/assessment.md" not in after


def test_a_second_migration_finds_nothing_old_and_writes_nothing(home: Path, legacy: Path) -> None:
    run.migrate(str(home), str(home), TODAY, really=True, dry_run=False)
    before = stamps(home)
    done = run.migrate(str(home), str(home), TODAY, really=True, dry_run=False)
    assert any("nothing is in an older layout" in line for line in done.lines)
    assert stamps(home) == before
    assert legacy.is_dir()


def test_a_migration_that_is_killed_loses_no_word(home: Path, legacy: Path) -> None:
    words = (b"We met", b"learned", b"text", b"Basics", b'"goal": "x"')
    number = 0
    while killing.run(lambda: run.migrate(str(home), str(home), TODAY, really=True, dry_run=False), number) is None:
        whole = b"".join(tree(legacy).values())
        assert all(word in whole for word in words), number
        number += 7
        assert number < 3000
    final = tree(legacy)
    assert b"lastSessionSummary" not in final[".bodhi/state.json"]
    assert ".bodhi/assessment.md" not in final


def test_an_assessment_in_both_places_is_left_to_a_person(home: Path, legacy: Path) -> None:
    (legacy / ".bodhi/assessments").mkdir()
    (legacy / ".bodhi/assessments/latest.md").write_text("# other\n")
    done = run.migrate(str(home), str(home), TODAY, really=True, dry_run=False)
    assert any("by hand" in line for line in done.lines)
    assert (legacy / ".bodhi/assessment.md").is_file()
