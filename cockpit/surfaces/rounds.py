"""Answers in rounds: of those who ask for the same thing at once one works it out, and all of them get it.

A request is never given an answer that was begun before it came: who comes while a round is under way is answered by
the next one, together with everybody else who came meanwhile. So fifty readers cost what two cost, and nobody sees a
moment that is older than one seen before.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from concurrent.futures import Future
from typing import Any

from cockpit.reads.catalog import Needs
from cockpit.surfaces.lanes import needs
from cockpit.surfaces.security import Environ, Start, Wsgi

_TOLD_BY = ("HTTP_HOST", "HTTP_ACCEPT", "HTTP_IF_NONE_MATCH", "HTTP_IF_MODIFIED_SINCE", "HTTP_RANGE", "wsgi.url_scheme")
_AT_WORK = 4  # rounds under way at once, of those that need the same parts
_ASKED = ("REQUEST_METHOD", "SCRIPT_NAME", "PATH_INFO", "QUERY_STRING")
Answer = tuple[tuple[Any, ...], bytes]


class _Lost(Exception):
    """Whoever worked was ended in the middle of it."""


class _Place:
    """Where the requests of one kind meet: one of them works, the others wait for the round that comes."""

    def __init__(self) -> None:
        self.working = threading.Lock()
        self.coming: Future[Answer] | None = None
        self.people = 0


class Rounds:
    """The middleware, for what is made from the checkout; what else is asked for goes straight on."""

    def __init__(self, app: Wsgi) -> None:
        self._app = app
        self._lock = threading.Lock()
        self._places: dict[Hashable, _Place] = {}
        self._turns: defaultdict[Needs, threading.Semaphore] = defaultdict(lambda: threading.Semaphore(_AT_WORK))

    def __call__(self, environ: Environ, start_response: Start) -> Iterable[bytes]:
        """Answer with the round that comes. What the application raises, each of its requests raises."""
        needed = needs(environ.get("PATH_INFO", ""))
        if environ["REQUEST_METHOD"] not in ("GET", "HEAD") or not needed:
            return self._app(environ, start_response)
        with self._lock:
            turn = self._turns[needed]

        def work() -> Answer:
            with turn:
                return _whole(self._app, environ)

        key = tuple(environ.get(name, "") for name in (*_ASKED, *_TOLD_BY))
        started, body = self._shared(key, work)
        start_response(*started)
        return [body]

    def _shared(self, key: Hashable, work: Callable[[], Answer]) -> Answer:
        with self._lock:
            place = self._places.setdefault(key, _Place())
            place.people += 1
        try:
            while True:
                try:
                    return self._in_the_next(place, work)
                except _Lost:
                    continue
        finally:
            with self._lock:
                place.people -= 1
                if not place.people:
                    del self._places[key]

    def _in_the_next(self, place: _Place, work: Callable[[], Answer]) -> Answer:
        with self._lock:
            there = place.coming
            mine = place.coming = there or Future()
        if there is not None:
            return there.result()
        with place.working:
            with self._lock:
                place.coming = None  # who comes from now on waits for the next one
            try:
                answer = work()
            except BaseException as error:
                mine.set_exception(error if isinstance(error, Exception) else _Lost())
                raise
        mine.set_result(answer)
        return answer


def _whole(app: Wsgi, environ: Environ) -> Answer:
    """What an application answers, read to its end."""
    started: list[tuple[Any, ...]] = []

    def start(*said: Any) -> Callable[[bytes], object]:
        started.append(said)
        return pieces.append

    pieces: list[bytes] = []
    answered = app(environ, start)
    try:
        pieces.extend(answered)
    finally:
        close = getattr(answered, "close", None)
        if close is not None:
            close()
    return started[-1], b"".join(pieces)
