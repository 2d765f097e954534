"""Which live documents there are: the policy's, and those of projects by BodhiKit's rule; never one outside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cockpit.formats import document, surfaces
from cockpit.store import surfaces as store
from tests.housekeeping.documents import declare


@pytest.fixture
def home(tmp_path: Path) -> Path:
    place = tmp_path / "home"
    place.mkdir()
    return place


def project(root: Path, base: str = ".bodhi/") -> Path:
    (root / ".bodhi").mkdir(parents=True)
    (root / ".bodhi/state.json").write_text("{}")
    (root / f"{base}progress.md").write_text("# Log\n")
    return root


def lives(found: store.Found) -> list[str]:
    return [f"{each.root}/{each.live}" for each in found.surfaces]


def configure(folder: Path, **config: object) -> None:
    (folder / ".bodhikit").mkdir(parents=True, exist_ok=True)
    (folder / ".bodhikit/config.json").write_text(json.dumps(config))


# ---------------------------------------------------------------------- the policy's
@pytest.mark.parametrize(
    "path",
    ["/etc/x.md", "../x.md", "a/../../x.md", "a/../b.md", ".git/x.md", "a/.GIT/x", ".ai/local/x.md", "", ".", "a\0b"],
)
def test_a_path_that_leads_out_is_refused(path: str) -> None:
    assert surfaces.path(path) is None
    policy = document.Document({"surfaces": [{"name": "x", "live": path, "archive": "a"}]})
    assert surfaces.declared("/r", policy)[0] == []
    assert len(surfaces.declared("/r", policy)[1]) == 1


@pytest.mark.parametrize(
    ("live", "archive"), [("a/x.md", "a"), ("docs/log.md", "docs/other"), ("docs/new.md", "docs/archive"), ("a", "a")]
)
def test_surfaces_that_would_mix_are_refused(live: str, archive: str) -> None:
    first = {"name": "one", "live": "docs/log.md", "archive": "docs/archive"}
    policy = document.Document({"surfaces": [first, {"name": "two", "live": live, "archive": archive}]})
    found, findings = surfaces.declared("/r", policy)
    assert [each.name for each in found] == ["one"]
    assert len(findings) == 1


def test_the_summary_is_called_after_the_surface_unless_the_policy_says_how(tmp_path: Path) -> None:
    policy = document.parse(
        b"surfaces:\n  - name: log\n    live: a.md\n    archive: b\n  - name: c\n    live: c.md\n    archive: d\n    summary: '## Before'\n"
    )
    assert [each.title for each in surfaces.declared("/r", policy)[0]] == ["Summary of earlier log", "Before"]


def test_the_policy_of_the_repository_around_a_folder_counts(tmp_path: Path, home: Path) -> None:
    declare(tmp_path / "repo", ("log", "docs/log.md", "docs/archive"))
    (tmp_path / "repo/deep/er").mkdir(parents=True)
    assert lives(store.found(str(tmp_path / "repo/deep/er"), str(home))) == [f"{tmp_path}/repo/docs/log.md"]


def test_a_policy_that_is_a_link_is_said_and_not_followed(tmp_path: Path, home: Path) -> None:
    declare(tmp_path / "repo", ("log", "docs/log.md", "docs/archive"))
    policy = tmp_path / "repo/.ai/repo/policy.yaml"
    policy.rename(tmp_path / "policy.yaml")
    policy.symlink_to(tmp_path / "policy.yaml")
    found = store.found(str(tmp_path / "repo"), str(home))
    assert found.surfaces == ()
    assert "is a link" in found.findings[0]


# ---------------------------------------------------------------------- BodhiKit's rule
@pytest.mark.parametrize("base", [".bodhi/", ""])
def test_a_project_in_the_default_places_is_found(base: str, home: Path, tmp_path: Path) -> None:
    project(home / "learningWithBodhi/rust", base)
    (home / "learningWithBodhi/no-project").mkdir()
    here = tmp_path / "here"
    project(here / "learningWithBodhi/sql")
    found = store.found(str(here / "learningWithBodhi"), str(home))
    assert lives(found) == [
        f"{here}/learningWithBodhi/sql/.bodhi/progress.md", f"{home}/learningWithBodhi/rust/{base}progress.md",
    ]  # fmt: skip


@pytest.mark.parametrize("deep", ["", "a", "a/b", "a/b/c"])
def test_a_project_root_that_is_stated_goes_before_all_search_paths(deep: str, home: Path, tmp_path: Path) -> None:
    project(home / "learningWithBodhi/rust")
    configure(tmp_path / "repo", projectRoot="study/")
    project(tmp_path / "repo/study")
    (tmp_path / "repo" / deep).mkdir(parents=True, exist_ok=True)
    assert lives(store.found(str(tmp_path / "repo" / deep), str(home))) == [f"{tmp_path}/repo/study/.bodhi/progress.md"]


def test_four_levels_up_is_too_far(home: Path, tmp_path: Path) -> None:
    configure(tmp_path / "repo", projectRoot="study")
    project(tmp_path / "repo/study")
    (tmp_path / "repo/a/b/c/d").mkdir(parents=True)
    assert store.found(str(tmp_path / "repo/a/b/c/d"), str(home)).projects == ()


def test_search_paths_of_the_home_are_followed(home: Path, tmp_path: Path) -> None:
    configure(home, searchPaths=["~/code/learningWithBodhi", str(tmp_path / "else")])
    project(home / "code/learningWithBodhi/rust")
    project(tmp_path / "else/learningWithBodhi/sql")
    project(home / "learningWithBodhi/not-searched")
    found = store.found(str(tmp_path), str(home))
    assert [Path(each).name for each in found.projects] == ["rust", "sql"]


@pytest.mark.parametrize("config", ["{", "[]", '{"searchPaths": 3}', "\xff"])
def test_a_configuration_that_cannot_be_read_is_as_none(config: str, home: Path, tmp_path: Path) -> None:
    configure(home)
    (home / ".bodhikit/config.json").write_text(config, "latin-1")
    project(home / "learningWithBodhi/rust")
    assert len(store.found(str(tmp_path), str(home)).projects) == 1


def test_a_folder_that_is_a_project_itself_is_the_one_that_is_meant(home: Path, tmp_path: Path) -> None:
    project(home / "learningWithBodhi/rust")
    there = project(tmp_path / "sql")
    assert store.found(str(there), str(home)).projects == (str(there),)


def test_a_served_checkout_knows_no_project_outside_itself(tmp_path: Path) -> None:
    outside = project(tmp_path / "outside")
    root = tmp_path / "repo"
    configure(root, projectRoot=str(outside))
    (root / "learningWithBodhi").symlink_to(tmp_path)
    assert store.below(str(root)).projects == ()
    project(root / "study")
    configure(root, projectRoot="study")
    assert store.below(str(root)).projects == (f"{root}/study",)


def test_projects_of_old_count_only_where_no_configuration_is(home: Path) -> None:
    project(home / "code/learningWithBodhi/rust")
    (home / "projects/learningWithBodhi").mkdir(parents=True)
    assert store.legacy(str(home)) == [f"{home}/code/learningWithBodhi"]
    configure(home, searchPaths=[])
    assert store.legacy(str(home)) == []


# ---------------------------------------------------------------------- digests
def test_lines_that_are_no_digests_are_kept_and_mean_nothing() -> None:
    data = b"# note\n" + b"0" * 64 + b"  a.md\n" + b"1" * 64 + b"  a.md"
    assert surfaces.digests(data) == {"a.md": "0" * 64}
    grown = surfaces.with_digests(data, {"a.md": "2" * 64, "b.md": "3" * 64})
    assert grown == data + b"\n" + b"3" * 64 + b"  b.md\n"
    assert surfaces.with_digests(data, {"a.md": "2" * 64}) == data
