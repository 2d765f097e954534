"""A letter is consumed: moved into the archive, named in the index there, marked, and staged, in this order.

Each step is one that a kill leaves done or undone, and the next run goes on from there: a letter that is in the archive
and not marked yet is still the one that was moved, byte for byte, and the index tells its digest before and after.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct

from cockpit.formats import diffs, letter_index, letter_text
from cockpit.formats.blemishes import blemishes
from cockpit.formats.diffs import differences
from cockpit.formats.letter import CONSUMED, parse
from cockpit.formats.letter_index import INDEX
from cockpit.formats.text import one_line, shown
from cockpit.handoffs import staging
from cockpit.handoffs.desk import Desk, refuse_credential
from cockpit.housekeeping import writing
from cockpit.recorder.site import Refused
from cockpit.store import surfaces as disk
from cockpit.store.files import Fault, folder
from cockpit.store.git import GitFailed
from cockpit.store.letters import Filed
from cockpit.store.surfaces import File

_MODE = 0o644


class Consumed(Struct, frozen=True):
    """A letter that is in the archive: its path there, the digest of its bytes, and the diff of what was done.

    ``touched`` are the paths that a commit of it is about: the letter's old one, its new one, and the index.
    """

    path: str
    digest: str
    diff: str
    touched: tuple[str, ...]


def consume(desk: Desk, filed: Filed) -> Consumed:
    """Consume a letter; the diff is empty if it was. Raises Refused, NotMoved, Changed, GitFailed, OSError."""
    plan = planned(desk, filed)
    with _moving(desk.root, f"{desk.letters.folder}/{filed.name}", plan.path):
        if plan.path != filed.path:
            _moved(desk, filed, plan.path)
        else:
            _finish_move(desk, filed)
    said = [_index(desk, filed, plan)]
    if plan.after != plan.before.data:
        there = _read(desk.root, plan.path)
        if there.data != plan.before.data:
            raise writing.Changed
        writing.replace(desk.root, plan.path, plan.after, there, there.mode)
    if plan.after != plan.before.data or plan.path != filed.path:
        said.insert(0, _diff(plan, filed))
    staging.stage(desk, plan.path, plan.digest)
    touched = (f"{desk.letters.folder}/{filed.name}", plan.path, f"{desk.letters.archive}/{INDEX}")
    return Consumed(plan.path, plan.digest, "\n".join(filter(None, said)), touched)


class Plan(Struct, frozen=True):
    """Where a letter goes, the file as it is, and its bytes as they will be."""

    path: str
    before: File
    after: bytes

    @property
    def digest(self) -> str:
        """The SHA-256 of the letter in the archive."""
        return hashlib.sha256(self.after).hexdigest()


def planned(desk: Desk, filed: Filed) -> Plan:
    """What consuming a letter does; nothing is written. Raises Refused."""
    letters = desk.letters
    if not letters.archive:
        raise Refused("The policy's handoffs.archive is refused, so that there is no archive. Correct the policy.")
    if letters.noted is None:
        raise Refused(f"The archive's {INDEX} cannot be read. Settle that first.")
    before, path = _read(desk.root, filed.path), f"{letters.archive}/{filed.name}"
    refuse_credential(filed, blemishes(before.data).secrets, "the archive is kept")
    was, noted = hashlib.sha256(before.data).hexdigest(), letters.noted.get(filed.name)
    if path != filed.path:
        _refuse_taken(desk.root, path, before)
    elif noted and noted.digest and was not in (noted.digest, noted.was):
        raise Refused(
            f"{_told(filed.path)} is not what line {noted.line} of {INDEX} has noted of it. See what changed with "
            f"{differences(desk.root, filed.path)}, and put its bytes back or correct the digest."
        )
    after = letter_text.consumed(before.data, desk.when)
    if parse(after).status.word != CONSUMED:
        raise Refused(f"{_told(filed.path)} cannot be marked: write its Status by hand, as a line of its own.")
    return Plan(path, before, after)


def _refuse_taken(root: str, path: str, before: File) -> None:
    """No name is taken twice; the same file under both is a move that was cut short."""
    there = disk.file(root, path)
    same = isinstance(there, File) and there.signature[:2] == before.signature[:2]
    if there is not None and not same:
        raise Refused(f"The archive has {_told(path)} already, and nothing is overwritten. Rename one of the two.")


def _read(root: str, path: str) -> File:
    read = disk.file(root, path)
    if isinstance(read, Fault):
        raise Refused(f"{one_line(read.path)} {read.reason}.")
    if read is None:
        raise Refused(f"{_told(path)} is gone. Try again.")
    return read


def _told(path: str) -> str:
    return one_line(shown(path))


# ---------------------------------------------------------------------- the move
class NotMoved(Exception):
    """A letter that could not be given its place in the archive; the text says why, and where it lies."""


@contextmanager
def _moving(root: str, old: str, new: str) -> Iterator[None]:
    """What fails while a letter is moved, with both folders and what came of it. Raises NotMoved."""
    try:
        yield
    except (OSError, GitFailed) as error:
        why = error.strerror if isinstance(error, OSError) else f"git says: {error}"
        raise NotMoved(
            f"{_told(os.path.basename(old))} cannot be moved from {_told(os.path.dirname(old))} to "
            f"{_told(os.path.dirname(new))}: {why}. {_whereabouts(root, old, new)}. Settle that and run this again."
        ) from error


def _whereabouts(root: str, old: str, new: str) -> str:
    """Which of its two places a letter has."""
    left, there = disk.file(root, old), disk.file(root, new)
    if left:
        return "It has its name in both" if there else "It is where it was, unchanged"
    return "It is in the archive, unmarked" if there else "It is in neither"


def _moved(desk: Desk, filed: Filed, path: str) -> None:
    writing.make_folder(desk.root, desk.letters.archive)
    there = disk.file(desk.root, path)
    if there is None and desk.git("ls-files", "-z", "--", filed.path).out:
        desk.git("mv", "--", filed.path, path)
    else:
        _linked(desk.root, filed.path, path, there=there is not None)
        _index_follows(desk, filed.path, path)


def _linked(root: str, old: str, new: str, *, there: bool) -> None:
    """Give a file another name, which nothing has, and take its old one away: both, or neither. Raises OSError."""
    with folder(root, os.path.dirname(old)) as source, folder(root, os.path.dirname(new)) as target:
        name = os.path.basename(old)
        if not there:
            os.link(name, name, src_dir_fd=source, dst_dir_fd=target, follow_symlinks=False)
            os.fsync(target)
        try:
            os.unlink(name, dir_fd=source)
        except OSError:
            if not there:
                os.unlink(name, dir_fd=target)
            raise


def _finish_move(desk: Desk, filed: Filed) -> None:
    """What a move that was cut short left: the old name of the same file, or git's index at the old path."""
    old = f"{desk.letters.folder}/{filed.name}"
    if not desk.letters.folder or old == filed.path:
        return
    left, there = disk.file(desk.root, old), _read(desk.root, filed.path)
    if isinstance(left, File) and left.signature[:2] == there.signature[:2]:
        _linked(desk.root, old, filed.path, there=True)
    if left is None or isinstance(left, File):
        _index_follows(desk, old, filed.path)


def _index_follows(desk: Desk, old: str, new: str) -> None:
    """Where git's index has a file only at its old path, and it is not there, move the entry as ``git mv`` does."""
    entry = os.fsdecode(desk.git("ls-files", "-z", "--stage", "--", old).out).split("\0")[0]
    gone = disk.file(desk.root, old) is None
    if entry and gone and not desk.git("ls-files", "-z", "--", new).out:
        mode, oid, _ = entry.split("\t")[0].split(" ")
        desk.git("update-index", "--add", "--cacheinfo", f"{mode},{oid},{new}", "--force-remove", "--", old)


# ---------------------------------------------------------------------- the index, and what is said
def _index(desk: Desk, filed: Filed, plan: Plan) -> str:
    """Have the index name the letter; the diff of that, empty where it does."""
    letters, letter = desk.letters, parse(plan.after)
    noted = (letters.noted or {}).get(filed.name)
    was = hashlib.sha256(plan.before.data).hexdigest()
    if noted and noted.digest in ("", plan.digest):  # a line without a digest is a person's, and stays
        return ""
    about = f"effort {letter.text('Effort') or 'unknown'}, leg {letter.text('Leg') or 'unknown'}"
    line = letter_index.entry(filed.name, f"{about}; consumed {letter.text('Consumed-at')}", plan.digest, was)
    path = f"{letters.archive}/{INDEX}"
    read = disk.file(desk.root, path)
    if isinstance(read, Fault):
        raise Refused(f"{one_line(read.path)} {read.reason}.")
    before = read.data if read else b""
    after = letter_index.with_entry(before, filed.name, line)
    writing.replace(desk.root, path, after, read, read.mode if read else _MODE)
    return diffs.unified(before if read else None, after, path)


def _diff(plan: Plan, filed: Filed) -> str:
    moved = plan.path != filed.path
    head = f"rename from {_told(filed.path)}\nrename to {_told(plan.path)}" if moved else ""
    return "\n".join(filter(None, (head, diffs.unified(plan.before.data, plan.after, filed.path, plan.path))))
