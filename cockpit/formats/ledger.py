"""One line of the ledger.

A line may be torn, not JSON, not an object, carry NUL bytes or bytes that are no UTF-8: it costs only itself.
The first of two equal keys counts (old lines carry a second ``event``, the provider's own name); a field of
another type than text counts as absent; a byte order mark or ``\\r`` at an edge costs nothing.
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


def strip(line: bytes) -> bytes:
    """The line without the white space and byte order marks at its edges; empty where it is blank."""
    if line[:1] == b"{" and line[-1:] == b"}":
        return line
    return line.strip(b" \t\r").removeprefix(BOM).removesuffix(BOM).strip(b" \t\r")


def parse(line: bytes) -> Line | None:
    """A stripped line that is not blank; None where it is no whole JSON object."""
    if line.isascii() and b"\\u" not in line and not _doubled(line):
        try:
            return _decode(line)
        except (msgspec.MsgspecError, RecursionError):
            pass  # a field of another type, or no JSON at all: the patient way tells which
    return _patient(line)


def _doubled(line: bytes) -> bool:
    """Whether one of the keys may stand in a line twice. Written out, since this is most of what a line costs."""
    count = line.count
    return (
        count(b'"event"') > 1
        or count(b'"ts"') > 1
        or count(b'"session"') > 1
        or count(b'"task_id"') > 1
        or count(b'"session_id"') > 1
    )


def _patient(line: bytes) -> Line | None:
    try:
        read = json.loads(line.decode(), object_pairs_hook=_first_wins, parse_constant=_refuse, parse_int=float)
    except (ValueError, RecursionError):
        return None
    if not isinstance(read, dict):
        return None
    found = {key: sound(value) for key in Line.__struct_fields__ if isinstance(value := read.get(key), str)}
    return Line(**found)


def _first_wins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return dict(reversed(pairs))


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")
