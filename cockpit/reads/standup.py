"""What a team asks in its stand-up: who is open on what, what closed since, what is blocked, what needs a hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from msgspec import Struct

from cockpit.formats import instants
from cockpit.formats.text import cut
from cockpit.reads.answers import Continuity, Episode, Standing, Text
from cockpit.reads.tables import BadQuery, single

DAY = 24 * 60 * instants.MINUTE


class Worker(Struct, frozen=True):
    """One open episode in few words. ``who`` and ``on`` are never empty; ``place`` numbers it from 1."""

    place: int
    who: str
    on: str
    branch: Text
    provider: Text
    standing: Standing
    seen: Text


def since(given: Mapping[str, Sequence[str]], taken: int) -> int:
    """The instant from which a closed episode is news: the one the address names, else a day before ``taken``.

    A date is its beginning in UTC. Raises BadQuery.
    """
    value = single(given, "since")
    if not value:
        return taken - DAY
    instant = instants.parse(f"{value}T00:00:00Z") if _is_date(value) else instants.parse(value)
    if instant is None:
        raise BadQuery(
            f"`since` is “{cut(value, 60)}”; it is a date such as 2026-11-29, or an RFC 3339 instant such as "
            "2026-11-29T08:00:00Z (a + in an address is written %2B)."
        )
    return instant


def yesterday(taken: int) -> str:
    """The date before the one that an instant lies in, in UTC."""
    return str(date(1970, 1, 1) + timedelta(days=taken // DAY - 1))


def workers(episodes: Sequence[Episode], state: Continuity | None) -> list[Worker]:
    """Who is open on what, in the order of the episodes."""
    return [_worker(place, episode, state) for place, episode in enumerate(episodes, 1)]


def _worker(place: int, episode: Episode, state: Continuity | None) -> Worker:
    return Worker(
        place=place,
        who=episode.owner or episode.worker or episode.provider or episode.session_id,
        on=_what(episode, state),
        branch=episode.branch,
        provider=episode.provider,
        standing=episode.standing,
        seen=episode.last_activity or episode.started_at,
    )


def _what(episode: Episode, state: Continuity | None) -> str:
    """The active task by its words where the ledger ties it to this episode, else the task touched last by its id."""
    task = state.task if state else None
    if task and task.task and task.id in episode.tasks:
        return task.task
    return episode.tasks[-1] if episode.tasks else "no task"


def _is_date(value: str) -> bool:
    try:
        return str(date.fromisoformat(value)) == value
    except ValueError:
        return False
