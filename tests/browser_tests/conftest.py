"""Servers, one a state and a worker; pages that remember what went wrong in them; pictures of what failed."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser_tests import states
from tests.browser_tests.sight import Sight
from tests.serving import served

PROJECT = Path(__file__).parents[2]
PICTURES = PROJECT / "build" / "screenshots"
WANTED = bool(os.environ.get("COCKPIT_SCREENSHOTS"))  # read before a test's environment is emptied


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], str]]:
    """Answer where a state is served; its repository is built and its server started when it is first asked for."""
    home = tmp_path_factory.mktemp("home")
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "COCKPIT_"))}
    plain |= {"HOME": str(home), "XDG_CONFIG_HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1"}
    known: dict[str, str] = {}
    with ExitStack() as servers:

        def serve(name: str) -> str:
            if name not in known:
                root = states.repository(tmp_path_factory.mktemp(name), name)
                known[name], _ = servers.enter_context(served(states.command(root, name), PROJECT, plain))
            return known[name]

        yield serve


@pytest.fixture
def look(browser: Browser, address: Callable[[str], str]) -> Iterator[Callable[..., Sight]]:
    """Answer a page of a state, opened in a context of its own; see :class:`Sight` for what it is told."""
    with ExitStack() as opened:
        yield lambda state, *path, **more: opened.enter_context(Sight.of(browser, address(state), *path, **more))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """Keep a picture of every page of a test that failed."""
    report = yield
    if report.when == "call" and report.failed:
        for number, sight in enumerate(Sight.open_ones, 1):
            sight.picture(PICTURES / f"failed-{re.sub(r'[^a-z0-9]+', '-', item.name.lower())}-{number}.png")
    return report


@pytest.fixture(scope="session")
def kept() -> Callable[[Sight, str], None]:
    """Keep a picture under a name, where the environment asks for pictures."""
    return lambda sight, name: sight.picture(PICTURES / f"{name}.png") if WANTED else None
