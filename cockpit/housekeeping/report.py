"""What a run says: lines for a person, and whether something is left for that person to do."""

from __future__ import annotations

import os

from msgspec import Struct

from cockpit.formats import insights, shell
from cockpit.formats.rotation import Plan
from cockpit.formats.summary import LIMIT
from cockpit.formats.surfaces import Surface
from cockpit.formats.text import counted, shown, sound, visible


class Report(Struct):
    """Lines that grow; ``failed`` where a surface was refused or is damaged."""

    lines: list[str]
    failed: bool = False

    def say(self, *lines: str, failed: bool = False) -> None:
        """Add lines; what cannot be seen in them is made visible."""
        self.lines.extend(visible(sound(line)) for line in lines)
        self.failed = self.failed or failed


def place(start: str, root: str, path: str) -> str:
    """A path as a person who stands in ``start`` sees it."""
    whole = os.path.normpath(os.path.join(root, path))
    inside = whole == start or whole.startswith(os.path.join(start, ""))
    return shown(os.path.relpath(whole, start) if inside else whole)


def command(root: str, *options: str) -> str:
    """The command that works on one project or repository, to be pasted anywhere."""
    return " ".join(["cockpit housekeep", *options, shell.command("{root}", root=root)])


def rotated(surface: Surface, plan: Plan) -> list[str]:
    """What a plan does, said the same whether it was done or would be."""
    before, after = len(plan.before), len(plan.data)
    if plan.idle:
        left = [f"  summary    {_lines(plan)}"] if plan.summary_lines > LIMIT else []
        return [f"  nothing to do, nothing written; {before:,} bytes", *left]
    folder = os.path.basename(surface.archive)
    moved = [
        f"  rotated    {each.date}{_headline(each.title)} → {folder}/{each.name} ({len(each.data):,} bytes)"
        for each in plan.archived
    ]
    phases = [
        f"  collapsed  {counted(each.items, 'item')}, {each.first} → {each.last}, into {each.name}"
        for each in plan.collapsed
    ]
    return [*moved, *phases, f"  live       {before:,} → {after:,} bytes; {_lines(plan)}"]


def _headline(title: str) -> str:
    said = insights.headline(title, [])
    return f" - {said}" if said else ""


def _lines(plan: Plan) -> str:
    said = f"its summary has {plan.summary_lines} of {LIMIT} lines"
    if plan.summary_lines <= LIMIT:
        return said
    return f"{said}: what is left was written by hand or is too little for a phase, and stays"
