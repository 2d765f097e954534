"""What ``cockpit init`` writes: the layer's tracked half, and the hooks of the providers."""

from __future__ import annotations

import os

from cockpit.recorder import journal, policy_text, settings_files
from cockpit.recorder.adapters import adapters
from cockpit.recorder.asking import ask
from cockpit.recorder.changes import Change, read, write
from cockpit.recorder.facts import PATIENT
from cockpit.recorder.site import MANIFEST, Refused, Site
from cockpit.recorder.writers import refuse_another

IGNORE, RULE = ".gitignore", ".ai/local/"

LAID_MANIFEST = """\
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

LAID_README = """\
# Session records

One file an episode that was closed, written once and never edited. What git tracks here reaches every clone.
"""


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
        return [change.diff for change in changes] or ["Nothing to change."]
    if not changes:
        return ["Nothing to change: the layer is laid out and the hooks are there."]
    journal.remember(site, changes)
    for change in changes:
        write(site, change)
    return [*map(str, changes), *_advice(site, providers)]


# ---------------------------------------------------------------------- what is to be written
def _changes(site: Site, providers: list[str]) -> list[Change]:
    known = adapters()
    policy, readme = policy_path(site), readme_path(site)
    found = [
        _new(site, MANIFEST, LAID_MANIFEST),
        _change(site, policy, policy_text.with_entries(read(site, policy), providers, policy)),
        _new(site, readme, LAID_README),
        _change(site, IGNORE, _ignoring(site)),
    ]
    for provider in providers:
        path = known[provider].settings
        found.append(_change(site, path, settings_files.merged(read(site, path), known[provider])))
    return found


def policy_path(site: Site) -> str:
    """Where the policy lies, relative to the root. Raises Refused."""
    return os.path.relpath(site.section("policy"), site.root)


def readme_path(site: Site) -> str:
    """Where the section of closed records says what it is, relative to the root. Raises Refused."""
    return os.path.join(os.path.relpath(site.sessions, site.root), "README.md")


def _new(site: Site, path: str, text: str) -> Change:
    before = read(site, path)
    return Change(path, before, text.encode() if before is None else before)


def _change(site: Site, path: str, after: bytes | None) -> Change:
    return Change(path, read(site, path), after)


def _ignoring(site: Site) -> bytes | None:
    before = read(site, IGNORE)
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


# ---------------------------------------------------------------------- what is said
def _advice(site: Site, providers: list[str]) -> list[str]:
    said = ["Commit these files: every worktree and clone then has them."]
    if "codex" in providers:
        said.append("Codex runs a hook only after you have trusted it: start it here once and approve its three hooks.")
        if os.path.realpath(os.path.dirname(site.where.common_dir)) != site.root:
            said.append("Codex reads hooks from the root checkout, and this is a linked worktree: merge them there.")
    return said
