"""File names that this format gives, each at most 200 bytes of ``[A-Za-z0-9._-]``."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Container

from cockpit.formats.document import Document

LIMIT = 200
_OUTSIDE = re.compile(r"[^A-Za-z0-9._-]")
_KEPT = re.compile(r"[A-Za-z0-9._-]")
_STAMP = re.compile(r"(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)")


def plain(text: str) -> str:
    """``text`` with every character outside ``[A-Za-z0-9._-]`` as ``-``."""
    return _OUTSIDE.sub("-", text)


def record(header: Document, data: bytes) -> str:
    """The name of a closed record: ``<created>--<session_id>--<branch>--<head>--<16 hex>.md``.

    The 16 hex digits are the start of the SHA-256 of the record's bytes. What the record does not say is ``none``.
    """
    stamp = _STAMP.match(header.text("created_at"))
    created = "{}{}{}T{}{}{}Z".format(*stamp.groups()) if stamp else "none"
    parts = [created, header.text("session_id"), header.text("branch") or "none", header.text("head")[:7] or "none"]
    tail = f"--{hashlib.sha256(data).hexdigest()[:16]}.md"
    return plain("--".join(parts))[: LIMIT - len(tail)] + tail


def aside(name: str) -> str:
    """The name under which something is set aside: plain, never hidden, never empty."""
    return plain(os.fsencode(name).decode("ascii", "replace").replace("�", "-"))[:LIMIT].lstrip(".-") or "nameless"


def key(provider_session: str) -> str:
    """The store's name for a provider session: ``[A-Za-z0-9._-]``, the rest percent-encoded as UTF-8.

    Never ``.`` or ``..`` and never hidden; over 200 bytes it is cut and completed with its hash. ``hand`` for none.
    """
    encoded = "".join(
        c if _KEPT.fullmatch(c) else "".join(f"%{b:02X}" for b in os.fsencode(c)) for c in provider_session
    )
    if encoded.startswith("."):
        encoded = "%2E" + encoded[1:]
    if len(encoded) > LIMIT:
        digest = hashlib.sha256(os.fsencode(provider_session)).hexdigest()[:16]
        encoded = f"{encoded[: LIMIT - 17]}-{digest}"
    return encoded or "hand"


def free(name: str, taken: Container[str]) -> str:
    """``name``, or the first of ``name`` with ``-2``, ``-3`` … before its last ending that is not taken."""
    stem, dot, ending = name.rpartition(".")
    if not stem:
        stem, dot, ending = name, "", ""
    number, candidate = 1, name
    while candidate in taken:
        number += 1
        candidate = f"{stem}-{number}{dot}{ending}"
    return candidate
