"""Work that many ask for at once and one does: who asks while it is under way waits, and gets what it brings."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Generic, TypeVar

T = TypeVar("T")


class _Abandoned(Exception):
    """Whoever did the work was ended in the middle of it."""


class Flights(Generic[T]):
    """Pieces of work under way, by a key that says all that their result depends on."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._under_way: dict[Hashable, Future[T]] = {}

    def join(self, key: Hashable, work: Callable[[], T]) -> T:
        """What ``work`` answers or raises, here or in the thread that is at it already.

        Where that thread is ended in the middle (an exception that is no ``Exception``), the work is begun anew.
        """
        while True:
            with self._lock:
                there = self._under_way.get(key)
                mine = self._under_way[key] = there or Future()
            if there is None:
                return self._work(key, mine, work)
            try:
                return there.result()
            except _Abandoned:
                continue

    def _work(self, key: Hashable, mine: Future[T], work: Callable[[], T]) -> T:
        try:
            result = work()
        except BaseException as error:
            self._land(key)
            mine.set_exception(error if isinstance(error, Exception) else _Abandoned())
            raise
        self._land(key)
        mine.set_result(result)
        return result

    def _land(self, key: Hashable) -> None:
        with self._lock:
            del self._under_way[key]
