"""Every open episode, where it stands, and what the ledger says under its id."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from msgspec import UNSET

from tests.builders import STATE, Scene, five_windows
from tests.looking import ask

READ = "lifecycle.episodes"


def _standings(scene: Scene) -> dict[str, str]:
    return {episode.session_id: episode.standing for episode in ask(scene, READ).episodes}


# ---------------------------------------------------------------------- the answer as a whole
def test_five_windows_stand_as_they_were_left(scene: Scene) -> None:
    ids = five_windows(scene)
    answer = ask(scene, READ)
    assert [(e.session_id, e.standing) for e in answer.episodes] == [
        (ids.gone, "stranded"),
        (ids.sibling, "foreign"),
        (ids.beside, "open"),
        (ids.here, "current"),
    ]
    assert (answer.present, answer.current, answer.worktree) == (True, ids.here, str(scene.root))
    assert "4 episodes are open at once" in answer.findings[-1]


def test_a_fresh_clone_has_no_store_and_no_fault(scene: Scene) -> None:
    answer = ask(scene, READ)
    assert (answer.present, answer.episodes, answer.findings, answer.current) == (False, [], [], UNSET)
    assert answer.store == ".ai/local/state/sessions-open"


def test_an_empty_store_is_present(scene: Scene) -> None:
    (scene.state / "sessions-open").mkdir(parents=True)
    assert ask(scene, READ).present


def test_the_order_is_newest_start_first_by_instant_then_session_id(scene: Scene) -> None:
    scene.open_episode("1", "s-b", started_at="2026-09-11T10:00:00Z")
    scene.open_episode("2", "s-a", started_at="2026-09-11T12:00:00+02:00")
    scene.open_episode("3", "s-c", started_at="2026-09-11T09:00:00-05:00")
    scene.open_episode("4", "s-d", started_at="yesterday")
    assert [e.session_id for e in ask(scene, READ).episodes] == ["s-c", "s-a", "s-b", "s-d"]


def test_the_order_does_not_come_from_the_files(scene: Scene) -> None:
    scene.open_episode("1", "s-a", started_at="2026-09-11T10:00:00Z")
    os.utime(scene.open_episode("2", "s-b", started_at="2026-09-10T10:00:00Z"), (2e9, 2e9))
    assert [e.session_id for e in ask(scene, READ).episodes] == ["s-a", "s-b"]


def test_a_record_is_shown_as_it_was_written(scene: Scene) -> None:
    scene.open_episode("k", "s-1", branch="on", start_head="0005747", owner='"mara"', worker="1.0", unknown="kept")
    (episode,) = ask(scene, READ).episodes
    assert (episode.branch, episode.start_head, episode.owner, episode.worker) == ("on", "0005747", "mara", "1.0")
    assert episode.path == f"{STATE}/sessions-open/k.yaml"


def test_what_a_record_does_not_say_is_absent(scene: Scene) -> None:
    scene.write(f"{STATE}/sessions-open/k.yaml", "session_id: s-1\nowner:\nbranch: ''\n")
    (episode,) = ask(scene, READ).episodes
    absent = ("provider", "provider_session", "owner", "worker", "worktree", "branch", "start_head", "started_at")
    assert {getattr(episode, name) for name in (*absent, "last_activity", "last_event")} == {UNSET}
    assert (episode.standing, episode.tasks, episode.events) == ("open", [], 0)


# ---------------------------------------------------------------------- standings, in order
def test_gone_comes_before_the_pointer(scene: Scene, tmp_path: Path) -> None:
    scene.open_episode("k", "s-1", worktree=tmp_path / "vanished")
    scene.point_at("k")
    assert _standings(scene) == {"s-1": "stranded"}
    assert ask(scene, READ).current == "s-1"


def test_foreign_comes_before_the_pointer(scene: Scene, tmp_path: Path) -> None:
    scene.open_episode("k", "s-1", worktree=tmp_path)
    scene.point_at("k")
    assert _standings(scene) == {"s-1": "foreign"}


@pytest.mark.parametrize("below", ["vanished", "repo/.gitignore/below"])
def test_a_worktree_is_gone_where_nothing_is_or_no_folder_leads(scene: Scene, tmp_path: Path, below: str) -> None:
    scene.open_episode("k", "s-1", worktree=tmp_path / below)
    assert _standings(scene) == {"s-1": "stranded"}


@pytest.mark.parametrize("worktree", ["/" + "x" * 300, "/a\0b", "/proc/self/root/" + "y" * 5000])
def test_a_worktree_that_cannot_be_looked_at_is_not_gone(scene: Scene, worktree: str) -> None:
    scene.open_episode("k", "s-1", worktree=worktree)
    (episode,) = ask(scene, READ).episodes
    assert (episode.standing, "cannot be told" in episode.note) == ("foreign", True)


def test_a_loop_of_links_is_not_gone(scene: Scene, tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    scene.open_episode("k", "s-1", worktree=tmp_path / "loop")
    assert _standings(scene) == {"s-1": "foreign"}


def test_a_link_in_the_way_of_a_worktree_does_not_make_it_foreign(scene: Scene, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(scene.root)
    scene.open_episode("k", "s-1", worktree=tmp_path / "alias")
    (episode,) = ask(scene, READ).episodes
    assert (episode.standing, episode.worktree) == ("open", str(tmp_path / "alias"))


def test_without_a_worktree_an_episode_is_open_or_current(scene: Scene) -> None:
    scene.open_episode("a", "s-a", worktree=None)
    scene.open_episode("b", "s-b", worktree=None)
    scene.point_at("a")
    assert _standings(scene) == {"s-a": "current", "s-b": "open"}


def test_seen_from_the_linked_worktree_the_main_one_is_foreign(scene: Scene, tmp_path: Path) -> None:
    linked = Scene(scene.worktree("side", tmp_path / "linked"))
    linked.open_episode("k", "s-1", worktree=scene.root)
    (episode,) = ask(linked, READ).episodes
    assert episode.standing == "foreign"
    assert "another worktree of this repository" in episode.note


@pytest.mark.parametrize("word", ["attached", "running", "alive", "active", "dead", "live"])
def test_no_note_claims_to_know_whether_the_provider_is_there(scene: Scene, word: str) -> None:
    five_windows(scene)
    for episode in ask(scene, READ).episodes:
        assert episode.note
        assert word not in episode.note.split()


# ---------------------------------------------------------------------- the join with the ledger
def test_the_ledger_is_joined_by_id(scene: Scene) -> None:
    ids = five_windows(scene)
    here = next(e for e in ask(scene, READ).episodes if e.session_id == ids.here)
    assert (here.events, here.tasks) == (4, ["t-2", "t-1"])
    assert (here.last_activity, here.last_event) == ("2026-09-11T02:30:00Z", "task.checkpoint")


def test_a_line_of_another_id_counts_for_nobody_else_whatever_its_time(scene: Scene) -> None:
    scene.open_episode("k", "s-1")
    scene.ledger(scene.event("task.started", "s-2", task_id="t-1"), scene.event("task.started", None, task_id="t-2"))
    (episode,) = ask(scene, READ).episodes
    assert (episode.events, episode.tasks, episode.last_event) == (0, [], UNSET)


def test_the_newest_is_so_by_instant_and_a_later_line_wins_a_tie(scene: Scene) -> None:
    scene.open_episode("k", "s-1")
    scene.ledger(
        scene.event("first", "s-1", "2026-09-11T12:00:00+02:00"),
        scene.event("tied", "s-1", "2026-09-11T10:00:00Z"),
        scene.event("older", "s-1", "2026-09-11T11:00:00+02:00"),
        scene.event("unread", "s-1", "tomorrow"),
    )
    (episode,) = ask(scene, READ).episodes
    assert (episode.events, episode.last_event, episode.last_activity) == (4, "tied", "2026-09-11T10:00:00Z")


def test_archives_are_joined_before_the_live_ledger(scene: Scene) -> None:
    scene.open_episode("k", "s-1")
    scene.ledger(scene.event("old", "s-1", task_id="t-b"), name="ledger.20260910T000000Z.jsonl.archived")
    scene.ledger(scene.event("older", "s-1", task_id="t-a"), name="ledger.20260909T000000Z.jsonl.archived")
    scene.ledger(scene.event("new", "s-1", task_id="t-a"))
    (episode,) = ask(scene, READ).episodes
    assert (episode.events, episode.tasks, episode.last_event) == (3, ["t-a", "t-b"], "new")


def test_a_torn_line_costs_only_itself_and_is_counted(scene: Scene) -> None:
    scene.open_episode("k", "s-1")
    scene.ledger(scene.event("a", "s-1"), '{"torn', b"\xff\xfe", "", "[]", scene.event("b", "s-1"))
    answer = ask(scene, READ)
    assert answer.episodes[0].events == 2
    assert answer.findings == ["3 ledger lines do not parse; each costs only itself."]


def test_a_last_line_without_an_end_is_no_event_and_no_fault(scene: Scene) -> None:
    scene.open_episode("k", "s-1")
    scene.ledger(scene.event("a", "s-1"))
    scene.ledger(scene.event("b", "s-1"), end="")
    answer = ask(scene, READ)
    assert (answer.episodes[0].events, answer.findings) == (1, [])


def test_a_ledger_that_is_no_file_is_a_finding(scene: Scene) -> None:
    (scene.state / "ledger.jsonl").mkdir(parents=True)
    (finding,) = ask(scene, READ).findings
    assert "ledger.jsonl is a folder" in finding or "ledger.jsonl is not a regular file" in finding


# ---------------------------------------------------------------------- findings
@pytest.mark.parametrize("content", ["", "branch: x\n", b"\xff\xfe\x00", "- a\n", "session_id:\n", b"\0" * 100])
def test_a_file_that_is_no_episode_is_named_and_skipped(scene: Scene, content: str | bytes) -> None:
    scene.open_episode("good", "s-1")
    scene.write(f"{STATE}/sessions-open/bad.yaml", content)
    answer = ask(scene, READ)
    assert [e.session_id for e in answer.episodes] == ["s-1"]
    assert [f.split()[0] for f in answer.findings] == [f"{STATE}/sessions-open/bad.yaml"]


def test_a_damaged_record_is_kept_and_said(scene: Scene) -> None:
    scene.write(f"{STATE}/sessions-open/k.yaml", "session_id: s-1\nchanged_files:\n  - *.md\n")
    answer = ask(scene, READ)
    assert [e.session_id for e in answer.episodes] == ["s-1"]
    assert "does not parse as a whole" in answer.findings[0]


def test_a_file_over_a_megabyte_is_not_read(scene: Scene) -> None:
    scene.write(f"{STATE}/sessions-open/k.yaml", "session_id: s-1\n" + "#" * (1 << 20))
    answer = ask(scene, READ)
    assert (answer.episodes, "larger than 1 MiB" in answer.findings[0]) == ([], True)


def test_two_records_with_one_session_id_are_both_named(scene: Scene) -> None:
    scene.open_episode("a", "s-1")
    scene.open_episode("b", "s-1")
    answer = ask(scene, READ)
    assert len(answer.episodes) == 2
    assert any("a.yaml and b.yaml carry one session_id, s-1" in finding for finding in answer.findings)


def test_a_store_that_is_a_link_is_not_entered(scene: Scene, tmp_path: Path) -> None:
    scene.open_episode("k", "s-1")
    (scene.state / "sessions-open").rename(tmp_path / "elsewhere")
    (scene.state / "sessions-open").symlink_to(tmp_path / "elsewhere")
    answer = ask(scene, READ)
    assert answer.episodes == []
    assert "is a link, which is not followed" in answer.findings[0]


def test_what_is_no_record_by_name_is_nobody_s_business(scene: Scene) -> None:
    scene.write(f"{STATE}/sessions-open/.tmp.abc.yaml", "x")
    scene.write(f"{STATE}/sessions-open/README", "x")
    answer = ask(scene, READ)
    assert (answer.episodes, answer.findings) == ([], [])


# ---------------------------------------------------------------------- the pointer
def test_a_pointer_that_leads_nowhere_is_a_finding(scene: Scene) -> None:
    scene.point_at("nobody")
    answer = ask(scene, READ)
    assert (answer.current, "leads to nothing" in answer.findings[0]) == (UNSET, True)


@pytest.mark.parametrize("shape", ["relative", "dotted", "absolute", "through a link", "text"])
def test_a_pointer_leads_to_its_record_whatever_its_shape(scene: Scene, shape: str) -> None:
    record = scene.open_episode("k", "s-1")
    scene.open_episode("other", "s-2")
    if shape == "through a link":
        (scene.state / "way.yaml").symlink_to("sessions-open/k.yaml")
    targets = {
        "relative": "sessions-open/k.yaml",
        "dotted": "../state/./sessions-open/k.yaml",
        "absolute": str(record),
        "through a link": "way.yaml",
    }
    if shape == "text":
        scene.write(f"{STATE}/session-current.yaml", "sessions-open/k.yaml\n")
    else:
        scene.point_to(targets[shape])
    answer = ask(scene, READ)
    assert (answer.current, _standings(scene)) == ("s-1", {"s-1": "current", "s-2": "open"})


def test_an_inline_pointer_is_one_of_the_open_episodes_and_the_current_one(scene: Scene) -> None:
    scene.open_episode("k", "s-1")
    scene.write(f"{STATE}/session-current.yaml", f"session_id: s-2\nworktree: {scene.root}\n")
    answer = ask(scene, READ)
    assert answer.current == "s-2"
    assert {e.path: e.standing for e in answer.episodes}[f"{STATE}/session-current.yaml"] == "current"


@pytest.mark.parametrize("odd", ["garbage", "folder", "fifo", "link to a folder", "link out", "link to a bad record"])
def test_any_other_pointer_names_no_episode_and_is_said(scene: Scene, tmp_path: Path, odd: str) -> None:
    scene.open_episode("k", "s-1")
    pointer = scene.state / "session-current.yaml"
    if odd == "garbage":
        pointer.write_bytes(b"\xff\x00")
    elif odd == "folder":
        pointer.mkdir()
    elif odd == "fifo":
        os.mkfifo(pointer)
    elif odd == "link to a folder":
        scene.point_to("sessions-open")
    elif odd == "link out":
        scene.point_to(str(tmp_path / "out.yaml"))
        (tmp_path / "out.yaml").write_text("session_id: s-9\n")
    else:
        scene.write(f"{STATE}/sessions-open/bad.yaml", "x: 1\n")
        scene.point_to("sessions-open/bad.yaml")
    answer = ask(scene, READ)
    assert (answer.current, [e.session_id for e in answer.episodes]) == (UNSET, ["s-1"])
    assert any("session-current.yaml" in finding for finding in answer.findings)
