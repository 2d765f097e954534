"""All closed records that git tracks, not only the newest: what the table of them shows, and what closed since."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from cockpit.formats import instants
from cockpit.reads import closed, tables
from cockpit.reads.answers import ClosedEpisode, optional
from cockpit.reads.tables import Column, Filter, Selection, Table, folded, instant
from cockpit.store.sessions import Found
from cockpit.store.snapshot import Snapshot

OUTCOMES = ("closed", "interrupted", "abandoned")
"""The outcomes that writers of records know; another word is found by the search, since it is shown as it is."""


def _texts(found: Found) -> list[str]:
    record = found.record
    return [record.session_id, record.title, record.branch, record.outcome, record.head, record.created_at, found.path]


TABLE = Table(
    one="closed record",
    many="closed records",
    order="closed",
    columns={
        "closed": Column("closed", lambda found: instant(found.record.created_at), falling=True),
        "episode": Column("episode", lambda found: folded(found.record.session_id)),
        "branch": Column("branch", lambda found: folded(found.record.branch)),
        "outcome": Column("outcome", lambda found: folded(found.record.outcome)),
        "title": Column("title", lambda found: folded(found.record.title)),
    },
    filters={
        "branch": Filter(lambda found: optional(found.record.branch)),
        "outcome": Filter(lambda found: optional(found.record.outcome), OUTCOMES),
    },
    texts=_texts,
)


class Query(tables.Query, frozen=True):
    """What an address asks of the closed records."""

    table: ClassVar[Table] = TABLE

    branch: str = ""
    outcome: str = ""


def parse(given: Mapping[str, Sequence[str]]) -> Query:
    """The query that an address's parameters make. Raises BadQuery."""
    return tables.parse(Query, given)


def select(snapshot: Snapshot, query: Query) -> Selection[ClosedEpisode]:
    """The page of the tracked records that ``query`` asks for."""
    chosen: Selection[Any] = tables.select(snapshot.index.tracked, query)
    return replace(chosen, rows=_rows(chosen.rows))


def since(snapshot: Snapshot, moment: int) -> list[ClosedEpisode]:
    """The tracked records that were made at an instant or later, newest first, one for each episode.

    A record whose time cannot be read is none of them: nobody can say that it is new.
    """
    newest: dict[str, Found] = {}
    for found in snapshot.index.tracked:
        made = instants.parse(found.record.created_at)
        if made is None or made < moment:
            break  # newest first: what follows is older, or has no time
        newest.setdefault(found.record.session_id, found)
    return _rows(list(newest.values()))


def _rows(found: Sequence[Found]) -> list[ClosedEpisode]:
    return [closed.row(each) for each in found]
