"""What the README lists is what the catalog holds."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from cockpit.formats import run_manifest
from cockpit.formats.letter import role_of
from cockpit.reads.catalog import CATALOG
from tests.builders import Scene
from tests.handoffs.running import new
from tests.recorder.team import answers, closed_records, cockpit, events, program, team

README = Path(__file__).parents[1] / "README.md"


def test_the_table_of_questions_is_the_catalog() -> None:
    rows = re.findall(r"^\| `([a-z]+\.[a-z]+)` \| ([^|]+) \| `([^`]+)` \|$", README.read_text("utf-8"), re.MULTILINE)
    listed = {(name, question.strip(), route) for name, question, route in rows}
    assert listed == {(read.id, read.description, read.route) for read in CATALOG}


def test_every_question_has_an_example_of_asking_it() -> None:
    asked = re.findall(r"^curl -s \$at(/\S+) +\| jq ", README.read_text("utf-8"), re.MULTILINE)
    assert sorted(asked) == sorted(read.route for read in CATALOG)


def test_every_picture_is_there() -> None:
    pictures = re.findall(r"!\[[^]]+\]\(([^)]+)\)", README.read_text("utf-8"))
    assert pictures
    assert all((README.parent / picture).is_file() for picture in pictures)


def test_every_rule_of_the_audit_is_listed() -> None:
    folder = README.parent / "cockpit/hygiene"
    used = {
        code
        for path in folder.glob("*.py")
        for code in re.findall(r'(?:warning|error)\(\s*"([a-z-]+)"', path.read_text())
    }
    section = README.read_text("utf-8").partition("## Context hygiene")[2].partition("\n## ")[0]
    assert len(used) >= 12
    assert {code for code in used if f"`{code}`" not in section} == set()


def test_what_an_audit_is_said_to_cost_is_what_was_measured() -> None:
    text = README.read_text("utf-8")
    said = re.search(r"\(([0-9.]+) times in the table of “What it costs”", text)
    measured = re.search(r"^\| `cockpit audit` of 50,000 files \|[^|]+\| ([0-9.]+) \(", text, re.MULTILINE)
    assert said
    assert measured
    assert said[1] == measured[1]


def test_the_notes_that_are_shown_make_a_letter_and_the_headings_that_are_named_count(scene: Scene) -> None:
    section = README.read_text("utf-8").partition("\n## Handoffs")[2]
    notes = section.partition("```markdown\n")[2].partition("```")[0]
    assert new(scene, text=notes).exit_code == 0
    named = section.partition("by a word in it: ")[2].partition(". A `# Title`")[0]
    roles = [{role_of(word) for word in re.split(r", | or |\n", group)} for group in named.split("; ")]
    assert roles == [{"goal"}, {"progress"}, {"remainder"}, {"invariants"}, {"verification"}]


def test_the_episode_that_is_shown_is_recorded_without_an_agent(tmp_path: Path) -> None:
    section = README.read_text("utf-8").partition("\n## Recording")[2].partition("\n## ")[0]
    script = section.partition("To see it without an agent")[2].partition("```sh\n")[2].partition("```")[0]
    scene = team(tmp_path / "repo")
    (tmp_path / "handover.md").write_text(section.partition("```markdown\n")[2].partition("```")[0])
    with program(tmp_path / "bin") as path:
        done = subprocess.run(
            ["sh", "-ec", script.replace("handover.md", "../handover.md")],
            cwd=scene.root, env=os.environ | {"PATH": path}, capture_output=True, check=True,
        )  # fmt: skip
    assert done.stderr == b""
    assert answers(scene.root)["continuity.state"]["handover"]["next_action"] == "Print the test sheet."
    assert len(closed_records(scene.root)) == 1
    assert events(scene.root, "provider.event.failed") == []
    (untracked,) = answers(scene.root)["lifecycle.closed"]["untracked"]
    assert " add -f " in untracked["remedy"]


@pytest.mark.parametrize("command", ["init", "hook"])
def test_the_help_names_the_providers(command: str) -> None:
    said = cockpit(command, "--help").stdout.decode().split()
    assert {"claude-code,", "codex,"} <= set(said)
    assert any(word.startswith("gemini") for word in said)


def test_the_manifest_that_is_shown_is_one() -> None:
    shown = README.read_text("utf-8").partition("## Context hygiene")[2].partition("```json\n")[2].partition("```")[0]
    assert isinstance(run_manifest.parse(shown.encode()), run_manifest.Manifest)
    for member in (written := json.loads(shown)):
        lacking = {name: value for name, value in written.items() if name != member}
        assert isinstance(run_manifest.parse(json.dumps(lacking).encode()), str), f"{member} must be there"
