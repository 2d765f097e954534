"""Text made fit to be written or shown, with nothing imported that a hook has no time for."""

from __future__ import annotations

import os


def shown(name: str) -> str:
    """A file name as text that can be encoded: a byte that is no UTF-8 becomes ``\\xNN``."""
    return name if name.isascii() else os.fsencode(name).decode("utf-8", "backslashreplace")


def sound(text: str) -> str:
    """``text`` with lone surrogates written out, so that it can be encoded as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode()
    return text


def counted(number: int, one: str, many: str = "") -> str:
    """``1 line``, ``2 lines``; ``many`` is the plural where it is not ``one`` and an s."""
    return f"{number} {one if number == 1 else many or one + 's'}"
