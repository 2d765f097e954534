"""Retire forgotten concepts of a spaced review: suggested by every run, done only by ``--retire --yes``.

The retired file is written first and the review second: a kill between the two leaves a double, which the next run
resolves, and never a loss.
"""

from __future__ import annotations

import posixpath
from datetime import date

from cockpit.formats import livedoc, retirement
from cockpit.formats.jsontext import NoJson
from cockpit.formats.text import BOM, counted
from cockpit.housekeeping import writing
from cockpit.housekeeping.report import command
from cockpit.housekeeping.rotating import Refused, said
from cockpit.housekeeping.writing import Busy, Changed
from cockpit.store import surfaces as store
from cockpit.store.files import Fault
from cockpit.store.surfaces import REVIEW, File

RETIRED = "spaced-review.retired.json"
_DAYS = retirement.FORGOTTEN.days


def review_of(project: str) -> str | None:
    """The path of a project's spaced review below it; None where it has none."""
    base = store.home_of(project, REVIEW)
    return None if base is None else f"{base}{REVIEW}"


def suggested(project: str, path: str, today: date) -> list[str]:
    """The suggestion about a review; empty where nothing may go. Raises Refused."""
    concepts, old = _asked(_text(_read(project, path)), path, today)
    if not old:
        return []
    return [
        f"  {counted(concepts, 'concept')}, {old} of them in box 1 and not reviewed for {_DAYS} days; "
        f"to move those to {RETIRED}: {command(project, '--retire', '--yes')}"
    ]


def retire(project: str, path: str, today: date, *, really: bool) -> list[str]:
    """Move what may go, or say what would move. Raises Refused."""
    if not really:
        return suggested(project, path, today) or ["  nothing to retire, nothing written"]
    try:
        with writing.alone(project, posixpath.dirname(path)):
            return _moved(project, path, today)
    except Busy as error:
        raise Refused("Another run of cockpit housekeep is at work here. Wait until it has ended.") from error
    except Changed as error:
        raise Refused(f"{path} changed while it was read, so nothing was taken out of it. Run this again.") from error
    except OSError as error:
        raise Refused(f"{path} could not be changed: {said(error)}.") from error


def _moved(project: str, path: str, today: date) -> list[str]:
    review = _read(project, path)
    there = posixpath.join(posixpath.dirname(path), RETIRED)
    retired = store.file(project, there)
    if isinstance(retired, Fault):
        raise Refused(f"{retired.path} {retired.reason}.")
    text = _text(review)
    try:
        plan = retirement.retirement(text, _text(retired) if retired else "", today)
    except NoJson as error:
        raise Refused(f"{path} or {there} is not the JSON it should be ({error}); nothing was changed.") from error
    if not plan.names:
        return ["  nothing to retire, nothing written"]
    _replace(project, there, plan.retired, retired, review.mode)
    _replace(project, path, plan.remaining, review, review.mode)
    names = ", ".join(plan.names[:20]) + (f" and {len(plan.names) - 20} more" if len(plan.names) > 20 else "")
    left = plan.concepts - len(plan.names)
    return [f"  retired    {counted(len(plan.names), 'concept')} into {RETIRED}: {names}", f"  left       {left}"]


def _replace(project: str, path: str, text: str, read: File | None, mode: int) -> None:
    data = (BOM if read and read.data.startswith(BOM) else b"") + livedoc.raw(text)
    if read is None or data != read.data:
        writing.replace(project, path, data, read, read.mode if read else mode)


def _read(project: str, path: str) -> File:
    read = store.file(project, path)
    if not isinstance(read, File):
        raise Refused(f"{path} {read.reason}." if read else f"There is no {path}.")
    return read


def _text(read: File) -> str:
    return livedoc.text(read.data.removeprefix(BOM))


def _asked(text: str, path: str, today: date) -> tuple[int, int]:
    try:
        return retirement.suggestion(text, today)
    except NoJson as error:
        raise Refused(f"{path} is not the JSON it should be ({error}).") from error
