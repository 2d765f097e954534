"""start: how long until the first request is answered, against importing what the program stands on?"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import perf_counter

from bench.pairs import Figure, alternate, seconds
from bench.serving import PAGE, fetch, served
from cockpit.demo import build

TARGET = 1.6
ROUNDS = 15
_IMPORTS = "import flask, git, msgspec, waitress, yaml"


def measure(folder: Path) -> Iterator[Figure]:
    """From spawning ``cockpit serve`` until the answer is there, for the page and for one API route."""
    repository = build(folder / "demo", datetime.now(UTC))
    environment = _compiling(folder / "compiled")

    def imports() -> float:
        return seconds(lambda: subprocess.run([sys.executable, "-c", _IMPORTS], env=environment, check=True))

    for path in (PAGE, "/api/v1/lifecycle/episodes"):
        what = f"serve until {path} is answered"
        first = partial(_first, repository, environment, path)
        yield alternate(what, first, "importing its libraries", imports, ROUNDS, TARGET)


def _compiling(folder: Path) -> dict[str, str]:
    """An environment in which Python keeps what it compiles, as it does for an operator, and keeps it in ``folder``."""
    quiet = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return quiet | {"PYTHONPYCACHEPREFIX": str(folder)}


def _first(repository: Path, environment: dict[str, str], path: str) -> float:
    began = perf_counter()
    with served(repository, environment) as connection:
        fetch(connection, path)
        return perf_counter() - began
