"""``cockpit init --undo``: for one provider alone, and in a clone or worktree that keeps nothing of what init did."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.builders import Scene
from tests.recorder.team import WORDS, answers, fire
from tests.recorder.test_init import SETTINGS, init

ALL = [word for provider in WORDS for word in ("--provider", provider)]
NOTHING = "Nothing to undo: nothing that init put in is here.\n"


@pytest.fixture
def bare(tmp_path: Path) -> Scene:
    return Scene.create(tmp_path / "repo", layer=False)


def files(root: Path) -> dict[str, bytes]:
    """Every file of a checkout, without git's own."""
    found = {str(path.relative_to(root)): path for path in root.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in found.items() if not name.startswith(".git/") and name != ".git"}


def elsewhere(scene: Scene, kind: str) -> Path:
    """Another checkout of what is committed."""
    to = scene.root.parent / kind
    if kind == "worktree":
        return scene.worktree("side", to)
    scene.git("clone", "--quiet", str(scene.root), str(to))
    return to


def wired(root: Path) -> list[str]:
    return [row["id"] for row in answers(root)["lifecycle.providers"]["providers"] if row["wired"]]


# ---------------------------------------------------------------------- one provider alone
@pytest.mark.parametrize("provider", WORDS)
def test_one_provider_is_taken_out_and_the_others_stay(bare: Scene, provider: str) -> None:
    others = [each for each in WORDS if each != provider]
    init(bare.root, *(word for each in others for word in ("--provider", each)))
    before = files(bare.root)
    before.pop(".ai/local/init.json")
    init(bare.root, "--provider", provider)
    dry = init(bare.root, "--provider", provider, "--undo", "--dry-run")
    assert (dry.exit_code, f"--- a/{SETTINGS[provider]}" in dry.output) == (0, True)
    assert wired(bare.root) == list(WORDS)
    done = init(bare.root, "--provider", provider, "--undo")
    assert (done.exit_code, done.output) == (0, f".ai/repo/policy.yaml changed\n{SETTINGS[provider]} removed\n")
    after = files(bare.root)
    after.pop(".ai/local/init.json")
    assert after == before
    assert wired(bare.root) == others


def test_after_one_provider_was_taken_out_the_rest_is_restored_byte_for_byte(bare: Scene) -> None:
    bare.write(".ai/repo/policy.yaml", "enforcement: []\nversion: 1")
    bare.write(SETTINGS["codex"], '{ "hooks": {} }')
    before = files(bare.root)
    init(bare.root, *ALL)
    init(bare.root, "--provider", "codex", "--undo")
    assert (bare.root / SETTINGS["codex"]).read_text() == '{ "hooks": {} }'
    init(bare.root, "--undo")
    assert files(bare.root) == before


def test_with_the_last_provider_all_of_it_goes_and_that_is_said(bare: Scene) -> None:
    before = files(bare.root)
    init(bare.root, "--provider", "codex")
    done = init(bare.root, "--provider", "codex", "--undo")
    assert "No other provider is wired here, so that the layer goes too." in done.output
    assert ".ai/manifest.yaml removed" in done.output
    assert files(bare.root) == before


def test_a_provider_that_is_not_wired_takes_nothing_out(bare: Scene) -> None:
    init(bare.root, "--provider", "codex")
    before = files(bare.root)
    done = init(bare.root, "--provider", "gemini", "--undo")
    assert (done.exit_code, done.output) == (0, "gemini is not wired here.\nNothing to undo.\n")
    assert init(bare.root, "--provider", "nobody", "--undo").exit_code == 2
    assert files(bare.root) == before


@pytest.mark.parametrize("named", [(), ("--provider", "codex")])
def test_what_a_person_edited_stays_and_is_named_each_time(bare: Scene, named: tuple[str, ...]) -> None:
    init(bare.root, "--provider", "codex", "--provider", "gemini")
    policy = bare.root / ".ai/repo/policy.yaml"
    policy.write_text(policy.read_text().replace("  - name: cockpit-codex\n", "  - name: cockpit-codex\n    # Ours.\n"))
    hooks = bare.root / SETTINGS["codex"]
    own = {"type": "command", "command": "say ready"}
    value = json.loads(hooks.read_text())
    value["hooks"]["SessionStart"][0]["hooks"].append(own)
    hooks.write_text(json.dumps(value))
    for _ in range(2):
        said = init(bare.root, *named, "--undo").output
        assert ".ai/repo/policy.yaml still names cockpit for codex" in said
        assert f"{SETTINGS['codex']} still names cockpit for codex" in said
    assert "# Ours." in policy.read_text()
    assert own in json.loads(hooks.read_text())["hooks"]["SessionStart"][0]["hooks"]


# ---------------------------------------------------------------------- where nothing is kept
@pytest.mark.parametrize("kind", ["clone", "worktree"])
def test_elsewhere_all_that_init_wrote_goes_and_a_second_run_finds_nothing(bare: Scene, kind: str) -> None:
    before = files(bare.root)
    init(bare.root, *ALL)
    bare.commit("Lay out the layer")
    root = elsewhere(bare, kind)
    done = init(root, "--undo")
    assert (done.exit_code, "changed" in done.output) == (0, False)
    assert files(root) == before
    assert not (root / ".ai").exists()
    again = init(root, "--undo")
    assert (again.exit_code, again.output) == (0, NOTHING)


def test_elsewhere_one_provider_alone_is_taken_out_too(bare: Scene) -> None:
    init(bare.root, *ALL)
    bare.commit("Lay out the layer")
    root = elsewhere(bare, "clone")
    assert init(root, "--provider", "codex", "--undo").exit_code == 0
    assert not (root / SETTINGS["codex"]).exists()
    assert wired(root) == ["claude-code", "gemini"]


@pytest.mark.parametrize("named", [(), ("--provider", "gemini", "--provider", "codex")])
def test_elsewhere_what_was_wired_later_goes_with_the_rest(bare: Scene, named: tuple[str, ...]) -> None:
    before = files(bare.root)
    init(bare.root, "--provider", "codex")
    bare.commit("Lay out the layer")
    root = elsewhere(bare, "clone")
    init(root, "--provider", "gemini")
    assert init(root, *named, "--undo").exit_code == 0
    assert files(root) == before
    assert init(root, "--undo").output == NOTHING


def test_elsewhere_one_provider_goes_after_the_other(bare: Scene) -> None:
    before = files(bare.root)
    init(bare.root, "--provider", "codex")
    bare.commit("Lay out the layer")
    root = elsewhere(bare, "clone")
    init(root, "--provider", "gemini")
    init(root, "--provider", "gemini", "--undo")
    assert bare.git("status", "--porcelain", at=root) == ""
    done = init(root, "--provider", "codex", "--undo")
    assert "was changed since" not in done.output
    assert files(root) == before


def test_elsewhere_what_a_person_wrote_stays(bare: Scene) -> None:
    kept = {
        ".gitignore": "build/\n.ai/local/\n",
        ".ai/repo/sessions/README.md": "Ours.\n",
        ".ai/manifest.yaml": "schema: ai-repository/v1\n# Ours.\n",
        SETTINGS["gemini"]: '{\n  "hooks": majordom',
    }
    for path, text in kept.items():
        bare.write(path, text)
    bare.write(SETTINGS["claude-code"], '{\n  "model": "opus"\n}\n')
    init(bare.root, "--provider", "claude-code", "--provider", "codex")
    policy = bare.root / ".ai/repo/policy.yaml"
    policy.write_text(policy.read_text().replace("720", "60"))
    bare.commit("Lay out the layer")
    root = elsewhere(bare, "clone")
    done = init(root, "--undo")
    assert done.exit_code == 0
    assert ".gitignore keeps its line .ai/local/" in done.output
    assert {path: (root / path).read_text() for path in kept} == kept
    assert json.loads((root / SETTINGS["claude-code"]).read_text()) == {"model": "opus"}
    assert "fresh_minutes: 60" in (root / ".ai/repo/policy.yaml").read_text()
    assert not (root / SETTINGS["codex"]).exists()
    assert wired(root) == []
    assert init(root, "--undo").output == NOTHING


@pytest.mark.parametrize("text", [".ai/local/\n", "a\n.ai/local/\n"])
def test_where_init_never_was_an_ignore_rule_is_nobodys(bare: Scene, text: str) -> None:
    bare.write(".gitignore", text)
    assert init(bare.root, "--undo").output == NOTHING
    assert (bare.root / ".gitignore").read_text() == text


def test_elsewhere_what_was_recorded_stays(bare: Scene) -> None:
    init(bare.root, "--provider", "codex")
    fire("codex", "start", "a", bare.root)
    fire("codex", "end", "a", bare.root)
    bare.git("add", "-f", ".ai/repo/sessions")
    bare.commit("Record")
    root = elsewhere(bare, "clone")
    init(root, "--undo")
    (record,) = files(root).keys() - {"README.md"} - files_of_the_first_commit(bare)
    assert record.startswith(".ai/repo/sessions/")


def files_of_the_first_commit(scene: Scene) -> set[str]:
    first = scene.git("rev-list", "--max-parents=0", "HEAD")
    return set(scene.git("ls-tree", "-r", "--name-only", first).split("\n"))
