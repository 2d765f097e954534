"""``python -m tests.patterns [PORT]`` (that is ``make patterns``): every component of the pages, to be looked at.

Four checkouts are made for it with the builders of the tests; they go away with the program.
"""

from __future__ import annotations

import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from cockpit import server
from cockpit.app import create_app
from cockpit.settings import Settings, own_hosts
from cockpit.store.checkout import Checkout
from tests.builders import Scene, five_windows

HOSTILE = "<b>\u202eabc</b> {{ 7*7 }} \u05d0\u05d1\u05d2 $(touch pwned) '\"`"
LONG = "feature/" + "a-very-long-name-without-any-room-" * 9


def states(folder: Path) -> tuple[tuple[str, Checkout], ...]:
    """Checkouts below ``folder``: an ordinary one, an empty one, one in which all is long, a hostile one."""
    made = {"ordinary": ordinary, "empty": empty, "long": long, "hostile": hostile}
    return tuple((name, Checkout.open(str(make(folder / name).root))) for name, make in made.items())


def ordinary(folder: Path) -> Scene:
    scene = Scene.create(folder / "repo")
    five_windows(scene)
    scene.closed_record("s-done")
    scene.commit("A record")
    scene.write(".ai/repo/sessions/.tmp.KILLED", "half")
    return scene


def empty(folder: Path) -> Scene:
    return Scene.create(folder / "repo")


def long(folder: Path) -> Scene:
    scene = Scene.create(folder / "repo")
    for number in range(60):
        key = f"{number:03}-{'x' * 120}"
        gone = folder / ("vanished-" + "y" * 150)
        scene.open_episode(key, f"s-{key}", branch=f'"{LONG}"', started_at=_hour(number), worktree=gone)
        scene.ledger(scene.event("task.started", f"s-{key}", _hour(number + 1), task_id="t-" + "z" * 150))
    scene.open_episode("old", "s-old", started_at="2019-01-01T00:00:00Z")
    scene.point_to("sessions-open/" + "w" * 200 + ".yaml")
    return scene


def hostile(folder: Path) -> Scene:
    scene = Scene.create(folder / "repo $(id) <i>'\u202e")
    quoted = HOSTILE.replace('"', '\\"')
    for number, standing in enumerate(("here", "gone")):
        worktree = scene.root if standing == "here" else folder / HOSTILE.replace("/", "|")
        scene.open_episode(f"k{number}", f'"{quoted}{number}"', branch=f'"{quoted}"', provider=f'"{quoted}"', owner=f'"{quoted}"', worktree=f'"{str(worktree).replace(chr(34), chr(92) + chr(34))}"', started_at="9999-12-31T23:59:59Z" if number else "yesterday")  # fmt: skip
    scene.ledger(scene.event(HOSTILE, f"{HOSTILE}0", "0001-01-01T00:00:00Z", task_id=HOSTILE))
    scene.questions(f"- [unresolved] {HOSTILE}\n")
    scene.write(".ai/local/state/sessions-open/--help.yaml", "{{{")
    scene.write(".ai/repo/sessions/.tmp.$(touch pwned)", "half")
    return scene


def _hour(number: int) -> str:
    return f"2026-09-{11 + number // 24:02}T{number % 24:02}:00:00Z"


def main(arguments: list[str]) -> int:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cockpit-patterns-")))
        shown = states(folder)
        listening = server.bound("127.0.0.1", int(arguments[0]) if arguments else 0)
        port = listening.getsockname()[1]
        app = create_app(shown[0][1], Settings(own_hosts("127.0.0.1", port)), shown)
        server.serve(app, listening, lambda: print(f"http://127.0.0.1:{port}/cockpit/patterns", flush=True))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
