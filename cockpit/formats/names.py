"""File names that this format gives, each at most 200 bytes of ``[A-Za-z0-9._-]``."""

from __future__ import annotations

import os
from collections.abc import Container, Iterable
from datetime import UTC, datetime

from cockpit.formats import instants
from cockpit.formats.document import Document
from cockpit.formats.keys import LIMIT, dated, key, plain

__all__ = ["LIMIT", "Free", "aside", "free", "key", "plain", "record"]


def record(header: Document, data: bytes) -> str:
    """The name of a closed record: ``<created>--<session_id>--<branch>--<head>--<16 hex>.md``.

    The 16 hex digits are the start of the SHA-256 of the record's bytes. What the record does not say is ``none``.
    """
    parts = [header.text("session_id"), header.text("branch") or "none", header.text("head")[:7] or "none"]
    return dated(_stamp(header.text("created_at")), parts, data)


def _stamp(created_at: str) -> str:
    created = instants.parse(created_at)
    if created is None:
        return "none"
    try:
        return f"{datetime.fromtimestamp(created // instants.NANOSECONDS, UTC):%Y%m%dT%H%M%SZ}"
    except ValueError:  # an offset leads out of the years that a datetime has
        return "none"


def aside(name: str) -> str:
    """The name under which something is set aside: plain, never hidden, never empty."""
    return plain(os.fsencode(name).decode("ascii", "replace").replace("�", "-"))[:LIMIT].lstrip(".-") or "nameless"


class Free:
    """Names that are given out once each, see :func:`free`."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken, self._last = set(taken), dict[str, int]()

    def take(self, name: str) -> str:
        """A free name, which is taken from now on."""
        given = free(name, self._taken, self._last.get(name, 1))
        self._taken.add(given)
        self._last[name] = self._last.get(name, 1) + (given != name)
        return given


def free(name: str, taken: Container[str], number: int = 1) -> str:
    """``name``, or the first of ``name`` with ``-2``, ``-3`` … before its last ending that is not taken.

    ``number`` is one from which on to look, where those before it are known to be taken.
    """
    stem, dot, ending = name.rpartition(".")
    if not stem:
        stem, dot, ending = name, "", ""
    candidate = name
    while candidate in taken:
        number += 1
        candidate = f"{stem}-{number}{dot}{ending}"
    return candidate
