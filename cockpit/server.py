"""Serving an application with waitress, until a signal ends it."""

from __future__ import annotations

import gc
import logging
import resource
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from waitress.channel import HTTPChannel
from waitress.server import create_server
from waitress.task import ErrorTask, ThreadedTaskDispatcher

from cockpit.surfaces.lanes import ALL, needs
from cockpit.surfaces.security import HEADERS, Environ, Start, Wsgi

THREADS = 64  # for the pages, which need everything; most of them wait for the next round, see surfaces/rounds.py
FEW = 8  # for requests that need something else
CONNECTIONS = 256
_FEWEST = 8
_BODY = 8 << 10  # bytes; the only body there is holds a token


class _ErrorTask(ErrorTask):
    """What waitress itself answers to a request it cannot read, with the headers of every other answer."""

    def execute(self) -> None:
        """Answer, with the headers."""
        self.response_headers = [*self.response_headers, *HEADERS]
        super().execute()


class _Channel(HTTPChannel):
    error_task_class = _ErrorTask


class Lanes:
    """waitress's dispatcher: requests that need different things wait in different lines, each with its own threads.

    So a slow ledger, git or section holds up who needs it, and nobody else.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lanes: dict[frozenset[str], Any] = {}

    def add_task(self, channel: Any) -> None:
        """Put a channel with a request to answer into its line."""
        needed = needs(getattr(channel.requests[0], "path", ""))
        with self._lock:
            lane = self._lanes.get(needed)
            if lane is None:
                lane = self._lanes[needed] = ThreadedTaskDispatcher()
                lane.set_thread_count(THREADS if needed == ALL else FEW)
        lane.add_task(channel)

    def shutdown(self, cancel_pending: bool = True, timeout: float = 0.5) -> None:
        """End every thread; what is being answered gets ``timeout`` seconds in all."""
        until = time.monotonic() + timeout
        for lane in self._lanes.values():
            lane.set_thread_count(0)
        for lane in self._lanes.values():
            lane.shutdown(cancel_pending, max(0.0, until - time.monotonic()))


def bound(address: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes a free one. Raises OSError."""
    family, kind, protocol, _, where = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM)[0]
    listening = socket.socket(family, kind, protocol)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(where)
        listening.listen(128)
    except OSError:
        listening.close()
        raise
    return listening


def created(app: Wsgi, listening: socket.socket) -> Any:
    """The server of an application on a listening socket; ``run`` answers until it is interrupted or closed."""
    dispatcher: Any = Lanes()
    server: Any = create_server(
        _contained(app),
        _dispatcher=dispatcher,
        sockets=[listening],
        ident=None,
        max_request_body_size=_BODY,
        max_request_header_size=16 << 10,
        channel_timeout=30,
        connection_limit=connections(),
        clear_untrusted_proxy_headers=True,
        asyncore_use_poll=True,
    )
    server.channel_class = _Channel
    return server


def connections() -> int:
    """How many connections there may be: each request needs descriptors besides the one that it came through."""
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return CONNECTIONS if most == resource.RLIM_INFINITY else max(_FEWEST, min(CONNECTIONS, most // 4))


def _contained(app: Wsgi) -> Wsgi:
    """The application; what would end its thread is a fault of one request, which waitress answers."""

    def call(environ: Environ, start: Start) -> Iterable[bytes]:
        try:
            return app(environ, start)
        except Exception:
            raise
        except BaseException as error:
            raise RuntimeError(f"a request ended with {type(error).__name__}") from error

    return call


def serve(app: Wsgi, listening: socket.socket, ready: Callable[[], object]) -> None:
    """Answer until SIGINT or SIGTERM; what is being answered then gets a moment, and no more.

    ``ready`` is called once a signal ends the program as it should.
    """
    server = created(app, listening)
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # it warns of a request that waits for a moment
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.freeze()  # what the program consists of is never garbage, and need not be looked at again
    gc.set_threshold(20_000, 20, 20)
    with suppress(KeyboardInterrupt):
        ready()
        server.run()
