"""``.ai/manifest.yaml`` and the policy it names: the parts that Cockpit uses."""

from __future__ import annotations

import posixpath
import re

from msgspec import Struct

from cockpit.formats.document import Document

LAYER = ".ai"
DEFAULTS = {"policy": "repo/policy.yaml", "sessions": "repo/sessions"}
_WHOLE = re.compile(r"\d{1,9}", re.ASCII)
_HOOK = re.compile(r"provider-hook:([^:\s]+)(?::.*)?", re.DOTALL)


class Freshness(Struct, frozen=True):
    """``session.freshness`` in whole minutes; None where it is absent or no whole number."""

    fresh_minutes: int | None = None
    stale_minutes: int | None = None


class Wiring(Struct, frozen=True):
    """An enforcement entry that a provider's hook runs."""

    name: str
    provider: str


class Policy(Struct, frozen=True):
    """What the policy says of freshness and of hooks, in the policy's order."""

    freshness: Freshness = Freshness()
    wirings: tuple[Wiring, ...] = ()
    damage: str = ""


def section_path(manifest: Document, name: str) -> str | None:
    """The repository-relative path of a section; None where the manifest's leads where none may.

    Refused: an absolute path, one that leaves the repository, one into ``.git`` or ``.ai/local``. (Links are
    the store's business: it follows none.)
    """
    stated = manifest.block("sections").text(name)
    relative = stated or DEFAULTS[name]
    path = posixpath.normpath(posixpath.join(LAYER, relative))
    parts = path.split("/")
    outside = relative.startswith("/") or "\0" in relative or parts[0] in ("..", ".")
    hidden = any(part.lower() == ".git" for part in parts) or [p.lower() for p in parts[:2]] == [LAYER, "local"]
    return None if outside or hidden else path


def policy(read: Document) -> Policy:
    """The policy in a document."""
    declared = read.block("session").block("freshness")
    freshness = Freshness(_minutes(declared, "fresh_minutes"), _minutes(declared, "stale_minutes"))
    wirings = tuple(
        Wiring(entry.text("name") or "(nameless)", hook[1])
        for entry in read.blocks("enforcement")
        if (hook := _HOOK.fullmatch(entry.text("wired_by").strip()))
    )
    return Policy(freshness, wirings, read.damage)


def _minutes(read: Document, name: str) -> int | None:
    text = read.text(name).strip()
    return int(text) if _WHOLE.fullmatch(text) else None
