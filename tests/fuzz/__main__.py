"""``python -m tests.fuzz [--seconds N] [--seed N]``: break stores at random until the time is over."""

from __future__ import annotations

import hashlib
import logging
import os
import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import click
import msgspec
from hypothesis import Phase, given, seed, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.examples import UNSUITED
from tests.fuzz.mutations import Mutation, mutations
from tests.fuzz.trial import Input, Trials

KEPT = Path(__file__).parents[2] / "build" / "fuzz"
ROUND = 25  # inputs; the clock is looked at between two rounds


class Found(NamedTuple):
    """A promise that was broken: the input that breaks it, as small as it could be made, and what was raised."""

    smallest: Input
    error: Exception

    @property
    def promise(self) -> str:
        """What tells one finding from another: the sentence, and the place in an answer that breaks it."""
        sentence, *evidence = str(self.error).split("\n")
        place = evidence[0].split(maxsplit=1)[0] if evidence and evidence[0].startswith("  .") else ""
        return f"{type(self.error).__name__}: {sentence} {place}"


class Search:
    """Inputs tried one round after another: ``number`` of them, with changes of these ``kinds``.

    ``found`` holds one input for each promise that was broken; another that breaks the same is ``passed`` over.
    """

    def __init__(self, trials: Trials, first: int) -> None:
        self._trials, self._seed = trials, first
        self.number = self.passed = 0
        self.kinds = Counter[str]()
        self.found: dict[str, Found] = {}

    def round(self, inputs: int = ROUND) -> None:
        """Try some inputs that were not tried before."""
        failing: list[Found] = []

        @seed(self._seed)
        @settings(
            max_examples=inputs,
            deadline=None,
            database=None,
            report_multiple_bugs=False,
            phases=(Phase.generate,),  # to make an input smaller takes Hypothesis minutes; see _smaller
            suppress_health_check=UNSUITED,
        )
        @given(_inputs(self._trials))
        def tried(one: Input) -> None:
            self._count(one)
            self._trials.place.mend()
            try:
                self._trials.run(one)
            except Exception as error:
                found = Found(one, error)
                if found.promise not in self.found:
                    failing.append(found)
                    raise
                self.passed += 1

        self._seed += 1
        try:
            tried()
        except Exception:
            if not failing:
                raise
            self.found[failing[-1].promise] = self._smaller(failing[-1])

    def _smaller(self, found: Found) -> Found:
        """The same without the changes and the bytes that it does not need."""
        for fewer in _fewer(found.smallest):
            self._trials.place.mend()
            try:
                self._trials.run(fewer)
            except Exception as error:
                if (again := Found(fewer, error)).promise == found.promise:
                    return self._smaller(again)
        return found

    def _count(self, one: Input) -> None:
        self.number += 1
        self.kinds.update(mutation.kind for step in one.steps for mutation in step)


def _inputs(trials: Trials) -> st.SearchStrategy[Input]:
    step = st.lists(mutations(trials.place), min_size=1, max_size=4).map(tuple)
    steps = st.lists(step, min_size=1, max_size=3).map(tuple)
    return st.builds(Input, steps, st.sampled_from([True, True, True, False]))


def _fewer(one: Input) -> Iterator[Input]:
    """An input without each of its steps, without each of its changes, and with fewer bytes in each of them."""
    for place, step in enumerate(one.steps):
        before, after = one.steps[:place], one.steps[place + 1 :]
        if before or after:
            yield replace(one, steps=(*before, *after))
        for number, change in enumerate(step):
            rest = step[:number], step[number + 1 :]
            if len(step) > 1:
                yield replace(one, steps=(*before, (*rest[0], *rest[1]), *after))
            for smaller in _smaller_of(change):
                yield replace(one, steps=(*before, (*rest[0], smaller, *rest[1]), *after))


def _smaller_of(change: Mutation) -> Iterator[Mutation]:
    for name in ("more", "data"):
        held: bytes = getattr(change, name, b"")
        if held:
            yield from (
                replace(change, **{name: part})
                for part in (held[: len(held) // 2], held[len(held) // 2 :])
                if part != held
            )


def keep(smallest: Input) -> Path:
    """Write an input to where it is kept, and answer that place."""
    data = msgspec.json.format(msgspec.json.encode(smallest))
    KEPT.mkdir(parents=True, exist_ok=True)
    path = KEPT / f"{hashlib.sha256(data).hexdigest()[:16]}.json"
    path.write_bytes(data + b"\n")
    return path


@contextmanager
def at_home() -> Iterator[Path]:
    """A folder for a place, and an environment in which git knows nobody's configuration."""
    with tempfile.TemporaryDirectory(prefix="cockpit-fuzz-") as folder:
        for name in [name for name in os.environ if name.startswith("GIT_") and not name.startswith("GIT_PYTHON_")]:
            del os.environ[name]
        os.environ |= {"HOME": folder, "XDG_CONFIG_HOME": folder, "GIT_CONFIG_NOSYSTEM": "1"}
        yield Path(folder)


@click.command()
@click.option("--seconds", default=60.0, show_default=True, help="How long to try.")
@click.option("--seed", "first", type=int, help="Where to begin; the same seed tries the same inputs.")
@click.option("--again", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Try one kept input.")
def main(seconds: float, first: int | None, again: Path | None) -> None:
    """Break stores at random and hold every promise."""
    logging.disable()
    number = random.randrange(1 << 32) if first is None else first
    with at_home() as folder, ExitStack() as stack:
        trials = Trials(folder, stack)
        if again:
            trials.run(msgspec.json.decode(again.read_bytes(), type=Input))
            click.echo("Every promise is kept.")
            return
        code = _searched(Search(trials, number), seconds, number)
    sys.exit(code)


def _searched(search: Search, seconds: float, number: int) -> int:
    began = time.monotonic()
    told = 0
    while time.monotonic() - began < seconds:
        search.round()
        for found in list(search.found.values())[told:]:
            _tell_found(found)
        told = len(search.found)
    _tell(search, time.monotonic() - began, number)
    return 1 if search.found else 0


def _tell_found(found: Found) -> None:
    click.echo("".join(traceback.format_exception(found.error, limit=-6, chain=False)))
    click.echo(f"The smallest input that breaks it:\n{found.smallest}")
    click.echo(f"Kept: python -m tests.fuzz --again {keep(found.smallest)}\n")


def _tell(search: Search, took: float, number: int) -> None:
    kinds = ", ".join(f"{kind} {times}" for kind, times in search.kinds.most_common())
    click.echo(f"{search.number} inputs in {took:.0f} s, {search.number / took:.1f} a second, seed {number}")
    click.echo(f"{len(search.found)} promises were broken, and by {search.passed} further inputs again")
    click.echo(f"{search.kinds.total()} changes: {kinds}")


if __name__ == "__main__":
    main(prog_name="python -m tests.fuzz")
