"""Lines of the ledger.

A line may be torn, not JSON, not an object, carry NUL bytes or bytes that are no UTF-8: it costs only itself.
The first ``event`` of a line counts (old lines carry a second one, the provider's own name), of any other key the last,
as everywhere in JSON; a field of another type than text counts as absent; a byte order mark or ``\\r`` at an edge costs
nothing.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from cockpit.formats.text import BOM, sound


class Line(Struct, gc=False):
    """What Cockpit uses of a line. ``session_id`` is the payload key that names a recovered episode."""

    event: str | UnsetType = UNSET
    ts: str | UnsetType = UNSET
    session: str | UnsetType = UNSET
    task_id: str | UnsetType = UNSET
    session_id: str | UnsetType = UNSET


_decode = msgspec.json.Decoder(Line).decode
_NO_LINE = (msgspec.MsgspecError, RecursionError)


def strip(line: bytes) -> bytes:
    """The line without the white space and byte order marks at its edges; empty where it is blank."""
    if line[:1] == b"{" and line[-1:] == b"}":
        return line
    return line.strip(b" \t\r").removeprefix(BOM).removesuffix(BOM).strip(b" \t\r")


def parse(line: bytes) -> Line | None:
    """A stripped line that is not blank; None where it is no whole JSON object."""
    if line.isascii() and b"\\u" not in line and line.count(b'"event"') < 2:
        try:
            return _decode(line)
        except _NO_LINE:
            pass  # a field of another type, or no JSON at all: the patient way tells which
    return _patient(line)


def parse_lines(text: bytes) -> tuple[list[Line], int]:
    """Whole lines, each with its ``\\n``: their events in their order, and how many lines are torn.

    The same as :func:`parse` of each, at a third of its cost where all of them are as the writers print them.
    """
    lines = text.split(b"\n")
    lines.pop()
    if text.count(b'"event"') == len(lines) and _plain(text):
        try:
            read = list(map(_decode, lines))
        except _NO_LINE:
            pass  # one of them is blank or torn
        else:
            if all(line.event for line in read):  # each has one, and so none has two
                return read, 0
    found = [parse(stripped) for line in lines if (stripped := strip(line))]
    events = [line for line in found if line is not None]
    return events, len(found) - len(events)


def _plain(text: bytes) -> bool:
    """Whether a text is sound UTF-8 without escaped characters, of which the fast decoder knows less than is wanted."""
    if b"\\" in text and b"\\u" in text:
        return False
    try:
        return text.isascii() or bool(text.decode())
    except UnicodeDecodeError:
        return False


def _patient(line: bytes) -> Line | None:
    try:
        read = json.loads(line.decode(), object_pairs_hook=_first_event, parse_constant=_refuse, parse_int=float)
    except (ValueError, RecursionError):
        return None
    if not isinstance(read, dict):
        return None
    found = {key: sound(value) for key in Line.__struct_fields__ if isinstance(value := read.get(key), str)}
    return Line(**found)


def _first_event(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if "event" in read:
        read["event"] = next(value for key, value in pairs if key == "event")
    return read


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")
