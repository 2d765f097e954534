"""A text as a detector of tokens must see it: what stands before a token, or in it, may make another word of it."""

from __future__ import annotations

import re

from cockpit.formats.text import UNSEEN

_HIDING = re.compile(
    r"(?:\x1b|\\e|\\x1b|\\u001b|\\033)(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|[ -/]{1,8}[0-~]|(?<=\x1b)[0-~])?"
    r"|\x9b[0-?]{0,64}[ -/]{0,8}[@-~]"
    r"|\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2}|[abefnrtv])"
    r"|%[0-9a-fA-F]{2}"
    rf"|{UNSEEN.pattern}"
)
"""A terminal's sequences (ECMA-48), escapes as they are written, invalid bytes, and what nobody sees."""
_WITHIN = re.compile(rf"\\(?=[!-/:-@\[\]^-`{{-~])|(?:\x1b\[[0-?]{{0,64}}[ -/]{{0,8}}[@-~])|{UNSEEN.pattern}")
"""What may stand in a token: the backslash of Markdown (CommonMark 2.4), a colour, what nobody sees."""


def forms(text: str) -> list[str]:
    """``text``, what may hide a token in it as so many spaces, and without what may stand in one; equal ones too."""
    if "\\" not in text and "%" not in text and text.isascii() and text.isprintable():
        return [text]
    return [text, _HIDING.sub(lambda found: " " * len(found[0]), text), _WITHIN.sub("", text)]


def places(text: str) -> list[int]:
    """Where each character of the last of its forms stands in ``text``."""
    out = {place for found in _WITHIN.finditer(text) for place in range(*found.span())}
    return [place for place in range(len(text)) if place not in out]
