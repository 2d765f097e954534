"""What looks like a credential in a text, never shown whole. The detectors are imported with the first one."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator
from typing import Protocol

from msgspec import Struct

from cockpit.formats.disguises import forms, places

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
        told = [(each.kind, each.spans[0]) for each in _secrets(line, alarmed)]
        found += dict.fromkeys(Credential(number, kind, mask(line[start:stop])) for kind, (start, stop) in told)
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
    """The detectors that find anything in a text, in any of its forms."""
    from cockpit.formats.credential_kinds import DETECTORS  # noqa: PLC0415  they cost a tenth of a second

    looked = dict.fromkeys(forms(text))
    return [each for each in DETECTORS if any(True for form in looked for _ in each.analyze_string(form))]


class _Secret(Struct, frozen=True):
    """A secret of a line: the kind that the first of its detectors names, and where it stands."""

    kind: str
    spans: list[tuple[int, int]]


def _secrets(line: str, detectors: list[_Detector]) -> list[_Secret]:
    """The secrets of a line; one that only a further form of it shows, where none of an earlier form stands."""
    found, taken = list[_Secret](), list[tuple[int, int]]()
    for number, form in enumerate(forms(line)):
        kinds = _kinds(form, detectors) if number == 0 or form != line else {}
        at = places(line) if number > 1 and kinds else None
        new = [_Secret(kind, _originals(form, secret, at)) for secret, kind in kinds.items()]
        found += [each for each in new if not (taken and all(_overlaps(span, taken) for span in each.spans))]
        taken = list(_joined(sorted(span for each in found for span in each.spans)))
    return found


def _kinds(form: str, detectors: list[_Detector]) -> dict[str, str]:
    """The secrets that detectors find, each with the kind that the first of them names."""
    secrets: dict[str, str] = {}
    for detector in detectors:
        for secret in detector.analyze_string(form):
            secrets.setdefault(secret, detector.secret_type)
    return secrets


def _originals(form: str, secret: str, at: list[int] | None) -> list[tuple[int, int]]:
    """Where a secret of a form stands in the line itself."""
    spans = list(_spans(form, secret))
    return [(at[start], at[stop - 1] + 1) for start, stop in spans] if at else spans


def _overlaps(span: tuple[int, int], taken: list[tuple[int, int]]) -> bool:
    """Whether a span lies in one of those that are taken, which are sorted."""
    place = bisect(taken, span)
    near = taken[max(0, place - 1) : place + 1]
    return any(start <= span[0] and span[1] <= stop for start, stop in near)


def _masked(line: str, secrets: list[_Secret]) -> str:
    """A line without its secrets; those that overlap are masked as one, and so is a line of more than ``_MANY``."""
    if len(secrets) > _MANY:
        return mask(line)
    pieces, end = list[str](), 0
    for start, stop in _joined(sorted(span for secret in secrets for span in secret.spans)):
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
