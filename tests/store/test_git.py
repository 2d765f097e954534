"""git is asked without a trace: no option from data, nothing of the environment, no program, no lock, no wait without end."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from cockpit.store.git import Git, GitFailed, GitMissing, GitSilent, one_line
from tests.builders import Scene
from tests.looking import ask, checkout


def _script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def _replace_git(monkeypatch: pytest.MonkeyPatch, folder: Path, text: str) -> None:
    _script(folder / "git", text)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


def _alive(pid: int) -> bool:
    """Whether a process runs (one that has ended and waits for its parent does not)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


# ---------------------------------------------------------------------- data is no option
@pytest.mark.parametrize("data", ["--upload-pack=x", "--output=/tmp/x", "-h", "--help", "--exec=touch pwned", "-"])
def test_data_is_no_option(scene: Scene, data: str) -> None:
    with pytest.raises(GitFailed) as failed:
        Git(str(scene.root)).ask("rev-list", "--count", data=(data,))
    assert "usage" not in failed.value.stderr
    assert failed.value.returncode == 128


def test_an_error_carries_its_facts(scene: Scene) -> None:
    with pytest.raises(GitFailed) as failed:
        Git(str(scene.root)).ask("rev-parse", "--verify", "nothing")
    assert (failed.value.arguments[0], failed.value.returncode) == ("rev-parse", 128)
    assert "Needed a single revision" in str(failed.value)


def test_an_exit_code_may_be_an_answer(scene: Scene) -> None:
    assert Git(str(scene.root)).ask("symbolic-ref", "-q", "refs/none", codes=(0, 1)).returncode == 1


@pytest.mark.parametrize("name", ["-rf", "new\nline", "end\n", "two words", "\udcff"])
def test_a_folder_of_any_name_is_asked(tmp_path: Path, name: str) -> None:
    scene = Scene.create(tmp_path / name)
    assert one_line(Git(str(scene.root)).ask("rev-parse", "--show-toplevel")) == str(scene.root)
    assert ask(scene, "continuity.state").head == scene.head


# ---------------------------------------------------------------------- the environment
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GIT_DIR", "/nowhere"),
        ("GIT_WORK_TREE", "/nowhere"),
        ("GIT_COMMON_DIR", "/nowhere"),
        ("GIT_INDEX_FILE", "/nowhere"),
        ("GIT_OBJECT_DIRECTORY", "/nowhere"),
        ("GIT_NAMESPACE", "x"),
        ("GIT_CEILING_DIRECTORIES", "/"),
        ("GIT_LITERAL_PATHSPECS", "0"),
        ("GIT_OPTIONAL_LOCKS", "1"),
        ("GIT_CONFIG_PARAMETERS", "'core.bare=true'"),
        ("GIT_CONFIG_GLOBAL", "/dev/stdin"),
        ("GIT_EXEC_PATH", "/nowhere"),
        ("GIT_SHALLOW_FILE", "/nowhere"),
        ("GIT_DEFAULT_HASH", "sha256"),
        ("LC_ALL", "cs_CZ.UTF-8"),
        ("LANGUAGE", "cs"),
    ],
)
def test_no_variable_of_the_environment_matters(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    before = scene.picture()
    expected = ask(scene, "continuity.state")
    monkeypatch.setenv(name, value)
    assert ask(scene, "continuity.state") == expected
    assert scene.picture() == before


def test_configuration_in_the_environment_is_not_read(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = ask(scene, "continuity.state")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.worktree")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "/nowhere")
    assert ask(scene, "continuity.state") == expected


@pytest.mark.parametrize("name", ["GIT_TRACE", "GIT_TRACE2", "GIT_TRACE2_EVENT", "GIT_TRACE_SETUP"])
def test_no_trace_is_written(scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, str(tmp_path / "trace"))
    ask(scene, "lifecycle.runtime")
    assert not (tmp_path / "trace").exists()


# ---------------------------------------------------------------------- programs that a repository names
@pytest.mark.parametrize("key", ["core.fsmonitor", "core.sshCommand", "core.pager", "core.editor", "credential.helper"])
def test_no_program_that_the_repository_configures_is_run(scene: Scene, tmp_path: Path, key: str) -> None:
    scene.git("config", key, str(_script(tmp_path / "program", f"touch {tmp_path}/ran")))
    scene.write("new", "x")
    for read in ("continuity.state", "lifecycle.runtime", "lifecycle.closed"):
        ask(scene, read)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("hook", ["post-index-change", "fsmonitor-watchman", "reference-transaction", "post-checkout"])
def test_no_hook_is_run(scene: Scene, tmp_path: Path, hook: str) -> None:
    _script(scene.root / ".git/hooks" / hook, f"touch {tmp_path}/ran")
    os.utime(scene.root / ".gitignore", (1, 1))
    for read in ("continuity.state", "lifecycle.runtime", "lifecycle.closed"):
        ask(scene, read)
    assert not (tmp_path / "ran").exists()


def test_an_out_of_date_index_is_not_refreshed(scene: Scene) -> None:
    os.utime(scene.root / ".gitignore", (1, 1))
    before = scene.picture()
    stamp = (scene.root / ".git/index").stat().st_mtime_ns
    assert ask(scene, "continuity.state").working_tree == "clean"
    assert (scene.picture(), (scene.root / ".git/index").stat().st_mtime_ns) == (before, stamp)


def test_a_lock_that_somebody_holds_does_not_matter(scene: Scene) -> None:
    (scene.root / ".git/index.lock").touch()
    assert ask(scene, "lifecycle.runtime").agree


# ---------------------------------------------------------------------- a git that is not there, or hangs
def test_a_missing_git_is_told_apart(scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = checkout(scene)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitMissing):
        opened.git.ask("status")
    answer = ask(opened, "lifecycle.runtime")
    assert (answer.agree, answer.index_state, "installed" in answer.note) == (False, "degraded", True)


def test_a_missing_git_is_told_apart_where_the_environment_is_cleaned(
    scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "env").symlink_to("/usr/bin/env")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    with pytest.raises(GitMissing):
        Git(str(scene.root)).ask("status")


@pytest.mark.parametrize(
    "hang",
    [
        "sleep 60 & echo $! > {pids}; echo $$ >> {pids}; wait",
        "sleep 60 & echo $! > {pids}; exit 0",
        "trap '' TERM INT; echo $$ > {pids}; while :; do sleep 1; done",
    ],
    ids=["with a child", "only its child", "deaf"],
)
def test_a_git_that_hangs_is_ended_with_its_children(
    scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hang: str
) -> None:
    _replace_git(monkeypatch, tmp_path / "bin", hang.format(pids=tmp_path / "pids"))
    began = time.monotonic()
    with pytest.raises(GitSilent, match="did not answer within"):
        Git(str(scene.root), timeout=0.5).ask("status")
    assert time.monotonic() - began < 2
    time.sleep(0.1)
    assert [pid for pid in map(int, (tmp_path / "pids").read_text().split()) if _alive(pid)] == []


def test_a_git_that_is_ended_takes_its_locks_away(
    scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = tmp_path / "index.lock"
    _replace_git(
        monkeypatch, tmp_path / "bin", f"trap 'rm {lock}; exit 1' TERM; touch {lock}; while :; do sleep 0.01; done"
    )
    with pytest.raises(GitSilent):
        Git(str(scene.root), timeout=0.3).ask("status")
    assert not lock.exists()


def test_a_git_that_hangs_is_asked_once_a_reading(
    scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = checkout(scene)
    opened.git.timeout = 0.3
    scene.handover()
    _replace_git(monkeypatch, tmp_path / "bin", f"echo x >> {tmp_path}/asked; exec sleep 60")
    began = time.monotonic()
    snapshot = opened.look()
    from cockpit.reads.catalog import CATALOG

    for read in CATALOG:
        read.ask(snapshot)
    assert time.monotonic() - began < 3
    assert len((tmp_path / "asked").read_text().split()) <= 2


def test_a_flood_is_no_answer(scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _replace_git(monkeypatch, tmp_path / "bin", "exec yes")
    with pytest.raises(GitFailed):
        Git(str(scene.root), timeout=20).ask("status")


def test_no_descriptor_and_no_process_is_left(scene: Scene) -> None:
    git = Git(str(scene.root))
    git.ask("rev-parse", "HEAD")
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(5):
        git.ask("rev-parse", "HEAD")
        with pytest.raises(GitFailed):
            git.ask("rev-parse", "--verify", "none")
    assert len(os.listdir("/proc/self/fd")) == before
