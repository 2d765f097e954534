"""The program serving repositories in named conditions, each built and started when it is first asked for."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.serving import served

PROJECT = Path(__file__).parents[2]
At = Callable[[str], str]


@contextmanager
def served_in(conditions: Mapping[str, Callable[[Path], Path]], fresh: Callable[[str], Path]) -> Iterator[At]:
    """Answer where a condition is served; ``fresh`` makes the folder that its repository is built in."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "COCKPIT_"))}
    known: dict[str, str] = {}
    with ExitStack() as servers:

        def serve(name: str) -> str:
            if name not in known:
                root = conditions[name](fresh(name))
                command = [sys.executable, "-m", "cockpit", "serve", "--repo", root, "--port", "0"]
                known[name], _ = servers.enter_context(served(command, PROJECT, plain))
            return known[name]

        yield serve
