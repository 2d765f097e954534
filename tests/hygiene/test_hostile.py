"""What a stranger may write into a letter, a document or a name holds nothing up and is not printed whole."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from tests.builders import Scene
from tests.hygiene.runs import RUN, run

MIB = 1 << 20
LETTER = "docs/handoffs/HANDOFF-2026-09-19-stars.md"


def cockpit(scene: Scene, *words: str, within: float | None = None) -> subprocess.CompletedProcess[str]:
    """A command of its own process, ended after ``within`` seconds."""
    name, *further = words
    command = [sys.executable, "-m", "cockpit", name, "--repo", str(scene.root), *further]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=within)


# ---------------------------------------------------------------------- time
def _likely(number: int) -> str:
    """Patterns of what the path of a file holds, none of which fits it: nothing follows its ``xt``."""
    letters, drawn = list("agent-run/sch?"), random.Random(4)
    return " ".join(f"*/*xt*{'*'.join(drawn.sample(letters, 5))}*" for _ in range(number))


@pytest.mark.parametrize("path", [LETTER, "docs/notes.md"])
@pytest.mark.parametrize(
    "text",
    [
        "*" * 4000,
        *(each * MIB for each in "*?[\n/"),
        "*/" * (MIB // 2),
        "*/a[" * (MIB // 4),
        f"*/a{'[' * 500}\n" * (MIB // 504),
        _likely(400),
    ],
    ids=["a line of stars", "stars", "marks", "brackets", "lines", "slashes", "pairs", "sets", "open sets", "likely"],
)
def test_no_text_of_wildcards_holds_a_cleaning_up(scene: Scene, text: str, path: str) -> None:
    run(scene, files={f"scratch/{number}.txt": "2024-09-19T08:00:00Z" for number in range(3)})
    scene.write(path, f"Status: active\n\n{text[: MIB - 64]}\n")
    done = cockpit(scene, "clean", within=10)
    assert (done.returncode, done.stdout.count(f"would remove  {RUN}/")) == (0, 3)


def test_more_patterns_than_are_tried_are_a_doubt(scene: Scene) -> None:
    run(scene)
    scene.write("docs/notes.md", _likely(MIB // 20))
    done = cockpit(scene, "clean", within=10)
    assert done.stdout == f"kept  {RUN}/scratch/plan.txt: docs/notes.md names it\n"
