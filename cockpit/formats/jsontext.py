"""A JSON text as spans of itself, so that a part can be moved or cut while every other byte stays as it was written."""

from __future__ import annotations

import json
import re
from typing import Any

from msgspec import Struct

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


class NoJson(ValueError):
    """A text that is not the JSON it should be."""


class Part(Struct, frozen=True):
    """A member of an object or an element of an array: its span with its key, the start of its value, the value."""

    start: int
    value_start: int
    end: int
    value: Any
    key: str = ""


def members(text: str, at: int = 0) -> list[Part]:
    """The members of the object that begins at ``at``; raises :class:`NoJson`."""
    return _parts(text, _skip(text, at), "{", "}")


def elements(text: str, at: int) -> list[Part]:
    """The elements of the array that begins at ``at``; raises :class:`NoJson`."""
    return _parts(text, _skip(text, at), "[", "]")


def member(text: str, key: str, at: int = 0) -> Part | None:
    """The last member of that name; the last one counts."""
    return next((part for part in reversed(members(text, at)) if part.key == key), None)


def without(text: str, parts: list[Part], gone: set[int]) -> str:
    """``text`` without the parts at some places of ``parts``, each with the one comma that goes with it."""
    kept = [place for place in range(len(parts)) if place not in gone]
    spans = []
    for place in sorted(gone):
        if any(each < place for each in kept):
            spans.append((parts[place - 1].end, parts[place].end))
        else:
            after = parts[place + 1].start if place + 1 < len(parts) else parts[place].end
            spans.append((parts[place].start, after))
    for start, end in reversed(spans):
        text = text[:start] + text[end:]
    return text


def appended(text: str, array: Part, more: list[str]) -> str:
    """``text`` with further elements at the end of an array, set out like the elements that it has."""
    found = elements(text, array.value_start)
    if not more:
        return text
    if not found:
        opening = text.index("[", array.value_start) + 1
        return text[:opening] + "\n    " + ",\n    ".join(more) + "\n  " + text[opening:].lstrip(" \t\r\n")
    before = text[text.index("[", array.value_start) + 1 : found[0].start] if len(found) == 1 else _gap(text, found)
    return text[: found[-1].end] + "".join(f",{before}{each}" for each in more) + text[found[-1].end :]


def _gap(text: str, found: list[Part]) -> str:
    return text[found[-2].end : found[-1].start].replace(",", "", 1)


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    assert found
    return found.end()


def _parts(text: str, at: int, opening: str, closing: str) -> list[Part]:
    try:
        return _taken(text, at, opening, closing)
    except (IndexError, ValueError, RecursionError) as error:
        raise NoJson(str(error)) from error


def _taken(text: str, at: int, opening: str, closing: str) -> list[Part]:
    if text[at] != opening:
        raise NoJson(f"{opening} is wanted")
    parts: list[Part] = []
    at = _skip(text, at + 1)
    while text[at] != closing:
        if parts:
            if text[at] != ",":
                raise NoJson("a comma is wanted")
            at = _skip(text, at + 1)
        start, key = at, ""
        if opening == "{":
            key, at = _key(text, at)
        value, end = _DECODER.raw_decode(text, at)
        parts.append(Part(start, at, end, value, key))
        at = _skip(text, end)
    return parts


def _key(text: str, at: int) -> tuple[str, int]:
    key, end = _DECODER.raw_decode(text, at)
    end = _skip(text, end)
    if not isinstance(key, str) or text[end] != ":":
        raise NoJson("a key is wanted")
    return key, _skip(text, end + 1)
