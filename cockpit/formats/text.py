"""Bytes to lines, and recorded text made fit to be shown.

Only ``\\n`` ends a line; a ``\\r`` before it and a byte order mark at the start of a file are tolerated
(U+0085 and U+2028 end no line, unlike in :meth:`str.splitlines`).
"""

from __future__ import annotations

import re

from cockpit.formats.wording import counted, shown, sound

__all__ = ["BOM", "counted", "cut", "lines", "one_line", "shown", "sound", "visible"]

BOM = b"\xef\xbb\xbf"

# Unicode's Bidi_Control, Default_Ignorable_Code_Point and control characters (UCD 15): what a reader cannot
# see, or what turns the order of what he sees. Newline and tab are layout.
UNSEEN = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "\ud800-\udfff"
    "]"
)


def lines(data: bytes) -> list[bytes]:
    """The lines of a file, without their ends; a byte order mark at the start is dropped."""
    found = data.removeprefix(BOM).split(b"\n")
    return [line.removesuffix(b"\r") for line in found] if b"\r" in data else found


def visible(text: str) -> str:
    """``text`` with every invisible or direction-changing character as an escape such as ``\\u202e``."""
    if text.isascii() and text.isprintable():  # most of it is, and this is told much faster
        return text
    return UNSEEN.sub(_escape, text)


def one_line(text: str) -> str:
    """``text`` as :func:`visible` shows it, with its newlines and tabs as escapes too, so that it stays one line."""
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def cut(text: str, limit: int) -> str:
    """``text`` in at most ``limit`` characters, for display only; what is left out is said by ``…``."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
