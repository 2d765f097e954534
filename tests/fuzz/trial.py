"""One input, tried: a store is mutated step by step and mended again, and after each step every promise is held to."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import FrameType

from msgspec import UNSET, Struct
from msgspec.structs import replace

from cockpit.reads.answers import Runtime
from cockpit.reads.catalog import CATALOG
from cockpit.reads.recovery import needs
from cockpit.store.checkout import Checkout, NotServable
from cockpit.store.snapshot import Snapshot
from tests.builders import paste
from tests.fuzz import commands, invariants
from tests.fuzz.asking import Surfaces, backwards, read
from tests.fuzz.holding import Broken, agree, hold
from tests.fuzz.invariants import Answers
from tests.fuzz.mutations import Mutation, apply
from tests.fuzz.places import Looks, Place

PATIENCE = 60  # seconds for all that is asked of one step
HURRY = 2.0  # seconds for one question to git
_OF_THE_INDEX = ("lifecycle.closed", "lifecycle.runtime")


class Input(Struct, frozen=True):
    """The changes of a store, in the order in which they are made, a reading after each step.

    ``settled``: the readings are taken long after the changes, so that what is remembered of a file is relied on.
    """

    steps: tuple[tuple[Mutation, ...], ...]
    settled: bool = True


class Trials:
    """A place and its surfaces, in which one input after another is tried."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.place = Place(folder)
        self._surfaces = Surfaces(str(self.place.root), stack)

    def run(self, tried: Input) -> None:
        """Try an input. Raises Broken, or whatever the program raised."""
        self.place.mend()
        _Trial(self.place, self._surfaces, tried).run()


class _Trial:
    def __init__(self, place: Place, surfaces: Surfaces, tried: Input) -> None:
        self._place, self._surfaces, self._tried = place, surfaces, tried
        self._moment = datetime.now(UTC) + (timedelta(hours=1) if tried.settled else timedelta(0))
        self._warm = _hurried(Checkout.open(str(place.root)))

    def run(self) -> None:
        _, before = self._asked()
        reading, answers = self._mutated(before)
        with _bounded():
            self._turned(reading, answers)
            self._surfaces.check(reading, answers)
        self._pasted(answers)
        self._place.mend()
        _, after = self._asked()
        _same("What is mended is as it was", after, before)

    def _mutated(self, before: Answers) -> tuple[Snapshot, Answers]:
        """The store after every step; what was known before a step is compared with what is there after it."""
        answers = before
        for step in self._tried.steps:
            for mutation in step:
                apply(mutation, self._place)
            reading, answers = self._asked()
            with _bounded():
                self._compared(reading, answers)
        return reading, answers

    def _asked(self) -> tuple[Snapshot, Answers]:
        """What the checkout answers that saw the store before; the answers keep their promises, and nothing changes."""
        looks = self._place.looks()
        with _bounded():
            reading, answers = read(self._warm, self._moment)
            invariants.check(answers)
            for remedy in invariants.remedies(answers):
                commands.check(remedy, str(self._place.root))
        hold(self._place.looks() == looks, "Nothing that reads writes.", _changed(looks, self._place))
        return reading, answers

    def _compared(self, reading: Snapshot, answers: Answers) -> None:
        """A checkout that saw the store before answers what a new one answers."""
        try:
            cold = _hurried(Checkout.open(str(self._place.root)))
        except NotServable as error:
            hold(str(error), "What cannot be served is said.", error)
            return
        silent = "did not answer" in reading.position.failure  # then each question may be the one that is not asked
        if cold.root == self._warm.root and not silent:  # else git finds the repository around this one
            _, new = read(cold, self._moment)
            _same("What is remembered is what is there", answers, new, _left(reading))

    def _turned(self, reading: Snapshot, answers: Answers) -> None:
        """No answer depends on the order in which a folder is listed."""
        if "did not answer" in reading.position.failure:
            return
        cold = _hurried(Checkout(self._warm.root, self._warm.git_dir, self._warm.common_dir))
        with backwards():
            _, turned = read(cold, self._moment)
        _same("No answer depends on the order of a listing", answers, turned, _left(reading))

    def _pasted(self, answers: Answers) -> None:
        """Every command, pasted in its order, loses nothing, and clears its item where that is permitted at all."""
        found = needs(answers["lifecycle.recovery"])  # type: ignore[arg-type]
        if not found or any(need.remedy.startswith("cockpit") for need in found):
            return
        held = self._place.contents()
        said = paste("\n".join(need.remedy for need in found)).stderr.decode("utf-8", "backslashreplace")
        lost = _missing(held, self._place.contents())
        hold(not lost, "No remedy deletes.", lost, [need.remedy for need in found])
        _, cured = self._asked()
        left = needs(cured["lifecycle.recovery"])  # type: ignore[arg-type]
        hold(not left or "ermission denied" in said, "What is pasted is cleared.", said, *left)


def _hurried(checkout: Checkout) -> Checkout:
    """A checkout that waits less long for a git that hangs."""
    checkout.git.timeout = HURRY
    return checkout


def _left(reading: Snapshot) -> Sequence[str]:
    """What cannot be compared: the last good index goes on answering where none can be built, and says so."""
    return _OF_THE_INDEX if reading.index.stale else ()


def _same(promise: str, answers: Answers, others: Answers, left: Sequence[str] = ()) -> None:
    for each in CATALOG:
        if each.id not in left:
            agree(f"{promise}: {each.id}.", _now(answers[each.id]), _now(others[each.id]))


def _now(answer: Struct) -> Struct:
    """An answer without how the working tree was when the index was built, which is long ago in one of two."""
    return replace(answer, served_working_tree=UNSET) if isinstance(answer, Runtime) else answer


def _changed(before: Looks, place: Place) -> list[bytes]:
    after = place.looks()
    return [path for path in before.keys() | after.keys() if before.get(path) != after.get(path)]


def _missing(before: list[bytes], after: list[bytes]) -> list[bytes]:
    """What was held and is no more, however often it was held."""
    return sorted(set(before) - set(after))


@contextmanager
def _bounded() -> Iterator[None]:
    """What takes longer than anybody waits is broken."""

    def late(_: int, frame: FrameType | None) -> None:
        raise Broken(f"Every request is answered.\n  after {PATIENCE} s it was at {frame}")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
