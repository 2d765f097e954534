"""Whether a file of a run may go: the proof, or the reason why it stays. Nothing is changed by proving.

A file goes only where each of these holds: the run's own manifest calls it ephemeral, its expiry has passed, it is a
regular file with one name that lies in the run's folder and belongs to whoever owns the manifest, it is not older than
the run, git does not track it, and no text that counts points at it (see ``searching``).
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Set
from datetime import UTC, datetime

from msgspec import Struct, structs

from cockpit.formats import instants
from cockpit.formats.run_manifest import NAME, Manifest, Owned
from cockpit.formats.text import shown
from cockpit.store.files import Signature, folder, gone, kind, signature, why
from cockpit.store.upkeep import Run

_WHAT = {"link": "it is a link", "folder": "it is a folder", "other": "it is no regular file"}


class Verdict(Struct, frozen=True):
    """What becomes of one file: ``seen`` is how it looked where it may go, None where it stays; ``reason`` says why.

    ``there`` is whether anything has this name at all; ``wrong``, whether it is the folder of a run whose manifest
    cannot be used, so that nothing of it can be proven.
    """

    path: str
    reason: str
    seen: Signature | None = None
    there: bool = True
    wrong: bool = False


class Bench(Struct, frozen=True):
    """What every proof of one cleaning stands on: the root, the moment (ns), git's files, and what points at files.

    ``named`` has each file for which that was searched, with the text that names it (empty: none does).
    """

    root: str
    now: int
    tracked: Set[str]
    named: Mapping[str, str] = {}


def verdicts(bench: Bench, run: Run) -> list[Verdict]:
    """A verdict for each file that the run's manifest lists or that lies in its folder."""
    return [_unless_needed(bench, each) if each.seen else each for each in by_itself(bench, run)]


def by_itself(bench: Bench, run: Run) -> list[Verdict]:
    """The same, whatever points at them."""
    manifest = run.manifest
    if not isinstance(manifest, Manifest):
        what = f"its {NAME} {run.wrong}" if run.wrong else f"this folder of a run has no {NAME}"
        return [Verdict(run.path, f"{what}, so nothing in it has an owner", wrong=bool(run.wrong))]
    owner = _status(bench, f"{run.path}/{NAME}")
    if isinstance(owner, str):
        return [Verdict(run.path, f"its {NAME}: {owner}")]
    files = sorted(manifest.files, key=lambda each: each.path)
    found = [_verdict(bench, run, manifest, file, owner) for file in files]
    loose = sorted(run.files - manifest.paths)
    return found + [Verdict(f"{run.path}/{path}", "no manifest owns it") for path in loose]


def _verdict(bench: Bench, run: Run, manifest: Manifest, file: Owned, owner: os.stat_result) -> Verdict:
    """The verdict about one file that a manifest lists."""
    path = f"{run.path}/{file.path}"
    status = _status(bench, path)
    if status == "gone":
        return Verdict(path, f"its {NAME} lists it: it was removed before, or its name is misspelt there", there=False)
    kept = (
        _stated(bench, manifest, file)
        or (status if isinstance(status, str) else "")
        or ("" if file.path in run.files else "it lies where no audit looks: an archive, or a repository of its own")
        or ("git tracks it" if path in bench.tracked else "")
    )
    if kept or isinstance(status, str):
        return Verdict(path, kept)
    kept = _its_own(status, owner, manifest, bench.now)
    if kept:
        return Verdict(path, kept)
    return Verdict(path, _proof(manifest, file), signature(status))


def _stated(bench: Bench, manifest: Manifest, file: Owned) -> str:
    """Why the manifest itself keeps a file; empty where it lets it go."""
    if not file.ephemeral:
        return "its manifest retains it"
    if file.path in manifest.receipts:
        return "it is a receipt"
    if file.expires is None:
        return "it never expires"
    if manifest.created > bench.now:
        return "its run began after this moment, so the clock is not to be trusted"
    if file.expires < manifest.created:
        return "it would have expired before its run began"
    return f"it expires at {_written(file.expires)}" if file.expires > bench.now else ""


def _its_own(status: os.stat_result, owner: os.stat_result, manifest: Manifest, now: int) -> str:
    """Why a file cannot be told to be the run's own; empty where it can."""
    if status.st_nlink > 1:
        return f"it has {status.st_nlink} names, and another may be needed"
    if status.st_uid != owner.st_uid:
        return f"it belongs to another user than the {NAME}"
    if status.st_dev != owner.st_dev:
        return "it lies on another file system than the run"
    if status.st_mtime_ns < manifest.created:
        return "it is older than the run"
    return "it changed after this moment, so the clock is not to be trusted" if status.st_mtime_ns > now else ""


def _unless_needed(bench: Bench, verdict: Verdict) -> Verdict:
    """A verdict that lets a file go, unless a text names it, or none was searched for it."""
    by = bench.named.get(verdict.path)
    if by == "":
        return structs.replace(verdict, reason=f"{verdict.reason}, and nothing points at it")
    unsearched = "it could not go when what points at files was searched; the next cleaning looks again"
    return Verdict(verdict.path, f"{shown(by)} names it" if by else unsearched)


def _status(bench: Bench, path: str) -> os.stat_result | str:
    """How a regular file looks, reached without a link; ``gone``, or why it cannot be one of a run."""
    head, _, name = path.rpartition("/")
    try:
        with folder(bench.root, head) as at:
            status = os.stat(name, dir_fd=at, follow_symlinks=False)
    except OSError as error:
        return "gone" if gone(error) else f"it {why(error)}"
    return _WHAT.get(kind(status.st_mode)) or status


def _proof(manifest: Manifest, file: Owned) -> str:
    assert file.expires is not None
    return (
        f"ephemeral by the manifest of run {shown(manifest.run)} ({shown(manifest.owner)}), expired at "
        f"{_written(file.expires)}; untracked, one name, not older than the run"
    )


def _written(instant: int) -> str:
    seconds = instant // instants.NANOSECONDS
    return instants.written(datetime.fromtimestamp(seconds, UTC)) if 0 <= seconds < 1 << 37 else "a far time"
