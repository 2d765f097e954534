"""Concepts of a spaced review that were forgotten: which they are, and the two files after they are retired.

The rule (the project's ``state-lifecycle``): more than 200 concepts; those with ``box`` 1 that were last reviewed more
than 180 days ago may go, and only when a person says so. Nothing else in either file changes by a byte.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from msgspec import Struct

from cockpit.formats import jsontext
from cockpit.formats.jsontext import NoJson, Part

ENOUGH = 200  # concepts
FORGOTTEN = timedelta(days=180)
BLANK = '{\n  "concepts": []\n}\n'


class Retirement(Struct, frozen=True):
    """What may go. ``retired`` is the new text of the retired file, ``remaining`` that of the review."""

    concepts: int
    names: tuple[str, ...]
    retired: str
    remaining: str


def suggestion(review: str, today: date) -> tuple[int, int]:
    """How many concepts there are, and how many of them may go; raises NoJson."""
    _, found = _concepts(review)
    return len(found), len(_forgotten(found, today))


def retirement(review: str, retired: str, today: date) -> Retirement:
    """The two files after the concepts moved; one that is in the retired file already is not put there again.

    ``retired`` is empty where there is no such file yet. Raises NoJson where one of them is not what it should be.
    """
    _, found = _concepts(review)
    places = _forgotten(found, today) | _doubles(found, retired, today)
    retired = retired or BLANK
    there, known = _concepts(retired)
    texts = [review[found[place].start : found[place].end] for place in sorted(places)]
    values = [part.value for part in known]
    more = [text for text, place in zip(texts, sorted(places), strict=True) if found[place].value not in values]
    return Retirement(
        len(found),
        tuple(_name(found[place].value) for place in sorted(places)),
        jsontext.appended(retired, there, more),
        jsontext.without(review, found, places),
    )


def _concepts(text: str) -> tuple[Part, list[Part]]:
    array = jsontext.member(text, "concepts")
    if array is None:
        raise NoJson("it has no concepts")
    return array, jsontext.elements(text, array.value_start)


def _forgotten(found: list[Part], today: date) -> set[int]:
    if len(found) <= ENOUGH:
        return set()
    return {place for place, part in enumerate(found) if _old(part.value, today)}


def _doubles(found: list[Part], retired: str, today: date) -> set[int]:
    """Those that a killed run had written to the retired file and not yet taken out."""
    if not retired:
        return set()
    known = [part.value for part in _concepts(retired)[1]]
    return {place for place, part in enumerate(found) if _old(part.value, today) and part.value in known}


def _old(concept: Any, today: date) -> bool:
    if not isinstance(concept, dict) or concept.get("box") != 1 or isinstance(concept.get("box"), bool):
        return False
    try:
        reviewed = date.fromisoformat(str(concept.get("lastReviewed"))[:10])
    except ValueError:
        return False
    return today - reviewed > FORGOTTEN


def _name(concept: dict[str, Any]) -> str:
    name = concept.get("name")
    return name if isinstance(name, str) and name else "(nameless)"
