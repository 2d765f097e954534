"""Whether a file of a run may go: the proof, or the reason why it stays. Nothing is changed by proving.

A file goes only where each of these holds: the run's own manifest calls it ephemeral, its expiry has passed, it is a
regular file with one name that lies in the run's folder and belongs to whoever owns the manifest, it is not older than
the run, git does not track it, and no live document or letter points at it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence, Set
from datetime import UTC, datetime

from msgspec import Struct

from cockpit.formats import instants
from cockpit.formats.pointing import Pointers
from cockpit.formats.run_manifest import NAME, Manifest, Owned
from cockpit.formats.text import shown
from cockpit.store.files import Signature, folder, gone, kind, signature, why
from cockpit.store.upkeep import Run

_WHAT = {"link": "it is a link", "folder": "it is a folder", "other": "it is no regular file"}


class Verdict(Struct, frozen=True):
    """What becomes of one file: ``seen`` is how it looked where it may go, None where it stays; ``reason`` says why."""

    path: str
    reason: str
    seen: Signature | None = None


class Bench(Struct, frozen=True):
    """What every proof of one cleaning stands on: the root, the moment (ns), git's files, and what points at files."""

    root: str
    now: int
    tracked: Set[str]
    pointers: Sequence[Pointers]


def verdicts(bench: Bench, run: Run) -> list[Verdict]:
    """A verdict for each file that the run's manifest names or that lies in its folder; gone ones are passed over."""
    manifest = run.manifest
    if not isinstance(manifest, Manifest):
        what = f"has no {NAME}" if manifest is None else f"has a {NAME} that cannot be used"
        return [Verdict(run.path, f"this folder of a run {what}, so nothing in it has an owner")]
    owner = _status(bench, f"{run.path}/{NAME}")
    if isinstance(owner, str):
        return [Verdict(run.path, f"its {NAME}: {owner}")]
    files = sorted(manifest.files, key=lambda each: each.path)
    found = [each for file in files if (each := _verdict(bench, run, manifest, file, owner))]
    loose = sorted(run.files - manifest.paths)
    return found + [Verdict(f"{run.path}/{path}", "no manifest owns it") for path in loose]


def _verdict(bench: Bench, run: Run, manifest: Manifest, file: Owned, owner: os.stat_result) -> Verdict | None:
    """The verdict about one file; None where it is not there."""
    path = f"{run.path}/{file.path}"
    status = _status(bench, path)
    if status == "gone":
        return None
    kept = (
        _stated(bench, manifest, file)
        or (status if isinstance(status, str) else "")
        or ("" if file.path in run.files else "it lies where no audit looks: an archive, or a repository of its own")
        or ("git tracks it" if path in bench.tracked else "")
    )
    if kept or isinstance(status, str):
        return Verdict(path, kept)
    kept = _its_own(status, owner, manifest, bench.now) or _needed(bench, path, run.path)
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


def _needed(bench: Bench, path: str, run: str) -> str:
    """Why a file is still needed; empty where nothing points at it."""
    leading = next((each.path for each in bench.pointers if each.path != path and each.lead_to(path, run)), None)
    return "" if leading is None else f"{shown(leading)} names it"


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
        f"{_written(file.expires)}; untracked, one name, not older than the run, and nothing points at it"
    )


def _written(instant: int) -> str:
    seconds = instant // instants.NANOSECONDS
    return instants.written(datetime.fromtimestamp(seconds, UTC)) if 0 <= seconds < 1 << 37 else "a far time"
