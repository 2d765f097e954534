"""The real server as a process of its own, and one connection to it."""

from __future__ import annotations

import http.client
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

PAGE = "/cockpit/continuity"


@contextmanager
def served(repository: Path, environment: Mapping[str, str] | None = None) -> Iterator[http.client.HTTPConnection]:
    """``cockpit serve`` of a repository on a free port, and a connection that is kept; both end with the block."""
    command = [sys.executable, "-m", "cockpit", "serve", "--repo", str(repository), "--port", "0"]
    with subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout
            address = urlsplit(process.stdout.readline().decode().strip())
            assert address.hostname, "the server ended before it printed its address"
            connection = http.client.HTTPConnection(address.hostname, address.port, timeout=60)
            try:
                yield connection
            finally:
                connection.close()
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
