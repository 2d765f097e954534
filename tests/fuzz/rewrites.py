"""Ways in which the bytes of a file go wrong: the bytes, a place in them (0 to 255 of 255) and more bytes in, bytes out."""

from __future__ import annotations

import re
from collections.abc import Callable

Rewriting = Callable[[bytes, int, bytes], bytes]
_VALUE = re.compile(rb'^(\s*"?[\w-]+"?\s*[:=]\s*)(.*)$', re.DOTALL)
_QUOTED = re.compile(rb'"[^"\\]*"')


def _place(data: bytes, at: int) -> int:
    return len(data) * at // 255


def _spliced(data: bytes, at: int, more: bytes) -> bytes:
    place = _place(data, at)
    return data[:place] + more + data[place:]


def _overwritten(data: bytes, at: int, more: bytes) -> bytes:
    place = _place(data, at)
    return data[:place] + more + data[place + len(more) :]


def _flipped(data: bytes, at: int, more: bytes) -> bytes:
    if not data:
        return data
    place = min(_place(data, at), len(data) - 1)
    return data[:place] + bytes([data[place] ^ 1 << (len(more) % 8)]) + data[place + 1 :]


def _of_lines(change: Callable[[list[bytes], int, bytes], list[bytes]]) -> Rewriting:
    """A change of a file's lines, each with its end; the place is the number of one of them."""

    def rewriting(data: bytes, at: int, more: bytes) -> bytes:
        lines = data.splitlines(keepends=True)
        return b"".join(change(lines, (len(lines) - 1) * at // 255, more)) if lines else data

    return rewriting


def _with_value(line: bytes, value: bytes) -> bytes:
    found = _VALUE.match(line)
    return found[1] + value + b"\n" if found else value + b"\n"


def _with_quoted(line: bytes, at: int, value: bytes) -> bytes:
    """One of a line's quoted texts replaced, as in a JSON object."""
    texts = list(_QUOTED.finditer(line))
    if not texts:
        return _with_value(line, value)
    one = texts[(len(texts) - 1) * at // 255]
    return line[: one.start()] + b'"' + value.replace(b'"', b'\\"').replace(b"\n", b"\\n") + b'"' + line[one.end() :]


REWRITES: dict[str, Rewriting] = {
    "torn": lambda data, at, _: data[: _place(data, at)],
    "beheaded": lambda data, at, _: data[_place(data, at) :],
    "spliced": _spliced,
    "overwritten": _overwritten,
    "bit flipped": _flipped,
    "doubled": lambda data, *_: data + data,
    "halves swapped": lambda data, at, _: data[_place(data, at) :] + data[: _place(data, at)],
    "NULs": lambda data, at, more: _overwritten(data, at, b"\0" * (len(more) + 1)),
    "CRLF": lambda data, *_: data.replace(b"\n", b"\r\n"),
    "CR": lambda data, *_: data.replace(b"\n", b"\r"),
    "byte order mark": lambda data, *_: b"\xef\xbb\xbf" + data,
    "emptied": lambda *_: b"",
    "replaced": lambda _, __, more: more,
    "appended": lambda data, _, more: data + more,
    "appended line": lambda data, _, more: data + more + b"\n",
    "line doubled": _of_lines(lambda lines, n, _: [*lines[: n + 1], *lines[n:]]),
    "line replaced": _of_lines(lambda lines, n, more: [*lines[:n], more + b"\n", *lines[n + 1 :]]),
    "line dropped": _of_lines(lambda lines, n, _: [*lines[:n], *lines[n + 1 :]]),
    "lines reversed": _of_lines(lambda lines, *_: lines[::-1]),
    "line moved to the end": _of_lines(lambda lines, n, _: [*lines[:n], *lines[n + 1 :], lines[n]]),
    "indented": _of_lines(lambda lines, n, _: [*lines[:n], *(b"  " + line for line in lines[n:])]),
    "value replaced": _of_lines(lambda lines, n, more: [*lines[:n], _with_value(lines[n], more), *lines[n + 1 :]]),
    "key doubled": _of_lines(lambda lines, n, more: [*lines[: n + 1], _with_value(lines[n], more), *lines[n + 1 :]]),
    "text replaced": _of_lines(
        lambda lines, n, more: [*lines[:n], _with_quoted(lines[n], 37 * len(more) % 256, more), *lines[n + 1 :]]
    ),
    "grown": lambda data, _, more: data + (more or b"x") * (1 + (1 << 20) // max(1, len(more))),
}
