"""The only list of the reads: routes, tools, the API's description and the index follow from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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


class Read(Struct, frozen=True):
    """One question: its id, its words, the type of its answer, the function, and where it is asked.

    ``page`` names the page that lays it out.
    """

    id: str
    title: str
    description: str
    answer: type[Struct]
    ask: Callable[[Snapshot], Any]
    route: str
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
        "majordomus://continuity",
    ),
    Read(
        "lifecycle.episodes",
        "Every open episode",
        "Which episodes are open, and where does each stand?",
        answers.Episodes,
        episodes.answer,
        "/api/v1/lifecycle/episodes",
        "majordomus://lifecycle/episodes",
    ),
    Read(
        "lifecycle.recovery",
        "Recovery",
        "What does the store need a person to do, and with which command?",
        answers.Recovery,
        recovery.answer,
        "/api/v1/lifecycle/recovery",
        "majordomus://lifecycle/recovery",
    ),
    Read(
        "lifecycle.runtime",
        "This process against the repository",
        "Which commit is this process answering about, and which is the repository on?",
        answers.Runtime,
        runtime.answer,
        "/api/v1/lifecycle/runtime",
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
    ),
    Read(
        "surfaces.state",
        "Live documents and their archives",
        "Which documents that people append to need housekeeping, and with which command?",
        surfaces_state.SurfacesState,
        surfaces_state.answer,
        "/api/v1/surfaces",
        page="surfaces",
    ),
    Read(
        "handoffs.state",
        "Handoff letters",
        "Which letters hand work on here, which wait for a person, and what is wrong with them?",
        handoffs_state.HandoffsState,
        handoffs_state.answer,
        "/api/v1/handoffs",
        page="handoffs",
    ),
)
