"""One reading of a checkout: each part is read when it is first asked for, and at most once."""

from __future__ import annotations

from collections.abc import Callable, Set
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from cockpit.formats import instants, questions, upkeep_record
from cockpit.formats.calls import STATUS
from cockpit.formats.policy import LAYER
from cockpit.formats.records import ActiveTask, Mismatch
from cockpit.store.ancestry import Distance, Standing
from cockpit.store.episodes import ASIDE, STATE, Store
from cockpit.store.files import Fault, Listing, listing
from cockpit.store.git import Answer, Asked, GitFailed, GitSilent
from cockpit.store.layer import Layer
from cockpit.store.ledger import LedgerFacts
from cockpit.store.letters import Letters
from cockpit.store.memory import Memory
from cockpit.store.notes import Notes
from cockpit.store.position import Position, Status, status
from cockpit.store.sessions import Index, Section
from cockpit.store.surfaces import Survey, survey
from cockpit.store.worktrees import PRIVATE

if TYPE_CHECKING:
    from cockpit.store.checkout import Checkout

TASK = f"{STATE}/current.yaml"
QUESTIONS = f"{STATE}/open-questions.md"
_ASIDES = tuple(
    f"{place}{end}" for place in (ASIDE, f"{LAYER}/set-aside") for end in ("", *(f"-{n}" for n in range(2, 10)))
)
HYGIENE = f"{PRIVATE}/hygiene.json"


T = TypeVar("T")


class part(Generic[T]):
    """A property that is worked out once and kept. Unlike ``functools.cached_property`` before Python 3.12 it holds no
    lock: that one is shared by all snapshots, so that one request's slow git would hold up every other request.
    """

    def __init__(self, work_out: Callable[[Any], T]) -> None:
        self._work_out, self.__doc__ = work_out, work_out.__doc__

    def __get__(self, instance: object, owner: type) -> T:
        value = instance.__dict__[self._work_out.__name__] = self._work_out(instance)
        return value


class Snapshot:
    """What a checkout holds at one moment. The reads take it and nothing else.

    After git once failed to answer in time it is not asked again in the same reading, so that a request never
    waits longer than one of git's time-outs.
    """

    def __init__(self, checkout: Checkout, taken: datetime) -> None:
        self._checkout, self.taken = checkout, taken
        self.now = instants.of(taken)
        self.derived = checkout.derived.of
        self.root, self.pinned = checkout.root, checkout.pin
        self._silent: GitSilent | None = None
        self._status: Asked | None = None

    def begin(self) -> None:
        """Let git work on its status while files are read; :attr:`status` collects it."""
        if self._status or "status" in self.__dict__:
            return
        with suppress(GitFailed):
            self._status = self._checkout.git.begin(*STATUS)

    def read_files(self) -> None:
        """Read what needs no git, while git is at work; a part that fails fails again for whoever asks for it."""
        for name in ("layer", "state", "ledger", "store", "handovers", "checkpoints", "task", "unresolved", "aside"):
            with suppress(Exception):
                getattr(self, name)

    def _ask(self, *arguments: str, data: tuple[str, ...] = (), codes: tuple[int, ...] = (0,)) -> Answer:
        if self._silent:
            self._forget()
            raise self._silent
        try:
            if arguments == STATUS and self._status:
                begun, self._status = self._status, None
                return begun.answer()
            return self._checkout.git.ask(*arguments, data=data, codes=codes)
        except GitSilent as error:
            self._give_up(error)
            raise

    def _give_up(self, error: GitSilent) -> None:
        """Ask git nothing any more."""
        self._silent = error.with_traceback(None)
        self._forget()

    def _forget(self) -> None:
        """End a status that was begun and that nobody will collect."""
        begun, self._status = self._status, None
        if begun:
            begun.end()

    @part
    def status(self) -> Status:
        """Where the repository stands now, and what git calls changed in it."""
        return status(self._ask)

    @property
    def position(self) -> Position:
        """Where the repository stands now."""
        return self.status.position

    @part
    def layer(self) -> Layer:
        """The manifest and the policy."""
        return self._checkout.layers.read(self.root, self.now)

    @part
    def state(self) -> Listing:
        """The local state folder."""
        return listing(self.root, STATE)

    @part
    def ledger(self) -> LedgerFacts:
        """The ledger as far as it is written."""
        return self._checkout.ledger.follow(self.root, STATE, self.now)

    @part
    def store(self) -> Store:
        """The open episodes and the pointer."""
        return self._checkout.episodes.read(self.root, self._checkout.common_dir, self.state, self.now)

    @part
    def section(self) -> Section:
        """The sessions section as it lies on disk now, also while the index is pinned."""
        path = self.layer.sessions
        if path is None:
            return Section(None)
        self.begin()
        return self._checkout.sessions.section(
            lambda: self._tracked(path), self.root, path, lambda: self.status, self.now
        )

    def _tracked(self, path: str) -> Set[str] | GitFailed:
        try:
            return self._checkout.sessions.tracked(self._ask, path)
        except GitSilent as error:  # perhaps to another request, which this one waited for
            self._give_up(error)
            return error
        except GitFailed as error:
            return error

    @part
    def index(self) -> Index:
        """The index of closed records that answers now."""
        self.begin()
        moment = instants.written(self.taken)
        return self._checkout.sessions.index(self.section, self.position, moment, pin=self.pinned)

    @part
    def handovers(self) -> Notes:
        """The handovers."""
        return self._checkout.handovers.read(self.root, self.now)

    @part
    def checkpoints(self) -> Notes:
        """The checkpoints."""
        return self._checkout.checkpoints.read(self.root, self.now)

    @part
    def task(self) -> ActiveTask | Mismatch | Fault | None:
        """The active task; None where there is none."""
        return self._checkout.task.file(self.root, TASK, self.now)

    @part
    def unresolved(self) -> list[str] | Fault:
        """The unresolved questions."""
        data = self._checkout.questions.file(self.root, QUESTIONS, self.now)
        return data if isinstance(data, Fault) else questions.unresolved(data or b"")

    @part
    def surfaces(self) -> Survey:
        """The documents that housekeeping rotates, and the spaced reviews."""
        return survey(self.root)

    @part
    def letters(self) -> Letters:
        """The handoff letters, and their archive."""
        return self._checkout.letters.read(self.root, self.layer.policy.letters, self.now)

    @part
    def last_hygiene(self) -> int | Fault | None:
        """When periodic hygiene last succeeded (ns); None where nothing is recorded."""
        read = self.whole(HYGIENE)
        if not isinstance(read, bytes):
            return read
        last = upkeep_record.last_success(read)
        return Fault(HYGIENE, "records no moment of a success") if last is None else last

    @part
    def aside(self) -> Listing:
        """The folder where things are set aside, and the names that are taken there; nothing in it is ever read.

        Where something that is no folder has its name, or a link, it is the next one: ``set-aside-2``, and so on.
        Where that is true of ``.ai/local`` itself, it lies beside it.
        """
        found = (listing(self.root, path) for path in _ASIDES)
        return next((each for each in found if not each.fault), Listing(ASIDE, {}, present=False))

    def standing(self, recorded: str) -> Standing:
        """How a recorded commit stands to HEAD."""
        return self._checkout.ancestry.standing(self._ask, recorded, self.position.head)

    def distance(self, here: str, there: str) -> Distance | None:
        """How many commits two commits have that the other lacks; None where git cannot say."""
        return self._checkout.ancestry.distance(self._ask, here, there)

    @part
    def letter_commits(self) -> dict[str, str] | None:
        """The whole ids of the commits that live letters name, as far as the repository has them, by what they are
        named; None where git cannot say.
        """
        return self._checkout.ancestry.known(self._ask, self.letters.commits)

    def mentions(self, names: list[str]) -> dict[str, int]:
        """The last ledger line that holds each file name."""
        return self._checkout.ledger.mentions(self.root, STATE, names, self.ledger)

    def whole(self, path: str) -> bytes | Fault | None:
        """The bytes of one file below the root."""
        return Memory(bytes).file(self.root, path, self.now)
