"""The real server as a process of its own, and one connection to it."""

from __future__ import annotations

import http.client
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from bench.pairs import seconds

PAGE = "/cockpit/continuity"


@contextmanager
def served(repository: Path, environment: Mapping[str, str] | None = None) -> Iterator[http.client.HTTPConnection]:
    """``cockpit serve`` of a repository on a free port, and a connection that is kept; both end with the block."""
    with started(repository, environment) as (_, connect):
        connection = connect()
        try:
            yield connection
        finally:
            connection.close()


@contextmanager
def started(
    repository: Path, environment: Mapping[str, str] | None = None
) -> Iterator[tuple[int, Callable[[], http.client.HTTPConnection]]]:
    """``cockpit serve`` of a repository on a free port: its process id, and what makes a connection to it."""
    command = [sys.executable, "-m", "cockpit", "serve", "--repo", str(repository), "--port", "0"]
    with subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout
            address = urlsplit(process.stdout.readline().decode().strip())
            host, port = address.hostname, address.port
            assert host, "the server ended before it printed its address"
            yield process.pid, lambda: http.client.HTTPConnection(host, port, timeout=60)
        finally:
            process.terminate()


def fetch(connection: http.client.HTTPConnection, path: str) -> bytes:
    """GET one path, whole; anything but 200 is an error."""
    connection.request("GET", path)
    answer = connection.getresponse()
    body = answer.read()
    if answer.status != 200:
        raise RuntimeError(f"{path} was answered with {answer.status}")
    return body


def timed(connection: http.client.HTTPConnection, path: str) -> Callable[[], float]:
    """What fetches a path and answers how long that took, in seconds."""
    return lambda: seconds(lambda: fetch(connection, path))
