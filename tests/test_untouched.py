"""A reading leaves a repository byte for byte as it was, and never opens the archive of prompts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from flask import Flask

from cockpit.app import create_app
from cockpit.settings import Settings, own_hosts
from tests.builders import SESSIONS, STATE, Scene, five_windows, picture
from tests.handoffs import letters
from tests.looking import BASE, checkout

PROJECT = Path(__file__).parents[1]


def _crowded(scene: Scene) -> None:
    """A scene with something of every kind in it, an index that is out of date, and a prompt archive."""
    five_windows(scene)
    scene.handover(name="h.md")
    scene.checkpoint(name="c.md")
    scene.task()
    scene.questions("- [unresolved] t-1 - why?\n")
    scene.closed_record("s-closed")
    scene.commit("Close")
    scene.closed_record("s-untracked")
    scene.closed_record("s-copy", name=".tmp.copy")
    scene.write(f"{SESSIONS}/.tmp.fragment", "x")
    scene.write(f"{STATE}/sessions-open/bad.yaml", b"\xff")
    scene.write(f"{STATE}/sessions-open/\udcff\n.yaml", "session_id: s-odd\n")
    os.mkfifo(scene.state / "sessions-open/fifo.yaml")
    (scene.state / "sessions-open/link.yaml").symlink_to("/etc/passwd")
    scene.ledger("torn{", b"\xff")
    scene.ledger(scene.event("x"), end="")
    scene.write(f"{letters.LIVE}/{letters.NAME}", letters.consumed(letters.body("In `a/b.py`, deadbee1.")))
    letters.archived(scene, letters.letter(), letters.OTHER)
    os.mkfifo(scene.root / letters.LIVE / "HANDOFF-2026-09-11-fifo.md")
    scene.write(".ai/local/prompts/2026-09-11.jsonl", "secret")
    scene.write("changed", "x")
    scene.git("add", "changed")
    os.utime(scene.root / ".gitignore", (1, 1))


def _app(scene: Scene) -> Flask:
    return create_app(checkout(scene), Settings(own_hosts("127.0.0.1", 80)))


def _ask_everything(app: Flask) -> list[int]:
    """Ask every route twice; answer the statuses."""
    web = app.test_client()
    paths = [rule.rule for rule in app.url_map.iter_rules() if "<" not in rule.rule]
    paths += [
        "/cockpit/object?uri=majordomus://session/s-closed",
        "/cockpit/continuity?standing=open&sort=last&dir=asc",
    ]
    statuses = []
    for path in paths * 2:
        with web.get(path, base_url=BASE) as response:
            statuses.append(response.status_code)
    return statuses


def test_every_route_leaves_every_byte_and_every_time(scene: Scene) -> None:
    _crowded(scene)
    before, times = scene.picture(), _times(scene.root)
    app = _app(scene)
    assert max(_ask_everything(app)) < 500
    assert scene.picture() == before
    assert _times(scene.root) == times


def _times(root: Path) -> dict[str, int]:
    return {str(path): path.lstat().st_mtime_ns for path in root.rglob("*")}


def test_a_linked_worktree_leaves_both_checkouts(scene: Scene, tmp_path: Path) -> None:
    linked = Scene(scene.worktree("line", tmp_path / "linked"))
    _crowded(linked)
    before = picture(tmp_path)
    _ask_everything(_app(linked))
    assert picture(tmp_path) == before


def test_a_checkout_that_may_not_be_written_gives_the_same_answers(scene: Scene) -> None:
    _crowded(scene)
    expected = _answers(scene)
    for path in (scene.root, *scene.root.rglob("*")):
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o555)
    try:
        assert _answers(scene) == expected
    finally:
        for path in (scene.root, *scene.root.rglob("*")):
            if path.is_dir() and not path.is_symlink():
                path.chmod(0o755)


def _answers(scene: Scene) -> list[bytes]:
    app = _app(scene)
    web = app.test_client()
    routes = [rule.rule for rule in app.url_map.iter_rules() if rule.rule.startswith("/api/v1/")]
    drifting = b"served_at"
    return [b"" if drifting in (data := web.get(route, base_url=BASE).data) else data for route in routes]


def test_the_program_that_serves_leaves_every_byte(scene: Scene) -> None:
    from tests.serving import ask, served

    _crowded(scene)
    before = scene.picture()
    command = [sys.executable, "-m", "cockpit", "serve", "--port", "0"]
    with served(command, scene.root, os.environ | {"PYTHONPATH": str(PROJECT)}) as (url, _):
        for path in ("/cockpit/continuity", "/cockpit/continuity.md", "/api/v1/lifecycle/recovery"):
            assert ask(url + path).status == 200
    assert scene.picture() == before


# ---------------------------------------------------------------------- what is never opened
_WATCHED = """
import json, os, sys
opened, forbidden = [], sys.argv[1].split("|")

def watch(event, arguments):
    if event in ("open", "os.listdir", "os.scandir", "os.chdir"):
        name = arguments[0]
        if isinstance(name, int):
            try:
                name = os.readlink(f"/proc/self/fd/{name}")
            except OSError:
                return
        if isinstance(name, (str, bytes)):
            name = os.fsdecode(name)
            if any(part in name for part in forbidden):
                opened.append([event, name])
        if event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            if sys.argv[2] in os.path.abspath(name if isinstance(name, str) else ""):
                opened.append(["written", name])

from cockpit.app import create_app
from cockpit.settings import Settings, own_hosts
from cockpit.store.checkout import Checkout
app = create_app(Checkout.open(sys.argv[2]), Settings(own_hosts("127.0.0.1", 80)))
sys.addaudithook(watch)
web = app.test_client()
statuses = [
    web.get(rule.rule, base_url="http://localhost").status_code for rule in app.url_map.iter_rules() if "<" not in rule.rule
]
print(json.dumps([opened, max(statuses)]))
"""


@pytest.mark.parametrize("where", ["prompts", "session-contexts"])
def test_nothing_below_the_prompt_archive_is_ever_opened(scene: Scene, where: str) -> None:
    _crowded(scene)
    scene.write(f".ai/local/{where}/today.jsonl", "secret")
    os.mkfifo(scene.root / f".ai/local/{where}/fifo")
    opened, worst = _watched(scene, f"{where}|.jsonl.secret")
    assert (opened, worst < 500) == ([], True)


def test_the_watch_sees_what_is_opened(scene: Scene) -> None:
    _crowded(scene)
    opened, _ = _watched(scene, "h.md|sessions-open")
    assert {Path(name).name for _, name in opened} >= {"h.md", "sessions-open"}


@pytest.mark.parametrize("pointed", ["manifest", "pointer", "worktree", "note"])
def test_no_value_of_a_record_leads_into_the_prompt_archive(scene: Scene, pointed: str) -> None:
    prompts = scene.root / ".ai/local/prompts"
    scene.write(".ai/local/prompts/secret.yaml", "session_id: s-secret\n")
    if pointed == "manifest":
        scene.write(".ai/manifest.yaml", "sections:\n  sessions: local/prompts\n  policy: local/prompts/secret.yaml\n")
    elif pointed == "pointer":
        scene.point_to(str(prompts / "secret.yaml"))
    elif pointed == "worktree":
        scene.open_episode("k", "s-1", worktree=prompts)
    else:
        (scene.state / "handovers").parent.mkdir(parents=True, exist_ok=True)
        (scene.state / "handovers").symlink_to(prompts)
    opened, worst = _watched(scene, "secret.yaml|prompts/")
    assert ([each for each in opened if each[0] == "open" and "prompts/.git" not in each[1]], worst < 500) == ([], True)


def _watched(scene: Scene, forbidden: str) -> tuple[list[list[str]], int]:
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(_WATCHED), forbidden, str(scene.root)],
        env=os.environ | {"PYTHONPATH": str(PROJECT)},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    opened, worst = json.loads(done.stdout)
    return opened, worst
