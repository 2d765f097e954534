"""Findings as a page tells them: a few of one kind each by itself, many of them together."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Generic, TypeVar

from msgspec import Struct

FEW = 5
T = TypeVar("T")


class Group(Struct, Generic[T], frozen=True):
    """Findings of one kind that follow each other. ``first`` numbers the first of them among all, from 1.

    ``title`` says how many of what there are; it is empty where they are few enough to stand alone.
    """

    kind: str
    title: str
    first: int
    needs: list[T]


def grouped(found: Iterable[T], kind: Callable[[T], str], title: Callable[[str, int], str]) -> list[Group[T]]:
    """Findings in their order, those of one ``kind`` together where more than ``FEW`` of them follow each other.

    ``title`` says how many there are of a kind.
    """
    groups: list[Group[T]] = []
    first = 1
    for name, run in groupby(found, key=kind):
        together = list(run)
        if len(together) > FEW:
            groups.append(Group(name, title(name, len(together)), first, together))
        else:
            groups += [Group(name, "", first + place, [each]) for place, each in enumerate(together)]
        first += len(together)
    return groups
