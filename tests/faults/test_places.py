"""The checkout is not where it was, or the clock is not when it was."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from tests.builders import Scene
from tests.faults.matrix import (
    ALL,
    CLOSED,
    CONTINUITY,
    EPISODES,
    LATER,
    RECOVERY,
    RUNTIME,
    Answers,
    Case,
    Pages,
    answers,
    crowded,
    endured,
    process,
)

GONE = "was moved away or removed"


@contextmanager
def _moved(path: Path) -> Iterator[None]:
    """The path under another name, and then as it was."""
    away = path.with_name(f"{path.name}-moved")
    path.rename(away)
    try:
        yield
    finally:
        away.rename(path)


def _linked(tmp_path: Path) -> Scene:
    """A linked worktree with everything in it, of a repository beside it."""
    main = Scene.create(tmp_path / "main", layer=False)
    return crowded_in(main.worktree("line", tmp_path / "linked"))


def crowded_in(folder: Path) -> Scene:
    """A checkout that exists, filled as :func:`crowded` fills a new one."""
    scene = Scene(folder)
    scene.layer()
    scene.open_episode("here", "s-here", branch="line")
    scene.point_at("here")
    scene.ledger(scene.event("session.started", "s-here"))
    scene.closed_record("s-closed", name="closed.md")
    scene.commit("Fill it")
    return scene


@pytest.mark.parametrize("cold", [True, False], ids=["cold", "warm"])
def test_a_repository_that_is_moved_away_and_back(tmp_path: Path, cold: bool) -> None:
    scene = crowded(tmp_path / "repo")
    endured(Case("moved", lambda _: _moved(scene.root), ALL, (GONE,)), scene, Pages(scene), cold=cold)


@pytest.mark.parametrize("cold", [True, False], ids=["cold", "warm"])
def test_a_linked_worktree_that_is_moved_away_and_back(tmp_path: Path, cold: bool) -> None:
    scene = _linked(tmp_path)
    endured(Case("moved", lambda _: _moved(scene.root), ALL, (GONE,)), scene, Pages(scene), cold=cold)


def test_a_worktree_that_is_removed_for_good_is_said_in_every_answer(tmp_path: Path) -> None:
    scene = _linked(tmp_path)
    server, pages = process(scene), Pages(scene)
    assert answers(server)[CLOSED]["total"] == 1
    Scene(tmp_path / "main").git("worktree", "remove", "--force", scene.root)
    during = answers(server)
    assert {read: GONE in str(answer) for read, answer in during.items()} == dict.fromkeys(ALL, True)
    assert during[CLOSED]["total"] == 1, "what was read of it last goes on being answered"
    page = pages.of(server)
    assert (GONE in page, "There is no .ai layer" in page, "Nothing needs a hand." in page) == (True, False, False)


def test_another_repository_in_its_place_is_answered_about_as_itself(tmp_path: Path) -> None:
    scene = crowded(tmp_path / "repo")
    server = process(scene)
    before = answers(server)
    with _moved(scene.root):
        other = Scene.create(scene.root)
        other.closed_record("s-other")
        other.commit("Another")
        assert answers(server) == answers(process(other))
        shutil.rmtree(other.root)
    assert answers(server) == before


@pytest.mark.parametrize("cold", [True, False], ids=["cold", "warm"])
def test_a_repository_around_it_is_not_answered_about_when_its_own_is_gone(tmp_path: Path, cold: bool) -> None:
    Scene.create(tmp_path / "outer")
    scene = crowded_in(Scene.create(tmp_path / "outer" / "inner", layer=False).root)
    touched = frozenset({CONTINUITY, RECOVERY, RUNTIME, CLOSED})
    case = Case("its .git", lambda _: _moved(scene.root / ".git"), touched, ("not a git repository",))
    endured(case, scene, Pages(scene), cold=cold)


def test_another_worktree_is_not_called_a_stranger_while_the_repository_is_gone(tmp_path: Path) -> None:
    scene = crowded(tmp_path / "repo")
    server = process(scene)
    before = answers(server)
    with _moved(scene.root / ".git"):
        during = answers(server)
    assert during[RECOVERY]["stranded"] == before[RECOVERY]["stranded"]
    foreign = next(each for each in during[EPISODES]["episodes"] if each["standing"] == "foreign")
    assert "cannot be told" in foreign["note"]
    assert answers(server) == before


# ---------------------------------------------------------------------- the clock
def _without_moments(given: Answers) -> Answers:
    """The answers that no clock is asked for; the moment at which an index was built is left out."""
    return {
        read: {key: value for key, value in answer.items() if key != "served_at"}
        for read, answer in given.items()
        if read.startswith("lifecycle.")
    }


@pytest.mark.parametrize("back", [timedelta(days=400), timedelta(hours=1, seconds=1)], ids=["a year", "a second"])
def test_a_clock_that_was_set_back_changes_no_answer_that_needs_none(tmp_path: Path, back: timedelta) -> None:
    scene = crowded(tmp_path / "repo")
    server = process(scene)
    before, pages = answers(server), Pages(scene)
    server.moment = LATER - back
    assert _without_moments(answers(server)) == _without_moments(before)
    assert "s-20260911000001-aaaa" in pages.of(server)
    scene.ledger(scene.event("task.checkpoint", "s-20260911000001-aaaa"))
    scene.questions("- [unresolved] t-9 - what now?\n")
    now = answers(server)
    assert now[CONTINUITY]["blockers"] == ["t-9 - what now?"]
    assert _without_moments(now) == _without_moments(answers(process(scene)))
    server.moment = LATER
    assert answers(server) == answers(process(scene))


def test_a_note_from_after_the_clock_is_said_to_lie_in_the_future(tmp_path: Path) -> None:
    scene = crowded(tmp_path / "repo")
    handover = answers(process(scene, LATER - timedelta(days=400)))[CONTINUITY]["handover"]
    assert (handover["freshness"], "next_action" in handover) == ("invalid", False)
    assert "lies in the future" in handover["next_action_withheld"]
