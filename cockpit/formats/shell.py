"""Words and commands for a POSIX shell (``sh``, not only bash): one line of printable ASCII, whatever a name holds.

Rules: https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#tag_19_02 (quoting),
2.6.3 (command substitution drops trailing newlines) and ``printf`` (octal escapes in the format).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable

_BARE = re.compile(rb"[A-Za-z0-9_@%+:,./-]+")
_PRINTABLE = re.compile(rb"[ -~]*")
_LITERAL = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_/.-")


def word(name: str | bytes) -> str:
    """One word of a command that means exactly ``name``.

    Raises ValueError for a NUL byte, which no argument can carry, and for a name that ends in a newline, which
    a word alone cannot carry either: :func:`command` can.
    """
    raw = os.fsencode(name) if isinstance(name, str) else name
    if b"\0" in raw:
        raise ValueError("no argument of a command can hold a NUL byte")
    if _BARE.fullmatch(raw):
        return raw.decode()
    if _PRINTABLE.fullmatch(raw):
        return "'" + raw.decode().replace("'", "'\\''") + "'"
    if raw.endswith(b"\n"):
        raise ValueError("a word cannot end in a newline")
    return f'"$(printf {_octal(raw)})"'


def _octal(raw: bytes) -> str:
    """``raw`` as a format of ``printf``; a ``-`` at its start would be an option."""
    letters = [chr(byte) if byte in _LITERAL else f"\\{byte:03o}" for byte in raw]
    if raw.startswith(b"-"):
        letters[0] = "\\055"
    return f"'{''.join(letters)}'"


def command(template: str, **names: str | bytes) -> str:
    """``template`` with each ``{name}`` replaced by the word for it.

    >>> command("mv -- {source} {target}", source="/a b", target="/c")
    "mv -- '/a b' /c"

    A name that ends in a newline is put into a variable first, in a subshell, since ``$(…)`` drops it.
    """
    preludes: list[str] = []
    words = {key: _word(key, name, preludes.append) for key, name in names.items()}
    body = template.format(**words)
    return f"( {' && '.join([*preludes, body])} )" if preludes else body


def _word(key: str, name: str | bytes, prelude: Callable[[str], None]) -> str:
    raw = os.fsencode(name) if isinstance(name, str) else name
    if not raw.endswith(b"\n"):
        return word(raw)
    prelude(f"{key}=$(printf {_octal(raw + b'.')})")
    return f'"${{{key}%.}}"'
