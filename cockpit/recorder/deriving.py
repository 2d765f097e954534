"""A handover composed of what is known: the task, the ledger, git and the open questions. Nothing in it is guessed."""

from __future__ import annotations

import os

from cockpit.formats import document, questions
from cockpit.formats.records import ActiveTask, active_task
from cockpit.formats.text import counted
from cockpit.recorder.facts import Facts
from cockpit.recorder.site import Site

_MOST = 30


def handover(site: Site, facts: Facts, lines: list[dict[str, str]]) -> str:
    """The body of a derived handover; ``lines`` are the ledger's of the current episode."""
    task = active_task(document.parse(_read(site, "current.yaml")))
    active = task if isinstance(task, ActiveTask) else None
    open_questions = questions.unresolved(_read(site, "open-questions.md"))
    return "\n".join(
        [
            "# Objective\n",
            _objective(active),
            "\n# Current State\n",
            f"Derived; nobody wrote this. {facts.branch} at {facts.head[:12]}, the working tree {facts.working_tree}.",
            *_ledger(lines),
            *_listed("Changed files:", [f"`{path}`" for path in facts.changed]),
            *_listed("Unresolved questions:", open_questions),
            "\n# Next Action\n",
            _next(active, open_questions, facts),
            "",
        ]
    )


def _objective(task: ActiveTask | None) -> str:
    if task is None:
        return "No task is active, so that no objective is on record."
    outcome = f" It is done when: {task.outcome}" if task.outcome else ""
    return f"{task.task or task.id} ({task.id}).{outcome}"


def _ledger(lines: list[dict[str, str]]) -> list[str]:
    if not lines:
        return ["The ledger has no event of a current episode."]
    last = lines[-1]
    counts = counted(len(lines), "event")
    return [f"The ledger has {counts} of this episode, the last one {last.get('event')} at {last.get('ts')}."]


def _next(task: ActiveTask | None, unresolved: list[str], facts: Facts) -> str:
    if unresolved:
        return f"Answer the open question first: {unresolved[0]}"
    if facts.changed:
        paths = counted(len(facts.changed), "changed file")
        return f"Look through {paths} (`git status`), then go on with the objective."
    return f"Go on with {task.id}." if task else "Choose a task: none is active, and nothing is changed or open."


def _listed(title: str, items: list[str]) -> list[str]:
    if not items:
        return []
    more = [f"- and {len(items) - _MOST} more"] if len(items) > _MOST else []
    return [f"\n{title}\n", *(f"- {item}" for item in items[:_MOST]), *more]


def _read(site: Site, name: str) -> bytes:
    try:
        with open(os.path.join(site.state, name), "rb") as file:
            return file.read(1 << 20)
    except OSError:
        return b""
