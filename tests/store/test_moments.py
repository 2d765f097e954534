"""The moments of an episode's events: few, spread over all of them, and the same however the ledger was read."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from cockpit.formats import instants
from cockpit.formats.facts import MOMENTS
from cockpit.reads import episodes
from tests.builders import Scene
from tests.looking import checkout, look

BEGIN = datetime(2026, 9, 11, tzinfo=UTC)
FIRST = instants.of(BEGIN) // instants.NANOSECONDS


def hear(scene: Scene, begin: int, end: int) -> None:
    times = (instants.written(BEGIN + timedelta(seconds=number)) for number in range(begin, end))
    scene.ledger(*(scene.event("task.checkpoint", "s-1", each) for each in times))


def moments(scene: Scene) -> list[int]:
    return [second - FIRST for second in look(scene).ledger.episodes["s-1"].moments]


def test_the_moments_of_a_few_events_are_all_kept(scene: Scene) -> None:
    hear(scene, 0, MOMENTS)
    assert moments(scene) == list(range(MOMENTS))


@pytest.mark.parametrize("events", [MOMENTS + 1, 1000, 10_000])
def test_of_many_events_at_most_so_many_are_kept_evenly(scene: Scene, events: int) -> None:
    hear(scene, 0, events)
    kept = moments(scene)
    steps = {after - before for before, after in pairwise(kept)}
    assert MOMENTS // 2 <= len(kept) <= MOMENTS
    assert len(steps) == 1
    assert kept[-1] > events - 2 * steps.pop()


def test_followed_in_pieces_they_are_the_same_as_read_at_once(scene: Scene) -> None:
    followed = checkout(scene)
    for begin, end in ((0, 70), (70, 71), (71, 500), (500, 777)):
        hear(scene, begin, end)
        seen = followed.look().ledger.episodes["s-1"].moments
    assert [second - FIRST for second in seen] == moments(scene)


def test_a_time_that_is_none_and_a_far_year_cost_only_themselves(scene: Scene) -> None:
    for ts in ("yesterday", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z"):
        scene.ledger(scene.event("x", "s-1", ts))
    assert len(moments(scene)) == 2


def test_an_episode_is_asked_for_by_its_id_and_one_that_was_never_heard_of_has_no_moments(scene: Scene) -> None:
    hear(scene, 0, 2)
    heard = episodes.moments(look(scene))
    assert [list(heard(name)) for name in ("s-1", "s-unheard")] == [[FIRST, FIRST + 1], []]
