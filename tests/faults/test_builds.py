"""One request builds and the others wait for what it brings; who does not need it does not wait; who builds may die."""

from __future__ import annotations

import json
import os
import shutil
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from cockpit import server
from cockpit.app import create_app
from cockpit.reads.catalog import CATALOG
from cockpit.settings import Settings, own_hosts
from cockpit.store.flights import Flights
from tests.builders import SESSIONS, STATE, Scene
from tests.faults.disk import deadly, held
from tests.faults.matrix import CLOSED, EPISODES, Still, answers, crowded, process
from tests.serving import ask

LEDGER = f"{STATE}/ledger.jsonl"
RECORD = f"{SESSIONS}/closed.md"
ROUTES = {read.id: read.route for read in CATALOG}
PAGE = "/cockpit/continuity"
CROWD = 12


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return crowded(tmp_path / "repo")


@contextmanager
def _serving(checkout: Still) -> Iterator[str]:
    """The real server in a thread of this process, so that what lies under it can be held up."""
    listening = server.bound("127.0.0.1", 0)
    port = listening.getsockname()[1]
    made = server.created(create_app(checkout, Settings(own_hosts("127.0.0.1", port))), listening)
    running = threading.Thread(target=made.run)
    running.start()
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        made.task_dispatcher.shutdown()
        made.trigger.pull_trigger(lambda: made.asyncore.close_all(made._map))
        running.join(10)
        assert not running.is_alive()


@contextmanager
def _crowd(actions: Sequence[Callable[[], Any]]) -> Iterator[list[Future[Any]]]:
    with ThreadPoolExecutor(len(actions)) as pool:
        yield [pool.submit(action) for action in actions]


def _asked(url: str) -> Callable[[], Any]:
    return lambda: ask(url, timeout=20)


# ---------------------------------------------------------------------- one builds, who does not need it does not wait
@pytest.mark.parametrize(("path", "need", "read"), [(LEDGER, "ledger", EPISODES), (RECORD, "section", CLOSED)])
def test_a_slow_build_is_done_once_and_holds_up_only_who_needs_it(
    scene: Scene, path: str, need: str, read: str
) -> None:
    expected = answers(process(scene))[read]
    others = [each.route for each in CATALOG if need not in each.needs]
    with held(str(scene.root / path)) as gate, _serving(process(scene)) as url:
        waiting = [_asked(url + PAGE), _asked(url + ROUTES[read])] * CROWD
        with _crowd(waiting) as asked:
            assert gate.reached.wait(10)
            for quick in ("/api/v1", "/openapi.json", "/static/cockpit.css", *others):
                assert (ask(url + quick, timeout=10).status, quick) == (200, quick)
            assert not any(each.done() for each in asked)
            gate.open.set()
        replies = [each.result() for each in asked]
    assert {reply.status for reply in replies} == {200}
    assert [json.loads(reply.text) for reply in replies if reply.type == "application/json"] == [expected] * CROWD
    assert gate.times == 1


def test_an_unchanged_answer_is_not_held_up_by_a_slow_build_it_does_not_need(scene: Scene) -> None:
    with _serving(process(scene)) as url:
        with urllib.request.urlopen(url + ROUTES[EPISODES]) as first:
            tag = first.headers["ETag"]
        (scene.root / RECORD).write_text((scene.root / RECORD).read_text())
        with held(str(scene.root / RECORD)) as gate, _crowd([_asked(url + PAGE)] * CROWD):
            assert gate.reached.wait(10)
            request = urllib.request.Request(url + ROUTES[EPISODES], headers={"If-None-Match": tag})
            with pytest.raises(urllib.error.HTTPError) as unchanged:
                urllib.request.urlopen(request, timeout=10)
            assert unchanged.value.code == 304
            unchanged.value.close()
            gate.open.set()


def test_git_is_asked_once_for_the_list_that_many_wait_for(
    scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "asked"
    program = tmp_path / "bin/git"
    program.parent.mkdir()
    slow = f'case "$*" in *ls-files*) echo x >> {log}; sleep 0.5;; esac; exec {shutil.which("git")} "$@"'
    program.write_text(f"#!/bin/sh\n{slow}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    server, together = process(scene), threading.Barrier(6)

    def look() -> int:
        together.wait(10)
        return len(server.look().section.records)

    with _crowd([look] * 6) as asked:
        assert [each.result() for each in asked] == [2] * 6
    assert log.read_text() == "x\n"


@pytest.mark.parametrize("read", CATALOG, ids=lambda read: read.id)
def test_a_read_says_what_slow_parts_it_needs(scene: Scene, read: Any) -> None:
    snapshot = process(scene).look()
    read.ask(snapshot)
    parts = {"ledger": "ledger", "section": "section", "status": "git", "surfaces": "documents", "letters": "letters"}
    assert {need for part, need in parts.items() if part in snapshot.__dict__} == read.needs


# ---------------------------------------------------------------------- a thread dies in the middle
DEATHS = [RuntimeError("a fault"), MemoryError(), KeyboardInterrupt(), SystemExit(1)]


@pytest.mark.parametrize("error", DEATHS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("path", [LEDGER, RECORD, f"{STATE}/sessions-open/here.yaml"])
def test_who_waits_for_a_build_that_dies_builds_anew(scene: Scene, path: str, error: BaseException) -> None:
    expected, server = answers(process(scene)), process(scene)
    with deadly(str(scene.root / path), error) as gate, _crowd([lambda: answers(server)]) as first:
        assert gate.reached.wait(10)
        with _crowd([lambda: answers(server)] * 3) as waiting:
            gate.open.set()
            assert [each.result(20) for each in waiting] == [expected] * 3
        assert type(first[0].exception(20)) is type(error)
    assert answers(server) == expected


@pytest.mark.parametrize("error", DEATHS, ids=lambda error: type(error).__name__)
def test_a_build_that_dies_while_it_follows_the_ledger_loses_no_line(scene: Scene, error: BaseException) -> None:
    server = process(scene)
    answers(server)
    scene.ledger(scene.event("task.checkpoint", "s-new"), scene.event("session.started", "s-new"))
    with deadly(str(scene.root / LEDGER), error) as gate:
        gate.open.set()
        with pytest.raises(type(error)):
            _ = server.look().ledger
    assert answers(server) == answers(process(scene))


@pytest.mark.parametrize("error", DEATHS, ids=lambda error: type(error).__name__)
def test_a_request_whose_thread_dies_is_answered_and_so_is_the_next(scene: Scene, error: BaseException) -> None:
    with _serving(process(scene)) as url:
        with deadly(str(scene.root / LEDGER), error) as gate:
            gate.open.set()
            died = ask(url + ROUTES[EPISODES], timeout=10)
        assert (died.status, "Traceback" in died.text) == (500, False)
        assert ask(url + ROUTES[EPISODES], timeout=10).status == 200


@pytest.mark.parametrize("error", DEATHS, ids=lambda error: type(error).__name__)
def test_a_piece_of_work_that_dies_is_shared_only_where_it_is_a_failure(error: BaseException) -> None:
    flights: Flights[str] = Flights()
    begun, let = threading.Event(), threading.Event()

    def dies() -> str:
        begun.set()
        assert let.wait(10)
        raise error

    with _crowd([lambda: flights.join("k", dies)]) as first:
        assert begun.wait(10)
        with _crowd([lambda: flights.join("k", lambda: "anew")] * 3) as waiting:
            let.set()
            outcomes = [each.exception(10) or each.result() for each in waiting]
    assert type(first[0].exception()) is type(error)
    assert set(outcomes) <= {"anew", error}
    assert isinstance(error, Exception) or set(outcomes) == {"anew"}
    assert flights.join("k", lambda: "later") == "later"
