"""What git itself reads is broken, or of a newer format than the git that is there: HEAD, index, refs, objects, config."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.builders import Scene
from tests.faults.matrix import CLOSED, CONTINUITY, RECOVERY, RUNTIME, Case, Pages, crowded, endured

OF_GIT = frozenset({CONTINUITY, RECOVERY, RUNTIME, CLOSED})


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    scene = crowded(tmp_path_factory.mktemp("files") / "repo")
    scene.git("pack-refs", "--all")
    scene.commit("One loose ref above the packed ones")
    return scene


@contextmanager
def _holding(path: Path, data: bytes | None) -> Iterator[None]:
    """The file with other bytes, or gone, and then as it was."""
    kept = path.with_name("kept-by-the-test")
    path.rename(kept)
    try:
        if data is not None:
            path.write_bytes(data)
        yield
    finally:
        path.unlink(missing_ok=True)
        kept.rename(path)


def _file(name: str, data: bytes | None) -> Callable[[Scene], object]:
    return lambda scene: _holding(scene.root / ".git" / name, data)


def _object(revision: str, data: bytes | None) -> Callable[[Scene], object]:
    def inject(scene: Scene) -> object:
        oid = scene.git("rev-parse", revision)
        return _holding(scene.root / ".git/objects" / oid[:2] / oid[2:], data)

    return inject


def _config(lines: str) -> Callable[[Scene], object]:
    def inject(scene: Scene) -> object:
        config = scene.root / ".git/config"
        return _holding(config, config.read_bytes() + lines.encode())

    return inject


NO_REPOSITORY = "not a git repository"
BROKEN = {
    "HEAD of garbage": (_file("HEAD", b"\xff\0garbage"), NO_REPOSITORY),
    "HEAD empty": (_file("HEAD", b""), NO_REPOSITORY),
    "HEAD gone": (_file("HEAD", None), NO_REPOSITORY),
    "HEAD at no commit": (_file("HEAD", b"1" * 40 + b"\n"), "bad object HEAD"),
    "index of garbage": (_file("index", b"DIRC" + b"\xff" * 60), "index"),
    "index empty": (_file("index", b""), "index"),
    "index cut": (_file("index", b"DIRC\0\0\0\2\0\0\0\7"), "index"),
    "packed-refs of garbage": (_file("packed-refs", b"garbage\n"), "packed-refs"),
    "a loose ref of garbage": (_file("refs/heads/main", b"garbage\n"), "No such ref: HEAD"),
    "a loose ref cut": (_file("refs/heads/main", b"0123456789"), "No such ref: HEAD"),
    "a loose ref to nothing": (_file("refs/heads/main", b"1" * 40 + b"\n"), "bad object HEAD"),
    "the commit's object of garbage": (_object("HEAD", b"garbage"), "is corrupt"),
    "the commit's object gone": (_object("HEAD", None), "bad object HEAD"),
    "the tree's object of garbage": (_object("HEAD^{tree}", b"garbage"), "is corrupt"),
    "an ancestor's object gone": (_object("HEAD~1", None), "Could not read"),
    "config of garbage": (_config("[broken"), "config"),
    "an extension it does not know": (
        _config("[core]\nrepositoryformatversion = 1\n[extensions]\nquux = true\n"),
        "quux",
    ),
    "a format it does not know": (_config("[core]\nrepositoryformatversion = 99\n"), "99"),
    "a working tree elsewhere": (_config("[core]\nworktree = /nowhere\n"), "must be run in a work tree"),
}
"""How each is broken, and what is said of it."""

CASES = [Case(name, inject, OF_GIT, (said,)) for name, (inject, said) in BROKEN.items()]  # type: ignore[arg-type]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.parametrize("cold", [True, False], ids=["cold", "warm"])
def test_a_repository_with(scene: Scene, pages: Pages, case: Case, cold: bool) -> None:
    endured(case, scene, pages, cold=cold)
