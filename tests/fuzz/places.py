"""The store that is mutated: a repository with something of every kind in it, kept twice so that it can be mended."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from tests.builders import CREATED_AT, SESSIONS, STATE, Scene, five_windows

SECRET = "untold-7b1f"
"""Stands in the prompt archive, and in nothing that answers."""

OUTER = "outer-branch"
"""The branch of another repository, in which the one that is asked lies."""

Looks = dict[bytes, tuple[int, ...]]


class Place:
    """``whole`` is a folder that holds the repository ``root``, its neighbours and another repository around them.

    ``files`` and ``folders`` are what may be mutated, relative to ``whole``, as the pristine store has them.
    """

    def __init__(self, folder: Path) -> None:
        self.whole, self._kept = folder.resolve() / "place", folder.resolve() / "kept"
        self.scene = _built(self.whole)
        self.root, self.head = self.scene.root, self.scene.head
        shutil.copytree(self.whole, self._kept, symlinks=True)
        named = [os.fsdecode(each) for each in _below(os.fsencode(self._kept)) if not _untouched(each)]
        self.folders = sorted(each for each in named if stat.S_ISDIR((self._kept / each).lstat().st_mode))
        self.files = sorted(set(named) - set(self.folders))

    def looks(self) -> Looks:
        """How everything lies there: what a write of any kind would change."""
        return looks(self.whole)

    def contents(self) -> list[bytes]:
        """The bytes of every regular file of the layer, sorted."""
        return sorted(_contents(os.fsencode(self.root / ".ai")))

    def mend(self) -> None:
        """Make everything as it was built, times of files included."""
        _mended(os.fsencode(self._kept), os.fsencode(self.whole))


def looks(folder: Path) -> Looks:
    """Every path below a folder with its mode, inode, size and times.

    Left out are the time of a last reading, and the times of a shared index, which git renews whenever it reads one
    (``splitIndex.sharedIndexExpire`` in git-config(1) says why) and which no option keeps.
    """
    base = os.fsencode(folder)
    found = {}
    for path in _below(base):
        with suppress(PermissionError):  # of a folder that may be listed and not entered, the names are all there is
            s = os.lstat(os.path.join(base, path))
            times = (0, 0) if os.path.basename(path).startswith(_SHARED) else (s.st_mtime_ns, s.st_ctime_ns)
            found[path] = (s.st_mode, s.st_ino, s.st_size, *times)
    return found


# ---------------------------------------------------------------------- built
def _built(whole: Path) -> Scene:
    outer = Scene.create(whole, layer=False)
    outer.git("checkout", "-q", "-b", OUTER)
    (whole / "outside").mkdir()
    (whole / "vanishing").mkdir()
    scene = Scene.create(whole / "repo")
    scene.write("docs/decisions.md", "# Decisions\n\n## 2026-09-11 Two\n\nSo.\n\n## 2026-09-10 One\n\nThus.\n")
    policy = scene.root / ".ai/repo/policy.yaml"
    surfaces = "\nsurfaces:\n  - name: decisions\n    live: docs/decisions.md\n    archive: docs/archive\n"
    policy.write_text(policy.read_text() + surfaces)
    for number in range(4):
        scene.closed_record(f"s-closed-{number}", f"2026-09-0{number + 1}T10:00:00Z", body="Done.\n")
    scene.closed_record("s-closed-3", "2026-09-05T10:00:00Z")
    scene.commit("Close")
    five_windows(scene)
    _left_behind(scene)
    _notes(scene)
    scene.git("gc", "--quiet")
    return scene


def _left_behind(scene: Scene) -> None:
    scene.closed_record("s-untracked")
    scene.closed_record("s-only-copy", name=".tmp.only")
    scene.closed_record("s-closed-1", name=".tmp.double")
    scene.write(f"{SESSIONS}/.tmp.fragment", "---\nschema: ")
    scene.write(f"{STATE}/sessions-open/torn.yaml", "session_id:\n")
    scene.ledger(scene.event("session.started", "s-closed-0"), scene.event("session.closed", "s-closed-0"), name="ledger.20260910T000000Z.jsonl.archived")  # fmt: skip
    scene.ledger(scene.event("session.started", "s-lost"), "torn{")
    scene.ledger(scene.event("session.recovered", "s-other", session_id="s-closed-1"))
    scene.write(f".ai/local/prompts/{SECRET}.yaml", f"session_id: {SECRET}\n")


def _notes(scene: Scene) -> None:
    scene.handover("2026-09-10T10:00:00Z", name="old.md")
    scene.handover(CREATED_AT, name="one.md")
    scene.handover(CREATED_AT, name="two.md")
    scene.ledger(scene.event("task.handed_over", path=f"{STATE}/handovers/one.md"))
    scene.checkpoint(CREATED_AT, name="here.md")
    scene.checkpoint(CREATED_AT, name="there.md", worktree="/nowhere")
    scene.task(scope=["a", "b"])
    scene.questions("- [unresolved] t-1 - why? (2026-09-11)\n- [resolved 2026-09-11] t-1 - how?\n")


_UNREAD = (b"objects", b"logs", b"info", b"COMMIT_EDITMSG")
_SHARED = b"sharedindex."


def _untouched(path: bytes) -> bool:
    """What is not mutated: the repository around, the prompts, the objects of git, and what nothing reads."""
    parts = path.split(b"/")
    if b"prompts" in parts:
        return True
    if parts[0] == b"sibling":
        return parts[1:] not in ([], [b".git"])
    return parts[0] != b"repo" or (b".git" in parts and any(each in parts for each in _UNREAD))


# ---------------------------------------------------------------------- seen and mended
def _below(base: bytes, inner: bytes = b"") -> Iterator[bytes]:
    """Every path below a folder, relative to it, a folder before what it holds; nothing below one that is closed."""
    try:
        with os.scandir(os.path.join(base, inner)) as scan:
            entries = sorted(scan, key=lambda entry: entry.name)
    except PermissionError:
        return
    for entry in entries:
        path = os.path.join(inner, entry.name)
        yield path
        if entry.is_dir(follow_symlinks=False):
            yield from _below(base, path)


def _contents(base: bytes) -> Iterator[bytes]:
    if not os.path.isdir(base) or os.path.islink(base):
        return
    for path in _below(base):
        with suppress(PermissionError):
            if stat.S_ISREG(os.lstat(whole := os.path.join(base, path)).st_mode):
                with open(whole, "rb") as file:
                    yield file.read()


def _mended(kept: bytes, at: bytes) -> None:
    """Make the folder ``at`` hold what ``kept`` holds."""
    if not _same_kind(kept, at):
        _removed(at)
        os.mkdir(at)
    if os.lstat(at).st_mode != os.lstat(kept).st_mode:
        os.chmod(at, os.lstat(kept).st_mode)
    for name in set(os.listdir(at)) - set(os.listdir(kept)):
        _removed(os.path.join(at, name))
    for name in os.listdir(kept):
        one, other = os.path.join(kept, name), os.path.join(at, name)
        if stat.S_ISDIR(os.lstat(one).st_mode):
            _mended(one, other)
        elif not _equal(one, other):
            _removed(other)
            shutil.copy2(one, other, follow_symlinks=False)


def _same_kind(one: bytes, other: bytes) -> bool:
    return os.path.lexists(other) and stat.S_IFMT(os.lstat(one).st_mode) == stat.S_IFMT(os.lstat(other).st_mode)


def _equal(one: bytes, other: bytes) -> bool:
    if not _same_kind(one, other):
        return False
    if os.path.islink(one):
        return os.readlink(one) == os.readlink(other)
    was, now = os.lstat(one), os.lstat(other)
    if (was.st_mode, was.st_size, was.st_mtime_ns) != (now.st_mode, now.st_size, now.st_mtime_ns):
        return False
    return Path(os.fsdecode(one)).read_bytes() == Path(os.fsdecode(other)).read_bytes()


def _removed(path: bytes) -> None:
    """Remove whatever stands at a path, also a folder that may not be listed, and nothing through a link."""
    if not os.path.lexists(path):
        return
    if os.path.islink(path) or not os.path.isdir(path):
        os.unlink(path)
        return
    os.chmod(path, 0o700)
    for name in os.listdir(path):
        _removed(os.path.join(path, name))
    os.rmdir(path)
