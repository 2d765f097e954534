"""Checkpoints and handovers: notes with front matter that git filled in. Whoever calls holds the ledger's lock."""

from __future__ import annotations

import os
from contextlib import suppress

from cockpit.formats.keys import dated
from cockpit.formats.wording import counted
from cockpit.recorder import durable, ledger, texts
from cockpit.recorder.episodes import stamp
from cockpit.recorder.facts import Facts
from cockpit.recorder.reading import fields_of
from cockpit.recorder.site import Site, confined

CHECKPOINT, HANDOVER = "checkpoints", "handovers"
_EVENTS = {CHECKPOINT: ("task.checkpoint", "checkpoint_path"), HANDOVER: ("task.handed_over", "handover_path")}


def write(site: Site, folder: str, ts: str, facts: Facts, body: str, session: str = "", **told: str) -> str:  # noqa: PLR0913, PLR0917
    """Write a note and its ledger line; the note's path, relative to the root.

    ``told`` are further keys of the line; identity is git's, and the task is the active one where there is one.
    """
    task = fields_of(os.path.join(site.state, "current.yaml"))
    fields: dict[str, texts.Field] = {
        "schema_version": "1",
        "created_at": ts,
        "task_id": task.get("id") or "none",
        "profile": task.get("profile") or "none",
        "owner": site.by,
        "repository_id": facts.repository_id,
        "worktree": site.root,
        "branch": facts.branch,
        "head": facts.head,
        "working_tree": facts.working_tree,
        "changed_files": facts.changed or "",
    }
    data = texts.front_matter({name: value for name, value in fields.items() if value or name == "changed_files"}, body)
    place = confined(os.path.join(site.state, folder))
    durable.folder(place)
    path = os.path.join(place, dated(stamp(ts), [facts.branch, facts.head[:7]], data))
    with suppress(FileExistsError):  # its name holds its digest: this very note is there
        durable.create(path, data)
    name, key = _EVENTS[folder]
    told = {"task_id": task.get("id", ""), key: os.path.relpath(path, site.root)} | told
    ledger.append(site.state, [ledger.event(name, ts, site.by, facts.on, session, **told)])
    return told[key]


def before_compaction(facts: Facts, trigger: str, lines: list[dict[str, str]]) -> str:
    """The body of a checkpoint that nobody wrote: what git and the ledger say as a conversation is compacted."""
    events = counted(len(lines), "ledger event")
    paths = "".join(f"- `{path}`\n" for path in facts.changed[:20])
    more = f"- and {len(facts.changed) - 20} more\n" if len(facts.changed) > 20 else ""
    return (
        f"# Current State\n\nDerived before a compaction ({trigger or 'no trigger named'}); nobody wrote this.\n"
        f"{facts.branch} at {facts.head[:12]}, the working tree {facts.working_tree or 'not asked'}; {events} so far.\n"
        + (f"\n# Changed Files\n\n{paths}{more}" if paths else "")
    )
