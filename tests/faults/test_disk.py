"""A disk that breaks, or a permission that is missing, for each file and each folder in turn."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.builders import SESSIONS, STATE, Scene
from tests.faults.disk import failing
from tests.faults.matrix import (
    ALL,
    ARCHIVE,
    CLOSED,
    CONTINUITY,
    DOCUMENT,
    EPISODES,
    HANDOFFS,
    PROVIDERS,
    RECOVERY,
    RUNTIME,
    SURFACES,
    Case,
    Pages,
    crowded,
    endured,
    process,
)
from tests.store.test_files import without_power

STORE = {CONTINUITY, EPISODES, RECOVERY}
LEDGER = {CONTINUITY, EPISODES, RECOVERY}
SECTION = {CLOSED, RECOVERY, RUNTIME}
LAYER = ALL - {EPISODES, RUNTIME}

FILES = {
    ".ai/manifest.yaml": LAYER,
    ".ai/repo/policy.yaml": {CONTINUITY, PROVIDERS, RECOVERY, SURFACES, HANDOFFS},
    f"{STATE}/ledger.jsonl": LEDGER,
    ARCHIVE: LEDGER,
    f"{STATE}/sessions-open/here.yaml": STORE,
    f"{STATE}/sessions-open/gone.yaml": {EPISODES, RECOVERY},
    f"{STATE}/current.yaml": {CONTINUITY},
    f"{STATE}/open-questions.md": {CONTINUITY},
    f"{STATE}/handovers/h.md": {CONTINUITY},
    f"{STATE}/checkpoints/c.md": {CONTINUITY},
    f"{SESSIONS}/closed.md": SECTION,
    f"{SESSIONS}/untracked.md": SECTION,
    f"{SESSIONS}/.tmp.copy": {RECOVERY},
    DOCUMENT: {SURFACES},
}
"""Every file that is read, and the reads that are made from it."""

FOLDERS = {
    ".ai": ALL,
    ".ai/repo": LAYER | SECTION,
    STATE: {CONTINUITY, EPISODES, RECOVERY},
    f"{STATE}/sessions-open": STORE,
    f"{STATE}/handovers": {CONTINUITY},
    f"{STATE}/checkpoints": {CONTINUITY},
    SESSIONS: SECTION,
    "docs/archive": {SURFACES, HANDOFFS},
}
"""Every folder that is listed or gone through."""

SEEN = {errno.EIO: "Input/output error", errno.ENOSPC: "No space left on device", errno.EACCES: "may not be read"}
WAYS = [(("open",), errno.EACCES), (("read",), errno.EIO), (("read",), errno.ENOSPC), (("stat", "open"), errno.EIO)]


def _case(path: str, touched: set[str] | frozenset[str], calls: tuple[str, ...], error: int) -> Case:
    return Case(
        f"{path} {'+'.join(calls)} {errno.errorcode[error]}",
        lambda scene: failing(str(scene.root / path), calls, error),
        frozenset(touched),
        (Path(path).name, SEEN[error]),
    )


CASES = [_case(path, touched, *way) for path, touched in FILES.items() for way in WAYS]
CASES += [
    _case(path, touched, calls, error)
    for path, touched in FOLDERS.items()
    for calls, error in ((("open",), errno.EACCES), (("open", "scandir"), errno.EIO))
]


CASES.append(_case(f"{STATE}/session-current.yaml", STORE, ("readlink",), errno.EIO))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.parametrize("cold", [True, False], ids=["cold", "warm"])
def test_what_cannot_be_read_is_said_and_costs_only_itself(scene: Scene, pages: Pages, case: Case, cold: bool) -> None:
    endured(case, scene, pages, cold=cold)


# ---------------------------------------------------------------------- permissions, as a user to whom they apply
@pytest.fixture(scope="module")
def theirs() -> Iterator[Scene]:
    """The scene again, owned by a user to whom permissions apply, where every user may go."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        scene = crowded(Path(folder) / "home" / "repo")
        if os.geteuid() == 0:
            for path in (scene.root.parent, *scene.root.parent.rglob("*")):
                os.chown(path, 65534, 65534, follow_symlinks=False)
        yield scene


@pytest.fixture(scope="module")
def their_pages(theirs: Scene) -> Pages:
    pages = Pages(theirs)
    pages.of(process(theirs))  # what is imported late is imported while that is allowed
    return pages


@contextmanager
def _closed(path: Path) -> Iterator[None]:
    mode = path.stat().st_mode
    path.chmod(0)
    try:
        yield
    finally:
        path.chmod(mode)


@pytest.mark.parametrize(("path", "touched"), (FILES | FOLDERS).items(), ids=[*FILES, *FOLDERS])
def test_a_missing_permission_is_said_to_an_ordinary_user(
    theirs: Scene, their_pages: Pages, monkeypatch: pytest.MonkeyPatch, path: str, touched: set[str]
) -> None:
    monkeypatch.setenv("HOME", str(theirs.root.parent))
    said = (Path(path).name, *(() if path == SESSIONS else ("may not be read by this user",)))  # there git says it too
    case = Case(path, lambda scene: _closed(scene.root / path), frozenset(touched | {CONTINUITY, RUNTIME}), said)
    with without_power():
        endured(case, theirs, their_pages, cold=True)
