"""Is another writer at work? A repository has one writer: where majordomus is, the recorder writes nothing.

It is at work where an enforcement entry of the policy or a hook in a provider's settings names it, or where the ledger
has lines by it.
"""

from __future__ import annotations

import os
import re

from cockpit.formats import document, policy
from cockpit.recorder import ledger
from cockpit.recorder.adapters import adapters
from cockpit.recorder.site import Refused, Site

NAME = "majordomus"
_LINE = re.compile(rb'"by"\s*:\s*"majordomus')
_PIECE = 4 << 20
_OVERLAP = 64


def refuse_another(site: Site) -> None:
    """Raises Refused, with the evidence, where another writer is at work."""
    found = evidence(site)
    if found:
        raise Refused(
            f"{NAME} writes here: {found}. A repository has one writer, so cockpit records nothing in it. "
            f"Use {NAME}'s own commands, or take it out of the repository first."
        )


def evidence(site: Site) -> str:
    """What shows that another writer is at work, in words; empty where nothing does."""
    names = policy.policy(document.parse(site.policy)).others
    if names:
        return f"the policy's enforcement entry {names[0]} names it"
    for adapter in adapters().values():
        if adapter.settings and _mentions(os.path.join(site.root, adapter.settings)):
            return f"{adapter.settings} runs it"
    return "the ledger has lines by it" if _in_ledger(os.path.join(site.state, ledger.LIVE)) else ""


def _mentions(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return NAME.encode() in file.read(1 << 20)
    except OSError:
        return False


def _in_ledger(path: str) -> bool:
    rest = b""
    try:
        with open(path, "rb") as file:
            while piece := file.read(_PIECE):
                if _LINE.search(rest + piece):
                    return True
                rest = piece[-_OVERLAP:]
    except OSError:
        return False
    return False
