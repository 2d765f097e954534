"""One photograph of a checkout: every read asked once of one snapshot, each allowed to fail alone."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from functools import partial
from time import perf_counter
from typing import Any, TypeVar

from msgspec import Struct

from cockpit.formats import instants
from cockpit.reads.answers import Recovery
from cockpit.reads.catalog import CATALOG
from cockpit.reads.emptiness import emptiness
from cockpit.reads.recovery import Need, needs, obscured
from cockpit.store.checkout import Checkout
from cockpit.store.snapshot import Snapshot

LOG = logging.getLogger(__name__)
_IN_TURN = sorted(CATALOG, key=lambda read: read.name in ("continuity", "runtime", "closed"))  # git's answer comes last
T = TypeVar("T")


class Photograph(Struct, frozen=True):
    """What a page is laid out from.

    ``answers`` holds an answer for each read's name, None where it failed; ``failures`` the sentence for each that
    did; ``also`` is what a page asked besides, under its own names, failing alike. ``taken`` is the moment as an
    instant, ``taken_at`` the same as RFC 3339 text. ``needs`` is None where the recovery read failed or was not
    asked, ``emptiness`` is empty where it could not be told or the episodes were not asked. ``obscured`` is whether
    there may be more needs.
    """

    taken: int
    taken_at: str
    milliseconds: int
    answers: dict[str, Any]
    failures: dict[str, str]
    needs: list[Need] | None
    emptiness: str
    obscured: bool = False
    also: dict[str, Any] = {}

    @property
    def no_needs(self) -> str:
        """What is said where there are no needs."""
        if self.obscured:
            return "Nothing that can be read needs a hand, and not everything can be read: see Recovery."
        return "Nothing needs a hand."

    @property
    def none_open(self) -> str:
        """What is said where no open episode was read."""
        return "Whether an episode is open is not known." if self.emptiness == "unknown" else "No episode is open."


ALL = frozenset(read.name for read in CATALOG if read.page == "continuity")
Question = Callable[[Snapshot], Any]


def take(checkout: Checkout, reads: frozenset[str] = ALL, also: Mapping[str, Question] | None = None) -> Photograph:
    """Ask the reads of these names, and what else a page wants to know, of one reading of the checkout."""
    began = perf_counter()
    snapshot = checkout.look()
    snapshot.begin()
    if "episodes" in reads:
        snapshot.read_files()
    failures: dict[str, str] = {}
    asked = [read for read in _IN_TURN if read.name in reads]
    answers = {read.name: _attempt(read.name, partial(read.ask, snapshot), failures) for read in asked}
    more = {name: _attempt(name, partial(ask, snapshot), failures) for name, ask in (also or {}).items()}
    empty = _attempt("emptiness", partial(emptiness, snapshot), failures) if "episodes" in reads else None
    wanted = _needed(answers.get("recovery"), failures)
    return Photograph(
        taken=instants.of(snapshot.taken),
        taken_at=instants.written(snapshot.taken),
        milliseconds=max(1, round(1000 * (perf_counter() - began))),
        answers=answers,
        failures=failures,
        needs=wanted,
        emptiness=empty or "",
        obscured="recovery" in answers and _attempt("recovery", partial(obscured, snapshot), failures) is not False,
        also=more,
    )


def _needed(recovery: Recovery | None, failures: dict[str, str]) -> list[Need] | None:
    return None if recovery is None else _attempt("recovery", partial(needs, recovery), failures)


def _attempt(name: str, ask: Callable[[], T], failures: dict[str, str]) -> T | None:
    """What ``ask`` answers; None where it raises, with a sentence in ``failures`` and the whole in the log."""
    try:
        return ask()
    except Exception as error:
        LOG.exception("the read %s failed", name)
        failures[name] = f"This read failed ({type(error).__name__}); the others stand. The server's log has the whole."
        return None
