"""Cockpit as a program of its own: started, asked over HTTP, ended."""

from __future__ import annotations

import os
import re
import select
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

ADDRESS = re.compile(rb"http://(?:127\.0\.0\.1|localhost|\[::1\]):\d+")


class Reply(NamedTuple):
    """What came back: the status, the media type without its parameters, the text."""

    status: int
    type: str
    text: str


@contextmanager
def served(
    command: Sequence[str | Path], at: Path, environment: Mapping[str, str] | None = None
) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Run ``command`` in the folder ``at`` and answer the address it prints, and the process; it ends with the block.

    ``environment`` replaces the whole environment. A program that prints no address within thirty seconds, or ends
    before that, is an AssertionError that carries what it said.
    """
    quiet = dict(os.environ if environment is None else environment) | {"PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        [*map(str, command)],
        cwd=at,
        env=quiet,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as process:
        try:
            yield _address(process), process
        finally:
            _end(process)


def ask(url: str, timeout: float = 30) -> Reply:
    """GET ``url``, whatever status it has; no proxy of the environment is asked."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=timeout) as reply:
            return Reply(reply.status, reply.headers.get_content_type(), reply.read().decode())
    except urllib.error.HTTPError as error:
        with error:
            return Reply(error.code, error.headers.get_content_type(), error.read().decode())


def _address(process: subprocess.Popen[bytes]) -> str:
    assert process.stdout is not None
    said, until = b"", time.monotonic() + 30
    while time.monotonic() < until:
        if select.select([process.stdout], [], [], 0.2)[0]:
            more = os.read(process.stdout.fileno(), 65536)
            said += more
            found = ADDRESS.search(said)
            if found and said.endswith(b"\n"):
                return found[0].decode()
            if not more:
                break
    raise AssertionError(f"no address was printed; exit {process.poll()}; it said: {said.decode(errors='replace')}")


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.communicate(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
