"""``cockpit clean``: remove what a run says is gone, and nothing else; each file is proven again as it is removed.

One cleaning at a time works on a run: it holds a lock on the run's folder. Folders stay, empty ones too.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime

from msgspec import Struct, structs

from cockpit.housekeeping.writing import Busy, alone
from cockpit.hygiene import searching
from cockpit.hygiene.audit import archives, tracked_in
from cockpit.hygiene.proving import Bench, Verdict, by_itself, verdicts
from cockpit.store.checkout import Checkout
from cockpit.store.files import folder, signature, why
from cockpit.store.upkeep import Run, run_at, survey

_CHANGED = "it changed between proof and removal"


class Done(Struct, frozen=True):
    """What a cleaning did, or would do: a verdict for each file. ``failed`` are sentences about what went wrong."""

    removed: tuple[Verdict, ...]
    kept: tuple[Verdict, ...]
    failed: tuple[str, ...]


def clean(checkout: Checkout, *, really: bool, now: datetime | None = None) -> Done:
    """Prove what may go, and remove it where ``really``. Raises Unproven, GitFailed and OSError."""
    snapshot = checkout.look(now)
    tracked = tracked_in(checkout.git.ask("ls-files", "-z").out)
    seen = survey(snapshot.root, archives(snapshot))
    if seen.faults:
        raise searching.unknown(seen.faults[0])
    bench = Bench(snapshot.root, snapshot.now, tracked)
    wanted = {each.path: run.path for run in seen.runs for each in by_itself(bench, run) if each.seen}
    bench = structs.replace(bench, named=searching.named(snapshot, seen, tracked, wanted) if wanted else {})
    removed, kept, failed = list[Verdict](), list[Verdict](), list[str]()
    for run in seen.runs:
        try:
            for each in _cleaned(bench, run) if really else verdicts(bench, run):
                (kept if each.seen is None else removed).append(each)
        except Busy:
            failed.append(f"Another cleaning is at work in {run.path}; nothing there was touched. Run this again.")
        except OSError as error:
            failed.append(f"{run.path} {why(error)}, so nothing more of it was removed.")
    return Done(tuple(removed), tuple(kept), tuple(failed))


def _cleaned(bench: Bench, run: Run) -> Iterator[Verdict]:
    """Prove and remove, with the run's folder locked; a file that changed in between stays."""
    with alone(bench.root, run.path):
        for each in verdicts(bench, run_at(bench.root, run.path, run.files)):
            yield each if each.seen is None or removed(bench.root, each) else Verdict(each.path, _CHANGED)


def removed(root: str, verdict: Verdict) -> bool:
    """Remove a file that still looks as it did when it was proven; False where it does not. Raises OSError.

    Every folder on the way is entered without following a link, and the name is removed from the folder that was
    entered: whatever is exchanged meanwhile, nothing outside goes.
    """
    head, _, name = verdict.path.rpartition("/")
    try:
        with folder(root, head) as at:
            status = os.stat(name, dir_fd=at, follow_symlinks=False)
            if signature(status) != verdict.seen or status.st_nlink > 1:
                return False
            os.unlink(name, dir_fd=at)
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True
