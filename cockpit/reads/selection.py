"""Which open episodes the table shows: the filter, the order and the page that an address asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, get_args

from msgspec import structs

from cockpit.reads import tables
from cockpit.reads.answers import Episode, Standing
from cockpit.reads.tables import ROWS, BadQuery, Column, Filter, Selection, Table, folded, instant

__all__ = ["ROWS", "STANDINGS", "BadQuery", "Query", "Selection", "parse", "select"]

STANDINGS: tuple[str, ...] = get_args(Standing)


def _texts(episode: Episode) -> list[str]:
    """Everything the table shows of an episode."""
    values = structs.asdict(episode).values()
    return [*(value for value in values if isinstance(value, str)), *episode.tasks]


TABLE = Table(
    one="open episode",
    many="open episodes",
    order="started",
    columns={
        "started": Column("opened", lambda episode: instant(episode.started_at), falling=True),
        "last": Column("last seen", lambda episode: instant(episode.last_activity), falling=True),
        "standing": Column("standing", lambda episode: STANDINGS.index(episode.standing)),
        "provider": Column("provider", lambda episode: folded(episode.provider)),
        "branch": Column("branch", lambda episode: folded(episode.branch)),
        "events": Column("events", lambda episode: episode.events, falling=True),
    },
    filters={
        "standing": Filter(lambda episode: episode.standing, STANDINGS),
        "provider": Filter(lambda episode: episode.provider),
        "branch": Filter(lambda episode: episode.branch),
    },
    texts=_texts,
)


class Query(tables.Query, frozen=True):
    """What an address asks of the open episodes."""

    table: ClassVar[Table] = TABLE

    standing: str = ""
    provider: str = ""
    branch: str = ""


def parse(given: Mapping[str, Sequence[str]]) -> Query:
    """The query that an address's parameters make. Raises BadQuery."""
    return tables.parse(Query, given)


def select(episodes: Sequence[Episode], query: Query) -> Selection[Episode]:
    """The page of ``episodes`` that ``query`` asks for."""
    return tables.select(episodes, query)
