"""``cockpit hook PROVIDER``: what a provider's hook runs, with one JSON object on standard input.

It ends with 0 whatever happens and prints nothing, but for the briefing of a start where the policy asks for one. The
receipt comes first, also of what is no event; what fails after it is in the ledger too. Nothing is imported here that a
hook does not need: a test holds the list.
"""

from __future__ import annotations

import os
import pwd
import select
import sys
import time

from cockpit.recorder import episodes, facts, ledger, notes, objects, spool
from cockpit.recorder.adapters import Event, adapters, whose
from cockpit.recorder.facts import Facts
from cockpit.recorder.site import Refused, Site
from cockpit.recorder.spool import Waiting
from cockpit.recorder.where import Where, find, layered

PATIENCE = 0.3  # seconds that the lock is waited for, in all
GIT = 0.25  # seconds that git may take
_IDLE = 1.0  # seconds without a further byte after which standard input is taken to be whole
_LIMIT = 16 << 20


def main(provider: str) -> None:
    """Record one event; never returns, and never fails."""
    try:
        said = run(provider, read(0), clock())
        if said:
            os.write(1, said)
    except BaseException as error:  # a hook must not disturb the provider, whatever happens
        complain(str(error) or type(error).__name__)
    finally:
        os._exit(0)


def run(provider: str, data: bytes, ts: str) -> bytes:
    """Act on what a provider handed over; what is to be printed, empty as a rule. Raises Refused or OSError."""
    event = understood(provider, data, ts)
    where = find(event.folder or _here())
    if where is None:
        raise Refused(
            f"{_named(event)}: {event.fault or f'{event.folder} lies in no repository'}. Nothing was recorded."
        )
    if not layered(where):
        raise Refused(f"{where.root} has no layer: nothing was recorded. `cockpit init` lays it out.")
    site = Site(where, whoever())
    policy = site.policy
    if b"majordomus" in policy:
        from cockpit.recorder.writers import refuse_another  # noqa: PLC0415  only a policy that names it is read

        refuse_another(site)
    ledger.prepare(site.state)
    record(site, event)
    if event.kind == "start" and not event.fault and _briefs(policy):
        from cockpit.recorder.briefing import briefing  # noqa: PLC0415  only a policy that asks pays for it

        return briefing(where.root, policy, adapters()[provider].output)
    return b""


def _here() -> str:
    """The folder of this process, for the receipt of what names none; empty where it is gone."""
    try:
        return os.getcwd()
    except OSError:
        return ""


def _briefs(policy: bytes) -> bool:
    """Whether a policy may ask for a briefing; what it says exactly is read with a YAML parser, which takes time."""
    _, found, rest = policy.partition(b"briefing_on_start")
    return bool(found) and b"true" in rest.partition(b"\n")[0]


def record(site: Site, event: Event) -> None:
    """The receipt, then the act; what finds the lock held waits in the spool."""
    until = time.monotonic() + PATIENCE
    waiting = Waiting(event, Facts(site.where.head, site.where.branch))
    try:
        with ledger.Lock(site.state, until - time.monotonic()):
            drain(site)
            _receive(site, waiting)
        if not _acts(event):
            return
        asked = time.monotonic()
        _look(site, waiting)
        until += time.monotonic() - asked
        with ledger.Lock(site.state, until - time.monotonic()):
            perform(site, waiting)
    except ledger.Busy:
        if not waiting.facts.repository_id and _acts(event):
            _look(site, waiting)
        spool.put(site.state, waiting)


def drain(site: Site) -> None:
    """Act on what waits in the spool; the caller holds the lock."""

    def act(waiting: Waiting) -> None:
        if not waiting.received:
            _receive(site, waiting)
        if _acts(waiting.event):
            perform(site, waiting)

    spool.drain(site.state, act)


def perform(site: Site, waiting: Waiting) -> None:
    """Start, end or checkpoint; a failure is left in the ledger. The caller holds the lock."""
    event = waiting.event
    try:
        _perform(site, waiting)
    except (Refused, OSError) as error:
        reason = str(error)
        _note(site, waiting, "provider.event.failed", reason=reason)
        complain(f"{_named(event)}: {reason}")


def _named(event: Event) -> str:
    return f"{event.name or 'An event'} of {event.provider}"


def _perform(site: Site, waiting: Waiting) -> None:
    event = waiting.event
    if event.fault:
        raise Refused(event.fault)
    if not event.session:
        raise Refused("it names no session")
    if event.kind == "start":
        if not os.path.isdir(event.folder):
            raise Refused("the folder it names is gone")
        episodes.start(site, event, waiting.facts)
        return
    own = episodes.find(site, event.provider, event.session)
    if event.kind == "end" and own:
        outcome = "closed" if event.deliberate else "interrupted"
        episodes.close(site, own, outcome, event.ts, waiting.facts, waiting.commits)
    elif event.kind == "compact":
        session = own.session_id if own else ""
        lines = ledger.lines_of(ledger.tail(site.state), session) if session else []
        body = notes.before_compaction(waiting.facts, event.told.get("trigger", ""), lines)
        notes.write(site, notes.CHECKPOINT, event.ts, waiting.facts, body, session, derived="true")


def _acts(event: Event) -> bool:
    """Whether more than a receipt comes of an event: not of a subagent's, nor of a kind that no adapter answers."""
    return bool(event.fault) or (bool(event.kind) and not event.told.get("subagent"))


def _receive(site: Site, waiting: Waiting) -> None:
    _note(site, waiting, "provider.event.received")
    waiting.received = True


def _note(site: Site, waiting: Waiting, name: str, **more: str) -> None:
    event = waiting.event
    told = {"provider": event.provider, "provider_event": event.name, "provider_session": event.session}
    told |= {key: event.told.get(key, "") for key in ("source", "reason", "trigger", "subagent")}
    told = {("end_reason" if key == "reason" else key): value for key, value in told.items()} | more
    ledger.append(site.state, [ledger.event(name, event.ts, site.by, waiting.facts.on, **told)])


def _look(site: Site, waiting: Waiting) -> None:
    """Ask git what the act needs; nothing where an open episode goes on, or an end closes nothing."""
    event = waiting.event
    own = episodes.find(site, event.provider, event.session) if event.session else None
    if (event.kind == "start") == (own is not None) and event.kind != "compact":
        return
    waiting.facts = facts.gather(site.where, GIT)
    if event.kind == "end" and own:
        there = Where(site.root, site.where.git_dir, site.where.common_dir, waiting.facts.head, waiting.facts.branch)
        waiting.commits = facts.commits(there, own.text("start_head"), GIT)


def understood(provider: str, data: bytes, ts: str) -> Event:
    """The event in a payload; where there is none, or it names no folder, its ``fault`` says so. Raises Refused."""
    known = adapters()
    if provider not in known:
        raise Refused(f"There is no adapter for {provider}; there is one for {', '.join(known)}.")
    payload, fault = _object(data)
    adapter = whose(provider, payload, known)
    assert adapter
    event = adapter.read(payload, ts)
    if not event.folder:
        event.told["fault"] = fault or "it names no folder"
    return event


def _object(data: bytes) -> tuple[dict[str, object], str]:
    """The JSON object that was handed over; an empty one, and why, where there is none."""
    if len(data) > _LIMIT:
        return {}, f"standard input holds more than {_LIMIT >> 20} MiB"
    try:
        payload = objects.loads(data.decode("utf-8", "surrogateescape"))
    except ValueError:
        return {}, "standard input holds no JSON object"
    return (payload, "") if isinstance(payload, dict) else ({}, "standard input holds JSON that is no object")


def read(descriptor: int) -> bytes:
    """What stands on an input, up to its end or past ``_LIMIT``; an end that does not come is not waited for.

    Raises Refused where a person sits at it.
    """
    if os.isatty(descriptor):
        raise Refused("A provider's hook runs this, with its event on standard input.")
    poll = select.poll()
    poll.register(descriptor, select.POLLIN | select.POLLHUP)
    pieces: list[bytes] = []
    size = 0
    while size <= _LIMIT and poll.poll(_IDLE * 1000):
        piece = os.read(descriptor, 1 << 20)
        if not piece:
            break
        pieces.append(piece)
        size += len(piece)
    return b"".join(pieces)


def clock() -> str:
    """Now, as the layer writes it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def whoever() -> str:
    """Who writes: the name of the user that the process runs as."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())


def complain(sentence: str) -> None:
    """One line on standard error, if there is one."""
    try:
        os.write(2, f"cockpit: {sentence}\n".encode("utf-8", "backslashreplace"))
    except OSError:
        sys.exc_info()
