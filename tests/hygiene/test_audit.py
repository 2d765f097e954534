"""What an audit finds, what it leaves alone, and what it never touches."""

from __future__ import annotations

import os
import re
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest

from tests.builders import SESSIONS, Scene, paste
from tests.hygiene.runs import EXPIRED, LATER, NOW, RUN, audited, codes, dated, run


def test_an_orderly_checkout_has_nothing(scene: Scene) -> None:
    run(scene, files={"scratch/plan.txt": LATER, "synthesis.md": None})
    scene.write("STATE.md", "# State\n\nUpdated: 2026-09-19\n")
    scene.write("AGENTS.md", "# Agents\n\nCanonical key: agents\n")
    scene.write("src/large.py", "x" * (1 << 20))
    scene.write("docs/large.md", "x" * (1 << 20))
    dated(scene.write("new.log", "x"), NOW - timedelta(days=29))
    assert codes(scene) == []


# ---------------------------------------------------------------------- documents
@pytest.mark.parametrize("path", ["AGENTS.md", "pkg/CLAUDE.md", ".claude/skills/x/notes.md", ".cursor/rules/a.mdc"])
def test_a_document_for_agents_is_large_from_one_byte_over_the_limit(scene: Scene, path: str) -> None:
    scene.write(path, "x" * (15 << 10))
    assert codes(scene) == []
    scene.write(path, "x" * ((15 << 10) + 1))
    assert codes(scene) == [("document-large", path)]


@pytest.mark.parametrize(("lines", "found"), [(120, []), (121, [("state-long", "STATE.md")])])
def test_a_state_has_at_most_so_many_lines(scene: Scene, lines: int, found: list[tuple[str, str]]) -> None:
    scene.write("STATE.md", "As of 2026-09-19\n" + "x\n" * (lines - 1))
    assert codes(scene) == found


@pytest.mark.parametrize(
    "line", ["no date here", "2026-09-19", "Updated: 2026-13-45", "\n" * 12 + "Updated: 2026-09-19"]
)
def test_a_state_that_does_not_say_how_fresh_it_is_is_found(scene: Scene, line: str) -> None:
    scene.write("sub/State.md", f"{line}\n")
    assert codes(scene) == [("state-undated", "sub/State.md")]


def test_two_documents_with_one_key_are_an_error_at_the_second(scene: Scene) -> None:
    scene.write("a.md", "Canonical key: Pricing\n")
    scene.write("docs/b.md", "# B\n\n- **Canonical key:** `pricing`\n")
    scene.write("docs/c.md", "Canonical key: pricing-of-parcels\n")
    (found,) = audited(scene).findings
    assert (found.code, found.severity, found.path, found.line) == ("key-duplicate", "error", "docs/b.md", 3)
    assert "a.md" in found.sentence


# ---------------------------------------------------------------------- logs and scratch
def test_a_log_is_large_or_old_and_its_command_sets_it_aside(scene: Scene) -> None:
    with scene.write("big.log", "").open("r+b") as file:
        file.truncate((5 << 20) + 1)
    dated(scene.write("logs/old.jsonl", "x"), NOW - timedelta(days=30))
    large, stale = audited(scene).findings
    assert (large.code, large.path, stale.code, stale.path) == ("log-large", "big.log", "log-stale", "logs/old.jsonl")
    for each in (large, stale):
        assert paste(str(each.remedy)).returncode == 0
    assert codes(scene) == []
    assert sorted(os.listdir(scene.root / ".ai/local/set-aside")) == ["big.log", "old.jsonl"]


def test_no_command_moves_what_git_tracks(scene: Scene) -> None:
    dated(scene.write("tests/data.jsonl", "x"), NOW - timedelta(days=400))
    scene.write("scratch.py", "x")
    scene.commit("Track them")
    assert [(each.code, bool(each.remedy)) for each in audited(scene).findings] == [
        ("scratch-root", False),
        ("log-stale", False),
    ]


def test_no_command_sets_aside_where_there_is_no_layer(tmp_path: Path) -> None:
    scene = Scene.create(tmp_path / "plain", layer=False)
    scene.write("x.tmp", "x")
    assert [(each.code, bool(each.remedy)) for each in audited(scene).findings] == [("scratch-root", False)]


@pytest.mark.parametrize(
    "name", ["scratch.py", "tmp_output.txt", "nohup.out", "a.bak", "notes~", "x.orig", "debug-1.txt"]
)
def test_scratch_is_found_at_the_root_alone(scene: Scene, name: str) -> None:
    scene.write(name, "x")
    scene.write(f"src/{name}", "x")
    assert codes(scene) == [("scratch-root", name)]


@pytest.mark.parametrize("name", ["template.md", "debugger.py", "temperature.py", "tmpfs.md", "README.md"])
def test_a_name_that_only_begins_like_scratch_is_none(scene: Scene, name: str) -> None:
    scene.write(name, "x")
    assert codes(scene) == []


@pytest.mark.parametrize("at", [RUN, ".work/wf/r-1", "packages/a/.agent-run/r-1", ".agent-run", ".work/wf"])
def test_a_run_without_its_manifest_is_found(scene: Scene, at: str) -> None:
    scene.write(f"{at}/notes.txt", "x")
    assert codes(scene) == [("run-manifest-missing", at)]


def test_a_holder_with_a_manifest_is_a_run_itself(scene: Scene) -> None:
    run(scene, at=".agent-run", files={"scratch/a.txt": LATER})
    scene.write(".agent-run/scratch/b.txt", "x")
    assert codes(scene) == [("scratch-unowned", ".agent-run/scratch/b.txt")]


@pytest.mark.parametrize("manifest", ["", "{}", "[]", "\ufeff{", '{"run": 1}', "null"])
def test_a_manifest_that_is_none_is_an_error_and_owns_nothing(scene: Scene, manifest: str) -> None:
    run(scene)
    scene.write(f"{RUN}/manifest.json", manifest)
    (found,) = audited(scene).findings
    assert (found.code, found.severity, found.path) == ("run-manifest-invalid", "error", f"{RUN}/manifest.json")


def test_receipts_are_named_and_there(scene: Scene) -> None:
    run(scene, receipts=[], files={})
    scene.root.joinpath(RUN, "receipts/verification.json").unlink()
    run(scene, at=".work/wf/r-2", receipts=["receipts/verification.json", "receipts/failure.txt"], files={})
    assert codes(scene) == [
        ("run-receipts-missing", f"{RUN}/manifest.json"),
        ("run-receipts-missing", ".work/wf/r-2/receipts/failure.txt"),
    ]


def test_expired_scratch_is_found_with_the_command_that_removes_it(scene: Scene) -> None:
    run(scene, files={"a": EXPIRED, "b": LATER, "c": None})
    (found,) = audited(scene).findings
    assert (found.code, found.path) == ("scratch-expired", RUN)
    assert found.remedy == f"cockpit clean --repo {scene.root} --yes"


def test_scratch_that_no_manifest_owns_is_found_in_a_run_and_beside_them(scene: Scene) -> None:
    run(scene, files={})
    scene.write(f"{RUN}/deep/unknown.txt", "x")
    scene.write(".agent-run/stray.txt", "x")
    assert codes(scene) == [
        ("scratch-unowned", f"{RUN}/deep/unknown.txt"),
        ("scratch-unowned", ".agent-run/stray.txt"),
    ]


def test_a_thousand_unowned_files_are_no_thousand_findings(scene: Scene) -> None:
    run(scene, files={})
    for number in range(60):
        scene.write(f"{RUN}/{number:02}.txt", "x")
    found = audited(scene).findings
    assert len(found) == 51
    assert any("10 more" in each.sentence for each in found)


# ---------------------------------------------------------------------- letters
def test_the_rules_of_letters_are_among_the_findings_with_their_commands(scene: Scene) -> None:
    path = "docs/handoffs/HANDOFF-2024-09-19-rounding.md"
    head = "Status: consumed\nEffort: rounding\nLeg: 3\nSupersedes: none\nConsumed-at: 2024-09-19T10:00:00Z\n"
    scene.write(path, f"{head}\n## Verification\n\n`make check`\n")
    found = next(each for each in audited(scene).findings if each.code == "consumed-live")
    assert (found.severity, found.path) == ("error", path)
    assert str(found.remedy).startswith("cockpit handoff consume")


def test_what_cannot_be_looked_at_is_one_finding_and_under_its_own_path(scene: Scene) -> None:
    fifo, link = (f"docs/handoffs/HANDOFF-2024-09-19-{word}.md" for word in ("fifo", "link"))
    scene.write("docs/handoffs/wrongname.md", "Status: active\nEffort: e\nLeg: 1\n")
    os.mkfifo(scene.root / fifo)
    (scene.root / link).symlink_to("x")
    scene.write(".ai/repo/policy.yaml", "handoffs:\n  archive: ../outside\n")
    assert codes(scene) == [
        ("unreadable", path) for path in (".ai/repo/policy.yaml", fifo, link, "docs/handoffs/wrongname.md")
    ]


def test_a_damaged_policy_and_a_damaged_manifest_are_told_each_under_its_path_with_the_line(scene: Scene) -> None:
    scene.write(".ai/repo/policy.yaml", "hygiene:\n  owner: mara\nhandoffs: {path: a\n")
    scene.write(".ai/manifest.yaml", "x: {\n")
    found = audited(scene).findings
    assert [(each.code, each.path) for each in found] == [
        ("unreadable", ".ai/manifest.yaml"),
        ("unreadable", ".ai/repo/policy.yaml"),
    ]
    assert "(correct line 1 of it)" in found[0].sentence
    assert "(correct line 3 of it)" in found[1].sentence


def test_every_finding_says_what_to_do(scene: Scene) -> None:
    with scene.write("big.log", "").open("r+b") as file:
        file.truncate((5 << 20) + 1)
    dated(scene.write("old.log", "x"), NOW - timedelta(days=30))
    scene.write("x.tmp", "x")
    scene.write(".agent-run/bare/x", "x")
    scene.write(".agent-run/stray", "x")
    run(scene, receipts=["receipts/no.json"])
    run(scene, at=".agent-run/r-2", receipts=[])
    scene.write(".agent-run/r-3/manifest.json", "{}")
    found = audited(scene).findings
    assert len({each.code for each in found}) == 8
    ends = {each.code: each.sentence.rpartition(": ")[2] for each in found if each.code != "scratch-expired"}
    for code, end in ends.items():
        assert re.match(r"(set|take|give|write|list|move|put|name|correct) ", end), (code, end)


# ---------------------------------------------------------------------- what is not entered
@pytest.mark.parametrize(
    "folder",
    [".git/x", "node_modules/x", "web/node_modules/x", "docs/archive", "Archives/x", ".ai/local/state", SESSIONS],
)
def test_some_folders_are_not_entered(scene: Scene, folder: str) -> None:
    scene.write(f"{folder}/STATE.md", "x" * (20 << 10))
    assert codes(scene) == []


def test_a_virtual_environment_is_not_entered(scene: Scene) -> None:
    scene.write("env/pyvenv.cfg", "")
    scene.write("env/lib/STATE.md", "x")
    assert codes(scene) == []


def test_linked_worktrees_submodules_and_other_repositories_are_not_entered(scene: Scene, tmp_path: Path) -> None:
    other = Scene.create(tmp_path / "other", layer=False)
    other.write("STATE.md", "x")
    other.commit("State")
    linked = Scene(scene.worktree("side", scene.root / "linked"))
    linked.write("STATE.md", "x")
    scene.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other.root), "vendor/sub")
    Scene.create(scene.root / "inner", layer=False).write("STATE.md", "x")
    assert (scene.root / "vendor/sub/STATE.md").is_file()
    assert codes(scene) == []
    assert codes(linked) == [("state-undated", "STATE.md")], "it is audited where it is asked for itself"


def test_archives_of_the_policy_are_not_entered(scene: Scene) -> None:
    policy = scene.root / ".ai/repo/policy.yaml"
    surfaces = "surfaces:\n  - name: log\n    live: docs/log.md\n    archive: docs/old\n"
    policy.write_text(f"{policy.read_text()}\nhandoffs:\n  archive: docs/letters-done\n{surfaces}")
    scene.write("docs/old/STATE.md", "x")
    scene.write("docs/letters-done/STATE.md", "x")
    assert codes(scene) == []


# ---------------------------------------------------------------------- hostile
def test_nothing_hostile_holds_it_up_and_it_names_what_it_cannot_see(scene: Scene) -> None:
    os.mkfifo(scene.root / "STATE.md")
    os.mkfifo(scene.root / "fifo.log")
    (scene.root / "loop").symlink_to(".")
    (scene.root / "a.md").symlink_to("a.md")
    (scene.root / "CLAUDE.md").symlink_to("/etc/passwd")
    scene.write("sub/x", "").with_name("up").symlink_to("../..")
    scene.write(".gitmodules", '[submodule "x"]\n\tpath = ../../outside\n\turl = ext::sh -c touch% pwned\n')
    for name in (b"\xff\xfe.log", b"n" * 250 + b".log", b"new\nline.log", b"-rf.log", b"$(id).tmp"):
        dated(scene.write(os.fsdecode(name), b"\xff"))
    found = audited(scene, NOW + timedelta(days=365)).findings
    assert [each.path for each in found if each.code == "unreadable"] == ["STATE.md"]
    assert {each.code for each in found} == {"unreadable", "log-stale", "scratch-root"}
    for each in found:
        if each.remedy:
            assert paste(str(each.remedy), scene.root).returncode == 0
    assert [each.code for each in audited(scene, NOW + timedelta(days=365)).findings] == ["unreadable"]


def test_a_sparse_gigabyte_is_never_read_whole(scene: Scene) -> None:
    for name in ("STATE.md", "AGENTS.md", "x.jsonl"):
        with scene.write(name, "Updated: 2026-09-19\n").open("r+b") as file:
            file.truncate(1 << 30)
    read: list[int] = []
    real = os.read

    def counting(descriptor: int, number: int) -> bytes:
        data = real(descriptor, number)
        read.append(len(data))
        return data

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "read", counting)
        found = codes(scene)
    assert found == [("document-large", "AGENTS.md"), ("document-large", "STATE.md"), ("log-large", "x.jsonl")]
    assert sum(read) < 1 << 20


def test_a_folder_that_may_not_be_read_is_named(scene: Scene) -> None:
    closed = scene.write("closed/STATE.md", "").parent
    closed.chmod(0)
    try:
        superuser = os.geteuid() == 0  # may read everything
        assert codes(scene) == [("state-undated", "closed/STATE.md") if superuser else ("unreadable", "closed")]
    finally:
        closed.chmod(0o700)


def test_a_very_deep_folder_is_named_and_not_followed(scene: Scene) -> None:
    scene.write("/".join(["d"] * 200) + "/STATE.md", "x")
    ((code, path),) = codes(scene)
    assert (code, path.count("/")) == ("unreadable", 127)


def test_not_one_byte_nor_time_changes(scene: Scene) -> None:
    run(scene)
    scene.write("STATE.md", "x")
    scene.commit("All")
    scene.write("changed", "x")
    scene.git("add", "changed")
    os.utime(scene.root / ".gitignore", (1, 1))  # the index is out of date, and whoever refreshes it writes it
    before = scene.picture(), _times(scene.root)
    assert audited(scene).findings
    assert (scene.picture(), _times(scene.root)) == before


def _times(root: Path) -> dict[str, int]:
    return {str(path): path.lstat().st_mtime_ns for path in root.rglob("*")}


def test_where_git_cannot_list_it_says_so_and_finds_the_rest(scene: Scene) -> None:
    scene.write("STATE.md", "x")
    scene.write("x.tmp", "x")
    (scene.root / ".git/index").write_bytes(b"DIRCgarbage")
    found = audited(scene).findings
    assert [(each.code, bool(each.remedy)) for each in found] == [
        ("unreadable", False),
        ("state-undated", False),
        ("scratch-root", False),
    ]


def test_an_unborn_branch_is_audited(tmp_path: Path) -> None:
    scene = Scene.create(tmp_path / "unborn", layer=False, commit=False)
    scene.write("STATE.md", "x")
    assert codes(scene) == [("state-undated", "STATE.md")]


# ---------------------------------------------------------------------- the command
def test_the_exit_code_is_one_for_an_error_and_with_strict_for_a_warning(scene: Scene) -> None:
    assert _cockpit(scene, "--strict") == 0
    scene.write("STATE.md", "x")
    assert (_cockpit(scene), _cockpit(scene, "--strict")) == (0, 1)
    scene.write("a.md", "Canonical key: x\n")
    scene.write("b.md", "Canonical key: x\n")
    assert _cockpit(scene) == 1


def test_json_is_the_same_as_the_text_and_no_repository_is_a_sentence(scene: Scene, tmp_path: Path) -> None:
    from click.testing import CliRunner
    from msgspec import json

    from cockpit.cli import main

    scene.write("new\nline.log", "x")
    dated(scene.root / "new\nline.log", NOW - timedelta(days=400))
    as_json = CliRunner().invoke(main, ["audit", "--json", "--repo", str(scene.root)])
    text = CliRunner().invoke(main, ["audit", "--repo", str(scene.root)])
    (found,) = json.decode(as_json.stdout)["findings"]
    assert found["path"] == "new\nline.log"
    assert text.stdout.split("\n")[0].startswith("warning  log-stale  new\\nline.log  A raw log")
    nowhere = CliRunner().invoke(main, ["audit", "--repo", str(tmp_path)])
    assert (nowhere.exit_code, "git init" in nowhere.stderr) == (2, True)


def _cockpit(scene: Scene, *words: str) -> int:
    import sys

    command = [sys.executable, "-m", "cockpit", "audit", "--repo", str(scene.root), *words]
    return subprocess.run(command, capture_output=True, check=False).returncode
