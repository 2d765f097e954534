"""Which open episodes the table shows: the filter, the order and the page that an address asks for.

Pure: parameters in, a selection of an answer's episodes out. It acts on the table of episodes alone; the answer
itself, and every count and finding drawn from it, stays whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_args
from urllib.parse import urlencode

from msgspec import Struct, structs

from cockpit.formats import instants
from cockpit.formats.text import counted, cut, visible
from cockpit.reads.answers import Episode, Standing, Text

ROWS = 200
STANDINGS: tuple[str, ...] = get_args(Standing)
SORTS = {
    "started": "opened",
    "last": "last seen",
    "standing": "standing",
    "provider": "provider",
    "branch": "branch",
    "events": "events",
}
DIRECTIONS = {"asc": "ascending", "desc": "descending"}
FAR = 10**18


class BadQuery(ValueError):
    """An address asks for something the table does not know; the message is a sentence for its reader."""


class Query(Struct, frozen=True):
    """What an address asks of the table; an empty text is no filter."""

    standing: str = ""
    provider: str = ""
    branch: str = ""
    q: str = ""
    sort: str = ""
    dir: str = ""
    page: int = 1

    @property
    def sorted_by(self) -> str:
        """The column that orders the rows."""
        return self.sort or "started"

    @property
    def direction(self) -> str:
        """``asc`` or ``desc``; unless told, times and counts begin with the largest, words with the first."""
        return self.dir or ("desc" if self.sorted_by in ("started", "last", "events") else "asc")

    @property
    def filters(self) -> list[tuple[str, str]]:
        """Each filter in force: its name and the value it wants."""
        named = [("standing", self.standing), ("provider", self.provider), ("branch", self.branch), ("text", self.q)]
        return [(name, value) for name, value in named if value]

    def address(self, **changes: str | int) -> str:
        """The query string for this query with ``changes``, from ``?`` on; empty when it asks for nothing."""
        fields = structs.asdict(structs.replace(self, **changes))
        asked = {name: value for name, value in fields.items() if value and (name, value) != ("page", 1)}
        return "?" + urlencode(asked, errors="replace") if asked else ""

    def turned(self, column: str) -> str:
        """The query string that sorts by ``column``, the other way round where it already does."""
        if column != self.sorted_by:
            return self.address(sort=column, dir="", page=1)
        return self.address(sort=column, dir="asc" if self.direction == "desc" else "desc", page=1)


class Selection(Struct, frozen=True):
    """The rows of one page, and where they stand in the whole.

    ``total`` counts every open episode, ``matching`` those that pass the filters; ``first`` and ``last`` number
    the rows shown, from 1 (0 and 0 when there are none). ``words`` says which filter and order are in force.
    """

    query: Query
    rows: list[Episode]
    total: int
    matching: int
    page: int
    pages: int
    first: int
    last: int
    words: str
    providers: list[str]
    branches: list[str]


def parse(given: Mapping[str, Sequence[str]]) -> Query:
    """The query that an address's parameters make; unknown parameters mean nothing. Raises BadQuery."""
    return Query(
        standing=_one_of(given, "standing", STANDINGS),
        provider=_text(given, "provider"),
        branch=_text(given, "branch"),
        q=_text(given, "q"),
        sort=_one_of(given, "sort", tuple(SORTS)),
        dir=_one_of(given, "dir", tuple(DIRECTIONS)),
        page=_page(given),
    )


def select(episodes: Sequence[Episode], query: Query) -> Selection:
    """The page of ``episodes`` that ``query`` asks for; a page past the end is the last one."""
    matching = [episode for episode in episodes if _fits(episode, query)]
    pages = max(1, -(-len(matching) // ROWS))
    page = min(query.page, pages)
    start = (page - 1) * ROWS
    rows = _ordered(matching, query)[start : start + ROWS]
    return Selection(
        query=query,
        rows=rows,
        total=len(episodes),
        matching=len(matching),
        page=page,
        pages=pages,
        first=start + 1 if rows else 0,
        last=start + len(rows),
        words=_words(query, len(matching), len(episodes)),
        providers=sorted({episode.provider for episode in episodes if episode.provider}),
        branches=sorted({episode.branch for episode in episodes if episode.branch}),
    )


# ------------------------------------------------------------------ parameters
def _one_of(given: Mapping[str, Sequence[str]], name: str, accepted: Sequence[str]) -> str:
    value = _single(given, name)
    if value and value not in accepted:
        raise BadQuery(f"`{name}` is “{cut(value, 60)}”; it is one of {', '.join(accepted)}.")
    return value


def _page(given: Mapping[str, Sequence[str]]) -> int:
    value = _single(given, "page")
    if not value:
        return 1
    digits = value.lstrip("0")
    if not (digits and digits.isascii() and digits.isdigit()):
        raise BadQuery(f"`page` is “{cut(value, 60)}”; it is a whole number from 1 on.")
    return int(digits) if len(digits) < len(str(FAR)) else FAR


def _single(given: Mapping[str, Sequence[str]], name: str) -> str:
    values = given.get(name, ())
    if len(values) > 1:
        said = ", ".join(f"“{cut(value, 30)}”" for value in values[:3])
        raise BadQuery(f"`{name}` is given {len(values)} times ({said}); it is given once.")
    return values[0] if values else ""


def _text(given: Mapping[str, Sequence[str]], name: str) -> str:
    """The first value that says something."""
    return next((value for value in given.get(name, ()) if value), "")


# ------------------------------------------------------------------ filter
def _fits(episode: Episode, query: Query) -> bool:
    return (
        (not query.standing or episode.standing == query.standing)
        and _same(episode.provider, query.provider)
        and _same(episode.branch, query.branch)
        and (not query.q or visible(query.q).casefold() in _haystack(episode))
    )


def _same(recorded: Text, wanted: str) -> bool:
    """Compared as shown, since what is shown is what a reader can type."""
    return not wanted or bool(recorded and visible(recorded) == visible(wanted))


def _haystack(episode: Episode) -> str:
    """Everything the table shows of an episode, folded for a search."""
    values = structs.asdict(episode).values()
    texts = [value for value in values if isinstance(value, str)]
    return visible("\n".join([*texts, *episode.tasks])).casefold()


# ------------------------------------------------------------------ order
def _ordered(episodes: list[Episode], query: Query) -> list[Episode]:
    """In the answer's own order unless told otherwise; an episode without the value comes last either way."""
    if not query.sort and not query.dir:
        return episodes
    key = _KEYS[query.sorted_by]
    having = [episode for episode in episodes if key(episode) is not None]
    without = [episode for episode in episodes if key(episode) is None]
    return sorted(having, key=key, reverse=query.direction == "desc") + without


def _instant(text: Text) -> int | None:
    return instants.parse(text) if text else None


def _folded(text: Text) -> str | None:
    return text.casefold() if text else None


_KEYS: dict[str, Callable[[Episode], Any]] = {
    "started": lambda episode: _instant(episode.started_at),
    "last": lambda episode: _instant(episode.last_activity),
    "standing": lambda episode: STANDINGS.index(episode.standing),
    "provider": lambda episode: _folded(episode.provider),
    "branch": lambda episode: _folded(episode.branch),
    "events": lambda episode: episode.events,
}


# ------------------------------------------------------------------ words
def _words(query: Query, matching: int, total: int) -> str:
    order = _order_words(query)
    if not query.filters:
        return f"{counted(total, 'open episode')}, no filter; {order}."
    wanted = " and ".join(f"{name} “{cut(value, 60)}”" for name, value in query.filters)
    if not matching:
        return f"None of {counted(total, 'open episode')} has {wanted}."
    return f"{matching} of {counted(total, 'open episode')}: only {wanted}; {order}."


def _order_words(query: Query) -> str:
    if not query.sort and not query.dir:
        return "newest first"
    return f"sorted by {SORTS[query.sorted_by]}, {DIRECTIONS[query.direction]}"
