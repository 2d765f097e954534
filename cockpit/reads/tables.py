"""What every table of the pages has in common: an address asks for a filter, an order and a page of its rows.

Pure: parameters in, a selection of rows out. A table says which columns and filters it has (:class:`Table`); a
query of it is a :class:`Query` with a field for each filter. A selection acts on its table alone: every count and
finding elsewhere on the page stays whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar
from urllib.parse import urlencode

from msgspec import Struct, structs

from cockpit.formats import instants
from cockpit.formats.text import counted, cut, visible
from cockpit.reads.answers import Text

ROWS = 200
DIRECTIONS = {"asc": "ascending", "desc": "descending"}
FAR = 10**18
_PAST = " The page that was asked for is past the end: this is the last one."
Row = TypeVar("Row")


class BadQuery(ValueError):
    """An address asks for something that is not known; the message is a sentence for its reader."""


class Column(Struct, frozen=True):
    """A column that sorts: its name in a sentence, a row's place in it (None: none), and where it begins unless told.

    ``falling`` columns begin with the largest: times and counts.
    """

    title: str
    key: Callable[[Any], Any]
    falling: bool = False


class Filter(Struct, frozen=True):
    """A filter: what a row records under it, and the values it knows (none: any value)."""

    recorded: Callable[[Any], Text]
    accepted: tuple[str, ...] = ()


class Table(Struct, frozen=True):
    """What can be asked of a table. ``order`` names the column that orders it unless told otherwise.

    ``one`` and ``many`` are what its rows are called; ``texts`` is everything that a search looks at in a row.
    """

    one: str
    many: str
    order: str
    columns: Mapping[str, Column]
    filters: Mapping[str, Filter]
    texts: Callable[[Any], Sequence[str]]

    def counted(self, number: int) -> str:
        """So many rows, in words."""
        return counted(number, self.one, self.many)


class Query(Struct, frozen=True, kw_only=True):
    """What an address asks of a table; an empty text is no filter. A table's own query adds its filters."""

    table: ClassVar[Table]

    q: str = ""
    sort: str = ""
    dir: str = ""
    page: int = 1
    keys: str = ""

    @property
    def sorted_by(self) -> str:
        """The column that orders the rows."""
        return self.sort or self.table.order

    @property
    def direction(self) -> str:
        """``asc`` or ``desc``; unless told, times and counts begin with the largest, words with the first."""
        return self.dir or ("desc" if self.table.columns[self.sorted_by].falling else "asc")

    @property
    def filters(self) -> list[tuple[str, str]]:
        """Each filter in force: its name and the value it wants."""
        named = [*((name, getattr(self, name)) for name in self.table.filters), ("text", self.q)]
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


Asked = TypeVar("Asked", bound=Query)


class Selection(Struct, Generic[Row], frozen=True):
    """The rows of one page, and where they stand in the whole.

    ``total`` counts every row, ``matching`` those that pass the filters; ``first`` and ``last`` number the rows
    shown, from 1 (0 and 0 when there are none). ``words`` says which filter and order are in force; ``known`` holds
    the values that the rows have under each filter that takes any value.
    """

    query: Any
    rows: list[Row]
    total: int
    matching: int
    page: int
    pages: int
    first: int
    last: int
    words: str
    known: dict[str, list[str]]


def parse(kind: type[Asked], given: Mapping[str, Sequence[str]]) -> Asked:
    """The query of a table that an address's parameters make; unknown parameters mean nothing. Raises BadQuery."""
    table = kind.table
    asked = {name: _filter(given, name, each.accepted) for name, each in table.filters.items()}
    return kind(
        **asked,
        q=_text(given, "q"),
        sort=one_of(given, "sort", tuple(table.columns)),
        dir=one_of(given, "dir", tuple(DIRECTIONS)),
        page=_page(given),
        keys=one_of(given, "keys", ("off",)),
    )


def select(rows: Sequence[Row], query: Query) -> Selection[Row]:
    """The page of ``rows`` that ``query`` asks for; a page past the end is the last one."""
    matching = [row for row in rows if _fits(row, query)] if query.filters else list(rows)
    pages = max(1, -(-len(matching) // ROWS))
    page = min(query.page, pages)
    start = (page - 1) * ROWS
    shown = _ordered(matching, query)[start : start + ROWS]
    return Selection(
        query=query,
        rows=shown,
        total=len(rows),
        matching=len(matching),
        page=page,
        pages=pages,
        first=start + 1 if shown else 0,
        last=start + len(shown),
        words=_words(query, len(matching), len(rows)) + (_PAST if query.page > pages and matching else ""),
        known={name: _known(rows, each) for name, each in query.table.filters.items() if not each.accepted},
    )


# ------------------------------------------------------------------ parameters
def one_of(given: Mapping[str, Sequence[str]], name: str, accepted: Sequence[str]) -> str:
    """The one value given under a name, empty where there is none. Raises BadQuery."""
    value = single(given, name)
    if value and value not in accepted:
        wanted = f"one of {', '.join(accepted)}" if len(accepted) > 1 else f"{accepted[0]} or nothing"
        raise BadQuery(f"`{name}` is “{cut(value, 60)}”; it is {wanted}.")
    return value


def single(given: Mapping[str, Sequence[str]], name: str) -> str:
    """What is given once under a name, empty where nothing is. Raises BadQuery."""
    values = given.get(name, ())
    if len(values) > 1:
        said = ", ".join(f"“{cut(value, 30)}”" for value in values[:3])
        raise BadQuery(f"`{name}` is given {len(values)} times ({said}); it is given once.")
    return values[0] if values else ""


def _filter(given: Mapping[str, Sequence[str]], name: str, accepted: tuple[str, ...]) -> str:
    return one_of(given, name, accepted) if accepted else _text(given, name)


def _page(given: Mapping[str, Sequence[str]]) -> int:
    value = single(given, "page")
    if not value:
        return 1
    digits = value.lstrip("0")
    if not (digits and digits.isascii() and digits.isdigit()):
        raise BadQuery(f"`page` is “{cut(value, 60)}”; it is a whole number from 1 on.")
    return int(digits) if len(digits) < len(str(FAR)) else FAR


def _text(given: Mapping[str, Sequence[str]], name: str) -> str:
    """The first value that says something."""
    return next((value for value in given.get(name, ()) if value), "")


# ------------------------------------------------------------------ filter
def _fits(row: Any, query: Query) -> bool:
    wanted = ((each.recorded(row), getattr(query, name)) for name, each in query.table.filters.items())
    return all(_same(recorded, value) for recorded, value in wanted) and (
        not query.q or visible(query.q).casefold() in visible("\n".join(query.table.texts(row))).casefold()
    )


def _same(recorded: Text, wanted: str) -> bool:
    """Compared as shown, since what is shown is what a reader can type."""
    return not wanted or bool(recorded and visible(recorded) == visible(wanted))


def _known(rows: Sequence[Any], each: Filter) -> list[str]:
    found = {each.recorded(row) for row in rows}
    return sorted(value for value in found if value)


# ------------------------------------------------------------------ order
def _ordered(rows: list[Row], query: Query) -> list[Row]:
    """In the given order unless told otherwise; a row without the value comes last either way."""
    if not query.sort and not query.dir:
        return rows
    key = query.table.columns[query.sorted_by].key
    having = [row for row in rows if key(row) is not None]
    without = [row for row in rows if key(row) is None]
    return sorted(having, key=key, reverse=query.direction == "desc") + without


def instant(text: Text) -> int | None:
    """A recorded time as a place in an order."""
    return instants.parse(text) if text else None


def folded(text: Text) -> str | None:
    """A recorded word as a place in an order."""
    return text.casefold() if text else None


# ------------------------------------------------------------------ words
def _words(query: Query, matching: int, total: int) -> str:
    order, whole = _order_words(query), query.table.counted(total)
    if not query.filters:
        return f"{whole}, no filter; {order}."
    wanted = " and ".join(f"{name} “{cut(value, 60)}”" for name, value in query.filters)
    if not matching:
        return f"None of {whole} has {wanted}."
    return f"{matching} of {whole}: only {wanted}; {order}."


def _order_words(query: Query) -> str:
    if not query.sort and not query.dir:
        return "newest first"
    return f"sorted by {query.table.columns[query.sorted_by].title}, {DIRECTIONS[query.direction]}"
