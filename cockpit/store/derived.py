"""What was worked out from the parts of a checkout, kept while they are the very same objects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, TypeVarTuple

T = TypeVar("T")
Given = TypeVarTuple("Given")


class Derived:
    """The last result of each of some functions that depend on what they are given and on nothing else.

    Whether something is as it was is a question of identity, which costs nothing however large it is: the readers of
    a checkout answer with the very object as before where nothing changed. Nobody may change a result.
    """

    def __init__(self) -> None:
        self._kept: dict[Callable[..., Any], tuple[tuple[Any, ...], Any]] = {}

    def of(self, work: Callable[[*Given], T], *given: *Given) -> T:
        """``work(*given)``; its last result where it was given the same objects then."""
        now: tuple[Any, ...] = given
        kept = self._kept.get(work)
        if kept is None or any(one is not other for one, other in zip(kept[0], now, strict=True)):
            self._kept[work] = kept = now, work(*given)
        result: T = kept[1]
        return result
