"""A server that may hold 64 descriptors, and twenty clients who ask it at once: it lives, and gives every one back."""

from __future__ import annotations

import http.client
import json
import os
import socket
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from cockpit import server
from cockpit.reads.catalog import CATALOG
from cockpit.store.files import Fault, listing
from cockpit.store.git import Git, GitFailed, GitMissing
from cockpit.store.memory import Memory
from tests.builders import STATE, Scene
from tests.faults.matrix import CONTINUITY, RECOVERY, crowded
from tests.serving import ask, served

PROJECT = Path(__file__).parents[2]
FEW = 64
CLIENTS = 20
PATHS = ["/cockpit/continuity", "/cockpit/continuity.md", "/cockpit/closed", *(read.route for read in CATALOG)]


@contextmanager
def _short_of_descriptors(scene: Scene) -> Iterator[tuple[str, int]]:
    """The server's address and its process."""
    command = ["sh", "-c", f'ulimit -n {FEW}; exec "$@"', "sh", sys.executable, "-m", "cockpit", "serve", "--port", "0"]
    with served(command, scene.root, os.environ | {"PYTHONPATH": str(PROJECT)}) as (url, process):
        yield url, process.pid


def _descriptors(process: int) -> int:
    return len(os.listdir(f"/proc/{process}/fd"))


def _given_back(process: int, most: int) -> bool:
    """Whether a process comes to hold no more descriptors than these; it takes a moment to see that a client has gone."""
    until = time.monotonic() + 20
    while _descriptors(process) > most:
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


def _without_moments(text: str) -> object:
    return {key: value for key, value in json.loads(text).items() if key != "served_at"}


def test_twenty_clients_at_once_are_answered_with_64_descriptors_and_none_is_lost(tmp_path: Path) -> None:
    scene = crowded(tmp_path / "repo")
    with _short_of_descriptors(scene) as (url, process):
        expected = {read.route: ask(url + read.route).text for read in CATALOG if read.id != CONTINUITY}  # it has ages
        resting = _descriptors(process)
        with ThreadPoolExecutor(CLIENTS) as pool:
            replies = list(pool.map(lambda path: ask(url + path, timeout=60), PATHS * CLIENTS))
        assert {reply.status for reply in replies} == {200}
        for path, reply in zip(PATHS * CLIENTS, replies, strict=True):
            if path in expected and _without_moments(reply.text) != _without_moments(expected[path]):
                assert "Too many open files" in reply.text
        assert _given_back(process, resting + 2)
        for route, text in expected.items():
            assert _without_moments(ask(url + route).text) == _without_moments(text)


def test_clients_who_only_hold_connections_leave_enough_to_answer_the_others_with(tmp_path: Path) -> None:
    scene = crowded(tmp_path / "repo")
    route = next(read.route for read in CATALOG if read.id == RECOVERY)
    with _short_of_descriptors(scene) as (url, _), ExitStack() as idle:
        where = urlsplit(url)
        asking = http.client.HTTPConnection(where.netloc, timeout=30)
        idle.callback(asking.close)
        asking.request("GET", route)
        expected = asking.getresponse().read()
        for _ in range(FEW):
            idle.enter_context(socket.create_connection((where.hostname, where.port)))
        for _ in range(5):
            asking.request("GET", route)
            assert asking.getresponse().read() == expected


def test_there_are_never_so_many_connections_that_nothing_is_left_to_answer_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for most, allowed in ((FEW, 16), (1024, 256), (1 << 20, 256), (8, 8)):
        monkeypatch.setattr("resource.getrlimit", lambda _, most=most: (most, most))
        assert server.connections() == allowed


# ---------------------------------------------------------------------- when there is none left at all
@contextmanager
def _none_left() -> Iterator[None]:
    """Every descriptor that this process may have is taken."""
    import resource

    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    highest = max(map(int, os.listdir("/proc/self/fd")))
    resource.setrlimit(resource.RLIMIT_NOFILE, (highest + 8, limits[1]))
    taken = []
    try:
        while True:
            try:
                taken.append(os.open(os.devnull, os.O_RDONLY))
            except OSError:
                break
        yield
    finally:
        for descriptor in taken:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def test_a_git_that_no_descriptor_is_left_for_is_not_called_missing(scene: Scene) -> None:
    git = Git(str(scene.root))
    with _none_left(), pytest.raises(GitFailed, match="Too many open files") as failed:
        git.ask("rev-parse", "HEAD")
    assert not isinstance(failed.value, GitMissing)
    assert git.ask("rev-parse", "HEAD").returncode == 0


def test_a_file_that_no_descriptor_is_left_for_is_hidden_and_not_broken(scene: Scene) -> None:
    scene.open_episode("k", "s-1")
    memory, path = Memory(bytes), f"{STATE}/sessions-open/k.yaml"
    with _none_left():
        read, found = memory.file(str(scene.root), path, 0), listing(str(scene.root), STATE)
    assert read == Fault(path, "cannot be read (Too many open files)", hidden=True)
    assert found.fault == Fault(STATE, "cannot be read (Too many open files)", hidden=True)
    assert isinstance(memory.file(str(scene.root), path, 0), bytes)
