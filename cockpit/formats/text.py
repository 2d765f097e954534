"""Bytes to lines, and recorded text made fit to be shown.

Only ``\\n`` ends a line; a ``\\r`` before it and a byte order mark at the start of a file are tolerated
(U+0085 and U+2028 end no line, unlike in :meth:`str.splitlines`).
"""

from __future__ import annotations

import os
import re

BOM = b"\xef\xbb\xbf"

# Unicode's Bidi_Control, Default_Ignorable_Code_Point and control characters (UCD 15): what a reader cannot
# see, or what turns the order of what he sees. Newline and tab are layout.
_UNSEEN = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U000e0000-\U000e0fff"
    "\ud800-\udfff"
    "]"
)


def lines(data: bytes) -> list[bytes]:
    """The lines of a file, without their ends; a byte order mark at the start is dropped."""
    return [line.removesuffix(b"\r") for line in data.removeprefix(BOM).split(b"\n")]


def visible(text: str) -> str:
    """``text`` with every invisible or direction-changing character as an escape such as ``\\u202e``."""
    if text.isascii() and text.isprintable():  # most of it is, and this is told much faster
        return text
    return _UNSEEN.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def shown(name: str) -> str:
    """A file name as text that can be encoded: a byte that is no UTF-8 becomes ``\\xNN``."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def sound(text: str) -> str:
    """``text`` with lone surrogates written out, so that it can be encoded as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode()
    return text


def cut(text: str, limit: int) -> str:
    """``text`` in at most ``limit`` characters, for display only; what is left out is said by ``…``."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def counted(number: int, one: str, many: str = "") -> str:
    """``1 line``, ``2 lines``; ``many`` is the plural where it is not ``one`` and an s."""
    return f"{number} {one if number == 1 else many or one + 's'}"
