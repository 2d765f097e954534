"""The closed records that a clone receives, counted and named."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from msgspec import UNSET

from cockpit.reads.closed import records_of, uri
from tests.builders import SESSIONS, STATE, Scene, paste
from tests.looking import ask, checkout, look

READ = "lifecycle.closed"


def test_a_section_without_records_is_no_fault(scene: Scene) -> None:
    answer = ask(scene, READ)
    assert (answer.total, answer.on_this_branch, answer.episodes, answer.window) == (0, 0, 0, 20)
    assert (answer.newest, answer.untracked, answer.findings) == ([], [], [])


def test_all_are_counted_and_the_newest_twenty_shown(scene: Scene) -> None:
    for n in range(23):
        scene.closed_record(f"s-{n:02}", f"2026-09-{n + 1:02}T10:00:00Z", branch="main" if n % 2 else "side")
    scene.commit("Close")
    answer = ask(scene, READ)
    assert (answer.total, answer.on_this_branch, answer.episodes) == (23, 11, 23)
    assert [row.session_id for row in answer.newest] == [f"s-{n:02}" for n in range(22, 2, -1)]


def test_the_order_is_by_instant_then_session_id(scene: Scene) -> None:
    scene.closed_record("s-b", "2026-09-12T10:00:00Z")
    scene.closed_record("s-a", "2026-09-12T12:00:00+02:00")
    scene.closed_record("s-c", "2026-09-12T10:30:00Z")
    scene.closed_record("s-d", "whenever")
    scene.commit("Close")
    assert [row.session_id for row in ask(scene, READ).newest] == ["s-c", "s-a", "s-b", "s-d"]


def test_several_records_of_one_episode_are_counted_once_as_an_episode_and_named(scene: Scene) -> None:
    scene.closed_record("s-1", title="one")
    scene.closed_record("s-1", title="two")
    scene.closed_record("s-2")
    scene.commit("Close")
    answer = ask(scene, READ)
    assert (answer.total, answer.episodes, len(answer.newest)) == (3, 2, 3)
    assert answer.findings == ["s-1 has 2 records; all are counted, as one episode."]


def test_a_row_shows_what_was_written_under_its_own_address(scene: Scene) -> None:
    scene.closed_record("s-1", head="0005747", branch="on", outcome="odd word", title="No")
    scene.commit("Close")
    (row,) = ask(scene, READ).newest
    assert (row.head, row.branch, row.outcome, row.title) == ("0005747", "on", "odd word", "No")
    assert row.uri == "majordomus://session/s-1"


def test_a_recovered_record_has_no_head_and_is_whole(scene: Scene) -> None:
    scene.closed_record("s-1", head=None, working_tree=None, changed_files="")
    scene.commit("Close")
    (row,) = ask(scene, READ).newest
    assert row.head is UNSET


@pytest.mark.parametrize("name", [None, "two words.md", "-rf.md", "n\nl.md", "\udcff.md", "$(touch pwned).md"])
def test_an_untracked_record_is_not_in_the_total_and_its_remedy_adds_it(scene: Scene, name: str | None) -> None:
    scene.closed_record("s-1", name=name)
    answer = ask(scene, READ)
    assert (answer.total, [row.session_id for row in answer.untracked]) == (0, ["s-1"])
    assert answer.untracked[0].remedy.isascii()
    assert paste(answer.untracked[0].remedy).returncode == 0
    after = ask(scene, READ)
    assert (after.total, after.untracked) == (1, [])


def test_an_ignored_record_is_added_too(scene: Scene) -> None:
    scene.write(".gitignore", f".ai/local/\n{SESSIONS}/\n")
    scene.closed_record("s-1")
    assert paste(ask(scene, READ).untracked[0].remedy).returncode == 0
    assert ask(scene, READ).total == 1


def test_a_record_is_tracked_from_the_moment_that_git_tracks_it(scene: Scene) -> None:
    opened = checkout(scene)
    path = scene.closed_record("s-1")
    assert ask(opened, READ).total == 0
    scene.git("add", str(path))
    assert ask(opened, READ).total == 1
    scene.git("rm", "--quiet", "--cached", str(path))
    assert ask(opened, READ).total == 0


@pytest.mark.parametrize("name", ["README.md", ".tmp.x.md", "below/x.md", "record.txt"])
def test_what_is_no_record_by_its_name_is_passed_over(scene: Scene, name: str) -> None:
    scene.closed_record("s-1", name=name)
    scene.commit("Close")
    assert (ask(scene, READ).total, ask(scene, READ).findings) == (0, [])


def test_a_document_of_another_kind_is_passed_over(scene: Scene) -> None:
    scene.closed_record("s-1", kind="decision", schema="decision/v1")
    scene.commit("Close")
    assert (ask(scene, READ).total, ask(scene, READ).findings) == (0, [])


@pytest.mark.parametrize("content", ["", "# text", b"\xff\xfe", "---\nschema: session/v1\nkind: session\n---\n"])
def test_a_record_that_cannot_be_read_is_named_and_skipped(scene: Scene, content: str | bytes) -> None:
    scene.closed_record("s-1")
    scene.write(f"{SESSIONS}/bad.md", content)
    scene.commit("Close")
    answer = ask(scene, READ)
    assert (answer.total, [f.split()[0] for f in answer.findings]) == (1, [f"{SESSIONS}/bad.md"])


@pytest.mark.parametrize("odd", ["link", "folder", "fifo"])
def test_an_odd_file_in_the_section_is_not_followed(scene: Scene, odd: str) -> None:
    real = scene.closed_record("s-1")
    path = scene.root / SESSIONS / "odd.md"
    {"link": lambda: path.symlink_to(real.name), "folder": path.mkdir, "fifo": lambda: os.mkfifo(path)}[odd]()
    answer = ask(scene, READ)
    assert ([row.session_id for row in answer.untracked], len(answer.findings)) == (["s-1"], 1)


# ---------------------------------------------------------------------- where the section lies
def test_the_section_lies_where_the_manifest_says(scene: Scene) -> None:
    scene.write(".ai/manifest.yaml", "sections:\n  sessions: ../docs/closed\n")
    scene.closed_record("s-1", section="docs/closed")
    scene.closed_record("s-2")
    scene.commit("Close")
    (row,) = ask(scene, READ).newest
    assert (row.session_id, row.path.startswith("docs/closed/")) == ("s-1", True)


@pytest.mark.parametrize("path", ["../../outside", "/etc", "../.git", "local/state", "../.git/../.git/x"])
def test_a_section_where_none_may_lie_is_refused_and_the_default_is_not_used(scene: Scene, path: str) -> None:
    scene.write(".ai/manifest.yaml", f"sections:\n  sessions: {path}\n")
    scene.closed_record("s-1")
    scene.commit("Close")
    answer = ask(scene, READ)
    assert (answer.total, answer.untracked, path in answer.findings[0]) == (0, [], True)
    assert path in ask(scene, "lifecycle.recovery").findings[0]


def test_a_section_through_a_link_is_refused(scene: Scene, tmp_path: Path) -> None:
    scene.closed_record("s-1")
    scene.commit("Close")
    (scene.root / ".ai/repo").rename(tmp_path / "repo-of-layer")
    (scene.root / ".ai/repo").symlink_to(tmp_path / "repo-of-layer")
    answer = ask(scene, READ)
    assert (answer.total, "link" in answer.findings[0]) == (0, True)


@pytest.mark.parametrize("section", ["repo/a b", "repo/*", "repo/:(top)", "repo/[x]", "'repo/-x'"])
def test_an_odd_section_is_a_path_and_no_pattern(scene: Scene, section: str) -> None:
    scene.write(".ai/manifest.yaml", f"sections:\n  sessions: {section}\n")
    scene.closed_record("s-1", section=f".ai/{section.strip(chr(39))}")
    assert ask(scene, READ).total == 0
    assert paste(ask(scene, READ).untracked[0].remedy).returncode == 0
    assert ask(scene, READ).total == 1


# ---------------------------------------------------------------------- one episode, whole
@pytest.mark.parametrize("session_id", ["s-1", "a/b c?d#e", "ü%2F", "..", "<b>"])
def test_an_address_leads_to_every_record_of_its_episode(scene: Scene, session_id: str) -> None:
    scene.closed_record(session_id, name="one.md", body="First.", tasks=["t-1", "t-2"])
    scene.closed_record(session_id, "2026-09-13T10:00:00Z", name="two.md", body="Second.")
    scene.closed_record("other", name="three.md")
    scene.commit("Close")
    found = records_of(look(scene), uri(session_id))
    assert [(record.body, record.tracked, record.damage) for record in found] == [
        ("Second.", True, ""),
        ("First.", True, ""),
    ]
    assert dict(found[1].fields)["tasks"] == ["t-1", "t-2"]


@pytest.mark.parametrize("address", ["", "s-1", "majordomus://session/", "majordomus://session/s-2", f"{STATE}/x"])
def test_an_address_of_nothing_leads_nowhere(scene: Scene, address: str) -> None:
    scene.closed_record("s-1")
    assert records_of(look(scene), address) == []
