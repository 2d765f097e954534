"""The briefing of a start: the answer of ``continuity.state`` as text, where the policy asks for it."""

from __future__ import annotations

import json

from cockpit.formats import document
from cockpit.formats.text import cut, visible
from cockpit.reads import continuity
from cockpit.reads.answers import Continuity, Record
from cockpit.store.checkout import Checkout

_LINES = 40
_WIDTH = 400


def briefing(root: str, policy: bytes, output: str) -> bytes:
    """What a start prints; empty unless the policy says ``session.briefing_on_start: true``.

    At most ``session.briefing_budget_lines`` lines. ``output`` is ``json`` where a provider takes nothing else.
    """
    session = document.parse(policy).block("session")
    if session.text("briefing_on_start") != "true":
        return b""
    budget = session.text("briefing_budget_lines")
    limit = int(budget) if budget.isascii() and budget.isdigit() and len(budget) < 6 else _LINES
    text = "\n".join(lines(continuity.answer(Checkout.open(root).look()))[:limit]) + "\n"
    if output == "json":
        context = {"hookEventName": "SessionStart", "additionalContext": text}
        return json.dumps({"hookSpecificOutput": context}).encode()
    return text.encode()


def lines(state: Continuity) -> list[str]:
    """An answer in lines, the most useful first."""
    found = [f"Continuity of {state.worktree}: {state.branch or 'no branch'} at {(state.head or 'no commit')[:12]}"]
    if state.session:
        found.append(f"Episode: {state.session.session_id}, started {state.session.started_at or 'at no known time'}")
    if state.task:
        found.append(f"Task: {state.task.id} {state.task.task or ''}".rstrip())
    found += [f"Blocker: {each}" for each in state.blockers]
    found += _note("Handover", state.handover or None) + _note("Checkpoint", state.checkpoint or None)
    found += [f"Finding: {each}" for each in state.findings]
    return [cut(visible(line), _WIDTH) for line in found]


def _note(title: str, record: Record | None) -> list[str]:
    if record is None:
        return []
    found = [f"{title}: {record.path} ({record.divergence}, {record.freshness})"]
    if record.next_action:
        found += ["Next action:", *record.next_action.split("\n")]
    elif record.next_action_withheld:
        found.append(record.next_action_withheld)
    return found
