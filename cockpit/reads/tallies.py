"""The answers of one photograph counted once more, for whoever looks at the page for five seconds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from cockpit.formats.text import counted
from cockpit.reads.answers import Closed, Continuity, Episodes, Providers
from cockpit.reads.recovery import Need
from cockpit.reads.selection import STANDINGS

_ONE = {"handovers": "handover", "checkpoints": "checkpoint", "other branches": "other branch"}
"""What one is called, where that is another word than for many: a part has one word, which its paint has too."""


class Tally(Struct, frozen=True):
    """What is counted, in words; its parts, none of them nothing; and the section of the page that has the whole."""

    title: str
    parts: list[tuple[str, int]]
    anchor: str


def told(word: str, number: int) -> str:
    """A part in words: how many there are, and what so many are called."""
    return counted(number, _ONE.get(word, word), word)


def tallies(answers: Mapping[str, Any], needs: Sequence[Need] | None) -> list[Tally]:
    """A tally for each answer that stands; one that failed has none."""
    return [Tally(title, [part for part in parts if part[1]], anchor) for title, parts, anchor in _all(answers, needs)]


def _all(answers: Mapping[str, Any], needs: Sequence[Need] | None) -> Iterator[tuple[str, list[tuple[str, int]], str]]:
    if needs is not None:
        yield _needing(len(needs)), list(Counter(need.kind for need in needs).items()), "needs-a-hand"
    episodes: Episodes | None = answers.get("episodes")
    if episodes:
        times = Counter(episode.standing for episode in episodes.episodes)
        yield f"{len(episodes.episodes)} open", [(word, times[word]) for word in STANDINGS], "episodes"  # type: ignore[index]
    closed: Closed | None = answers.get("closed")
    if closed:
        elsewhere = closed.total - closed.on_this_branch
        yield (
            f"{closed.total} closed",
            [("this branch", closed.on_this_branch), ("other branches", elsewhere)],
            "closed",
        )
    state: Continuity | None = answers.get("continuity")
    if state:
        yield _on_disk(state)
    providers: Providers | None = answers.get("providers")
    if providers:
        with_events = providers.with_lifecycle
        without = len(providers.providers) - with_events
        yield (
            counted(len(providers.providers), "provider"),
            [("with lifecycle", with_events), ("without", without)],
            "providers",
        )


def _needing(number: int) -> str:
    return f"{number} {'needs' if number == 1 else 'need'} a hand"


def _on_disk(state: Continuity) -> tuple[str, list[tuple[str, int]], str]:
    said = state.tallies
    parts = [("handovers", said.handovers), ("checkpoints", said.checkpoints), ("unresolved", said.blockers)]
    return counted(said.ledger_lines, "ledger line"), parts, "resume"
