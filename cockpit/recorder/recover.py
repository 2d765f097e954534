"""``cockpit recover --yes``: each step of the plan done, each a ledger line ``session.recovered``. Nothing is deleted.

The lock is held throughout, so that no start or close is under way. After each step the checkout is read anew: what a
step found, the one before it may have settled. A kill between two acts is mended by the next run.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from cockpit.formats import document, frontmatter, names
from cockpit.recorder import durable, episodes, ledger, recovery, rotation
from cockpit.recorder.closing import recovered_record
from cockpit.recorder.reading import Record, record
from cockpit.recorder.recovery import Step
from cockpit.recorder.site import Refused, Site, confined
from cockpit.store.checkout import Checkout
from cockpit.store.snapshot import Snapshot

ASIDE = ".ai/local/set-aside"
_AT_ONCE = 16 << 20  # bytes of a ledger file, about


class Desk:
    """One recovery: the checkout, where it writes, the moment, and commit and branch for the ledger."""

    def __init__(self, checkout: Checkout, site: Site, ts: str, on: tuple[str, str]) -> None:
        self.checkout, self.site, self.ts, self.on = checkout, site, ts, on

    def mend(self, only: str = "") -> list[tuple[Step, str]]:
        """Do every step; each that was tried, with the reason where it failed (a full disk fails them all).

        The caller holds the lock and has drained the spool.
        """
        rotation.complete(self.site.state)
        tried: list[tuple[Step, str]] = []
        while True:
            snapshot = self.checkout.look()
            known = {(step.kind, step.id, step.path) for step, _ in tried}
            left = recovery.plan(self.site, snapshot, only).steps
            step = next((each for each in left if (each.kind, each.id, each.path) not in known), None)
            if step is None:
                return tried
            try:
                _ACTS[step.kind](self, snapshot, step)
                tried.append((step, ""))
            except (OSError, Refused) as error:
                tried.append((step, str(error)))

    # ------------------------------------------------------------------ the steps
    def publish(self, snapshot: Snapshot, step: Step) -> None:
        """Give the only copy of a record its name."""
        source = self._at(step.path)
        with open(source, "rb") as file:
            data = file.read()
        read = frontmatter.parse(data)
        name = names.record(read.header if read else document.Document({}), data)
        folder = os.path.dirname(source)
        target = os.path.join(folder, names.free(name, set(os.listdir(folder))))
        os.link(source, target)
        durable.flush(folder)
        os.unlink(source)
        self._note(snapshot, step, session_path=os.path.relpath(target, self.site.root))

    def tidy(self, snapshot: Snapshot, step: Step) -> None:
        """Set a left-over aside."""
        self._note(snapshot, step, aside=self._aside(step.path))

    def strand(self, snapshot: Snapshot, step: Step) -> None:
        """Close a stranded episode: its record first, then the ledger, then the open record goes aside."""
        own = record(self._at(step.path))
        if own is None:
            raise Refused(f"{step.path} is gone, or cannot be read any more. Look again with `cockpit recover`.")
        there = recovery.published(snapshot, step.session_id) or self._compose(snapshot, own)
        self._note(snapshot, step, session_path=there)
        named = os.path.join(self.site.state, episodes.POINTER)
        pointed = os.path.realpath(named) == os.path.realpath(own.path) or snapshot.store.pointer.names == step.path
        self._aside(step.path)
        if pointed:
            episodes.aim(self.site)

    def account(self, snapshot: Snapshot, step: Step) -> None:
        """Close an episode of which only the ledger knows."""
        there = recovery.published(snapshot, step.session_id)
        if not there:
            lines = self._lines(step.session_id)
            began = next((line for line in lines if line.get("event") == "session.started"), {})
            fields = {key: began[key] for key in ("owner", "worker", "provider", "branch") if began.get(key)}
            fields |= {
                "session_id": step.session_id,
                "started_at": began.get("ts", ""),
                "start_head": began.get("head", ""),
            }
            there = self._compose(snapshot, Record("", {**fields, "worktree": self.site.root}))
        self._note(snapshot, step, session_path=there)

    def point(self, snapshot: Snapshot, step: Step) -> None:
        """Aim the pointer; one that is itself a record moves into the store first, anything else goes aside."""
        seen = snapshot.store.pointer
        pointer = os.path.join(self.site.state, episodes.POINTER)
        if seen.shape == "inline":
            durable.folder(self.site.store)
            own = record(pointer)
            key = names.key(own.text("provider_session") if own else "")
            name = names.free(f"{key}.yaml", set(os.listdir(self.site.store)))
            os.rename(pointer, os.path.join(self.site.store, name))
        elif seen.shape == "odd":
            self._aside(step.path)
        episodes.aim(self.site)
        self._note(snapshot, step)

    # ------------------------------------------------------------------ how a step is done
    def _at(self, path: str) -> str:
        return os.path.join(self.site.root, path)

    def _compose(self, snapshot: Snapshot, own: Record) -> str:
        """Publish what is proven of an episode; the path of its record."""
        facts = recovery.facts_of(snapshot, own.session_id)
        last = facts.last_activity or own.text("started_at") or self.ts
        fields = recovered_record(own, self._lines(own.session_id), self.ts, last)
        return episodes.publish(self.site, fields)

    def _lines(self, session_id: str) -> list[dict[str, str]]:
        """The events of an episode in the archives and the live ledger."""
        state = self.site.state
        files = [*sorted(n for n in os.listdir(state) if rotation.archived(n)), ledger.LIVE]
        found: list[dict[str, str]] = []
        for name in files:
            if os.path.exists(os.path.join(state, name)):
                with open(os.path.join(state, name), "rb") as file:
                    while lines := file.readlines(_AT_ONCE):
                        found += ledger.lines_of(b"".join(lines), session_id)
        return found

    def _aside(self, path: str) -> str:
        """Move something to where it can be taken back from; its new path, relative to the root."""
        folder = confined(self._at(ASIDE))
        durable.folder(folder)
        name = names.free(names.aside(os.path.basename(path)), set(os.listdir(folder)))
        os.rename(self._at(path), os.path.join(folder, name))
        return f"{ASIDE}/{name}"

    def _note(self, snapshot: Snapshot, step: Step, **told: str) -> None:
        """The ledger line of an act. An episode is named as recovered only where that settles the books."""
        facts = recovery.facts_of(snapshot, step.session_id)
        settles = facts.started and (step.kind != "only copy" or not recovery.is_open(snapshot, step.session_id))
        key = (
            "session_id"
            if step.session_id and settles and not (step.kind == "only copy" and facts.ended)
            else "episode"
        )
        line = ledger.event(
            "session.recovered",
            self.ts,
            self.site.by,
            self.on,
            **{key: step.session_id},
            what=step.kind,
            path=step.path,
            reason=step.evidence,
            **told,
        )
        ledger.append(self.site.state, [line])


_ACTS: dict[str, Callable[[Desk, Snapshot, Step], None]] = {
    "only copy": Desk.publish,
    "left over": Desk.tidy,
    "stranded": Desk.strand,
    "unaccounted": Desk.account,
    "pointer": Desk.point,
}
