"""Who asks together is answered together, never by an answer that was begun before; who fails, fails with the others."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest

from cockpit.surfaces.lanes import needs
from cockpit.surfaces.rounds import Rounds
from tests.builders import Scene
from tests.looking import checkout, client

PAGE = "/cockpit/continuity"


class Slow:
    """An application that answers with the number of the call, and each call only when it is let."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.begun, self.let = threading.Semaphore(0), threading.Semaphore(0)
        self.fails: BaseException | None = None

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        self.calls.append(environ["QUERY_STRING"])
        number = len(self.calls)
        self.begun.release()
        assert self.let.acquire(timeout=10)
        if self.fails:
            failure, self.fails = self.fails, None
            raise failure
        start("200 OK", [("X-Number", str(number))])
        return [str(number).encode()]


class Asking:
    def __init__(self, pool: ThreadPoolExecutor) -> None:
        self.app, self._pool = Slow(), pool
        self._rounds = Rounds(self.app)

    def get(self, path: str = PAGE, **more: str) -> Future[str]:
        environ = {"REQUEST_METHOD": "GET", "PATH_INFO": path, "QUERY_STRING": "", "HTTP_HOST": "h"} | more
        return self._pool.submit(lambda: b"".join(self._rounds(environ, lambda *_: None)).decode())

    def meet(self, count: int) -> None:
        """Wait until so many requests are at the places."""
        until = time.monotonic() + 10
        while sum(place.people for place in self._rounds._places.values()) < count:
            assert time.monotonic() < until
            time.sleep(0.001)

    def let(self, calls: int = 1) -> None:
        for _ in range(calls):
            self.app.let.release()


@pytest.fixture
def asking() -> Iterator[Asking]:
    with ThreadPoolExecutor(32) as pool:
        yield Asking(pool)


def test_who_comes_while_one_is_at_work_is_answered_by_the_next_round_together(asking: Asking) -> None:
    first = asking.get()
    assert asking.app.begun.acquire(timeout=10)
    late = [asking.get() for _ in range(20)]
    asking.meet(21)
    asking.let(2)
    assert first.result(10) == "1"
    assert {each.result(10) for each in late} == {"2"}
    assert len(asking.app.calls) == 2


def test_different_questions_are_not_answered_alike(asking: Asking) -> None:
    asked = [
        asking.get(QUERY_STRING="q=a"),
        asking.get(QUERY_STRING="q=b"),
        asking.get(HTTP_IF_NONE_MATCH='"tag"'),
        asking.get(REQUEST_METHOD="HEAD"),
    ]
    asking.let(4)
    assert {each.result(10) for each in asked} == {"1", "2", "3", "4"}


def test_what_is_not_made_from_the_checkout_waits_for_nobody(asking: Asking) -> None:
    slow = asking.get()
    assert asking.app.begun.acquire(timeout=10)
    quick = asking.get("/static/cockpit.css")
    assert asking.app.begun.acquire(timeout=10)
    asking.let(2)
    assert {slow.result(10), quick.result(10)} == {"1", "2"}


def _after_the_first(asking: Asking) -> list[Future[str]]:
    """Three who came while the first was worked on, which is answered now."""
    first = asking.get()
    assert asking.app.begun.acquire(timeout=10)
    late = [asking.get() for _ in range(3)]
    asking.meet(4)
    asking.let()
    assert first.result(10) == "1"
    return late


def test_a_failure_is_told_to_all_of_its_round_and_the_next_one_works(asking: Asking) -> None:
    late = _after_the_first(asking)
    asking.app.fails = ValueError("broken")
    asking.let()
    assert [str(each.exception(10)) for each in late] == ["broken"] * 3
    again = asking.get()
    asking.let()
    assert again.result(10) == "3"
    assert not asking._rounds._places


def test_where_the_one_at_work_is_ended_the_others_begin_anew(asking: Asking) -> None:
    late = _after_the_first(asking)
    assert asking.app.begun.acquire(timeout=10)
    asking.app.fails = SystemExit()
    asking.let(3)
    ended = [each for each in late if isinstance(each.exception(10), SystemExit)]
    assert len(ended) == 1
    assert {each.result() for each in late if each not in ended} <= {"3", "4"}


def test_at_most_four_are_at_work_on_the_same_parts(asking: Asking) -> None:
    asked = [asking.get(QUERY_STRING=f"q={number}") for number in range(9)]
    asking.meet(9)
    for _ in range(4):
        assert asking.app.begun.acquire(timeout=10)
    assert not asking.app.begun.acquire(timeout=0.05)
    asking.let(9)
    assert len({each.result(10) for each in asked}) == 9


LEAD_ON = {"/", "/cockpit", "/cockpit/", "/cockpit/continuity/"}
MADE_OF_NOTHING_SLOW = {"/api/v1", "/openapi.json", "/api/v1/lifecycle/providers"}


def test_every_address_that_is_made_from_the_checkout_says_what_it_needs(scene: Scene) -> None:
    rules = client(scene, patterns=[("plain", checkout(scene))]).application.url_map.iter_rules()
    asked = {rule.rule for rule in rules if "<" not in rule.rule and not rule.rule.startswith("/static/")}
    assert {path for path in asked if not needs(path)} == LEAD_ON | MADE_OF_NOTHING_SLOW
