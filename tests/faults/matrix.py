"""One row a fault: how it is brought about, which reads must stay whole meanwhile, and what the others must say.

What holds in every row: the process lives and every read answers; what the fault does not touch is answered as before;
what it touches is said, in the answer and on the page; when the fault is gone everything is as before, which is also
what a fresh process answers.
"""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from cockpit.reads.catalog import CATALOG
from cockpit.store.checkout import Checkout
from cockpit.store.git import TIMEOUT
from cockpit.store.snapshot import Snapshot
from tests.builders import Scene, five_windows
from tests.looking import BASE, client

LATER = datetime.now(UTC) + timedelta(hours=1)
"""When every reading is taken: no file has changed shortly before."""

ALL = frozenset(read.id for read in CATALOG)
CONTINUITY, EPISODES, RECOVERY, RUNTIME, PROVIDERS, CLOSED, SURFACES, HANDOFFS = (read.id for read in CATALOG)
ARCHIVE = ".ai/local/state/ledger.20260910T000000Z.jsonl.archived"
DOCUMENT = "docs/decisions.md"

Inject = Callable[[Scene], AbstractContextManager[object]]


class Case(NamedTuple):
    """A row. ``touched`` are the reads that may answer otherwise; each that does says every one of ``said``.

    ``timeout`` is how long git is waited for, in seconds.
    """

    name: str
    inject: Inject
    touched: frozenset[str]
    said: tuple[str, ...]
    timeout: float = TIMEOUT


Answers = dict[str, Any]
"""What every read answers, by its id."""


class Still(Checkout):
    """A checkout that is always looked at one moment, so that two answers differ only by what lies on the disk."""

    moment = LATER

    def look(self, now: datetime | None = None) -> Snapshot:
        return super().look(now or self.moment)


def process(scene: Scene, moment: datetime = LATER) -> Still:
    """What a server keeps while it runs, as it is at its start."""
    git_dir = scene.root / ".git"
    plain = git_dir.is_dir()
    started = Still(str(scene.root), str(git_dir), str(git_dir)) if plain else Still.open(str(scene.root))
    assert isinstance(started, Still)
    started.moment = moment
    return started


def answers(checkout: Checkout) -> Answers:
    """Ask everything of one reading; a read that raises fails the test."""
    snapshot = checkout.look()
    return {read.id: msgspec.to_builtins(read.ask(snapshot)) for read in CATALOG}


class Pages(Still):
    """The pages of a scene, served by one application whatever process is behind it."""

    def __init__(self, scene: Scene) -> None:
        self._behind = process(scene)
        super().__init__(self._behind.root, self._behind.git_dir, self._behind.common_dir)
        self._web = client(self)

    def look(self, now: datetime | None = None) -> Snapshot:
        return self._behind.look(now)

    def of(self, behind: Still) -> str:
        """The text of the pages; one with a failed read on it fails the test."""
        self._behind = behind
        return "\n".join(map(self._page, ("/cockpit/continuity", "/cockpit/surfaces", "/cockpit/handoffs")))

    def _page(self, path: str) -> str:
        response = self._web.get(path, base_url=BASE)
        text = html.unescape(response.text)
        assert (response.status_code, "This read failed" in text) == (200, False)
        return text


def crowded(folder: Path) -> Scene:
    """A repository with something for every read, and nothing broken."""
    scene = Scene.create(folder)
    five_windows(scene)
    scene.handover(name="h.md")
    scene.checkpoint(name="c.md")
    scene.task()
    scene.questions("- [unresolved] t-1 - why?\n")
    scene.ledger(
        scene.event("session.started", "s-closed"),
        scene.event("session.closed", "s-closed"),
        name=Path(ARCHIVE).name,
    )
    scene.closed_record("s-closed", name="closed.md")
    policy = scene.root / ".ai/repo/policy.yaml"
    policy.write_text(
        policy.read_text()
        + "\nsurfaces:\n  - name: decisions\n    live: docs/decisions.md\n    archive: docs/archive\n"
    )
    scene.write(DOCUMENT, "# Decisions\n\n## 2026-09-11 - Second\n\nB.\n\n## 2026-09-10 - First\n\nA.\n")
    scene.write("docs/archive/2026-09-09.md", "## 2026-09-09 - Old\n")
    scene.commit("Close")
    scene.closed_record("s-untracked", name="untracked.md")
    scene.closed_record("s-copy", name=".tmp.copy")
    return scene


def remedies(value: Any) -> set[str]:
    """Every command in an answer."""
    if isinstance(value, list):
        return set().union(*map(remedies, value))
    if not isinstance(value, dict):
        return set()
    own = {value[key] for key in ("remedy", "check") if key in value}
    return own.union(*map(remedies, value.values()))


def endured(case: Case, scene: Scene, pages: Pages, *, cold: bool) -> None:
    """Hold what the module says of one row; ``cold``: the process read nothing before the fault."""
    before, server = answers(process(scene)), process(scene)
    if not cold:
        assert answers(server) == before
    with case.inject(scene):
        server.git.timeout = case.timeout
        during = answers(server)
        changed = {name for name in ALL if during[name] != before[name]}
        page = pages.of(server) if changed else ""
    server.git.timeout = TIMEOUT
    assert changed <= case.touched
    assert remedies(during) <= remedies(before), "a command was made from what could not be read"
    assert changed or not cold, "the fault was not felt"
    for name in changed:
        text = json.dumps(during[name], ensure_ascii=False)
        assert [words for words in case.said if words not in text] == [], (name, text)
    assert not changed or [words for words in case.said if words not in page] == []
    assert answers(server) == before == answers(process(scene))
