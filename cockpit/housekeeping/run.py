"""The runs of ``cockpit housekeep``: each works on every surface on its own, and says what it did."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date

from cockpit.formats.surfaces import Surface
from cockpit.housekeeping import checking, migrating, report, retiring, rotating
from cockpit.housekeeping.report import Report
from cockpit.housekeeping.rotating import Absent, Refused, said
from cockpit.housekeeping.writing import Busy
from cockpit.store import surfaces as store
from cockpit.store.surfaces import Found

NONE = (
    "There is nothing to keep house for: the policy names no surfaces (surfaces: [{name, live, archive}]), and no "
    "BodhiKit project was found here."
)


def rotate(start: str, home: str, today: date, *, dry_run: bool) -> Report:
    """Rotate every surface, and say which concepts could be retired. A dry run says the same and writes nothing."""
    done = Report([])
    found = _found(start, home, done)
    for surface in found.surfaces:
        _about(done, start, surface, lambda each: report.rotated(each, rotating.rotate(each, dry_run=dry_run)))
    for project in found.projects:
        _suggest(done, start, project, today)
    notice = "" if dry_run else migrating.notice(home, mark=True)
    if notice:
        done.say(notice)
    return done


def verify(start: str, home: str) -> Report:
    """Verify every surface; ``failed`` where one is damaged."""
    done = Report([])
    for surface in _found(start, home, done).surfaces:
        _about(done, start, surface, lambda each: _checked(done, each))
    return done


def retire(start: str, home: str, today: date, *, really: bool) -> Report:
    """Retire forgotten concepts in every project, or say which would be."""
    done = Report([])
    found = _found(start, home, done)
    reviews = [(project, path) for project in found.projects if (path := retiring.review_of(project))]
    for project, path in reviews:
        done.say(report.place(start, project, path))
        with _told(done):
            done.say(*retiring.retire(project, path, today, really=really))
    if not reviews:
        done.say("No project here has a spaced review.")
    return done


def migrate(start: str, home: str, today: date, *, really: bool, dry_run: bool) -> Report:
    """Save search paths, and say what is in an older layout; convert it where ``really``."""
    done = Report([])
    if dry_run:
        projects = [*store.found(start, home).projects, *store.projects_in(store.legacy(home))]
    else:
        done.say(*migrating.save_paths(home))
        projects = list(store.found(start, home).projects)
    for project in dict.fromkeys(projects):
        with _told(done):
            _migrate(done, start, project, today, really=really and not dry_run)
    if not projects:
        done.say("No BodhiKit project was found here.")
    return done


def _migrate(done: Report, start: str, project: str, today: date, *, really: bool) -> None:
    done.say(report.place(start, project, ""))
    found = migrating.old(project)
    done.say(*(f"  old        {path} {said}" for path, said in found.items()))
    if not found:
        done.say("  nothing is in an older layout, nothing written")
    elif not really:
        done.say(f"  to convert these: {report.command(project, 'migrate', '--yes')}")
    else:
        done.say(*(f"  {line}" for line in migrating.convert(project, today)))
        for surface in migrating.surfaces_of(project):
            _about(done, start, surface, lambda each: report.rotated(each, rotating.rotate(each, dry_run=False)))
        done.say(*(f"  {line}" for line in migrating.sections(project)))


def _found(start: str, home: str, done: Report) -> Found:
    found = store.found(start, home)
    for finding in found.findings:
        done.say(finding, failed=True)
    if not found.surfaces and not found.findings:
        done.say(NONE)
    return found


def _about(done: Report, start: str, surface: Surface, work: Callable[[Surface], list[str]]) -> None:
    """Do one thing to one surface and say what came of it; a refusal is said, and touches no other."""
    done.say(f"{surface.name}  {report.place(start, surface.root, surface.live)}")
    with _told(done):
        done.say(*work(surface))


@contextmanager
def _told(done: Report) -> Iterator[None]:
    """What goes wrong here is said, and counts."""
    try:
        yield
    except Absent as error:
        done.say(f"  nothing to do: {error}")
    except Refused as error:
        done.say(f"  refused    {error}", failed=True)
    except Busy:
        done.say("  refused    Another run of cockpit housekeep is at work here.", failed=True)
    except OSError as error:
        done.say(f"  refused    {said(error)}", failed=True)


def _checked(done: Report, surface: Surface) -> list[str]:
    lines, sound = checking.check(surface)
    done.failed = done.failed or not sound
    return lines


def _suggest(done: Report, start: str, project: str, today: date) -> None:
    path = retiring.review_of(project)
    if path is None:
        return
    with _told(done):
        lines = retiring.suggested(project, path, today)
        if lines:
            done.say(f"review  {report.place(start, project, path)}", *lines)
