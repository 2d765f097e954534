"""The program itself: what it prints, what it refuses and why, and how it ends."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from cockpit.store.checkout import Checkout, NotServable
from cockpit.surfaces.security import HEADERS
from tests.builders import Scene
from tests.serving import ask, served
from tests.store.test_files import without_power

COCKPIT = [sys.executable, "-m", "cockpit"]
PROJECT = Path(__file__).parents[1]


def _environment(**more: str) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(PROJECT)} | more


@contextmanager
def _serving(scene: Scene, *options: str | Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    command = [*COCKPIT, "serve", "--repo", scene.root, "--port", "0", *options]
    with served(command, scene.root, _environment()) as (url, process):
        yield url, process


def _refused(*options: str | Path, at: Path | None = None, **environment: str) -> str:
    """The sentence with which a call ends: one line on standard error, exit code 2, nothing on standard output."""
    done = subprocess.run(
        [*COCKPIT, "serve", "--port", "0", *map(str, options)],
        cwd=at or "/",
        env=_environment(**environment),
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("cockpit: ")
    assert "Traceback" not in done.stderr
    return done.stderr


# ---------------------------------------------------------------------- serving
def test_it_prints_where_the_page_is_and_nothing_else(scene: Scene) -> None:
    done = subprocess.Popen(
        [*COCKPIT, "serve", "--port", "0"], cwd=scene.root, env=_environment(), stdout=subprocess.PIPE, text=True
    )
    try:
        assert done.stdout
        line = done.stdout.readline()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/cockpit/continuity\n", line)
        assert ask(line.strip()).status == 200
    finally:
        done.terminate()
        rest, _ = done.communicate(timeout=10)
    assert (rest, done.returncode) == ("", 0)


def test_it_serves_the_checkout_that_a_folder_lies_in(scene: Scene) -> None:
    scene.open_episode("k", "s-inside")
    with served([*COCKPIT, "serve", "--port", "0"], scene.root / ".ai/repo", _environment()) as (url, _):
        assert "s-inside" in ask(f"{url}/api/v1/lifecycle/episodes").text


@pytest.mark.parametrize("listen", ["127.0.0.1", "localhost", "127.0.0.2"])
def test_a_loopback_address_needs_no_token(scene: Scene, listen: str) -> None:
    command = [*COCKPIT, "serve", "--port", "0", "--listen", listen]
    process = subprocess.Popen(command, cwd=scene.root, env=_environment(), stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout
        assert ask(process.stdout.readline().strip()).status == 200
    finally:
        process.terminate()
        process.communicate(timeout=10)


def test_a_pinned_server_does_not_move(scene: Scene) -> None:
    with _serving(scene, "--pin") as (url, _):
        scene.commit("Go on")
        assert '"relation":"behind"' in ask(f"{url}/api/v1/lifecycle/runtime").text


def test_a_further_name_is_answered(scene: Scene) -> None:
    with _serving(scene, "--allow-host", "cockpit.example") as (url, _):
        assert _raw(url, b"GET /api/v1 HTTP/1.1\r\nHost: cockpit.example\r\nConnection: close\r\n\r\n").startswith(
            b"HTTP/1.1 200"
        )
        assert _raw(url, b"GET /api/v1 HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n\r\n").startswith(
            b"HTTP/1.1 421"
        )


# ---------------------------------------------------------------------- raw requests
def _raw(url: str, request: bytes) -> bytes:
    where = urlsplit(url)
    assert where.hostname
    assert where.port
    with socket.create_connection((where.hostname, where.port), timeout=10) as connection:
        connection.sendall(request)
        pieces = []
        with suppress(OSError):  # a reset, for what was not read of a request that is too large
            connection.shutdown(socket.SHUT_WR)
        with suppress(ConnectionResetError):
            while piece := connection.recv(65536):
                pieces.append(piece)
    return b"".join(pieces)


def test_every_answer_carries_the_headers_however_the_request_is_made(scene: Scene) -> None:
    requests = {
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n": (b"400", b"421"),
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: 127.0.0.1\r\n": (b"400", b"421"),
        b"GET / HTTP/1.0\r\n": (b"421",),
        b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n": (b"421",),
        b"GET / HTTP/1.1\r\nHost: x\r\nBad header\r\n": (b"400",),
        b"GET / HTTP/1.1\r\nHost : x\r\n": (b"400", b"421"),
        b"garbage\r\n": (b"400",),
        b"GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: odd\r\n": (b"501", b"400"),
        b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n": (b"400",),
        b"GET / HTTP/1.1\r\nX: " + b"x" * 40_000 + b"\r\n": (b"431",),
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n": (b"413",),
        b"OPTIONS * HTTP/1.1\r\nHost: x\r\n": (b"421",),
    }
    with _serving(scene) as (url, _):
        for request, statuses in requests.items():
            reply = _raw(url, request + b"Connection: close\r\n\r\n")
            head = reply.partition(b"\r\n\r\n")[0]
            assert (head.split(b" ")[1] in statuses, request, head) == (True, request, head)
            for name, value in HEADERS:
                assert head.count(f"\r\n{name}: {value}".encode()) == 1
            assert b"\r\nServer:" not in head
            assert b"waitress" not in reply.lower()


def test_methods_are_refused_over_the_wire(scene: Scene) -> None:
    with _serving(scene) as (url, _):
        host = urlsplit(url).netloc.encode()
        for method in (b"POST", b"OPTIONS", b"TRACE", b"BREW"):
            reply = _raw(url, method + b" /cockpit HTTP/1.1\r\nHost: " + host + b"\r\nConnection: close\r\n\r\n")
            assert reply.startswith(b"HTTP/1.1 405")
            assert b"\r\nAllow: GET, HEAD\r\n" in reply


# ---------------------------------------------------------------------- the end
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_within_a_second(scene: Scene, sent: signal.Signals) -> None:
    with _serving(scene) as (url, process):
        assert ask(f"{url}/api/v1").status == 200
        began = time.monotonic()
        process.send_signal(sent)
        said, _ = process.communicate(timeout=10)
        assert time.monotonic() - began < 2
    assert (process.returncode, said) == (0, b"")


def test_a_signal_ends_it_while_a_connection_is_open(scene: Scene) -> None:
    with _serving(scene) as (url, process):
        where = urlsplit(url)
        with socket.create_connection((where.hostname, where.port)) as connection:
            connection.sendall(b"GET /api/v1 HTTP/1.1\r\nHost: half a request")
            began = time.monotonic()
            process.terminate()
            process.communicate(timeout=10)
            assert time.monotonic() - began < 2
    assert process.returncode == 0


def test_its_port_can_be_taken_again_at_once(scene: Scene) -> None:
    with _serving(scene) as (url, _):
        ask(f"{url}/api/v1")
        port = str(urlsplit(url).port)
    with served([*COCKPIT, "serve", "--port", port], scene.root, _environment()) as (again, _):
        assert urlsplit(again).port == int(port)


# ---------------------------------------------------------------------- what cannot be served
def test_a_taken_port_is_said(scene: Scene) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = _refused("--repo", scene.root, "--port", str(port))
    assert (
        said
        == f"cockpit: Port {port} of 127.0.0.1 is taken. Name another with --port, or take a free one with --port 0.\n"
    )


def _not_a_repository(_scene: Scene, folder: Path) -> Path:
    return folder


def _missing(_scene: Scene, folder: Path) -> Path:
    return folder / "nowhere"


def _file(_scene: Scene, folder: Path) -> Path:
    (folder / "file").touch()
    return folder / "file"


def _bare(scene: Scene, folder: Path) -> Path:
    scene.git("clone", "--quiet", "--bare", scene.root, folder / "bare")
    return folder / "bare"


def _inside(scene: Scene, _folder: Path) -> Path:
    return scene.root / ".git/refs"


def _broken(scene: Scene, _folder: Path) -> Path:
    (scene.root / ".git/config").write_text("[broken")
    return scene.root


def _future(scene: Scene, _folder: Path) -> Path:
    scene.git("config", "core.repositoryFormatVersion", "99")
    return scene.root


def _loop(_scene: Scene, folder: Path) -> Path:
    (folder / "loop").symlink_to("loop")
    return folder / "loop"


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (_not_a_repository, "is not inside a git repository. Name a folder of a checkout with --repo"),
        (_missing, "There is no folder"),
        (_file, "is not a folder. Name a folder inside a git checkout with --repo"),
        (_bare, "is a bare repository, which has no working tree"),
        (_inside, "lies inside a .git folder"),
        (_broken, "git cannot read the repository"),
        (_future, "git cannot read the repository"),
        (_loop, "cannot be entered (Too many levels of symbolic links)"),
    ],
)
def test_a_folder_that_cannot_be_served_is_said_with_a_way_out(
    scene: Scene, tmp_path: Path, make: Any, said: str
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    named = make(scene, folder)
    sentence = _refused("--repo", named)
    assert said in sentence
    assert str(named) in sentence


def test_a_folder_that_may_not_be_entered_is_said(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0)
    with without_power(), pytest.raises(NotServable, match="may not be read by this user"):
        Checkout.open(str(tmp_path / "closed"))


def test_a_repository_of_another_user_is_said_with_git_s_own_way_out(scene: Scene, tmp_path: Path) -> None:
    git = shutil.which("git")
    (tmp_path / "bin").mkdir()
    stranger = tmp_path / "bin/git"
    stranger.write_text(f'#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec {git} "$@"\n')
    stranger.chmod(0o755)
    said = _refused("--repo", scene.root, PATH=f"{tmp_path}/bin:{os.environ['PATH']}")
    assert "is owned by another user" in said
    assert "safe.directory" in said


def test_a_missing_git_is_said(scene: Scene, tmp_path: Path) -> None:
    assert "Install git" in _refused("--repo", scene.root, PATH=str(tmp_path))


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "192.0.2.7"])
def test_an_address_that_others_reach_needs_a_token(scene: Scene, address: str) -> None:
    said = _refused("--repo", scene.root, "--listen", address)
    assert (
        said
        == f"cockpit: {address} can be reached from other machines, so it needs a token: name a file with --token-file.\n"
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"short", "at least 16 characters"),
        (b"", "at least 16 characters"),
        (b"two lines of text\nin one file", "one line of at least"),
        (b"\xff" * 20, "it is no UTF-8"),
        (None, "No such file or directory"),
    ],
)
def test_a_token_that_is_none_is_said_and_not_shown(
    scene: Scene, tmp_path: Path, content: bytes | None, said: str
) -> None:
    if content is not None:
        (tmp_path / "token").write_bytes(content)
    sentence = _refused("--repo", scene.root, "--listen", "0.0.0.0", "--token-file", tmp_path / "token")
    assert said in sentence
    assert not content or content.decode("utf-8", "replace") not in sentence


def test_an_address_of_another_machine_cannot_be_listened_on(scene: Scene, tmp_path: Path) -> None:
    (tmp_path / "token").write_text("0123456789abcdef\n")
    said = _refused("--repo", scene.root, "--listen", "192.0.2.7", "--token-file", tmp_path / "token")
    assert "192.0.2.7" in said


def test_with_a_token_any_address_is_served_to_who_has_it(scene: Scene, tmp_path: Path) -> None:
    (tmp_path / "token").write_text("0123456789abcdef\n")
    with _serving(scene, "--listen", "0.0.0.0", "--token-file", tmp_path / "token") as (url, process):
        host = urlsplit(url).netloc.encode()
        ask_for = b"GET /api/v1 HTTP/1.1\r\nHost: " + host + b"\r\nConnection: close\r\n"
        assert _raw(url, ask_for + b"\r\n").startswith(b"HTTP/1.1 401")
        assert _raw(url, ask_for + b"Authorization: Bearer 0123456789abcdef\r\n\r\n").startswith(b"HTTP/1.1 200")
        process.terminate()
        said, _ = process.communicate(timeout=10)
    assert b"0123456789abcdef" not in said


def test_where_others_can_reach_it_it_says_under_which_names_and_how_to_add_one(scene: Scene, tmp_path: Path) -> None:
    (tmp_path / "token").write_text("0123456789abcdef\n")
    options = ("--listen", "0.0.0.0", "--token-file", tmp_path / "token", "--allow-host", "box.example:1")
    said = _said_at_the_start(scene, *options)
    (port,) = set(re.findall(r"localhost:(\d+)", said))
    assert said == (
        f"Answers to 127.0.0.1:{port}, [::1]:{port}, box.example:1 and localhost:{port} only; "
        f"--allow-host NAME:{port} adds a name.\n"
    )


def test_where_only_this_machine_can_reach_it_no_names_are_said(scene: Scene) -> None:
    assert _said_at_the_start(scene) == ""


def _said_at_the_start(scene: Scene, *options: str | Path) -> str:
    """What a server that is ended once it has said its address has printed to standard error."""
    command = [*COCKPIT, "serve", "--port", "0", *map(str, options)]
    with subprocess.Popen(
        command, cwd=scene.root, env=_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        url = process.stdout.readline().strip()
        ask(url)
        process.terminate()
        return process.communicate(timeout=10)[1]


@pytest.mark.parametrize("options", [["--port", "65536"], ["--port", "x"], ["--unknown"]])
def test_a_wrong_call_is_an_exit_code_of_2(options: list[str]) -> None:
    done = subprocess.run([*COCKPIT, "serve", *options], cwd="/", env=_environment(), capture_output=True, check=False)
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("read", ["continuity", "episodes", "recovery", "runtime", "providers", "closed"])
def test_no_read_has_a_command_line(read: str) -> None:
    done = subprocess.run([*COCKPIT, read], cwd="/", env=_environment(), capture_output=True, text=True, check=False)
    assert (done.returncode, "No such command" in done.stderr) == (2, True)
