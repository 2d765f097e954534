"""``cockpit clean``: remove what a run says is gone, and nothing else; each file is proven again as it is removed.

One cleaning at a time works on a run: it holds a lock on the run's folder. Folders stay, empty ones too.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Set
from datetime import datetime

from msgspec import Struct

from cockpit.formats.pointing import Pointers
from cockpit.formats.run_manifest import Manifest
from cockpit.housekeeping.writing import Busy, alone
from cockpit.hygiene.audit import archives, tracked_in
from cockpit.hygiene.proving import Bench, Verdict, verdicts
from cockpit.store.checkout import Checkout
from cockpit.store.episodes import STATE
from cockpit.store.files import Fault, folder, listing, signature, why
from cockpit.store.snapshot import Snapshot
from cockpit.store.upkeep import Run, Survey, run_at, survey

_NOTES = ("", "/handovers", "/checkpoints")
_ENDINGS = (".md", ".yaml")


_CHANGED = "it changed between proof and removal"


class Unproven(Exception):
    """Nothing can be proven to be unneeded; the text is a sentence that says why."""


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
    bench = Bench(snapshot.root, snapshot.now, tracked, _pointers(snapshot, seen, tracked))
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


# ---------------------------------------------------------------------- what points at files
def _pointers(snapshot: Snapshot, seen: Survey, tracked: Set[str]) -> list[Pointers]:
    """What every live document, letter and note points at. Raises Unproven where one of them cannot be read."""
    if seen.faults:
        raise Unproven(
            f"{seen.faults[0].path} {seen.faults[0].reason}: what it names is not known, so nothing is removed."
        )
    letters = [each.path for each in snapshot.letters.in_force]
    paths = dict.fromkeys([*(each.path for each in seen.documents), *letters, *_notes(snapshot.root)])
    expired = _expired(seen, snapshot.now) - tracked
    return [_pointing(snapshot, path) for path in paths if path not in expired]


def _pointing(snapshot: Snapshot, path: str) -> Pointers:
    read = snapshot.whole(path)
    if isinstance(read, Fault):
        raise Unproven(f"{read.path} {read.reason}: what it names is not known, so nothing is removed.")
    return Pointers(path, (read or b"").decode("utf-8", "surrogateescape"))


def _notes(root: str) -> Iterator[str]:
    """The notes of the local layer: handovers, checkpoints, the task, the questions."""
    for inner in _NOTES:
        path = f"{STATE}{inner}"
        yield from (f"{path}/{name}" for name, each in listing(root, path).entries.items() if _note(name, each.kind))


def _note(name: str, what: str) -> bool:
    return what == "file" and name.endswith(_ENDINGS)


def _expired(seen: Survey, now: int) -> frozenset[str]:
    """The paths of files that expired: what they point at is not held by them."""
    runs = ((run.path, run.manifest) for run in seen.runs if isinstance(run.manifest, Manifest))
    return frozenset(
        f"{path}/{each.path}"
        for path, manifest in runs
        for each in manifest.files
        if each.ephemeral and each.expires is not None and each.expires <= now
    )
