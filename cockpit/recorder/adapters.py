"""What a provider hands a hook, as an event. The events, keys and reasons come from ``providers.yaml``, the only list.

The hook has no time for a YAML parser, so that file keeps to what :mod:`cockpit.formats.outline` reads.
"""

from __future__ import annotations

import os

from cockpit.formats import outline
from cockpit.formats.outline import Outline, block
from cockpit.formats.wording import sound

KINDS = ("start", "end", "compact")
FILE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "providers.yaml")


class Adapter:
    """One provider's adapter: its own word for each kind of event, and how to read what it is handed."""

    __slots__ = ("_declared", "_payload", "deliberate", "id")

    def __init__(self, name: str, declared: Outline, payload: Outline) -> None:
        adapter = block(declared, "adapter")
        self.id, self._declared, self._payload = name, declared, payload
        self.deliberate = outline.words(adapter, "deliberate")

    @property
    def events(self) -> dict[str, str]:
        """The provider's own word for each kind of event."""
        hooks = block(self._declared, "hooks")
        return {kind: outline.text(hooks, kind) for kind in KINDS if outline.text(hooks, kind)}

    @property
    def settings(self) -> str:
        """The provider's project file, relative to the root; empty where nothing can be wired."""
        return self._said("settings")

    @property
    def matcher(self) -> str | None:
        """What stands beside each list of hooks; None where nothing does."""
        return self._said("matcher") if "matcher" in block(self._declared, "adapter") else None

    @property
    def named(self) -> bool:
        """Whether each hook carries a name."""
        return self._said("named") == "true"

    @property
    def output(self) -> str:
        """What a start may print: ``text``, or ``json`` and nothing else."""
        return self._said("output") or "text"

    def timeout(self, kind: str) -> int:
        """The time-out that is asked for, in the provider's own unit."""
        return int(outline.text(block(block(self._declared, "adapter"), "timeouts"), kind) or "0")

    def _said(self, name: str) -> str:
        return outline.text(block(self._declared, "adapter"), name)

    def read(self, payload: dict[str, object], ts: str) -> Event:
        """The event in a payload; a field of another type than text counts as absent."""
        told = {name: _first(payload, outline.words(self._payload, name)) for name in self._payload}
        name = told.get("event", "")
        kind = next((k for k, word in self.events.items() if word.casefold() == name.casefold()), "")
        return Event(self.id, kind, name, ts, told, deliberate=told.get("reason", "") in self.deliberate)


class Event:
    """Something a provider said: what kind of event, of which of its sessions, in which folder.

    ``told`` holds every key of an adapter's payload (``session``, ``folder``, ``source``, ``reason``, ``trigger``,
    ``worker``, ``subagent``), empty where the provider did not say; never a transcript or a prompt. ``fault`` among
    them is no key of a payload: it says why there is nothing to act on.
    """

    __slots__ = ("deliberate", "kind", "name", "provider", "told", "ts")

    def __init__(  # noqa: PLR0913, PLR0917
        self, provider: str, kind: str, name: str, ts: str, told: dict[str, str], deliberate: bool
    ) -> None:
        self.provider, self.kind, self.name, self.ts, self.told = provider, kind, name, ts, told
        self.deliberate = deliberate

    @property
    def session(self) -> str:
        """The provider's own session id; empty where it named none."""
        return self.told.get("session", "")

    @property
    def folder(self) -> str:
        """The folder the provider works in; empty where it named none."""
        return self.told.get("folder", "")

    @property
    def fault(self) -> str:
        """Why nothing can be made of what was handed over; empty where something can."""
        return self.told.get("fault", "")


def adapters() -> dict[str, Adapter]:
    """Every adapter of the program: one for each provider that has hooks, or that borrows another one's."""
    with open(FILE, "rb") as file:
        declared = outline.parse(file.read())
    if declared is None:
        raise ValueError("providers.yaml holds more than an outline")
    providers = block(declared, "providers")
    found = {}
    for name in providers:
        own = block(providers, name)
        lender = block(providers, outline.text(block(own, "adapter"), "borrows"))
        payload = block(block(lender, "adapter"), "payload") | block(block(own, "adapter"), "payload")
        if payload:
            hooks = own | {"hooks": block(lender, "hooks")} if lender else own
            found[name] = Adapter(name, hooks, payload)
    return found


def whose(provider: str, payload: dict[str, object], known: dict[str, Adapter]) -> Adapter | None:
    """The adapter that a payload belongs to: the one whose mark it carries, else the one whose hook ran."""
    for adapter in known.values():
        if (mark := adapter._said("mark")) and mark in payload:
            return adapter
    return known.get(provider)


def _first(payload: dict[str, object], keys: list[str]) -> str:
    """The first of the named values that is a text, or a list that begins with one."""
    for key in keys:
        value = payload.get(key)
        if isinstance(value, list) and value:
            value = value[0]
        if isinstance(value, str) and value:
            return sound(value)
    return ""
