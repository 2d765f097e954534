"""The handoff letters of a checkout: those in force, those in the archive, its index, and what of it cannot be read.

The folders are those of the policy (``handoffs.path``, ``handoffs.archive``); one that leads out of the checkout, into
``.git`` or into ``.ai/local`` is refused, and then no letter of it is read. No link is followed.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterable
from functools import lru_cache

from msgspec import Struct

from cockpit.formats import letter_index, policy
from cockpit.formats.blemishes import Blemishes, blemishes
from cockpit.formats.credentials import masked
from cockpit.formats.letter import CONSUMED, SUFFIX, Letter, is_letter, parse, reads_as_letter
from cockpit.formats.letter_index import INDEX, Noted
from cockpit.formats.surfaces import path as confined
from cockpit.formats.text import counted, shown, visible
from cockpit.store.files import Fault, folder, gone, unread
from cockpit.store.memory import Memory

ROOT = "."
MOST = 2000  # paths, and commits, that are looked up in one reading
_ID = re.compile(r"[0-9a-f]{7,64}")


@lru_cache(maxsize=1 << 14)
def told(name: str) -> str:
    """A file's name, or a text that names one, as it may be shown: its credentials masked, and fit to be encoded."""
    return masked(shown(name))


class Trouble(Struct, frozen=True):
    """Something that is refused or cannot be read: the file or folder it is (empty: the policy), and a sentence."""

    path: str
    sentence: str


class Filed(Struct, frozen=True):
    """A letter and its file: its name, its repository-relative path, what must not stand in it, and where it lies.

    ``told`` is the letter as it may be shown, with its credentials masked; ``letter`` is what is judged.
    """

    name: str
    path: str
    letter: Letter
    told: Letter
    blemishes: Blemishes
    archived: bool

    @property
    def named_secretly(self) -> bool:
        """Whether its name holds what looks like a credential."""
        return told(self.path) != shown(self.path)

    @property
    def secret(self) -> bool:
        """Whether its text or its name holds what looks like a credential."""
        return bool(self.blemishes.secrets) or self.named_secretly

    @property
    def in_force(self) -> bool:
        """Whether it lies among the active letters, and is not consumed."""
        return not self.archived and self.letter.status.word != CONSUMED


class Letters(Struct, frozen=True):
    """``live`` lie in ``folder``, ``archived`` in ``archive``, each in the order of their names.

    A folder is empty text where the policy's is refused. ``noted`` is what the archive's index says of each letter, by
    name; None where it cannot be read. ``absent`` are the paths, of those that letters name as progress or as what they
    supersede, where nothing is. ``troubles`` are what is refused or cannot be read.
    """

    folder: str
    archive: str
    present: bool
    live: tuple[Filed, ...] = ()
    archived: tuple[Filed, ...] = ()
    noted: dict[str, Noted] | None = {}
    absent: frozenset[str] = frozenset()
    troubles: tuple[Trouble, ...] = ()

    @property
    def in_force(self) -> list[Filed]:
        """The letters that are in force."""
        return [each for each in self.live if each.in_force]

    @property
    def all(self) -> tuple[Filed, ...]:
        """Every letter."""
        return self.live + self.archived

    def at(self, path: str) -> Filed | None:
        """The letter at a path; where that is among the active ones and nothing is there, the archived one of its name.

        A path anywhere else leads to no letter, whatever its last part is.
        """
        for each in self.all:
            if each.path == path:
                return each
        head, _, name = path.rpartition("/")
        moved = (each for each in self.archived if each.name == name)
        return next(moved, None) if head and head == self.folder else None

    @property
    def commits(self) -> list[str]:
        """The commits that are asked for: those that the live letters name, at most ``MOST``."""
        return self.named_commits[:MOST]

    @property
    def named_commits(self) -> list[str]:
        """The commits that the live letters were written at or name as progress, each once."""
        named: dict[str, None] = {}
        for each in self.live:
            named |= dict.fromkeys([each.letter.text("Commit").lower(), *progress(each.letter)])
        return [name for name in named if _ID.fullmatch(name)]


def progress(letter: Letter) -> list[str]:
    """The commits that a letter names as progress, in order."""
    return [each.name for each in letter.within("progress", letter.commits)]


class LetterFolders:
    """The reader of one checkout's letters; unchanged files are not read again."""

    def __init__(self) -> None:
        self._live, self._archived = Memory(_parsed), Memory(_parsed)
        self._index, self._others = Memory(letter_index.parse), Memory(reads_as_letter)

    def read(self, root: str, stated: policy.Letters, now: int) -> Letters:
        """The letters as they are now; ``now`` in ns."""
        places, refused = folders(stated)
        troubles = [Trouble("", each) for each in refused]
        live, there, more = _letters(self._live, root, places[0], now, archived=False)
        archived, kept, others = _letters(self._archived, root, places[1], now, archived=True)
        noted = self._index.file(root, f"{places[1]}/{INDEX}", now) if kept else None
        troubles += more + others + _misnamed(self._others, root, places[0], now)
        if isinstance(noted, Fault):
            said = f"The index {noted.path} {noted.reason}, so that what it notes is not known."
            troubles.append(Trouble(noted.path, said))
        missing, unseen = _absent(root, live, archived)
        return Letters(
            folder=places[0],
            archive=places[1],
            present=there or kept,
            live=live,
            archived=archived,
            noted=None if isinstance(noted, Fault) else noted or {},
            absent=missing,
            troubles=tuple(troubles + unseen),
        )


def folders(stated: policy.Letters) -> tuple[tuple[str, str], list[str]]:
    """The two folders that a policy states, each empty where it is refused, and a sentence for each that is."""
    live, archive = confined(stated.path), confined(stated.archive)
    faults = [
        f"The policy's handoffs.{name} ({visible(shown(said))}) is refused, and no letter of it is read: "
        "a folder inside the repository is wanted, without “..” and outside .git and .ai/local."
        for name, said, path in (("path", stated.path, live), ("archive", stated.archive, archive))
        if path is None
    ]
    if live is not None and live == archive:
        faults.append("The policy's handoffs.archive is the folder of the active letters itself, and is refused.")
        archive = None
    return (live or "", archive or ""), faults


def _parsed(data: bytes) -> tuple[Letter, Letter, Blemishes]:
    letter = parse(data)
    return letter, letter.told, blemishes(data)


def _letters(
    memory: Memory[tuple[Letter, Letter, Blemishes]], root: str, path: str, now: int, *, archived: bool
) -> tuple[tuple[Filed, ...], bool, list[Trouble]]:
    """The letters of a folder, whether it could be listed, and each that cannot be read."""
    if not path:
        return (), False, []
    found = memory.of_folder(root, path, is_letter, now)
    if fault := found.listing.fault:
        return (), False, [Trouble(fault.path, f"{fault.path} {fault.reason}, so that no letter of it is read.")]
    values = found.values
    filed = [Filed(name, f"{path}/{name}", *each, archived) for name, each in values.items() if isinstance(each, tuple)]
    faults = [each for each in values.values() if isinstance(each, Fault)]
    troubles = [Trouble(each.path, f"The letter {each.path} {each.reason}.") for each in faults]
    return tuple(filed), found.listing.present, troubles


def _misnamed(memory: Memory[bool], root: str, path: str, now: int) -> list[Trouble]:
    """Each file among the active letters that reads as one and whose name is none of a letter."""
    if not path:
        return []
    values = memory.of_folder(root, path, _unlettered, now).values
    said = (
        "has the fields of a letter, and by its name it is none, so that it hands nothing on: rename it to "
        "HANDOFF-YYYY-MM-DD-<slug>.md, or move it elsewhere."
    )
    found = (shown(f"{path}/{name}") for name, reads in values.items() if reads is True)
    return [Trouble(each, f"{each} {said}") for each in found]


def _unlettered(name: str) -> bool:
    """Whether a name is one of a document that might be a letter under a wrong name."""
    return (
        name.lower().endswith(SUFFIX)
        and not is_letter(name)
        and not name.startswith(".")
        and name.lower() not in ("readme.md", INDEX.lower())
    )


def _absent(root: str, live: tuple[Filed, ...], archived: tuple[Filed, ...]) -> tuple[frozenset[str], list[Trouble]]:
    """Where nothing is of what letters name as progress or as superseded."""
    named = [ref.path for each in live + archived if (ref := each.letter.supersedes)]
    named += [each.name for filed in live for each in filed.letter.within("progress", filed.letter.paths)]
    wanted = list(dict.fromkeys(named))
    left = len(wanted) - MOST
    late = f"The letters name {counted(len(wanted), 'path')}; the last {left} were not looked up."
    troubles = [Trouble(ROOT, late)] if left > 0 else []
    missing, unseen = absent(root, wanted[:MOST])
    if unseen:
        first = f"{visible(unseen[0].path)} {unseen[0].reason}"
        said = f"Whether {counted(len(unseen), 'path')} that letters name is there is not known: {first}."
        troubles.append(Trouble(unseen[0].path, said))
    return frozenset(missing), troubles


def absent(root: str, paths: Iterable[str]) -> tuple[list[str], list[Fault]]:
    """Those paths below ``root`` at which nothing is, and those of which the machine lets nobody see that.

    At one that leads out, or through a link, is nothing too.
    """
    by_folder: dict[str, list[str]] = {}
    for path in paths:
        inside = confined(path)
        by_folder.setdefault(os.path.dirname(inside) if inside else "\0", []).append(path)
    missing, unseen = by_folder.pop("\0", []), list[Fault]()
    for head, inner in by_folder.items():
        try:
            with folder(root, head) as at:
                looked: list[tuple[str, OSError | None]] = [(path, _error(at, path)) for path in inner]
        except OSError as error:
            looked = [(path, error) for path in inner]
        for path, failed in looked:
            if failed and not gone(failed) and (fault := unread(path, failed)).hidden:
                unseen.append(fault)
            elif failed:
                missing.append(path)
    return missing, unseen


def _error(at: int, path: str) -> OSError | None:
    """Why a file of an open folder cannot be looked at; None where it can."""
    try:
        os.stat(os.path.basename(confined(path) or ""), dir_fd=at, follow_symlinks=False)
    except ValueError:
        return FileNotFoundError(errno.ENOENT, "no path at all")
    except OSError as error:
        return error
    return None
