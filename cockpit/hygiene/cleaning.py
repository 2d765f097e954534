"""``cockpit clean``: remove what a run says is gone, and nothing else; each file is proven again as it is removed.

One cleaning at a time works on a run: it holds a lock on the run's folder. Folders stay, empty ones too.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator, Set
from datetime import datetime
from hashlib import sha1, sha256

from msgspec import Struct, structs

from cockpit.formats.text import shown
from cockpit.housekeeping.writing import Busy, alone
from cockpit.hygiene.audit import archives, tracked_in
from cockpit.hygiene.proving import Bench, Verdict, by_itself, verdicts
from cockpit.hygiene.searching import Search, Unproven, unknown
from cockpit.store.checkout import Checkout
from cockpit.store.files import folder, signature, why
from cockpit.store.git import Git, GitFailed, one_line
from cockpit.store.snapshot import Snapshot
from cockpit.store.upkeep import Run, Survey, run_at, survey

_CHANGED = "it changed between proof and removal"
_EMPTY_TREES = [hash_of(b"tree 0\0", usedforsecurity=False).hexdigest() for hash_of in (sha1, sha256)]
_READ_ONLY = {
    errno.EACCES: "this user may not write in its folder",
    errno.EROFS: "its file system is read-only",
}


class Done(Struct, frozen=True):
    """What a cleaning did, or would do: a verdict for each file. ``failed`` are sentences about what went wrong.

    ``absent`` are files that a manifest lists and that are not there.
    """

    removed: tuple[Verdict, ...]
    kept: tuple[Verdict, ...]
    absent: tuple[Verdict, ...]
    failed: tuple[str, ...]

    @property
    def unsettled(self) -> bool:
        """Whether something went wrong, or nothing of a run could be proven since its manifest is wrong."""
        return bool(self.failed) or any(each.wrong for each in self.kept)


class Stuck(Exception):
    """A file cannot be removed; the text says why in words that continue "it …"."""


def clean(checkout: Checkout, *, really: bool, now: datetime | None = None) -> Done:
    """Prove what may go, and remove it where ``really``. Raises Unproven, GitFailed and OSError."""
    look = _looked(checkout, now)
    bench = Bench(look.snapshot.root, look.snapshot.now, look.tracked)
    runs = look.seen.runs
    search = Search({each.path: run.path for run in runs for each in by_itself(bench, run) if each.seen})

    def searched(look: _Look) -> Bench:
        if search.named:
            search.look(look.snapshot, look.seen, look.tracked)
        return structs.replace(bench, tracked=look.tracked, named=search.named)

    bench = searched(look)
    found: list[Verdict | str] = []
    for run in runs:
        try:
            found += _cleaned(bench, run, lambda: searched(_looked(checkout, now))) if really else verdicts(bench, run)
        except Busy:
            found.append(f"Another cleaning is at work in {run.path}; nothing there was touched. Run this again.")
        except (Unproven, GitFailed) as error:
            found.append(f"{shown(run.path)} was looked at again before anything went, and nothing of it did: {error}")
        except OSError as error:
            found.append(f"{run.path} {why(error)}, so nothing of it was removed.")
    return _done(found)


class _Look(Struct, frozen=True):
    """What a cleaning stands on, as it was at one moment."""

    snapshot: Snapshot
    tracked: Set[str]
    seen: Survey


def _looked(checkout: Checkout, now: datetime | None) -> _Look:
    snapshot = checkout.look(now)
    look = _Look(snapshot, _tracked(checkout.git), survey(snapshot.root, archives(snapshot)))
    if look.seen.faults:
        raise unknown(look.seen.faults[0])
    return look


def _tracked(git: Git) -> Set[str]:
    """What git tracks. Raises GitFailed, also where it names no file though HEAD has some: that is half an answer."""
    answer = git.ask("ls-files", "-z")
    found = tracked_in(answer)
    if not found and _holds_files(git):
        raise answer.garbled()
    return found


def _holds_files(git: Git) -> bool:
    """Whether HEAD has a tree with anything in it; an unborn branch has none."""
    tree = git.ask("rev-parse", "--verify", "--quiet", "HEAD^{tree}", codes=(0, 1))
    return tree.returncode == 0 and one_line(tree) not in _EMPTY_TREES


def _done(found: list[Verdict | str]) -> Done:
    of_files = [each for each in found if isinstance(each, Verdict)]
    return Done(
        removed=tuple(each for each in of_files if each.seen),
        kept=tuple(each for each in of_files if each.there and not each.seen),
        absent=tuple(each for each in of_files if not each.there),
        failed=tuple(each for each in found if isinstance(each, str)),
    )


def _cleaned(bench: Bench, run: Run, again: Callable[[], Bench]) -> Iterator[Verdict | str]:
    """Prove and remove, with the run's folder locked; a file that changed in between stays.

    Where anything may go, git and what points at files are asked ``again`` under the lock, since the search took its
    time. A text is a sentence about a file that cannot be removed: the others are no worse for it.
    """
    with alone(bench.root, run.path):
        if any(bench.named.get(f"{run.path}/{path}") == "" for path in run.files):
            bench = again()
        for each in verdicts(bench, run_at(bench.root, run.path, run.files)):
            yield _carried_out(bench.root, each) if each.seen else each


def _carried_out(root: str, verdict: Verdict) -> Verdict | str:
    try:
        return verdict if removed(root, verdict) else Verdict(verdict.path, _CHANGED)
    except Stuck as stuck:
        return f"{shown(verdict.path)} {stuck}."


def removed(root: str, verdict: Verdict) -> bool:
    """Remove a file that still looks as it did when it was proven; False where it does not. Raises Stuck.

    Every folder on the way is entered without following a link, and the name is removed from the folder that was
    entered: whatever is exchanged meanwhile, nothing outside goes.
    """
    head, _, name = verdict.path.rpartition("/")
    try:
        with folder(root, head) as at:
            status = os.stat(name, dir_fd=at, follow_symlinks=False)
            if signature(status) != verdict.seen or status.st_nlink > 1:
                return False
            _unlink(at, name)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise Stuck(why(error)) from error
    return True


def _unlink(at: int, name: str) -> None:
    try:
        os.unlink(name, dir_fd=at)
    except FileNotFoundError:
        raise
    except OSError as error:
        reason = _READ_ONLY.get(error.errno or 0) or os.strerror(error.errno or 0)
        raise Stuck(f"cannot be removed ({reason})") from error
