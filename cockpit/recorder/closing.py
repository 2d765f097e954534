"""The text of a closed record: what an episode's open record, its ledger lines and git prove, and nothing else."""

from __future__ import annotations

from cockpit.formats.keys import digest
from cockpit.recorder.facts import Facts
from cockpit.recorder.reading import Record
from cockpit.recorder.texts import Field

_PATHS = {"task.checkpoint": ("checkpoints", "checkpoint_path"), "task.handed_over": ("handovers", "handover_path")}
_SAID = {"decision.recorded": ("decisions", "decision"), "question.opened": ("questions", "question")}
LISTS = ("tasks", "issues", "milestones", "checkpoints", "handovers", "decisions", "questions", "evidence")


def closed_record(  # noqa: PLR0913, PLR0917
    own: Record, lines: list[dict[str, str]], outcome: str, ts: str, facts: Facts, commits: list[str] | None
) -> dict[str, Field]:
    """The front matter of an episode that ends now; ``lines`` are its own of the ledger."""
    fields = opening(own, ts, facts.branch, facts.repository_id)
    fields |= {"head": facts.head, "working_tree": facts.working_tree, "changed_files": facts.changed or ""}
    fields = {name: value for name, value in fields.items() if value or name != "working_tree"}
    return fields | bounds(own, outcome, ts, facts.branch) | {"commits": commits or []} | produced(lines)


def recovered_record(own: Record, lines: list[dict[str, str]], ts: str, last: str) -> dict[str, Field]:
    """The front matter of an episode that nobody closed: no head, no commits and no changed files are claimed.

    ``ts`` is when the record is made, ``last`` the last that was heard of the episode.
    """
    branch = own.text("branch") or "none"
    fields = opening(own, ts, branch, own.text("repository_id"))
    return fields | {"changed_files": ""} | bounds(own, "interrupted", last, branch) | {"commits": []} | produced(lines)


def opening(own: Record, ts: str, branch: str, repository_id: str) -> dict[str, Field]:
    """What a record begins with, up to the branch."""
    return {
        "schema": "session/v1",
        "kind": "session",
        "created_at": ts,
        "task_id": own.text("task_id") or "none",
        "profile": own.text("profile") or "none",
        "repository_id": portable(repository_id),
        "worktree_id": digest(own.text("worktree").encode("utf-8", "replace")),
        "branch": branch,
    }


def portable(repository_id: str) -> str:
    """A repository's name as it may travel: a path becomes its hash."""
    if not repository_id or repository_id.startswith(("/", ".", "~", "file:")) or "\\" in repository_id:
        return f"local:{digest(repository_id.encode('utf-8', 'replace'))}"
    return repository_id


def bounds(own: Record, outcome: str, closed_at: str, branch: str) -> dict[str, Field]:
    """Where an episode began and ended."""
    fields: dict[str, Field] = {
        "session_id": own.session_id,
        "started_at": own.text("started_at"),
        "closed_at": closed_at,
        "outcome": outcome,
        "title": f"Session {own.session_id} on {branch}",
        "worker": own.text("worker"),
        "start_head": own.text("start_head") or "NONE",
        "start_working_tree": own.text("start_working_tree"),
    }
    return {name: value for name, value in fields.items() if value}


def produced(lines: list[dict[str, str]]) -> dict[str, Field]:
    """The lists of a record, from the episode's ledger lines; each thing once, in the order of the lines."""
    found: dict[str, dict[str, None]] = {name: {} for name in LISTS}
    for line in lines:
        for name, key in (("tasks", "task_id"), *filter(None, (t.get(line.get("event", "")) for t in (_PATHS, _SAID)))):
            if line.get(key) and line[key] != "none":
                found[name][line[key]] = None
    return {name: list(values) for name, values in found.items()}
