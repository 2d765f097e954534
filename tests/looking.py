"""A scene asked in-process: its checkout, one reading of it at a given moment, and the web application on it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from flask.testing import FlaskClient

from cockpit.app import create_app
from cockpit.reads import catalog
from cockpit.settings import Settings, own_hosts
from cockpit.store.checkout import Checkout
from cockpit.store.snapshot import Snapshot
from tests.builders import Scene

NOW = datetime(2026, 9, 12, 12, 0, 0, tzinfo=UTC)
"""Two hours after the builders' notes were written."""

READS = {read.id: read for read in catalog.CATALOG}


def checkout(scene: Scene, *, pin: bool = False) -> Checkout:
    """The scene's checkout, opened as the program opens it."""
    return Checkout.open(str(scene.root), pin=pin)


def look(scene: Scene, now: datetime = NOW) -> Snapshot:
    """A first reading of the scene."""
    return checkout(scene).look(now)


def ask(what: Scene | Checkout, read: str, now: datetime = NOW) -> Any:
    """The answer of one read about a scene, or about a checkout that was read before."""
    opened = checkout(what) if isinstance(what, Scene) else what
    return READS[read].ask(opened.look(now))


def client(what: Scene | Checkout, **settings: Any) -> FlaskClient:
    """A browser without a network, at the server's own name."""
    opened = checkout(what) if isinstance(what, Scene) else what
    patterns = settings.pop("patterns", ())
    app = create_app(opened, Settings(own_hosts("127.0.0.1", 80), **settings), patterns)
    return app.test_client()


BASE = "http://localhost:80"
"""Where a client asks: the base URL of every request."""
