"""``cockpit init`` on the settings that people have: merged with every other byte kept, or left alone with a sentence."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from cockpit.cli import main
from cockpit.recorder import settings_files
from cockpit.recorder.adapters import adapters
from cockpit.recorder.settings_files import masked
from tests.builders import STATE, Scene
from tests.examples import examples
from tests.recorder.team import WORDS, answers, fire, healthy, payload, program, team

SETTINGS = {"claude-code": ".claude/settings.json", "codex": ".codex/hooks.json", "gemini": ".gemini/settings.json"}


@pytest.fixture
def bare(tmp_path: Path) -> Scene:
    return Scene.create(tmp_path / "repo", layer=False)


def init(root: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["init", "--repo", str(root), *arguments])


def _clean(scene: Scene) -> dict[str, str]:
    return {name: what for name, what in scene.picture().items() if not name.startswith(".git/")}


@pytest.mark.parametrize("provider", WORDS)
def test_a_newcomer_lays_out_the_layer_and_takes_it_out_again(bare: Scene, provider: str) -> None:
    before = _clean(bare)
    dry = init(bare.root, "--provider", provider, "--dry-run")
    assert dry.exit_code == 0
    assert f"+++ b/{SETTINGS[provider]}" in dry.output
    assert _clean(bare) == before
    assert init(bare.root, "--provider", provider).exit_code == 0
    once = _clean(bare)
    again = init(bare.root, "--provider", provider)
    assert (again.exit_code, "Nothing to change" in again.output) == (0, True)
    assert _clean(bare) == once
    healthy(bare.root)
    (wired,) = (p for p in answers(bare.root)["lifecycle.providers"]["providers"] if p["id"] == provider)
    assert wired["wired"] == [f"cockpit-{provider}"]
    assert init(bare.root, "--undo", "--dry-run").exit_code == 0
    assert _clean(bare) == once
    assert init(bare.root, "--undo").exit_code == 0
    assert _clean(bare) == before
    assert "Nothing to undo" in init(bare.root, "--undo").output


def test_one_provider_after_the_other_and_one_undo(bare: Scene) -> None:
    before = _clean(bare)
    for provider in WORDS:
        assert init(bare.root, "--provider", provider).exit_code == 0
    assert [len(p["wired"]) for p in answers(bare.root)["lifecycle.providers"]["providers"]].count(1) == 3
    assert init(bare.root, "--undo").exit_code == 0
    assert _clean(bare) == before


def test_the_hooks_have_their_shape_and_their_units(bare: Scene) -> None:
    init(bare.root, *(word for provider in WORDS for word in ("--provider", provider)))
    for provider, path in SETTINGS.items():
        hooks: Any = json.loads((bare.root / path).read_text())["hooks"]
        assert list(hooks) == list(WORDS[provider].values())
        for kind, event in WORDS[provider].items():
            ((group,),) = (hooks[event],)
            (hook,) = group["hooks"]
            assert hook["type"] == "command"
            assert hook["timeout"] == (
                10000 if provider == "gemini" else 3 if (provider, kind) == ("codex", "end") else 10
            )
            assert ("name" in hook) == (provider == "gemini")
            assert not any(character.isdigit() or character == "." for character in hook["command"].replace("2>&1", ""))


@pytest.mark.parametrize("provider", WORDS)
@pytest.mark.parametrize("shell", ["sh", "bash", "dash"])
def test_the_command_works_where_cockpit_is_on_the_path_and_is_silent_where_it_is_not(
    tmp_path: Path, provider: str, shell: str
) -> None:
    scene = team(tmp_path / "repo", provider)
    group = json.loads((scene.root / SETTINGS[provider]).read_text())["hooks"][WORDS[provider]["start"]][0]
    command, data = group["hooks"][0]["command"], json.dumps(payload(provider, "start", "a", scene.root)).encode()
    without = subprocess.run(
        [shell, "-c", command], input=data, env={"PATH": "/usr/bin:/bin"}, capture_output=True, check=False
    )
    assert (without.returncode, without.stdout, without.stderr) == (0, b"", b"")
    assert not (scene.root / STATE).exists()
    with program(tmp_path / "bin") as path:
        done = subprocess.run(
            [shell, "-c", command], input=data, env=os.environ | {"PATH": path}, capture_output=True, check=False
        )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert (scene.root / STATE / "sessions-open/a.yaml").exists()


EXISTING = {
    "empty file": b"",
    "blank": b"\n\n",
    "empty object": b"{}",
    "spread empty object": b"{\n}\n",
    "one line": b'{"permissions":{"allow":["x"]}}',
    "two spaces": b'{\n  "permissions": {\n    "allow": ["Bash(ls:*)"]\n  },\n  "model": "opus"\n}\n',
    "four spaces": b'{\n    "a": 1.0,\n    "b": 1e3\n}\n',
    "tabs": b'{\n\t"a": [\n\t\t1\n\t]\n}\n',
    "windows lines": b'{\r\n  "a": "\\u00e9",\r\n  "hooks": {}\r\n}\r\n',
    "no final newline": b'{\n  "a": true\n}',
    "byte order mark": b'\xef\xbb\xbf{\n  "a": true\n}\n',
    "other hooks": b'{\n  "hooks": {\n    "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]\n  }\n}\n',
    "our events": b'{\n  "hooks": {\n    "SessionStart": [\n      {"hooks": [{"type": "command", "command": "other"}]}\n    ]\n  }\n}\n',
    "our events on a line": b'{\n  "hooks": {"SessionStart": [{"hooks": []}], "SessionEnd": []}\n}\n',
    "comments": b'// top\n{\n  "a": 1, // one\n  /* two */ "b": "// no comment",\n  "hooks": { /* none yet */ },\n}\n// end\n',
    "comment at the end": b'{\n  "a": 1 // the last\n}\n',
    "trailing commas": b'{\n  "a": [1, 2,],\n  "hooks": {\n    "Stop": [],\n  },\n}\n',
    "strings that look odd": b'{\n  "a": "}]{[,\\"//",\n  "b": "/* x */"\n}\n',
}


@pytest.mark.parametrize("what", EXISTING)
def test_every_other_byte_is_kept_and_undo_restores_them_all(bare: Scene, what: str) -> None:
    path = bare.write(SETTINGS["claude-code"], EXISTING[what])
    before = _clean(bare)
    assert init(bare.root, "--provider", "claude-code").exit_code == 0
    after = path.read_bytes()
    value = json.loads(masked(after.decode()))
    old = json.loads(masked(EXISTING[what].decode()) if EXISTING[what].strip() else "{}")
    for event in WORDS["claude-code"].values():
        groups = value["hooks"].pop(event)
        kept = old.get("hooks", {}).pop(event, [])
        assert groups[:-1] == kept
    assert value.pop("hooks") == old.pop("hooks", {})
    assert value == old
    if b"\r\n" in EXISTING[what]:
        assert b"\n" not in after.replace(b"\r\n", b"")
    comments = [
        line
        for line in (b"// one", b"/* two */", b"// end", b"// the last", b"/* none yet */")
        if line in EXISTING[what]
    ]
    assert all(comment in after for comment in comments)
    assert _is_subsequence(EXISTING[what], after)
    assert init(bare.root, "--provider", "claude-code").output.startswith("Nothing to change")
    assert init(bare.root, "--undo").exit_code == 0
    assert _clean(bare) == before


def _is_subsequence(small: bytes, large: bytes) -> bool:
    left = iter(large)
    return all(byte in left for byte in small.strip())


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=5)
    | st.sampled_from(["//", "/*", "*/", '"', "\\", "},", "]"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@examples(300)
@given(
    st.dictionaries(st.text(max_size=5).filter(lambda key: key != "hooks"), VALUES, max_size=4),
    st.sampled_from([None, 1, 2, 4, "\t"]),
)
def test_whatever_the_settings_hold_is_kept(settings: dict[str, Any], indent: Any) -> None:
    adapter = adapters()["claude-code"]
    before = json.dumps(settings, indent=indent).encode()
    after = settings_files.merged(before, adapter)
    assert {k: v for k, v in json.loads(after).items() if k != "hooks"} == settings
    assert list(json.loads(after)) == [*settings, "hooks"]
    assert settings_files.merged(after, adapter) == after
    assert json.loads(settings_files.without(after, adapter)) == settings


BROKEN = {
    "no JSON": b"hello",
    "half": b'{"a": ',
    "a list": b"[]",
    "hooks is a list": b'{"hooks": []}',
    "an event is an object": b'{"hooks": {"SessionStart": {}}}',
    "no UTF-8": b'{"a": "\xff"}',
    "two": b"{}{}",
}


@pytest.mark.parametrize("what", BROKEN)
def test_what_cannot_be_merged_is_left_alone_with_a_sentence(bare: Scene, what: str) -> None:
    bare.write(SETTINGS["claude-code"], BROKEN[what])
    before = _clean(bare)
    done = init(bare.root, "--provider", "claude-code")
    assert done.exit_code == 3
    assert ".claude/settings.json" in done.output
    assert "by hand" in done.output
    assert _clean(bare) == before


def test_a_linked_settings_file_is_left_alone(bare: Scene, tmp_path: Path) -> None:
    elsewhere = tmp_path / "dotfiles.json"
    elsewhere.write_text("{}")
    (bare.root / ".claude").mkdir()
    (bare.root / SETTINGS["claude-code"]).symlink_to(elsewhere)
    before = _clean(bare)
    done = init(bare.root, "--provider", "claude-code")
    assert (done.exit_code, "is a link" in done.output) == (3, True)
    assert _clean(bare) == before
    assert elsewhere.read_text() == "{}"


def test_what_was_changed_since_loses_only_what_init_put_in(bare: Scene) -> None:
    bare.write(SETTINGS["claude-code"], '{\n  "model": "opus"\n}\n')
    init(bare.root, "--provider", "claude-code")
    path = bare.root / SETTINGS["claude-code"]
    path.write_text(path.read_text().replace('"opus"', '"sonnet"'))
    policy = bare.root / ".ai/repo/policy.yaml"
    policy.write_text(policy.read_text().replace("720", "60"))
    done = init(bare.root, "--undo")
    assert done.exit_code == 0
    assert path.read_text() == '{\n  "model": "sonnet"\n}\n'
    assert "fresh_minutes: 60" in policy.read_text()
    assert "cockpit-claude-code" not in policy.read_text()


def test_undo_keeps_what_was_recorded(bare: Scene) -> None:
    init(bare.root, "--provider", "claude-code")
    fire("claude-code", "start", "a", bare.root)
    fire("claude-code", "start", "b", bare.root)
    fire("claude-code", "end", "b", bare.root)
    done = init(bare.root, "--undo")
    assert "stays" in done.output
    assert (bare.root / STATE / "sessions-open/a.yaml").exists()
    assert list((bare.root / ".ai/repo/sessions").glob("*.md"))
    assert bare.git("status", "--porcelain", "--", ".ai/local") == ""


POLICIES = {
    "none of ours": "version: 1\nsession:\n  freshness:\n    fresh_minutes: 1\n",
    "a list": "version: 1\nenforcement:\n  # theirs\n  - name: a\n    path: b\n    wired_by: git-hook:x\nledger:\n  retention_max_lines: 9\n",
    "flush list": "enforcement:\n- name: a\n  path: b\n",
    "empty list": "enforcement: []\nversion: 1",
    "no value": "enforcement:\nversion: 1\n",
    "windows": "version: 1\r\nenforcement:\r\n  - name: a\r\n",
    "no newline at the end": "version: 1",
}


@pytest.mark.parametrize("what", POLICIES)
def test_a_policy_that_is_there_gains_its_entry_and_keeps_every_line(bare: Scene, what: str) -> None:
    bare.write(".ai/repo/policy.yaml", POLICIES[what])
    before = _clean(bare)
    assert init(bare.root, "--provider", "codex").exit_code == 0
    after = (bare.root / ".ai/repo/policy.yaml").read_bytes().decode()
    kept = [line for line in POLICIES[what].replace("enforcement: []", "enforcement:").splitlines() if line]
    assert [line for line in after.splitlines() if line in kept] == kept
    (row,) = (p for p in answers(bare.root)["lifecycle.providers"]["providers"] if p["id"] == "codex")
    assert row["wired"] == ["cockpit-codex"]
    assert init(bare.root, "--undo").exit_code == 0
    assert _clean(bare) == before


@pytest.mark.parametrize("text", ["enforcement: {a: b}\n", "a: [\n", "enforcement: [{name: a}]\n"])
def test_a_policy_that_cannot_be_extended_is_left_alone(bare: Scene, text: str) -> None:
    bare.write(".ai/repo/policy.yaml", text)
    before = _clean(bare)
    assert init(bare.root, "--provider", "codex").exit_code == 3
    assert _clean(bare) == before


@pytest.mark.parametrize("where", ["policy", "hook", "ledger"])
def test_another_writer_is_a_reason_to_refuse(bare: Scene, where: str) -> None:
    if where == "policy":
        bare.write(
            ".ai/repo/policy.yaml", "enforcement:\n  - name: x\n    path: bin/majordomus\n    wired_by: git-hook:x\n"
        )
    elif where == "hook":
        bare.write(SETTINGS["codex"], '{"hooks": {"Stop": [{"hooks": [{"command": "majordomus capture"}]}]}}')
    else:
        bare.ledger('{"event":"x","by":"majordomus"}')
    before = _clean(bare)
    done = init(bare.root, "--provider", "claude-code")
    assert (done.exit_code, "majordomus writes here" in done.output) == (3, True)
    assert _clean(bare) == before


def test_a_local_half_that_git_tracks_is_a_reason_to_refuse(bare: Scene) -> None:
    bare.write(".ai/local/state/current.yaml", "id: t-1\n")
    bare.commit("Tracked by mistake")
    done = init(bare.root, "--provider", "claude-code")
    assert (done.exit_code, "is tracked by git" in done.output) == (3, True)


def test_a_wrong_call_is_2(bare: Scene, tmp_path: Path) -> None:
    assert init(bare.root).exit_code == 2
    assert init(bare.root, "--provider", "cursor").exit_code == 2
    assert init(tmp_path, "--provider", "codex").exit_code == 2


@pytest.mark.parametrize("rules", ["", "build/\n", "build/", "a\r\nb\r\n", ".ai/local/\n"])
def test_the_ignore_rule_is_added_once(bare: Scene, rules: str) -> None:
    bare.write(".gitignore", rules)
    before = _clean(bare)
    init(bare.root, "--provider", "codex")
    bare.write(".ai/local/x", "")
    assert bare.git("check-ignore", ".ai/local/x") == ".ai/local/x"
    assert (bare.root / ".gitignore").read_text().count(".ai/local/") == 1
    (bare.root / ".ai/local/x").unlink()
    init(bare.root, "--undo")
    assert _clean(bare) == before
