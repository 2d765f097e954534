"""Ten thousand files in a folder that should hold ten, and names as long as a file system allows."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from cockpit.reads.catalog import CATALOG
from cockpit.reads.recovery import needs
from tests.builders import SESSIONS, STATE, Scene, paste
from tests.faults.matrix import (
    CLOSED,
    CONTINUITY,
    EPISODES,
    RECOVERY,
    Answers,
    Pages,
    answers,
    crowded,
    process,
)

MANY = 10_000
LARGEST = 3 << 20  # bytes of both pages together: what is many is said, and a part of it shown
WITH_A_COMMAND_EACH = (f"{STATE}/sessions-open",)
FOLDERS = {
    f"{STATE}/sessions-open": ".yaml",
    f"{STATE}/handovers": ".md",
    f"{STATE}/checkpoints": ".md",
    STATE: ".txt",
    SESSIONS: ".md",
    ".ai/local/set-aside": ".yaml",
    "docs/archive": ".md",
    ".git": ".lock",
}
"""Each folder, and an ending of the names that are looked at there."""


@pytest.fixture
def folder(scene: Scene, request: pytest.FixtureRequest) -> Iterator[str]:
    """A folder with ten thousand links to one file that is nothing, which go again."""
    at = scene.root / request.param
    made = not at.exists()
    at.mkdir(exist_ok=True)
    names = [at / f"x{number:05}{FOLDERS[request.param]}" for number in range(MANY)]
    names[0].write_text("nothing\n")
    for name in names[1:]:
        os.link(names[0], name)
    yield request.param
    for name in names:
        name.unlink(missing_ok=True)
    if made:
        at.rmdir()


def _of_before(before: Answers, during: Answers, read: str, part: str, key: str) -> bool:
    """Whether every item of before is there as it was."""
    now = {each[key]: each for each in during[read][part]}
    return all(now[each[key]] == each for each in before[read][part])


@pytest.mark.parametrize("folder", FOLDERS, indirect=True)
def test_a_crowd_hides_nothing_and_is_said(scene: Scene, pages: Pages, folder: str) -> None:
    server = process(scene)
    during, page = answers(server), pages.of(server)
    assert folder in WITH_A_COMMAND_EACH or len(page.encode()) < LARGEST
    for name in os.listdir(scene.root / folder):
        if name.startswith("x"):
            (scene.root / folder / name).unlink()
    before = answers(server)
    assert before == answers(process(scene))
    assert _of_before(before, during, EPISODES, "episodes", "path")
    assert _of_before(before, during, RECOVERY, "stranded", "path")
    assert _of_before(before, during, CLOSED, "newest", "path")
    for kind in ("handover", "checkpoint", "session", "task"):
        kept = {key: value for key, value in before[CONTINUITY][kind].items() if key != "considered"}
        assert kept.items() <= during[CONTINUITY][kind].items()
    if folder in (f"{STATE}/sessions-open", f"{STATE}/handovers", f"{STATE}/checkpoints", "docs/archive"):
        assert "10,000" in page or "10000" in page


# ---------------------------------------------------------------------- long names
LONG = 255
NAMES = {
    f"{STATE}/sessions-open": "y" * (LONG - 5) + ".yaml",
    f"{STATE}/handovers": "y" * (LONG - 3) + ".md",
    f"{STATE}/checkpoints": "ü" * 126 + ".md",
    SESSIONS: ".tmp." + "y" * (LONG - 5),
    f"{SESSIONS}/": "y" * (LONG - 3) + ".md",
}


@pytest.mark.parametrize("place", NAMES)
@pytest.mark.parametrize("content", ["nothing\n", "as it should be"])
def test_a_name_of_255_bytes_is_read_said_and_cleared(tmp_path: Path, place: str, content: str) -> None:
    scene = crowded(tmp_path / "repo")
    source = {
        f"{STATE}/sessions-open": f"{STATE}/sessions-open/gone.yaml",
        f"{STATE}/handovers": f"{STATE}/handovers/h.md",
        f"{STATE}/checkpoints": f"{STATE}/checkpoints/c.md",
    }.get(place, f"{SESSIONS}/.tmp.copy")
    text = content if content == "nothing\n" else (scene.root / source).read_text().replace("s-copy", "s-long")
    name = NAMES[place]
    assert len(os.fsencode(name)) == LONG
    scene.write(f"{place.rstrip('/')}/{name}", text.replace("-dddd", "-long"))
    server = process(scene)
    seen = answers(server)
    assert name in json.dumps(seen, ensure_ascii=False)
    Pages(scene).of(server)
    recovery = next(read for read in CATALOG if read.id == RECOVERY)
    pasted = paste("\n".join(need.remedy for need in needs(recovery.ask(server.look()))))
    assert (pasted.returncode, needs(recovery.ask(server.look()))) == (0, []), pasted.stderr
    kept = [path for path in scene.root.rglob("*") if path.is_file() and path.parent.name != ".git"]
    assert text.replace("-dddd", "-long") in [path.read_text(errors="replace") for path in kept]
