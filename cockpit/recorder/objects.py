"""JSON without the json package, whose regular expressions would take a fifth of a hook's time.

What it stands on is the same accelerator that the package stands on; where Python has none, the package is used.
"""

from __future__ import annotations

try:
    from _json import encode_basestring, make_scanner
except ImportError:  # another Python
    from json.encoder import py_encode_basestring as encode_basestring
    from json.scanner import py_make_scanner as make_scanner  # type: ignore[attr-defined,no-redef]

_WHITE = " \t\n\r"


def loads(text: str) -> object:
    """The value in a JSON text. Raises ValueError where it is none, or not the only one."""
    try:
        value, end = _scan(text, len(text) - len(text.lstrip(_WHITE)))
    except (StopIteration, RecursionError) as error:
        raise ValueError("no JSON") from error
    if text[end:].strip(_WHITE):
        raise ValueError("more than one JSON value")
    return value


def line(fields: dict[str, str]) -> str:
    """An object of texts, on one line."""
    return "{" + ",".join(f"{encode_basestring(key)}:{encode_basestring(value)}" for key, value in fields.items()) + "}"


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is no JSON")


class _Way:
    """How JSON is read; the names are the accelerator's own."""

    def __init__(self) -> None:
        self.strict = False
        self.object_hook = self.object_pairs_hook = None
        self.parse_float = self.parse_int = float
        self.parse_constant = _refuse
        self.memo: dict[str, str] = {}


_scan = make_scanner(_Way())  # type: ignore[arg-type]
