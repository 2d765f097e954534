"""Run folders, as a well-behaved worker leaves them; any part can be made otherwise."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from cockpit.hygiene.audit import Audit, audit
from cockpit.store.checkout import Checkout
from tests.builders import Scene

NOW = datetime(2024, 9, 20, 12, 0, tzinfo=UTC)
CREATED = "2024-09-18T08:00:00Z"
EXPIRED = "2024-09-19T08:00:00Z"
LATER = "2024-09-21T08:00:00Z"
RUN = ".agent-run/r-1"


def run(scene: Scene, *, files: dict[str, str | None] | None = None, at: str = RUN, **fields: Any) -> Path:
    """A run in ``at`` with ``files`` (path: when it expires, None for retained), each written an hour after its start.

    ``fields`` replace members of the manifest, or leave them out where they are None.
    """
    listed = {"scratch/plan.txt": EXPIRED} if files is None else files
    for path in listed:
        dated(scene.write(f"{at}/{path}", "scratch\n"))
    manifest = {
        "run": "r-1",
        "owner": "mara",
        "created": CREATED,
        "files": [
            {"path": path, "class": "retained"}
            if when is None
            else {"path": path, "class": "ephemeral", "expires_at": when}
            for path, when in listed.items()
        ],
        "receipts": ["receipts/verification.json"],
    } | fields
    dated(scene.write(f"{at}/receipts/verification.json", "{}\n"))
    written = {name: value for name, value in manifest.items() if value is not None}
    return scene.write(f"{at}/manifest.json", json.dumps(written)).parent


def dated(path: Path, moment: datetime | None = None) -> Path:
    """Make a file look as if it was last changed at a moment: an hour after the run began, unless told otherwise."""
    when = (moment or datetime.fromisoformat(CREATED) + timedelta(hours=1)).timestamp()
    os.utime(path, (when, when), follow_symlinks=False)
    return path


def audited(scene: Scene, now: datetime = NOW) -> Audit:
    """What an audit of a scene finds."""
    return audit(Checkout.open(str(scene.root)), now)


def codes(scene: Scene) -> list[tuple[str, str]]:
    """Rule and path of everything that an audit finds."""
    return [(each.code, each.path) for each in audited(scene).findings]
