"""``cockpit handoff`` run in this process, as it is run on the command line."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

from click.testing import CliRunner, Result

from cockpit.cli import main
from tests.builders import Scene

TEXT = """\
## Original goal

Labels that a depot can read.

## Progress

- `.ai/manifest.yaml` is laid out.

## Ordered remainder

1. Print the test sheet.

## Invariants

- A label is forty characters wide.

## Verification

    python -m pytest
"""


def handoff(scene: Scene, *words: str, text: str | bytes = "") -> Result:
    """Run a command about the scene; what it prints is in ``stdout`` and ``stderr``."""
    command, *more = words
    ran = CliRunner().invoke(main, ["handoff", command, "--repo", str(scene.root), *more], input=text)
    if ran.exception and not isinstance(ran.exception, SystemExit):
        raise ran.exception
    return ran


def new(
    scene: Scene, *more: str, text: str | bytes = TEXT, effort: str = "labels", leg: str = "1", slug: str = "labels"
) -> Result:
    """Run ``handoff new`` with ordinary words, unless told otherwise."""
    return handoff(scene, "new", "--effort", effort, "--leg", leg, "--slug", slug, *more, text=text)


def written(scene: Scene) -> list[Path]:
    """The letters among the active ones."""
    return sorted((scene.root / "docs/handoffs").glob("HANDOFF-*.md"))


def kept(scene: Scene) -> list[Path]:
    """The letters in the archive."""
    return sorted((scene.root / "docs/archive").glob("HANDOFF-*.md"))


def pasted(remedy: str) -> str:
    """A remedy as it runs where ``cockpit`` is not on the PATH but beside the Python that runs the tests."""
    program = shlex.quote(os.path.join(os.path.dirname(sys.executable), "cockpit"))
    return remedy.replace("cockpit ", f"{program} ", 1)
