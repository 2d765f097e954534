"""What to read and in which order; what is not there is said, and nothing is invented."""

from __future__ import annotations

import hashlib
import os

import pytest
from click.testing import CliRunner
from msgspec import json

from cockpit.cli import main
from cockpit.hygiene.resuming import Resumption, resume
from cockpit.store.checkout import Checkout
from tests.builders import Scene
from tests.hygiene.runs import NOW

AGENTS = """\
# Agents

Work map: docs/not-this-one.md

## Repository process declaration

- **Scope and stories**: `docs/stories/` - one file a story
- Workflow state: https://tracker.example/boards/7
- Decisions: [the log](docs/decisions.md)
- Work map: docs/work-map.md
- Retired: docs/gone.md

```
Not an owner: README.md
```

### Tables

| what | where |
|---|---|
| Domain facts | docs/context.md |

## Something else

Not declared: README.md
"""

LETTER = """\
# Handoff

Status: awaiting-human, may the old endpoint go?
Effort: rounding
Leg: 3
Supersedes: none
Consumed-at: pending

## Open decisions

- [ ] Does Norway round to 0.10?
- [x] Does Sweden?
- none

## User gates

1. Rotate the keys?
"""


def _resumed(scene: Scene) -> Resumption:
    return resume(Checkout.open(str(scene.root)), NOW)


@pytest.fixture
def full(scene: Scene) -> Scene:
    scene.write("AGENTS.md", AGENTS)
    scene.write("docs/stories/1.md", "x")
    for name in ("decisions", "work-map", "context"):
        scene.write(f"docs/{name}.md", name)
    scene.write("docs/handoffs/HANDOFF-2026-09-19-rounding.md", LETTER)
    scene.questions("- [unresolved] t-1 - who owns the vault?\n")
    return scene


def test_the_owners_are_those_that_the_declaration_names_and_the_map_comes_after(full: Scene) -> None:
    found = _resumed(full)
    assert found.declaration == "AGENTS.md:5"
    assert [(each.name, each.stated, each.place) for each in found.owners] == [
        ("Scope and stories", "docs/stories/", "folder"),
        ("Workflow state", "https://tracker.example/boards/7", "elsewhere"),
        ("Decisions", "docs/decisions.md", "file"),
        ("Retired", "docs/gone.md", "missing"),
        ("Domain facts", "docs/context.md", "file"),
    ]
    assert [(each.stated, each.digest) for each in found.work_map] == [
        ("docs/work-map.md", hashlib.sha256(b"work-map").hexdigest())
    ]
    assert found.missing == ["Retired: nothing is at docs/gone.md."]


def test_the_letter_is_bound_by_its_digest_and_what_it_leaves_open_is_told(full: Scene) -> None:
    found = _resumed(full)
    path = "docs/handoffs/HANDOFF-2026-09-19-rounding.md"
    (letter,) = found.letters
    assert (letter.path, letter.effort, letter.leg) == (path, "rounding", "3")
    assert letter.digest == hashlib.sha256(LETTER.encode()).hexdigest()
    assert [(each.path, each.line or 0, each.text) for each in found.decisions] == [
        (path, 11, "Does Norway round to 0.10?"),
        (".ai/local/state/open-questions.md", 0, "t-1 - who owns the vault?"),
    ]
    assert [each.text for each in found.gates] == ["may the old endpoint go?", "Rotate the keys?"]


def test_a_consumed_letter_is_not_resumed(full: Scene) -> None:
    full.write("docs/handoffs/HANDOFF-2026-09-19-rounding.md", LETTER.replace("awaiting-human", "consumed"))
    assert (_resumed(full).letters, _resumed(full).gates) == ([], [])


def test_where_there_is_nothing_every_part_says_so(scene: Scene) -> None:
    found = _resumed(scene)
    assert (found.owners, found.work_map, found.letters, found.decisions, found.gates) == ([], [], [], [], [])
    assert len(found.missing) == 4


@pytest.mark.parametrize("path", ["CLAUDE.md", "docs/process/how.md"])
def test_the_declaration_is_found_at_its_other_places(scene: Scene, path: str) -> None:
    scene.write("README.md", AGENTS)
    scene.write(path, AGENTS)
    assert _resumed(scene).declaration == f"{path}:5"


def test_a_second_declaration_is_said_and_does_not_count(full: Scene) -> None:
    full.write("CLAUDE.md", "# Repository process declaration\n\nWork map: x.md\n")
    found = _resumed(full)
    assert len(found.work_map) == 1
    assert "CLAUDE.md declares the process too; AGENTS.md counts." in found.missing


def test_a_declaration_without_a_map_is_said(scene: Scene) -> None:
    scene.write("AGENTS.md", "# Repository process declaration\n\nScope: README.md\n")
    assert "The declaration names no work map." in _resumed(scene).missing


@pytest.mark.parametrize("stated", ["/etc/passwd", "../outside.md", ".git/config", ".ai/local/prompts/x"])
def test_what_lies_outside_is_never_looked_at(scene: Scene, stated: str) -> None:
    scene.write("AGENTS.md", f"# Repository process declaration\n\nWork map: {stated}\n")
    assert [(each.place, bool(each.digest)) for each in _resumed(scene).work_map] == [("elsewhere", False)]


def test_a_link_and_a_pipe_are_not_read(scene: Scene) -> None:
    (scene.root / "map.md").symlink_to("/etc/passwd")
    os.mkfifo(scene.root / "pipe.md")
    scene.write("AGENTS.md", "# Repository process declaration\n\nWork map: map.md\nScope: pipe.md\n")
    found = _resumed(scene)
    assert [each.place for each in (*found.work_map, *found.owners)] == ["unreadable", "unreadable"]


def test_looking_changes_nothing(full: Scene) -> None:
    before = full.picture()
    _resumed(full)
    assert full.picture() == before


def test_the_text_keeps_the_order_and_json_says_the_same(full: Scene) -> None:
    text = CliRunner().invoke(main, ["resume", "--repo", str(full.root)]).stdout
    heads = [line[:2] for line in text.splitlines() if line[:1].isdigit()]
    assert heads == ["1.", "2.", "3.", "4.", "5."]
    as_json = CliRunner().invoke(main, ["resume", "--json", "--repo", str(full.root)]).stdout
    assert list(json.decode(as_json)) == [
        "declaration",
        "owners",
        "work_map",
        "letters",
        "decisions",
        "gates",
        "missing",
    ]


def test_a_document_that_could_not_be_looked_at_is_said_to_be_missing(scene: Scene) -> None:
    os.mkfifo(scene.write("docs/a.md", "").with_name("pipe.md"))
    missing = resume(Checkout.open(str(scene.root)), NOW).missing
    assert "docs/pipe.md is not a regular file, so what it declares is not known." in missing
