"""A hook is light: the list of what it imports, and nothing on the way in that a hook does not need."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.recorder.team import PROJECT, payload, team

OWN = {
    "cockpit", "cockpit.entry", "cockpit.formats", "cockpit.formats.calls", "cockpit.formats.keys",
    "cockpit.formats.outline", "cockpit.formats.wording", "cockpit.recorder", "cockpit.recorder.adapters",
    "cockpit.recorder.asking", "cockpit.recorder.closing", "cockpit.recorder.durable", "cockpit.recorder.episodes",
    "cockpit.recorder.facts", "cockpit.recorder.hook", "cockpit.recorder.ledger", "cockpit.recorder.notes",
    "cockpit.recorder.objects", "cockpit.recorder.reading", "cockpit.recorder.site", "cockpit.recorder.spool",
    "cockpit.recorder.texts", "cockpit.recorder.where",
}  # fmt: skip
LIBRARY = {
    "__future__",
    "_json",
    "collections.abc",
    "errno",
    "fcntl",
    "pwd",
    "select",
    "_hashlib",
    "hashlib",
    "_blake2",
}
"""The rest of the standard library comes with any ``python -m``; the digests are wanted at an end and a compaction."""


@pytest.mark.parametrize("kind", ["start", "compact", "end"])
def test_a_hook_imports_this_and_nothing_else(tmp_path: Path, kind: str) -> None:
    scene = team(tmp_path / "repo")
    environment = os.environ | {"PYTHONPATH": str(PROJECT)}
    every = _imported("cockpit", environment, payload("claude-code", "start", "a", scene.root))
    if kind != "start":
        every = _imported("cockpit", environment, payload("claude-code", kind, "a", scene.root))
    bare = _imported("this", environment, {})
    assert {name for name in every if name.startswith("cockpit")} - {"cockpit.__main__"} == OWN
    assert {name for name in every - bare if not name.startswith("cockpit")} <= LIBRARY


def _imported(module: str, environment: dict[str, str], stdin: object) -> set[str]:
    """What ``python -m <module>`` imports; the modules that the interpreter begins with are left out."""
    command = [
        sys.executable,
        "-X",
        "importtime",
        "-m",
        module,
        *(["hook", "claude-code"] if module == "cockpit" else []),
    ]
    done = subprocess.run(command, input=json.dumps(stdin).encode(), env=environment, capture_output=True, check=True)
    lines = done.stderr.decode().splitlines()
    return {line.rpartition("|")[2].strip() for line in lines if line.startswith("import time:")} - {"imported package"}


def test_both_ways_in_lead_to_the_same_place() -> None:
    entry = (PROJECT / "pyproject.toml").read_text().partition("[project.scripts]\n")[2].splitlines()[0]
    assert entry == 'cockpit = "cockpit.entry:main"'


def test_the_command_line_knows_every_command_of_the_recorder() -> None:
    from cockpit.cli import RECORDER
    from cockpit.recorder.commands import COMMANDS

    assert sorted(RECORDER) == sorted(COMMANDS)


def test_the_command_line_knows_every_command_of_hygiene() -> None:
    from cockpit.cli import HYGIENE
    from cockpit.hygiene.commands import COMMANDS

    assert sorted(HYGIENE) == sorted(COMMANDS)
