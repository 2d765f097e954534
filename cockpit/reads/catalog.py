"""The only list of the reads: routes, tools, the API's description and the index follow from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct

from cockpit.reads import (
    answers,
    closed,
    continuity,
    episodes,
    handoffs_state,
    providers,
    recovery,
    runtime,
    surfaces_state,
)
from cockpit.store.snapshot import Snapshot

Needs = frozenset[Literal["git", "ledger", "section", "documents", "letters"]]
"""The parts of a reading that may take long: git's answers, the ledger, the closed records, the live documents, the
handoff letters."""


class Read(Struct, frozen=True):
    """One question: its id, its words, the type of its answer, the function, and where it is asked.

    ``needs`` are the slow parts that its answer is made from; ``page`` names the page that lays it out.
    """

    id: str
    title: str
    description: str
    answer: type[Struct]
    ask: Callable[[Snapshot], Any]
    route: str
    needs: Needs = frozenset()
    resource: str = ""
    page: str = "continuity"

    @property
    def name(self) -> str:
        """The short name: the part of the id that tells it from the others of its page."""
        family, _, name = self.id.partition(".")
        return name if family == "lifecycle" else family

    @property
    def tool(self) -> str:
        """The name of its tool."""
        return self.id.replace(".", "_")


CATALOG: tuple[Read, ...] = (
    Read(
        "continuity.state",
        "Resume from here",
        "What would a worker resuming in this checkout be handed?",
        answers.Continuity,
        continuity.answer,
        "/api/v1/continuity",
        frozenset({"git", "ledger"}),
        "majordomus://continuity",
    ),
    Read(
        "lifecycle.episodes",
        "Every open episode",
        "Which episodes are open, and where does each stand?",
        answers.Episodes,
        episodes.answer,
        "/api/v1/lifecycle/episodes",
        frozenset({"ledger"}),
        "majordomus://lifecycle/episodes",
    ),
    Read(
        "lifecycle.recovery",
        "Recovery",
        "What does the store need a person to do, and with which command?",
        answers.Recovery,
        recovery.answer,
        "/api/v1/lifecycle/recovery",
        frozenset({"git", "ledger", "section"}),
        "majordomus://lifecycle/recovery",
    ),
    Read(
        "lifecycle.runtime",
        "This process against the repository",
        "Which commit is this process answering about, and which is the repository on?",
        answers.Runtime,
        runtime.answer,
        "/api/v1/lifecycle/runtime",
        frozenset({"git", "section"}),
    ),
    Read(
        "lifecycle.providers",
        "Providers",
        "What does each provider's adapter declare, and what does this repository wire to it?",
        answers.Providers,
        providers.answer,
        "/api/v1/lifecycle/providers",
    ),
    Read(
        "lifecycle.closed",
        "Closed episodes",
        "Which closed records does a clone receive?",
        answers.Closed,
        closed.answer,
        "/api/v1/lifecycle/closed",
        frozenset({"git", "section"}),
    ),
    Read(
        "surfaces.state",
        "Live documents and their archives",
        "Which documents that people append to need housekeeping, and with which command?",
        surfaces_state.SurfacesState,
        surfaces_state.answer,
        "/api/v1/surfaces",
        frozenset({"documents"}),
        page="surfaces",
    ),
    Read(
        "handoffs.state",
        "Handoff letters",
        "Which letters hand work on here, which wait for a person, and what is wrong with them?",
        handoffs_state.HandoffsState,
        handoffs_state.answer,
        "/api/v1/handoffs",
        frozenset({"git", "letters"}),
        page="handoffs",
    ),
)
