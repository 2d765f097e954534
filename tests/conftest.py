"""What holds for every test: an empty home, no network beyond this machine, a repository of its own when it asks."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest

from tests import browser
from tests.builders import Scene


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    """A repository with an empty layer and one commit, at ``tmp_path/repo``; its neighbours are free to use."""
    return Scene.create(tmp_path / "repo")


@pytest.fixture(scope="session")
def base_url() -> None:
    """Every test names whole addresses. (The plugin's own fixture is a method, which pytest warns about.)"""


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """How Playwright starts its browser; without one a browser test fails, it is never skipped."""
    executable = browser.find()
    if executable is None:
        pytest.fail(f"{browser.MISSING} (`make browser` tries that.)")
    return browser_type_launch_args | {"executable_path": executable, "args": list(browser.QUIET)}


@pytest.fixture(autouse=True)
def _empty_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees the configuration of whoever runs it, nor a git variable of the hook or tool it runs under."""
    home = tmp_path_factory.mktemp("home")
    for name in [name for name in os.environ if name.startswith(("GIT_", "COCKPIT_"))]:
        if name != "COCKPIT_CHROMIUM":
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / ".cache"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


@pytest.fixture(autouse=True, scope="session")
def _no_network() -> Iterator[None]:
    """A connection to anything but loopback fails the test that tried it; a name that would be looked up is unknown."""
    patch = pytest.MonkeyPatch()
    for name in ("connect", "connect_ex"):
        patch.setattr(socket.socket, name, _kept_here(getattr(socket.socket, name)))
    patch.setattr(socket, "getaddrinfo", _without_asking(socket.getaddrinfo))
    yield
    patch.undo()


def _kept_here(connect: Callable[..., Any]) -> Callable[..., Any]:
    def connect_here(self: socket.socket, address: Any) -> Any:
        if self.family in (socket.AF_INET, socket.AF_INET6) and not _is_here(address[0]):
            pytest.fail(f"a test tried to reach the network: {address!r}")
        return connect(self, address)

    return connect_here


def _without_asking(getaddrinfo: Callable[..., Any]) -> Callable[..., Any]:
    def look_up(host: Any, *arguments: Any, **more: Any) -> Any:
        if not (host is None or _is_here(host) or _is_address(host)):
            raise socket.gaierror(socket.EAI_NONAME, "no name is looked up in a test")
        return getaddrinfo(host, *arguments, **more)

    return look_up


def _is_here(host: str) -> bool:
    return host == "localhost" or (_is_address(host) and ip_address(host).is_loopback)


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
