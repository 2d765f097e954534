"""page: what does the page cost above the one ``git status`` it cannot do without?"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from subprocess import DEVNULL

from bench.pairs import Figure, alternate, seconds
from bench.serving import PAGE, fetch, served
from cockpit.demo import build
from cockpit.formats import calls
from cockpit.store.git import Git

TARGET = 3.0
ROUNDS = 60
SETTLING = 2.5  # seconds after which a file counts as settled, see cockpit/store/files.py


def measure(folder: Path) -> Iterator[Figure]:
    """The warm page over a kept connection, against the status it contains: as the page asks for it, and plain."""
    repository = build(folder, datetime.now(UTC))
    time.sleep(SETTLING)
    command = ["git", *calls.SAFE, "-C", str(repository), *calls.STATUS]
    environment = os.environ | calls.ENVIRONMENT
    git = Git(str(repository))

    def contained() -> float:
        return seconds(lambda: git.ask(*calls.STATUS))

    def plain() -> float:
        return seconds(lambda: subprocess.run(command, env=environment, stdin=DEVNULL, capture_output=True, check=True))

    with served(repository) as connection:

        def page() -> float:
            return seconds(lambda: fetch(connection, PAGE))

        yield alternate("the page, warm, over HTTP", page, "the git status it contains", contained, ROUNDS, TARGET)
        yield alternate("the page, warm, over HTTP", page, "that command as a process", plain, ROUNDS)
