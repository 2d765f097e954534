"""What accumulates in a checkout: documents, raw logs, scratch at the root, and the folders of runs; one walk.

A file is looked at where its name makes it one of these, and of documents the first kilobytes are read. Everything
below ``.ai/local`` is the layer's own and is not entered; nor are archives: folders of that name, and those that the
policy names.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from itertools import accumulate

from msgspec import Struct

from cockpit.formats import run_manifest
from cockpit.formats.agent_documents import HEAD, STATE_HEAD, canonical_key, is_document, is_state
from cockpit.formats.run_manifest import Manifest
from cockpit.formats.text import shown
from cockpit.store.files import Fault, kind, opened, read_all, why
from cockpit.store.memory import Memory
from cockpit.store.walk import Folder, walk
from cockpit.store.worktrees import PRIVATE

LOGS = (".log", ".jsonl")
_ARCHIVES = frozenset(("archive", "archives", ".archive"))
_SCRATCH = re.compile(
    r"(?:scratch|tmp|temp|debug|untitled|nohup)(?:[-_. \d].*)?|.*(?:\.(?:tmp|temp|bak|orig|rej|swp|swo|scratch)|~)",
    re.IGNORECASE | re.DOTALL,
)


class Document(Struct, frozen=True):
    """A document: its size in bytes, its canonical key with the line it stands in, and what is read of a STATE.md."""

    path: str
    size: int
    key: tuple[str, int] | None
    state: bytes = b""


class Log(Struct, frozen=True):
    """A raw log: its size in bytes, and when it last changed (ns)."""

    path: str
    size: int
    modified: int


class Run(Struct, frozen=True):
    """The folder of a run: its manifest (a text is what is wrong with it, None: there is none), and its files by path.

    The paths of ``files`` lie below the run folder; links and other things that are no folder are among them.
    """

    path: str
    manifest: Manifest | Fault | str | None
    files: frozenset[str]

    @property
    def wrong(self) -> str:
        """Why the manifest cannot be used, in words that continue "it …"; empty where it can, or there is none."""
        if isinstance(self.manifest, Fault):
            return self.manifest.reason
        return self.manifest if isinstance(self.manifest, str) else ""


class Survey(Struct, frozen=True):
    """What one walk found. ``scratch`` are names at the root, ``strays`` paths in a holder of runs that are in no run.

    ``faults`` are folders and documents that could not be looked at.
    """

    documents: tuple[Document, ...]
    logs: tuple[Log, ...]
    scratch: tuple[str, ...]
    runs: tuple[Run, ...]
    strays: tuple[str, ...]
    faults: tuple[Fault, ...]


def survey(root: str, archives: Collection[str] = ()) -> Survey:
    """One walk over a checkout; ``archives`` are further folders that are not entered. Raises OSError for the root."""
    gathered = _Gathered(root)
    for found in walk(root, lambda path: path == PRIVATE or path in archives or _archive(path)):
        if isinstance(found, Fault):
            gathered.faults.append(found)
        else:
            gathered.add(found)
    return gathered.survey()


def run_at(root: str, path: str, files: frozenset[str]) -> Run:
    """The run in a folder with these files."""
    manifest = Memory(run_manifest.parse).file(root, f"{path}/{run_manifest.NAME}", 0)
    return Run(path, manifest, files)


def archived(path: str, archives: Collection[str]) -> bool:
    """Whether a file lies in a folder that a walk with these ``archives`` does not enter for what it holds."""
    parts = path.split("/")[:-1]
    above = accumulate(parts, lambda head, part: f"{head}/{part}")
    return any(each == PRIVATE or each in archives or _archive(each) for each in above)


def _archive(path: str) -> bool:
    return path.rpartition("/")[2].lower() in _ARCHIVES


class _Gathered:
    """A survey that grows, folder by folder."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._documents: list[Document] = []
        self._logs: list[Log] = []
        self._scratch: list[str] = []
        self._strays: list[str] = []
        self._runs: dict[str, set[str]] = {}
        self.faults: list[Fault] = []

    def survey(self) -> Survey:
        """What was found."""
        runs = (run_at(self._root, path, frozenset(files)) for path, files in sorted(self._runs.items()))
        return Survey(
            tuple(self._documents),
            tuple(self._logs),
            tuple(sorted(self._scratch)),
            tuple(runs),
            tuple(self._strays),
            tuple(self.faults),
        )

    def add(self, folder: Folder) -> None:
        """Take what counts in one folder."""
        if not folder.path:
            self._scratch += [each.name for each in folder.entries if _SCRATCH.fullmatch(each.name)]
        for entry in folder.entries:
            name = entry.name
            if is_document(name):
                self._document(folder, entry)
            elif name.lower().endswith(LOGS):
                self._log(folder, entry)
        if held := run_manifest.run_of(folder.path):
            self._of_a_run(folder, *held)

    def _document(self, folder: Folder, entry: os.DirEntry[str]) -> None:
        path = folder.within(entry.name)
        if entry.is_symlink():
            return
        state = is_state(path)
        try:
            with opened(folder.at, entry.name) as (descriptor, status):
                head = read_all(descriptor, STATE_HEAD if state else HEAD)
            self._documents.append(Document(path, status.st_size, canonical_key(head[:HEAD]), head if state else b""))
        except FileNotFoundError:
            pass
        except OSError as error:
            self.faults.append(Fault(shown(path), why(error)))

    def _log(self, folder: Folder, entry: os.DirEntry[str]) -> None:
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError:
            return  # it went away meanwhile
        if kind(status.st_mode) == "file":
            self._logs.append(Log(folder.within(entry.name), status.st_size, status.st_mtime_ns))

    def _of_a_run(self, folder: Folder, holder: str, run: str) -> None:
        """Files in the folder of a run; a holder that has a manifest, or no folder in it, is a run itself."""
        names = [entry.name for entry in folder.entries]
        if folder.path == holder:
            if run_manifest.NAME in names or (names and not folder.folders):
                self._runs[holder] = set(names)
            else:
                self._strays += [folder.within(name) for name in names]
            return
        owner = holder if holder in self._runs else run
        start = len(owner) + 1
        self._runs.setdefault(owner, set()).update(folder.within(name)[start:] for name in names)
