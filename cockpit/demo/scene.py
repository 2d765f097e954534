"""A small real git repository with an AI layer in it, built one fact at a time.

The demonstration and the tests build with it. Text is written exactly as given, never quoted or checked, so that
a hostile or broken value can be put wherever one can stand; the defaults are what a well-behaved writer prints.
Nothing here imports the readers: what is built is the format as it is specified, not as it is parsed.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

Value = str | Path | Sequence[str] | None
"""What a field of a record may be given: text, a path, a list of texts, or None for "leave this field out"."""

STATE = ".ai/local/state"
SESSIONS = ".ai/repo/sessions"

STARTED_AT = "2026-09-11T00:00:01Z"
EVENT_AT = "2026-09-11T01:00:00Z"
CREATED_AT = "2026-09-12T10:00:00Z"
ZERO = "0" * 40

MANIFEST = """\
schema: ai-repository/v1

repo:
  path: repo

local:
  path: local
  tracked: false
  implicit_context: false

sections:
  policy: repo/policy.yaml
  sessions: repo/sessions
"""

POLICY = """\
version: 1

session:
  freshness:
    fresh_minutes: 720
    stale_minutes: 2880

ledger:
  retention_max_lines: 5000

enforcement:
  - name: prompt-capture
    path: bin/layer
    args: [capture, prompt]
    wired_by: provider-hook:claude-code
  - name: claude-sessions
    path: bin/layer
    args: [capture, session]
    wired_by: provider-hook:claude-code:session
  - name: codex-sessions
    path: bin/layer
    args: [capture, session]
    wired_by: provider-hook:codex:session
  - name: gemini-sessions
    path: bin/layer
    args: [capture, session]
    wired_by: provider-hook:gemini:session
  - name: check-before-commit
    path: bin/layer
    args: [check]
    wired_by: git-hook:pre-commit
"""

SESSIONS_README = """\
# Session records

One file an episode that was closed, written once and never edited. What stands here reaches every clone.
"""


@dataclass(frozen=True)
class Scene:
    """One checkout at ``root``; :meth:`create` makes one, ``Scene(root)`` continues with one that exists."""

    root: Path

    @classmethod
    def create(cls, folder: Path, *, layer: bool = True, commit: bool = True, init: Sequence[str] = ()) -> Scene:
        """Make ``folder`` a git repository on branch ``main`` and answer its scene.

        ``layer=False`` leaves out everything below ``.ai/``, ``commit=False`` leaves the branch unborn, ``init``
        are further options of ``git init``. The identity lies in the repository's own configuration; the user's
        and the system's are never read.
        """
        folder.mkdir(parents=True, exist_ok=True)
        scene = cls(folder.resolve())
        scene.git("init", "--quiet", "--initial-branch=main", "--template=", *init)
        for name, value in _OWN_CONFIGURATION.items():
            scene.git("config", name, value)
        if layer:
            scene.layer()
        if commit:
            scene.commit("Lay out the repository")
        return scene

    # ------------------------------------------------------------------ git
    def git(
        self, *arguments: str | Path, at: Path | None = None, when: datetime | None = None, timeout: float = 60
    ) -> str:
        """Run git in ``at`` (default: the root); answer what it printed, stripped.

        ``when`` (aware) dates a commit; without it git takes its own clock. Raises CalledProcessError; TimeoutExpired
        after ``timeout`` seconds.
        """
        done = subprocess.run(
            ["git", "-C", str(at or self.root), *map(str, arguments)],
            env=_environment(self.root, when),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
            timeout=timeout,
        )
        return os.fsdecode(done.stdout).strip()

    def commit(self, message: str, when: datetime | None = None, *paths: str, at: Path | None = None) -> str:
        """Commit ``paths`` (default: everything that is not ignored), changed or not; answer the new head."""
        self.git("add", "--all", "--", *(paths or (".",)), at=at)
        self.git("commit", "--quiet", "--allow-empty", "--message", message, at=at, when=when)
        return self.git("rev-parse", "HEAD", at=at)

    @property
    def head(self) -> str:
        """The commit of HEAD, forty hex digits (sixty-four in a SHA-256 repository)."""
        return self.git("rev-parse", "HEAD")

    def worktree(self, branch: str, folder: Path, *, start: str = "HEAD") -> Path:
        """Add a linked worktree at ``folder`` on the new branch ``branch``; answer its resolved path."""
        self.git("worktree", "add", "--quiet", "-b", branch, folder.absolute(), start)
        return folder.resolve()

    # ------------------------------------------------------------------ files
    @property
    def state(self) -> Path:
        """The folder of the local state, whether or not it exists."""
        return self.root / STATE

    def write(self, path: str, content: str | bytes) -> Path:
        """Write ``content`` to ``path`` (relative to the root), with the folders it needs; text as UTF-8.

        A lone surrogate in text becomes the byte that it stands for, so a name that is no UTF-8 can be written.
        """
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(_bytes(content))
        return target

    def layer(self) -> None:
        """Write the tracked half of the layer and the rule that ignores the local one."""
        self.write(".ai/manifest.yaml", MANIFEST)
        self.write(".ai/repo/policy.yaml", POLICY)
        self.write(f"{SESSIONS}/README.md", SESSIONS_README)
        self.write(".gitignore", ".ai/local/\n")

    # ------------------------------------------------------------------ open episodes
    def open_episode(self, key: str, session_id: str | None, **fields: Value) -> Path:
        """Write ``sessions-open/<key>.yaml``; ``fields`` replace the defaults or, when None, leave them out."""
        record = {
            "session_id": session_id,
            "started_at": STARTED_AT,
            "owner": '"mara"',
            "provider": '"claude-code"',
            "provider_session": f'"{key}"',
            "repository_id": self.root / ".git",
            "worktree": self.root,
            "branch": "main",
            "start_head": ZERO,
            "start_working_tree": "clean",
        } | fields
        return self.write(f"{STATE}/sessions-open/{key}.yaml", _lines(record))

    def point_at(self, key: str) -> Path:
        """Aim ``session-current.yaml`` at the record of ``key``, whether or not there is one."""
        return self.point_to(f"sessions-open/{key}.yaml")

    def point_to(self, target: str) -> Path:
        """Make ``session-current.yaml`` a symbolic link with exactly this text; what stood there goes."""
        link = self.state / "session-current.yaml"
        link.parent.mkdir(parents=True, exist_ok=True)
        link.unlink(missing_ok=True)
        link.symlink_to(target)
        return link

    # ------------------------------------------------------------------ the ledger
    def event(self, name: str, session: str | None = None, ts: str = EVENT_AT, **payload: object) -> dict[str, object]:
        """Answer a ledger line as a value: the envelope, then ``payload`` (which may replace any of it)."""
        line: dict[str, object] = {"ts": ts, "event": name, "head": ZERO, "branch": "main", "by": "mara"}
        if session is not None:
            line["session"] = session
        return line | payload

    def ledger(self, *lines: Mapping[str, object] | str | bytes, end: str = "\n", name: str = "ledger.jsonl") -> Path:
        """Append lines to the ledger (or to the file of that ``name`` beside it), each followed by ``end``."""
        path = self.state / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            for line in lines:
                text = _json(line) if isinstance(line, Mapping) else line
                file.write(_bytes(text) + end.encode())
        return path

    # ------------------------------------------------------------------ closed records
    def closed_record(
        self,
        session_id: str | None,
        created_at: str = CREATED_AT,
        *,
        name: str | None = None,
        body: str = "",
        section: str = SESSIONS,
        **fields: Value,
    ) -> Path:
        """Write a closed record under the name that its content gives it, or under ``name``; commit nothing."""
        record = _closed_defaults(session_id, created_at, str(fields.get("branch", "main"))) | fields
        text = f"---\n{_lines(record)}---\n" + (f"\n{body}\n" if body else "")
        if name is None:
            name = _file_name(text, created_at, session_id or "none", record.get("branch"), record.get("head"))
        return self.write(f"{section}/{name}", text)

    # ------------------------------------------------------------------ notes
    def handover(
        self,
        created_at: str | None = CREATED_AT,
        *,
        name: str | None = None,
        next_action: str = "Go on.",
        body: str | None = None,
        **fields: Value,
    ) -> Path:
        """Write a handover; the keywords are those of :meth:`note`."""
        return self.note("handovers", created_at, name=name, next_action=next_action, body=body, **fields)

    def checkpoint(
        self,
        created_at: str | None = CREATED_AT,
        *,
        name: str | None = None,
        next_action: str = "Go on.",
        body: str | None = None,
        **fields: Value,
    ) -> Path:
        """Write a checkpoint; the keywords are those of :meth:`note`."""
        return self.note("checkpoints", created_at, name=name, next_action=next_action, body=body, **fields)

    def note(
        self,
        folder: str,
        created_at: str | None = CREATED_AT,
        *,
        name: str | None = None,
        next_action: str = "Go on.",
        body: str | None = None,
        **fields: Value,
    ) -> Path:
        """Write a note of ``folder`` (``handovers``, ``checkpoints``) about this worktree, ``main`` and its head.

        ``body`` replaces the three sections, ``next_action`` the text of the last one; ``name`` is the file's whole
        name. ``fields`` are front matter.
        """
        if "head" not in fields:  # asked of git only where it is wanted: an unborn branch has none
            fields["head"] = self.head
        record: dict[str, Value] = {
            "schema_version": "1",
            "created_at": created_at,
            "task_id": "none",
            "profile": "implementation",
            "owner": '"mara"',
            "repository_id": self.root / ".git",
            "worktree": self.root,
            "branch": "main",
            "head": ZERO,
            "working_tree": "clean",
            "changed_files": "",
        }
        record |= fields
        if body is None:
            body = f"# Objective\n\nSomething.\n\n# Current State\n\nSomewhere.\n\n# Next Action\n\n{next_action}\n"
        text = f"---\n{_lines(record)}---\n\n{body}"
        name = name or _file_name(text, created_at or "none", record.get("branch"), record.get("head"))
        return self.write(f"{STATE}/{folder}/{name}", text)

    # ------------------------------------------------------------------ the task and the questions
    def task(self, task_id: str | None = "t-20260911000000-0001", **fields: Value) -> Path:
        """Write the active task, ``current.yaml``."""
        record: dict[str, Value] = {
            "id": task_id,
            "task": '"Do one thing"',
            "profile": "implementation",
            "outcome": '"The thing is done"',
            "scope": ["README.md"],
            "requires": [],
            "started_at": STARTED_AT,
            "head": ZERO,
        }
        return self.write(f"{STATE}/current.yaml", _lines(record | fields))

    def questions(self, text: str | bytes) -> Path:
        """Write ``open-questions.md``, whole."""
        return self.write(f"{STATE}/open-questions.md", text)

    def picture(self) -> dict[str, str]:
        """Answer what :func:`picture` says of the root."""
        return picture(self.root)


def picture(root: Path) -> dict[str, str]:
    """Everything below ``root``, ``.git`` included: relative path to what it is and a digest of its content.

    Two pictures are equal exactly when not one byte, link, folder or permission has changed in between.
    """
    seen: dict[str, str] = {}
    for folder, folders, files in os.walk(root, followlinks=False):
        for name in (*folders, *files):
            path = Path(folder, name)
            seen[str(path.relative_to(root))] = f"{path.lstat().st_mode:o} {_content(path)}"
    return seen


# ---------------------------------------------------------------------- how git is run
_OWN_CONFIGURATION = {
    "user.name": "Mara Lind",
    "user.email": "mara@example.org",
    "commit.gpgSign": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
}


def _environment(root: Path, when: datetime | None) -> dict[str, str]:
    """The environment of every git call: no GIT_* from outside, no configuration but the repository's own.

    HOME is the repository's own .git, a folder that holds no user configuration and goes with the scene.
    """
    home = str(root / ".git")
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    clean |= {"HOME": home, "XDG_CONFIG_HOME": home, "LC_ALL": "C", "TZ": "UTC"}
    clean |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0"}
    if when is not None:
        clean |= dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), when.isoformat())
    return clean


# ---------------------------------------------------------------------- how text is made
def _lines(fields: Mapping[str, Value]) -> str:
    """Fields as the writers print them: ``key: value``, a list one item a line, ``[]`` when it is empty."""
    return "".join(_field(key, value) for key, value in fields.items() if value is not None)


def _field(key: str, value: str | Path | Sequence[str]) -> str:
    if isinstance(value, str | Path):
        return f"{key}: {value}\n" if str(value) else f"{key}:\n"
    items = "".join(f"  - {item}\n" for item in value)
    return f"{key}:\n{items}" if items else f"{key}: []\n"


def _closed_defaults(session_id: str | None, created_at: str, branch: str) -> dict[str, Value]:
    lists = ("tasks", "issues", "milestones", "checkpoints", "handovers", "decisions", "questions", "evidence")
    record: dict[str, Value] = {
        "schema": "session/v1",
        "kind": "session",
        "created_at": created_at,
        "task_id": "none",
        "profile": "none",
        "repository_id": "local:0123456789abcdef",
        "worktree_id": "0123456789abcdef",
        "branch": branch,
        "head": ZERO,
        "working_tree": "clean",
        "changed_files": "",
        "session_id": session_id,
        "started_at": "2026-09-12T09:00:00Z",
        "closed_at": created_at,
        "outcome": "closed",
        "title": f'"Session {session_id} on {branch}"',
        "start_head": ZERO,
        "start_working_tree": "clean",
        "commits": [],
    }
    return record | dict.fromkeys(lists, ())


def _file_name(text: str, created_at: str, *parts: Value) -> str:
    """``<created>--<part>--…--<16 hex>.md``: a commit is cut to seven digits, the digest is the content's own."""
    stamp = created_at.replace("-", "").replace(":", "")
    shown = (re.sub(r"^([0-9a-f]{7})[0-9a-f]{33,57}$", r"\1", str(part)) for part in parts if part is not None)
    safe = re.sub(r"[^A-Za-z0-9._-]", "-", "--".join((stamp, *shown)))[:180]
    return f"{safe}--{hashlib.sha256(_bytes(text)).hexdigest()[:16]}.md"


def _json(line: Mapping[str, object]) -> str:
    return json.dumps(line, separators=(",", ":"), ensure_ascii=False)


def _bytes(content: str | bytes) -> bytes:
    return content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape")


def _content(path: Path) -> str:
    if path.is_symlink():
        return f"link {path.readlink()}"
    if path.is_file():
        return hashlib.sha256(path.read_bytes()).hexdigest()
    return "folder" if path.is_dir() else "special"
