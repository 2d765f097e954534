"""File names as the hook gives them, with next to nothing imported. :mod:`cockpit.formats.names` has the others.

Every name is at most 200 bytes of ``[A-Za-z0-9._-]``.
"""

from __future__ import annotations

import os

LIMIT = 200
_KEPT = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")


def plain(text: str) -> str:
    """``text`` with every character outside ``[A-Za-z0-9._-]`` as ``-``."""
    return text if _KEPT.issuperset(text) else "".join(c if c in _KEPT else "-" for c in text)


def digest(data: bytes) -> str:
    """The first 16 hex digits of the SHA-256 of ``data``."""
    from hashlib import sha256  # noqa: PLC0415  a start does without it, and it is a tenth of a hook's time

    return sha256(data).hexdigest()[:16]


def key(provider_session: str) -> str:
    """The store's name for a provider session: ``[A-Za-z0-9._-]``, the rest percent-encoded as UTF-8.

    Never ``.`` or ``..`` and never hidden; over 200 bytes it is cut and completed with its hash. ``hand`` for none.
    """
    encoded = "".join(c if c in _KEPT else "".join(f"%{b:02X}" for b in os.fsencode(c)) for c in provider_session)
    if encoded.startswith("."):
        encoded = "%2E" + encoded[1:]
    if len(encoded) > LIMIT:
        encoded = f"{encoded[: LIMIT - 17]}-{digest(os.fsencode(provider_session))}"
    return encoded or "hand"


def dated(stamp: str, parts: list[str], data: bytes) -> str:
    """The name of a record or note: ``<stamp>--<part>--…--<16 hex>.md``, cut before the digest of its content."""
    tail = f"--{digest(data)}.md"
    return plain("--".join((stamp, *parts)))[: LIMIT - len(tail)] + tail
