"""``cockpit init --undo``: what init put in is taken out, all of it or that of some providers, and nothing else.

Where the journal knows what a file held before, and nobody changed it since, that is restored byte for byte. Elsewhere,
as in another clone, only what is exactly the text that init writes goes: a whole file where it holds nothing else.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator

from cockpit.recorder import journal, layer, policy_text, settings_files
from cockpit.recorder.adapters import adapters
from cockpit.recorder.changes import Change, read, write
from cockpit.recorder.journal import Kept
from cockpit.recorder.layer import IGNORE, LAID_MANIFEST, LAID_README, RULE
from cockpit.recorder.site import MANIFEST, Site

_NOTHING = "Nothing to undo: nothing that init put in is here."


def undo(site: Site, providers: Collection[str], *, dry_run: bool) -> list[str]:
    """Take out what init put in for some providers; all of it where none is named, or no other one is wired.

    What was done, or the diff of it. Raises Refused, and then wrote nothing, or OSError.
    """
    wired = _wired(site)
    absent = [f"{provider} is not wired here." for provider in providers if provider not in wired]
    if len(absent) == len(providers) > 0:
        return [*absent, "Nothing to undo."]
    if providers and wired - set(providers):
        return [*absent, *_partly(site, wired & set(providers), dry_run=dry_run)]
    last = ["No other provider is wired here, so that the layer goes too."] if providers else []
    return [*absent, *last, *_wholly(site, wired, dry_run=dry_run)]


def _wired(site: Site) -> set[str]:
    """The providers whose hook is in their settings, or whose entry is in the policy."""
    known = adapters()
    hooked = {name for name, each in known.items() if each.settings and _runs(site, name)}
    return hooked | set(policy_text.named(read(site, layer.policy_path(site)), known))


def _runs(site: Site, provider: str) -> bool:
    adapter = adapters()[provider]
    return settings_files.runs(read(site, adapter.settings), adapter)


def _partly(site: Site, providers: set[str], *, dry_run: bool) -> list[str]:
    """Take out the hooks and the policy entries of some providers."""
    known, kept = adapters(), journal.kept(site)
    policy = layer.policy_path(site)
    changes = [Change(policy, now, policy_text.without_entries(now, providers)) for now in _there(site, policy)]
    for path in sorted(known[provider].settings for provider in providers):
        changes += [_undone(site, path, now, kept.get(path)) for now in _there(site, path)]
    done = [change for change in changes if change.after != change.before]
    if not dry_run:
        for change in done:
            write(site, change)
        journal.forget(site, done)
    return _told(done, list(_still(site, changes, providers).values()), dry_run=dry_run)


def _wholly(site: Site, wired: set[str], *, dry_run: bool) -> list[str]:
    """Take out all of it: what the journal knows, and what is provably init's where it does not know everything."""
    known, kept = adapters(), journal.kept(site)
    paths = list(kept)
    if not kept or any(known[provider].settings not in kept for provider in wired):
        kept.pop(
            layer.policy_path(site), None
        )  # what it held before may name a provider that the journal does not know
        paths = _candidates(site)
    changes = [_undone(site, path, now, kept.get(path)) for path in paths for now in _there(site, path)]
    done = [change for change in changes if change.after != change.before]
    still = _still(site, changes, known)
    same = [change for change in changes if change not in done and change.path not in still]
    stays = [sentence for change in same if (done or kept) and (sentence := _stays(change, kept))]
    if not dry_run:
        for change in done:
            write(site, change)
        journal.close(site)
    if done and os.path.isdir(site.state):
        stays.append(".ai/local/ holds recorded state and stays.")
    return _told(done, [*still.values(), *stays], dry_run=dry_run)


def _told(done: list[Change], stays: list[str], *, dry_run: bool) -> list[str]:
    return [*(change.diff if dry_run else str(change) for change in done), *stays] or [_NOTHING]


def _stays(change: Change, kept: Collection[str]) -> str:
    """Why a file that may hold something of init's is left as it is; empty where it holds nothing."""
    if change.path in kept:
        return f"{change.path} was changed since and is left as it is."
    if change.path == IGNORE and RULE.encode() in (change.before or b"").split():
        return f"{IGNORE} keeps its line {RULE}: nothing here tells whether init put it in."
    return ""


def _still(site: Site, changes: list[Change], providers: Collection[str]) -> dict[str, str]:
    """A sentence for each file that names the recorder all the same, since a person edited what init put in."""
    policy, known = layer.policy_path(site), adapters()
    found = {}
    for path, after in ((change.path, change.after) for change in changes):
        hooked = [
            each for each in providers if known[each].settings == path and settings_files.runs(after, known[each])
        ]
        names = policy_text.named(after, providers) if path == policy else hooked
        if names:
            said = f"{path} still names cockpit for {', '.join(names)}, in what was edited since: take it out by hand."
            found[path] = said
    return found


# ---------------------------------------------------------------------- what is left of a file
def _candidates(site: Site) -> list[str]:
    """The files that init writes, where no journal tells which."""
    settings = [each.settings for each in adapters().values() if each.settings]
    return [MANIFEST, layer.policy_path(site), layer.readme_path(site), IGNORE, *settings]


def _there(site: Site, path: str) -> Iterator[bytes]:
    """What a file holds now; nothing where there is none."""
    now = read(site, path)
    if now is not None:
        yield now


def _undone(site: Site, path: str, now: bytes, kept: Kept | None) -> Change:
    """A file as it was before init: as it is kept, or without what is init's."""
    if kept and kept.untouched(now):
        return Change(path, now, kept.restored())
    if not (kept and kept.before) and _is_all_of_it(site, path, now):
        return Change(path, now, None)
    if path == IGNORE:
        return Change(path, now, _without_rule(now) if kept else now)
    adapter = next((each for each in adapters().values() if each.settings == path), None)
    if adapter:
        return Change(path, now, settings_files.without(now, adapter) if settings_files.runs(now, adapter) else now)
    if path == layer.policy_path(site):
        return Change(path, now, policy_text.without_entries(now, adapters()))
    return Change(path, now, now)


def _is_all_of_it(site: Site, path: str, now: bytes) -> bool:
    """Whether a file holds what init alone would have left, and nothing else.

    One line of an ignore file is nobody's in particular: it counts beside a manifest that is init's own.
    """
    if path == IGNORE:
        return now == f"{RULE}\n".encode() and read(site, MANIFEST) == LAID_MANIFEST.encode()
    if path == layer.policy_path(site):
        return policy_text.laid_out(now, adapters())
    adapter = next((each for each in adapters().values() if each.settings == path), None)
    if adapter:
        return now == settings_files.merged(None, adapter)
    laid = LAID_MANIFEST if path == MANIFEST else LAID_README
    return now == laid.encode()


def _without_rule(now: bytes) -> bytes:
    return b"\n".join(line for line in now.split(b"\n") if line.rstrip(b"\r") != RULE.encode())
