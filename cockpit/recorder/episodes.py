"""Open episodes: begun, continued, closed, pointed at. Whoever calls holds the ledger's lock.

The order of every act is chosen so that a kill between two steps leaves something that the readers name and
``cockpit recover`` completes: a start that is in the ledger and has no record is unaccounted for; a close that left its
open record behind is stranded, as closed already.
"""

from __future__ import annotations

import os
from contextlib import suppress

from cockpit.formats.keys import dated, key
from cockpit.recorder import durable, ledger, texts
from cockpit.recorder.adapters import Event
from cockpit.recorder.closing import closed_record
from cockpit.recorder.facts import Facts
from cockpit.recorder.reading import Record, record, stored
from cockpit.recorder.site import Refused, Site

POINTER = "session-current.yaml"


def start(site: Site, event: Event, facts: Facts, owner: str = "") -> tuple[str, bool]:
    """Begin the episode of a provider session, or go on with the one that is open; its id, and whether it is new."""
    data = ledger.tail(site.state)
    own = find(site, event.provider, event.session)
    if own and not ledger.ended(ledger.lines_of(data, own.session_id)):
        said = {"provider": event.provider, "source": event.told.get("source", "")}
        ledger.append(
            site.state, [ledger.event("session.resumed", event.ts, site.by, facts.on, own.session_id, **said)]
        )
        aim(site)
        return own.session_id, False
    if own:
        os.unlink(own.path)  # a close was killed before this step
    session_id = _fresh(site, event.ts, data)
    _point(site, _begin(site, event, facts, session_id, owner or site.by))
    return session_id, True


def _begin(site: Site, event: Event, facts: Facts, session_id: str, owner: str) -> str:
    """Write the start into the ledger, then the open record; the name of its file."""
    told = {
        "owner": owner,
        "worker": event.told.get("worker", ""),
        "provider": event.provider,
        "provider_session": event.session,
    }
    ledger.append(site.state, [ledger.event("session.started", event.ts, site.by, facts.on, session_id, **told)])
    fields: dict[str, texts.Field] = {
        "session_id": session_id,
        "started_at": event.ts,
        **{name: value for name, value in told.items() if value},
        "worktree": site.root,
        "branch": facts.branch,
        "start_head": facts.head,
    }
    known = {"repository_id": facts.repository_id, "start_working_tree": facts.working_tree}
    fields |= {name: value for name, value in known.items() if value}
    if not _encodable(site.root):
        del fields["worktree"]  # a path that no text can hold: the record then names none
    durable.folder(site.store)
    return _create(site, key(event.session), texts.lines(fields).encode())


def _create(site: Site, name: str, data: bytes) -> str:
    """Write a new open record under its name, or the next one that is free: what has the name is somebody else's."""
    number, candidate = 1, name
    while True:
        try:
            durable.create(os.path.join(site.store, f"{candidate}.yaml"), data)
        except FileExistsError:
            number += 1
            candidate = f"{name}-{number}"
        else:
            return f"{candidate}.yaml"


def close(  # noqa: PLR0913, PLR0917
    site: Site, own: Record, outcome: str, ts: str, facts: Facts, commits: list[str] | None, body: str = ""
) -> str:
    """Close an episode; the path of its record, relative to the root.

    In this order: the record is published, the ledger says closed, the open record goes, the pointer is aimed.
    """
    lines = ledger.lines_of(ledger.tail(site.state), own.session_id)
    if ledger.ended(lines):
        path = next((line["session_path"] for line in reversed(lines) if line.get("session_path")), "")
    else:
        fields = closed_record(own, lines, outcome, ts, facts, commits)
        path = publish(site, fields, body)
        told = {"outcome": outcome, "session_path": path, "provider": own.text("provider")}
        ledger.append(site.state, [ledger.event("session.closed", ts, site.by, facts.on, own.session_id, **told)])
    os.unlink(own.path)
    aim(site)
    return path


def publish(site: Site, fields: dict[str, texts.Field], body: str = "") -> str:
    """Write a closed record into the sessions section; its path, relative to the root."""
    data = texts.front_matter(fields, body)
    parts = [str(fields[name] or "none") for name in ("session_id", "branch")] + [
        str(fields.get("head", ""))[:7] or "none"
    ]
    folder = site.sessions
    path = os.path.join(folder, dated(stamp(str(fields["created_at"])), parts, data))
    durable.folder(folder)
    with suppress(FileExistsError):  # its name holds its digest: this very record is there
        durable.create(path, data)
    return os.path.relpath(path, site.root)


def find(site: Site, provider: str, session: str) -> Record | None:
    """The open record of a provider session; of the one opened by hand where both are empty."""
    name = key(session)
    for file in [f"{name}.yaml", *(n for n in stored(site.store) if n.startswith(f"{name}-"))]:
        read = record(os.path.join(site.store, file))
        if read and (read.text("provider"), read.text("provider_session")) == (provider, session):
            return read
    return None


def current(site: Site) -> Record | None:
    """The open record that the pointer leads to."""
    read = record(os.path.join(site.state, POINTER))
    return read if read and os.path.dirname(os.path.realpath(read.path)) == site.store else None


def aim(site: Site) -> None:
    """Aim the pointer at the newest open episode of this worktree; remove it where there is none."""
    newest = max((each for each in opened(site) if each.here(site.root)), key=Record.age, default=None)
    _point(site, os.path.basename(newest.path) if newest else "")


def _point(site: Site, name: str) -> None:
    """Aim the pointer at a record; where ``name`` is empty, remove it.

    A pointer that is itself a record (the older layout) is an open episode and is let be.
    """
    pointer = os.path.join(site.state, POINTER)
    if os.path.lexists(pointer) and not os.path.islink(pointer) and not _is_link_text(pointer):
        return
    target = f"sessions-open/{name}"
    if not name:
        with suppress(FileNotFoundError):
            os.unlink(pointer)
    elif not (os.path.islink(pointer) and os.readlink(pointer) == target):
        durable.link(pointer, target)


def opened(site: Site) -> list[Record]:
    """Every open record that can be read."""
    read = (record(os.path.join(site.store, name)) for name in stored(site.store))
    return [each for each in read if each]


def stamp(ts: str) -> str:
    """A moment as file names have it: ``20260911T000001Z``."""
    return ts.replace("-", "").replace(":", "")


def _is_link_text(pointer: str) -> bool:
    try:
        with open(pointer, "rb") as file:
            data = file.read(1024)
    except OSError:
        return False
    return data.startswith((b"sessions-open/", b"./sessions-open/")) and data.count(b"\n") <= 1


def _fresh(site: Site, ts: str, data: bytes) -> str:
    """An id that neither the ledger nor a record holds: ``s-<yyyymmddhhmmss>-<4 hex>``.

    Thousands of starts in one second are not expected: where all ids of it are taken, one is used again.
    """
    prefix = f"s-{''.join(c for c in ts if c.isdigit())}-"
    taken = {each.session_id for each in opened(site) if each.session_id.startswith(prefix)}
    closed = [name for name in _names(site) if prefix in name]
    for _ in range(1 << 16):
        session_id = prefix + os.urandom(2).hex()
        if session_id.encode() not in data and session_id not in taken and not any(session_id in n for n in closed):
            break
    return session_id


def _names(site: Site) -> list[str]:
    """The names in the sessions section; none where it cannot be listed, which is for the close to say."""
    try:
        return os.listdir(site.sessions)
    except (OSError, Refused):
        return []


def _encodable(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True
