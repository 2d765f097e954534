"""What ``cockpit init`` writes, and takes out again: the layer's tracked half, and the hooks of the providers.

What each file held before is kept in ``.ai/local/init.json``, so that ``--undo`` restores it byte for byte; a file that
was changed since loses what init put in, and nothing else.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from typing import Any

from msgspec import Struct

from cockpit.formats import diffs, document
from cockpit.recorder import durable, policy_text, settings_files
from cockpit.recorder.adapters import adapters
from cockpit.recorder.asking import ask
from cockpit.recorder.facts import PATIENT
from cockpit.recorder.site import MANIFEST, Refused, Site, confined
from cockpit.recorder.writers import refuse_another

JOURNAL = ".ai/local/init.json"
IGNORE, RULE = ".gitignore", ".ai/local/"

_MANIFEST = """\
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

_README = """\
# Session records

One file an episode that was closed, written once and never edited. What git tracks here reaches every clone.
"""


class Change(Struct, frozen=True):
    """A file as it is and as it is to be; None: it is not there."""

    path: str
    before: bytes | None
    after: bytes | None


def init(site: Site, providers: list[str], *, dry_run: bool) -> list[str]:
    """Lay out the layer and wire the providers; what was done, or its diff. Raises Refused, and then wrote nothing."""
    refuse_another(site)
    (tracked,) = ask(site.root, ("ls-files", "-z", "--", ".ai/local"), timeout=PATIENT)
    if tracked is None:
        raise Refused(f"git does not answer in {site.root}, so that nothing was written.")
    if tracked:
        raise Refused(".ai/local/ is tracked by git, and it must not be: `git rm -r --cached .ai/local` untracks it.")
    changes = [change for change in _changes(site, providers) if change.after != change.before]
    if dry_run:
        return [_diff(change) for change in changes] or ["Nothing to change."]
    if not changes:
        return ["Nothing to change: the layer is laid out and the hooks are there."]
    _remember(site, changes)
    for change in changes:
        _write(site, change)
    return [*(_said(change) for change in changes), *_advice(site, providers)]


def undo(site: Site, *, dry_run: bool) -> list[str]:
    """Take out what init put in; what was done, or the diff of it."""
    journal = _remembered(site) or _candidates(site)
    said: list[str] = []
    changes = []
    for path, kept in journal.items():
        now = _read(site, path)
        if now is None:
            continue
        if _digest(now) == kept["after"] and kept["exact"]:
            before = kept["before"]
            changes.append(Change(path, now, None if before is None else base64.b64decode(before)))
        else:
            after = _stripped(path, now)
            said += [] if after != now else [f"{path} was changed since and is left as it is."]
            changes.append(Change(path, now, after))
    changes = [change for change in changes if change.before != change.after]
    if dry_run:
        return [*(_diff(change) for change in changes), *said] or ["Nothing to undo."]
    for change in changes:
        _write(site, change)
    journal_file = os.path.join(site.root, JOURNAL)
    if os.path.lexists(journal_file):
        os.unlink(journal_file)
        _emptied(site, os.path.dirname(JOURNAL))
    if os.path.isdir(site.state):
        said.append(".ai/local/ holds recorded state and stays.")
    return [*(_said(change) for change in changes), *said] or ["Nothing to undo."]


# ---------------------------------------------------------------------- what is to be written
def _changes(site: Site, providers: list[str]) -> list[Change]:
    known = adapters()
    policy = os.path.relpath(site.section("policy"), site.root)
    readme = os.path.join(os.path.relpath(site.sessions, site.root), "README.md")
    found = [
        _new(site, MANIFEST, _MANIFEST),
        _change(site, policy, policy_text.with_entries(_read(site, policy), providers, policy)),
        _new(site, readme, _README),
        _change(site, IGNORE, _ignoring(site)),
    ]
    for provider in providers:
        path = known[provider].settings
        found.append(_change(site, path, settings_files.merged(_read(site, path), known[provider])))
    return found


def _new(site: Site, path: str, text: str) -> Change:
    before = _read(site, path)
    return Change(path, before, text.encode() if before is None else before)


def _change(site: Site, path: str, after: bytes | None) -> Change:
    return Change(path, _read(site, path), after)


def _ignoring(site: Site) -> bytes | None:
    before = _read(site, IGNORE)
    if before is None:
        return f"{RULE}\n".encode()
    lines = before.split(b"\n")
    if any(
        line.rstrip(b"\r").strip() in (b".ai/local/", b".ai/local", b"/.ai/local/", b"/.ai/local") for line in lines
    ):
        return before
    newline = b"\r\n" if b"\r\n" in before else b"\n"
    gap = b"" if not before or before.endswith(b"\n") else newline
    return before + gap + RULE.encode() + newline


def _stripped(path: str, now: bytes) -> bytes:
    """A file that was changed since, without what init put in; as it is where that cannot be told apart."""
    if path == IGNORE:
        kept = [line for line in now.split(b"\n") if line.rstrip(b"\r") != RULE.encode()]
        return b"\n".join(kept)
    adapter = next((each for each in adapters().values() if each.settings == path), None)
    if adapter:
        return settings_files.without(now, adapter)
    return policy_text.without_entries(now) if document.parse(now).fields.get("enforcement") else now


# ---------------------------------------------------------------------- how it is written
def _read(site: Site, path: str) -> bytes | None:
    """A file's bytes; None where there is none. Raises Refused where it is a link or no regular file."""
    whole = os.path.join(site.root, path)
    if os.path.islink(whole) or os.path.realpath(whole) != whole:
        raise Refused(
            f"{path} is a link, or lies behind one: it is left alone. Wire what it leads to by hand, or copy it."
        )
    if os.path.lexists(whole) and not os.path.isfile(whole):
        raise Refused(f"{path} is no regular file and is left alone.")
    try:
        with open(whole, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def _write(site: Site, change: Change) -> None:
    path = confined(os.path.join(site.root, change.path))
    if change.after is None:
        os.unlink(path)
        _emptied(site, os.path.dirname(change.path))
    elif change.before is None:
        durable.folder(os.path.dirname(path))
        durable.create(path, change.after)
    else:
        durable.replace(path, change.after, os.stat(path).st_mode & 0o777)


def _emptied(site: Site, folder: str) -> None:
    """Remove folders that are empty now, from the innermost outwards."""
    while folder:
        try:
            os.rmdir(os.path.join(site.root, folder))
        except OSError:
            return
        folder = os.path.dirname(folder)


def _remember(site: Site, changes: list[Change]) -> None:
    """Keep what the files held before the first init; a file that was changed between two of them is not exact."""
    journal = _remembered(site)
    for change in changes:
        assert change.after is not None
        kept = journal.get(change.path)
        before = None if change.before is None else base64.b64encode(change.before).decode()
        if kept and (change.before is None or _digest(change.before) != kept["after"]):
            kept = {"before": None, "exact": change.before is None}
        elif not kept:
            kept = {"before": before, "exact": True}
        journal[change.path] = {**kept, "after": _digest(change.after)}
    path = confined(os.path.join(site.root, JOURNAL))
    durable.folder(os.path.dirname(path))
    durable.replace(path, json.dumps({"files": journal}, indent=1).encode())


def _remembered(site: Site) -> dict[str, Any]:
    """What init remembers of each file that it wrote; empty where it remembers nothing."""
    try:
        return dict(json.loads(_read(site, JOURNAL) or b"{}").get("files", {}))
    except (ValueError, AttributeError):
        return {}


def _candidates(site: Site) -> dict[str, Any]:
    """The files that init may have written into, where it remembers nothing, as in another clone."""
    policy = os.path.relpath(site.section("policy"), site.root)
    paths = [policy, *(each.settings for each in adapters().values() if each.settings)]
    return {path: {"before": None, "after": "", "exact": False} for path in paths}


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


# ---------------------------------------------------------------------- what is said
def _diff(change: Change) -> str:
    return diffs.unified(change.before, change.after, change.path)


def _said(change: Change) -> str:
    word = "removed" if change.after is None else "written" if change.before is None else "changed"
    return f"{change.path} {word}"


def _advice(site: Site, providers: list[str]) -> list[str]:
    said = ["Commit these files: every worktree and clone then has them."]
    if "codex" in providers:
        said.append("Codex runs a hook only after you have trusted it: start it here once and approve its three hooks.")
        if os.path.realpath(os.path.dirname(site.where.common_dir)) != site.root:
            said.append("Codex reads hooks from the root checkout, and this is a linked worktree: merge them there.")
    return said
