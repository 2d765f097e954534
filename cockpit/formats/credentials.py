"""What looks like a credential in a text, never shown whole. The detectors are imported with the first one."""

from __future__ import annotations

from msgspec import Struct

_MOST = 4  # characters of a secret that are shown


class Credential(Struct, frozen=True):
    """A credential by its line (from 1), the kind that its detector names, and its first characters, four at most."""

    line: int
    kind: str
    masked: str


def find(text: str) -> list[Credential]:
    """Every credential in ``text``, by line; what two detectors find is named once, by the more exact one.

    Any thread may call it. It takes time in proportion to the text, asks no network, and misses a password of
    ordinary words: those cannot be told from prose.
    """
    from cockpit.formats.credential_kinds import DETECTORS  # noqa: PLC0415  they cost a tenth of a second

    alarmed = [each for each in DETECTORS if any(True for _ in each.analyze_string(text))]
    found: list[Credential] = []
    for number, line in enumerate(text.split("\n") if alarmed else (), 1):
        secrets: dict[str, str] = {}
        for detector in alarmed:
            for secret in detector.analyze_string(line):
                secrets.setdefault(secret, detector.secret_type)
        found += dict.fromkeys(Credential(number, kind, mask(secret)) for secret, kind in secrets.items())
    return found


def mask(secret: str) -> str:
    """The start of a secret, at most four characters and at most a quarter of it, and ``…`` for the rest."""
    return secret[: min(_MOST, len(secret) // 4)] + "…"
