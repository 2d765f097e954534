"""Serving an application with waitress, until a signal ends it."""

from __future__ import annotations

import functools
import gc
import logging
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from waitress.channel import HTTPChannel
from waitress.server import create_server
from waitress.task import ErrorTask

from cockpit.surfaces.security import HEADERS, Wsgi

THREADS = 4
_BODY = 8 << 10  # bytes; the only body there is holds a token


class _ErrorTask(ErrorTask):
    """What waitress itself answers to a request it cannot read, with the headers of every other answer."""

    def execute(self) -> None:
        """Answer, with the headers."""
        self.response_headers = [*self.response_headers, *HEADERS]
        super().execute()


class _Channel(HTTPChannel):
    error_task_class = _ErrorTask


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


def serve(app: Wsgi, listening: socket.socket, ready: Callable[[], object]) -> None:
    """Answer until SIGINT or SIGTERM; what is being answered then gets a moment, and no more.

    ``ready`` is called once a signal ends the program as it should.
    """
    server: Any = create_server(
        app,
        sockets=[listening],
        threads=THREADS,
        ident=None,
        max_request_body_size=_BODY,
        max_request_header_size=16 << 10,
        channel_timeout=30,
        connection_limit=256,
        clear_untrusted_proxy_headers=True,
        asyncore_use_poll=True,
    )
    server.channel_class = _Channel
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # it warns of a request that waits for a moment
    server.task_dispatcher.shutdown = functools.partial(server.task_dispatcher.shutdown, timeout=0.5)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.freeze()  # what the program consists of is never garbage, and need not be looked at again
    gc.set_threshold(20_000, 20, 20)
    with suppress(KeyboardInterrupt):
        ready()
        server.run()
