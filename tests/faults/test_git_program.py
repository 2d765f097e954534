"""A git that is missing, hangs, fails, prints what it likes, is killed, or answers half."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cockpit.hygiene.cleaning import clean
from cockpit.store.checkout import Checkout
from cockpit.store.git import TIMEOUT, GitFailed
from tests.builders import Scene
from tests.faults.matrix import (
    CLOSED,
    CONTINUITY,
    RECOVERY,
    RUNTIME,
    Case,
    Pages,
    crowded,
    endured,
)
from tests.hygiene.runs import EXPIRED, NOW, RUN, run

GIT = shutil.which("git")
OF_GIT = frozenset({CONTINUITY, RECOVERY, RUNTIME, CLOSED})
CUT = f'out="$({GIT} "$@" | base64 -w0)" && printf %s "$out" | base64 -d | head -c -1'
SCRIPTS = {
    "fails": ("echo 'fatal: the disk under the objects is gone' >&2; exit 128", "the disk under the objects is gone"),
    "hangs": ("exec sleep 60", "did not answer within"),
    "is killed": ("kill -9 $$", "was ended by signal 9"),
    "is killed after half": ("printf '# branch.oid 01234'; kill -15 $$", "was ended by signal 15"),
    "prints text": ("echo 'Hello, I am no git.'", "is no answer of git's"),
    "prints bytes": ("head -c 4000 /dev/zero | tr '\\0' '\\377'", "is no answer of git's"),
    "prints fields of its own": ("printf 'a b\\0c\\td\\0'", "is no answer of git's"),
    "prints a number": ("echo 7", "is no answer of git's"),
    "prints nothing": ("exit 0", "is no answer of git's"),
    "answers half": (CUT, "is cut short"),
    "is of another architecture": ("\x7fELF", "git"),
}
"""What stands in git's place, and the words that say so."""


@contextmanager
def _instead(text: str) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        folder = Path(os.environ["HOME"]) / "bin"
        folder.mkdir(exist_ok=True)
        program = folder / "git"
        program.write_text(f"#!/bin/sh\n{text}\n" if not text.startswith("\x7f") else text)
        program.chmod(0o755)
        patch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
        yield


@contextmanager
def _nowhere() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", os.environ["HOME"])
        yield


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    scene = crowded(tmp_path_factory.mktemp("git") / "repo")
    scene.handover("2026-09-12T11:00:00Z", name="short.md", head=scene.head[:12])
    return scene


_SHORT = {"hangs": 0.2}
CASES = [
    Case(name, lambda _, text=text: _instead(text), OF_GIT, (said,), _SHORT.get(name, TIMEOUT))
    for name, (text, said) in SCRIPTS.items()
]  # type: ignore[misc]
CASES.append(Case("is missing", lambda _: _nowhere(), OF_GIT, ("is it installed and on the PATH?",)))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.parametrize("cold", [True, False], ids=["cold", "warm"])
def test_a_git_that(scene: Scene, pages: Pages, case: Case, cold: bool) -> None:
    endured(case, scene, pages, cold=cold)


LISTED = f'case "$*" in *ls-files*) {GIT} "$@" | {{}} ;; *) exec {GIT} "$@" ;; esac'
"""A git whose list of files goes through another program first."""


@pytest.mark.parametrize("through", ["head -c -4", "head -c 0", "head -c 3"])
def test_a_list_of_files_that_is_cut_short_lets_nothing_go(tmp_path: Path, through: str) -> None:
    scene = Scene.create(tmp_path / "repo")
    run(scene, files={"plan.txt": EXPIRED})
    scene.git("add", "-f", f"{RUN}/plan.txt")
    with _instead(LISTED.format(through)), pytest.raises(GitFailed, match="is cut short"):
        clean(Checkout.open(str(scene.root)), really=True, now=NOW)
    assert (scene.root / RUN / "plan.txt").is_file()


@pytest.mark.parametrize("begin", [("commit", "-q", "-m", "nothing"), ("checkout", "-q", "--orphan", "new")])
def test_a_list_without_a_file_is_believed_where_head_has_none(tmp_path: Path, begin: tuple[str, ...]) -> None:
    scene = Scene.create(tmp_path / "repo")
    run(scene, files={"plan.txt": EXPIRED})
    scene.git("rm", "-r", "-q", "--cached", ".")
    scene.git(*begin)
    done = clean(Checkout.open(str(scene.root)), really=True, now=NOW)
    assert [each.path for each in done.removed] == [f"{RUN}/plan.txt"]
