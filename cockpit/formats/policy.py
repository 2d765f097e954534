"""``.ai/manifest.yaml`` and the policy it names: the parts that Cockpit uses."""

from __future__ import annotations

import posixpath
import re

from msgspec import Struct

from cockpit.formats.document import Document

LAYER = ".ai"
RECORDER = "cockpit"
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


class Letters(Struct, frozen=True):
    """``handoffs``: the folders of active and of consumed letters, as they are stated."""

    path: str = "docs/handoffs"
    archive: str = "docs/archive"


class Hygiene(Struct, frozen=True):
    """``hygiene``, which opts in to periodic hygiene; each text as it is stated, empty where it is not."""

    owner: str = ""
    cadence: str = ""
    scope: str = ""
    cap: str = ""
    disable_when: str = ""


class Policy(Struct, frozen=True):
    """What the policy says of freshness and of hooks, in the policy's order.

    ``recorder``: an entry names Cockpit's own recorder as what writes here. ``others`` are the entries that name
    another writer. ``retention`` is the most lines that the ledger is to keep; None where it is not said. ``hygiene``
    is None where the policy does not opt in.
    """

    freshness: Freshness = Freshness()
    wirings: tuple[Wiring, ...] = ()
    recorder: bool = False
    others: tuple[str, ...] = ()
    retention: int | None = None
    damage: str = ""
    letters: Letters = Letters()
    hygiene: Hygiene | None = None


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
    freshness = Freshness(_whole(declared, "fresh_minutes"), _whole(declared, "stale_minutes"))
    wirings = tuple(
        Wiring(entry.text("name") or "(nameless)", hook[1])
        for entry in read.blocks("enforcement")
        if (hook := _HOOK.fullmatch(entry.text("wired_by").strip()))
    )
    entries = read.blocks("enforcement")
    return Policy(
        freshness,
        wirings,
        recorder=any(entry.text("path").rpartition("/")[2] == RECORDER for entry in entries),
        others=tuple(entry.text("name") or "(nameless)" for entry in entries if _names(entry, "majordomus")),
        retention=_whole(read.block("ledger"), "retention_max_lines"),
        damage=read.to_correct,
        letters=_letters(read.block("handoffs")),
        hygiene=_hygiene(read.block("hygiene")),
    )


def _letters(stated: Document) -> Letters:
    plain = Letters()
    return Letters(stated.text("path") or plain.path, stated.text("archive") or plain.archive)


def _hygiene(stated: Document) -> Hygiene | None:
    """What the block says, a list as its items in one text; None where there is no block, or an empty one."""
    if not stated.fields:
        return None
    names = Hygiene.__struct_fields__
    return Hygiene(**{name: stated.text(name).strip() or ", ".join(stated.texts(name)) for name in names})


def sole_writer(policy: Policy) -> bool:
    """Whether Cockpit's recorder is in place and no entry names another writer."""
    return policy.recorder and not policy.others


def _names(entry: Document, writer: str) -> bool:
    """Whether one of an entry's texts names a writer."""
    texts = [entry.text(key) for key in ("name", "path", "wired_by")] + entry.texts("args")
    return any(writer in text.casefold() for text in texts)


def _whole(read: Document, name: str) -> int | None:
    text = read.text(name).strip()
    return int(text) if _WHOLE.fullmatch(text) else None
