"""What a stranger may write into a letter, a document or a name holds nothing up and is not printed whole."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from datetime import timedelta

import pytest

from cockpit.formats.agent_documents import HEAD
from tests.builders import Scene
from tests.hygiene.runs import EXPIRED, NOW, RUN, dated, run

MIB = 1 << 20
TOKEN = "gh" + "p_" + "aB3dE5" * 6
STATED = "hunter2x9"  # a secret that only the word before it tells
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
    run(scene, files={f"scratch/{number}.txt": EXPIRED for number in range(3)})
    scene.write(path, f"Status: active\n\n{text[: MIB - 64]}\n")
    done = cockpit(scene, "clean", within=10)
    assert (done.returncode, done.stdout.count(f"would remove  {RUN}/")) == (0, 3)


def test_more_patterns_than_are_tried_are_a_doubt(scene: Scene) -> None:
    run(scene)
    scene.write("docs/notes.md", _likely(MIB // 20))
    done = cockpit(scene, "clean", within=10)
    assert done.stdout == f"kept  {RUN}/scratch/plan.txt: docs/notes.md names it\n"


# ---------------------------------------------------------------------- credentials
def _spilled(scene: Scene) -> None:
    """Credentials wherever a resumption looks."""
    declared = f"# Repository process declaration\n\n- DB password: {STATED}\n- Scope: docs/{TOKEN}.md\n"
    scene.write("AGENTS.md", f"{declared}- Work map: the token {TOKEN}\n\n| Password | {STATED} |\n")
    cut = "x" * 380 + " "
    scene.write(
        LETTER,
        f"Status: awaiting-human, with {TOKEN}\nEffort: {TOKEN}\nLeg: {TOKEN}\n\n"
        f"## Open decisions\n\n- {TOKEN}?\n- {cut}{TOKEN}\n- password: {STATED}\n\n## Gates\n\n- {TOKEN}\n",
    )
    scene.questions(f"- [unresolved] t-1 - who owns {TOKEN}?\n")


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_resumption_masks_every_credential(scene: Scene, form: tuple[str, ...]) -> None:
    _spilled(scene)
    done = cockpit(scene, "resume", *form)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("ghp_…") >= 8
    for secret in (TOKEN[:9], STATED[:4]):
        assert secret not in done.stdout


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_an_audit_masks_the_credential_that_is_a_key_or_a_name(scene: Scene, form: tuple[str, ...]) -> None:
    for name in ("a", "b", f"{TOKEN}/c"):
        scene.write(f"{name}.md", f"Canonical key: {TOKEN}\n")
    scene.write("d.md", f"Canonical key: {'x' * 70}, {TOKEN}\n")
    scene.write("e.md", f"Canonical key: {'X' * 70}, {TOKEN}\n")
    dated(scene.write(f"logs/{TOKEN}.log", "x"), NOW - timedelta(days=400))
    done = cockpit(scene, "audit", *form)
    assert done.stdout.count("key-duplicate") == 3
    assert "ghp_…" in done.stdout
    assert TOKEN[:9].casefold() not in done.stdout.casefold()
    assert "set-aside" not in done.stdout, "a command that holds a masked name would not do what it says"


def test_keys_that_only_begin_alike_are_two_also_where_they_are_masked(scene: Scene) -> None:
    scene.write("a.md", f"Canonical key: {TOKEN}\n")
    scene.write("b.md", f"Canonical key: {TOKEN[:-1]}4\n")
    assert cockpit(scene, "audit").stdout == "Nothing has accumulated.\n"


def test_a_key_that_the_head_of_a_document_cuts_off_is_none(scene: Scene) -> None:
    for name in ("a.md", "b.md"):
        scene.write(name, "x" * (HEAD - 40) + f"\nCanonical key: {TOKEN}\n")
    assert cockpit(scene, "audit").stdout == "Nothing has accumulated.\n"


def test_a_cleaning_masks_the_credential_that_is_a_name(scene: Scene) -> None:
    run(scene, at=f".agent-run/{TOKEN}", files={f"{TOKEN}.txt": EXPIRED, f"new\n{TOKEN}": None}, owner=TOKEN)
    scene.write(f".agent-run/{TOKEN}/loose.txt", "x")
    run(scene, at=".agent-run/r-2", files={}, receipts=[f"../{'x' * 60}/{TOKEN}"])
    for words in (("clean",), ("clean", "--yes"), ("audit",)):
        done = cockpit(scene, *words)
        assert "ghp_…" in done.stdout
        assert TOKEN[:9] not in done.stdout + done.stderr
    os.mkfifo(scene.root / f"docs-{TOKEN}.md")
    run(scene)
    done = cockpit(scene, "clean")
    assert (done.returncode, TOKEN[:9] in done.stderr, "ghp_…" in done.stderr) == (1, False, True)
