"""What git says of a checkout at one moment, for a record: asked once, at most so long, and never guessed."""

from __future__ import annotations

import os

from cockpit.formats.calls import STATUS, changed
from cockpit.formats.keys import digest
from cockpit.formats.wording import shown
from cockpit.recorder.asking import ask
from cockpit.recorder.where import DETACHED, UNBORN, Where

PATIENT = 30.0  # seconds that git may take where a person waits
_MOST = 256 << 10  # bytes of names in one record, which a reader reads up to 1 MiB of
_URL = ("https://", "http://", "ssh://", "git://")


class Facts:
    """``head`` is NONE on an unborn branch; ``working_tree`` empty and ``changed`` empty where git did not answer."""

    __slots__ = ("branch", "changed", "head", "repository_id", "working_tree")

    def __init__(self, head: str, branch: str) -> None:
        self.head, self.branch = head, branch
        self.working_tree, self.repository_id = "", ""
        self.changed: list[str] = []

    @property
    def on(self) -> tuple[str, str]:
        """Commit and branch, for the envelope of a ledger line."""
        return self.head, self.branch


def gather(where: Where, timeout: float) -> Facts:
    """Ask git where the checkout stands; the repository's name comes from its configuration file."""
    (status,) = ask(where.root, STATUS, timeout=timeout)
    facts = Facts(where.head, where.branch)
    facts.repository_id = repository_id(where, _remote(where))
    if status is not None:
        headers = dict(f[2:].split(b" ", 1) for f in status.split(b"\0") if f.startswith(b"# ") and b" " in f[2:])
        oid, branch = headers.get(b"branch.oid", b""), headers.get(b"branch.head", b"")
        facts.head = UNBORN if oid == b"(initial)" else oid.decode()
        detached = branch == b"(detached)" and where.branch in ("", DETACHED)
        facts.branch = DETACHED if detached else shown(os.fsdecode(branch))
        paths = changed(status)
        facts.working_tree = "dirty" if paths else "clean"
        facts.changed = capped([shown(os.fsdecode(path)) for path in paths])
    return facts


def commits(where: Where, start: str, timeout: float) -> list[str] | None:
    """The short ids since ``start``, oldest first; ``["diverged"]`` where it is no ancestor; None: git cannot say."""
    if start == where.head:
        return []
    if UNBORN in (start, where.head):
        return None
    (out,) = ask(
        where.root,
        ("rev-list", "--left-right", "--abbrev-commit", "--reverse", "--end-of-options", f"{start}...{where.head}"),
        timeout=timeout,
    )
    if out is None:
        return None
    said = out.decode().split()
    return ["diverged"] if any(each.startswith("<") for each in said) else capped([each[1:] for each in said])


def repository_id(where: Where, remote: str) -> str:
    """The remote's address without whoever may sign in to it; a hash where there is none or it is a path."""
    scheme = next((each for each in _URL if remote.startswith(each)), "")
    if scheme:
        host, slash, path = remote.removeprefix(scheme).partition("/")
        return f"{scheme}{host.rpartition('@')[2]}{slash}{path}".split("?", 1)[0]
    host, colon, path = remote.partition(":")
    if colon and "/" not in host and "\\" not in host and len(host) > 1 and not path.startswith("/"):
        return remote
    return f"local:{digest(os.fsencode(where.common_dir))}"


def _remote(where: Where) -> str:
    """The address of ``origin`` as the repository's own configuration file says it; empty where it does not."""
    try:
        with open(os.path.join(where.common_dir, "config"), encoding="utf-8", errors="replace") as file:
            _, _, section = file.read(_MOST).partition('[remote "origin"]\n')
    except OSError:
        return ""
    for line in section.split("\n"):
        name, _, value = line.partition("=")
        if line.startswith("["):
            break
        if name.strip() == "url":
            return value.strip()
    return ""


def capped(names: list[str]) -> list[str]:
    """As many of the names, from the first on, as a record has room for."""
    kept, size = [], 0
    for name in names:
        size += len(name.encode("utf-8", "replace")) + 8
        if size > _MOST:
            break
        kept.append(name)
    return kept
