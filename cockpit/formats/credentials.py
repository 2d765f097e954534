"""What looks like a credential in a text, never shown whole. The detectors are imported with the first one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Protocol

from msgspec import Struct

_MOST = 4  # characters of a secret that are shown
_MANY = 100  # secrets of a line that are looked for one by one, each through the whole of it
_GAP = r"(?:\s|\\[nr])*+"
_KEY = re.compile(
    r"(-----BEGIN [A-Z0-9 ]{0,32}PRIVATE KEY(?: BLOCK)?-----)"
    rf"((?:{_GAP}[A-Z][\w-]{{2,20}}+: [^\n]{{0,200}}+)*+(?:{_GAP}[\w+/=]{{16,}}+)*+(?:\s*+[\w+/=]+(?=\s*+-----END))?)"
)
"""The first line of a private key, and what follows of it: headers, and base64 (RFC 7468, RFC 9580)."""
_LINE = re.compile(r"[^\r\n]+")


class Credential(Struct, frozen=True):
    """A credential by its line (from 1), the kind that its detector names, and its first characters, four at most."""

    line: int
    kind: str
    masked: str


class _Detector(Protocol):
    @property
    def secret_type(self) -> str: ...

    def analyze_string(self, string: str) -> Iterator[str]: ...


def find(text: str) -> list[Credential]:
    """Every credential in ``text``, by line; what two detectors find is named once, by the more exact one.

    Any thread may call it. It takes time in proportion to the text, asks no network, and misses a password of
    ordinary words: those cannot be told from prose.
    """
    alarmed = _alarmed(text)
    found: list[Credential] = []
    for number, line in enumerate(text.split("\n") if alarmed else (), 1):
        secrets = _secrets(line, alarmed)
        found += dict.fromkeys(Credential(number, kind, mask(secret)) for secret, kind in secrets.items())
    return found


def masked(text: str) -> str:
    """``text`` with each credential that :func:`find` names masked wherever its line holds it; the rest as it is.

    What follows the first line of a private key is the key, and goes with it. No line is added or lost.
    """
    alarmed = _alarmed(text)
    if not alarmed:
        return text
    text = _KEY.sub(lambda found: found[1] + _LINE.sub("…", found[2]), text)
    return "\n".join(_masked(line, _secrets(line, alarmed)) for line in text.split("\n"))


def mask(secret: str) -> str:
    """The start of a secret, at most four characters and at most a quarter of it, and ``…`` for the rest."""
    return secret[: min(_MOST, len(secret) // 4)] + "…"


def _alarmed(text: str) -> list[_Detector]:
    """The detectors that find anything in a text."""
    from cockpit.formats.credential_kinds import DETECTORS  # noqa: PLC0415  they cost a tenth of a second

    return [each for each in DETECTORS if any(True for _ in each.analyze_string(text))]


def _secrets(line: str, detectors: list[_Detector]) -> dict[str, str]:
    """The secrets of a line, each with the kind that the first of its detectors names."""
    secrets: dict[str, str] = {}
    for detector in detectors:
        for secret in detector.analyze_string(line):
            secrets.setdefault(secret, detector.secret_type)
    return secrets


def _masked(line: str, secrets: dict[str, str]) -> str:
    """A line without its secrets; those that overlap are masked as one, and so is a line of more than ``_MANY``."""
    if len(secrets) > _MANY:
        return mask(line)
    pieces, end = list[str](), 0
    for start, stop in _joined(sorted(span for secret in secrets for span in _spans(line, secret))):
        pieces += line[end:start], mask(line[start:stop])
        end = stop
    return "".join((*pieces, line[end:]))


def _spans(line: str, secret: str) -> Iterator[tuple[int, int]]:
    start = line.find(secret)
    while start >= 0:
        yield start, start + len(secret)
        start = line.find(secret, start + len(secret))


def _joined(spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Sorted spans, those that overlap made one."""
    start = end = 0
    for first, last in spans:
        if first >= end:
            if end:
                yield start, end
            start = first
        end = max(end, last)
    if end:
        yield start, end
