"""What the folders of runs are held to: a manifest, its receipts, and nothing in them that no manifest owns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set

from cockpit.formats import shell
from cockpit.formats.run_manifest import NAME, Manifest
from cockpit.formats.text import counted, shown
from cockpit.hygiene.findings import Finding, error, warning
from cockpit.store.snapshot import Snapshot
from cockpit.store.upkeep import Run, Survey

MOST = 50  # findings of one kind in one folder
_BESIDE = "move it into the folder of its run, or set it aside."
_WRITE = "write one that says whose the files are, or move away what nobody needs."
_OWN = "list it in the manifest of its run, or set it aside."
_RECEIPT = "put it there, or correct its name."

SetAside = Callable[[str], str]


def findings(seen: Survey, tracked: Set[str], snapshot: Snapshot, aside: SetAside) -> Iterator[Finding]:
    """Everything about the runs of a checkout; ``tracked`` are the paths that git tracks."""
    for run in seen.runs:
        if isinstance(run.manifest, Manifest):
            yield from _manifested(run, run.manifest, tracked, snapshot, aside)
        else:
            yield _without(run)
    strays = [path for path in seen.strays if path not in tracked]
    yield from _unowned(strays, f"It lies beside the folders of runs, so no manifest owns it: {_BESIDE}", aside)


def _without(run: Run) -> Finding:
    path = f"{run.path}/{NAME}"
    if run.manifest is None:
        said = f"The folder of a run without its {NAME}, so that nobody owns what is in it: {_WRITE}"
        return warning("run-manifest-missing", run.path, said)
    return error("run-manifest-invalid", path, f"The manifest of a run {run.wrong}; so it owns nothing: correct it.")


def _manifested(
    run: Run, manifest: Manifest, tracked: Set[str], snapshot: Snapshot, aside: SetAside
) -> Iterator[Finding]:
    yield from _receipts(run, manifest)
    expired = [
        each for each in manifest.files if each.ephemeral and each.expires is not None and each.expires <= snapshot.now
    ]
    left = [each.path for each in expired if each.path in run.files]
    if left:
        remedy = shell.command("cockpit clean --repo {root} --yes", root=snapshot.root)
        verb = "has" if len(left) == 1 else "have"
        said = f"{counted(len(left), 'ephemeral file')} of this run {verb} expired, {shown(sorted(left)[0])} first."
        yield warning("scratch-expired", run.path, said, remedy=remedy)
    loose = sorted(f"{run.path}/{path}" for path in run.files - manifest.paths)
    yield from _unowned(
        [path for path in loose if path not in tracked], f"No manifest owns this scratch: {_OWN}", aside
    )


def _receipts(run: Run, manifest: Manifest) -> Iterator[Finding]:
    if not manifest.receipts:
        yield warning(
            "run-receipts-missing", f"{run.path}/{NAME}", "The manifest names no receipt of what the run did: name one."
        )
    missing = [path for path in manifest.receipts if path not in run.files]
    for path in missing[:MOST]:
        yield warning(
            "run-receipts-missing",
            f"{run.path}/{path}",
            f"The manifest names this receipt, and it is not there: {_RECEIPT}",
        )
    yield from _more("run-receipts-missing", run.path, len(missing))


def _unowned(paths: list[str], said: str, aside: SetAside) -> Iterator[Finding]:
    for path in paths[:MOST]:
        yield warning("scratch-unowned", path, said, remedy=aside(path))
    if paths:
        yield from _more("scratch-unowned", paths[0].rpartition("/")[0], len(paths))


def _more(code: str, folder: str, number: int) -> Iterator[Finding]:
    if number > MOST:
        yield warning(code, folder, f"So it is with {number - MOST} more below this folder.")
