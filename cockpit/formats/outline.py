"""A document that needs no YAML: nested mappings of plain or simply quoted scalars, and lists of words in brackets.

It exists for the hook, which has no time to import a YAML parser. What it reads, :mod:`cockpit.formats.document` reads
identically (held by a test); whatever it is not sure of it leaves to that module, by answering None.
"""

from __future__ import annotations

Outline = dict[str, "str | list[str] | Outline"]

_NO_PLAIN = tuple("\"'[{|>&*!%@`#,?:-]}")  # what begins no plain scalar below the top
_NO_VERBATIM = tuple("\"'[{|>&*!#")  # what the top level does not take verbatim
_WORD = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./")
_KEY = _WORD - {"/"} | {"-"}


def parse(data: bytes) -> Outline | None:
    """The fields of a document; None where YAML itself must say what it holds."""
    try:
        lines = data.decode().split("\n")
    except UnicodeDecodeError:
        return None
    top: Outline = {}
    levels: list[tuple[int, Outline]] = [(0, top)]
    opens = ""
    for line in lines:
        text = line.lstrip(" ")
        if not text or text.startswith("#"):
            if not text.isprintable():
                return None
            continue
        indent = len(line) - len(text)
        if indent > levels[-1][0]:
            if not opens:
                return None
            inner: Outline = {}
            levels[-1][1][opens] = inner
            levels.append((indent, inner))
        while indent < levels[-1][0]:
            levels.pop()
        fields = levels[-1][1]
        key, value = _field(text, nested=indent > 0)
        if value is None or indent != levels[-1][0] or key in fields:
            return None
        fields[key] = value
        opens = key if value == "" and text.rstrip(" ").endswith(":") else ""
    return top


def block(fields: Outline, name: str) -> Outline:
    """A field that is a mapping; an empty one where it is none."""
    value = fields.get(name)
    return value if isinstance(value, dict) else {}


def text(fields: Outline, name: str) -> str:
    """A field that is text; empty where it is none."""
    value = fields.get(name)
    return value if isinstance(value, str) else ""


def words(fields: Outline, name: str) -> list[str]:
    """A field that is a list; empty where it is none."""
    value = fields.get(name)
    return value if isinstance(value, list) else []


def _field(line: str, *, nested: bool) -> tuple[str, str | list[str] | None]:
    key, colon, rest = line.partition(":")
    well = key and key[0] not in "0123456789./-" and _KEY.issuperset(key) and len(key) <= 128
    if not (colon and well and line.isprintable()) or (rest and rest[0] != " "):
        return key, None
    return key, _value(rest.strip(" "), nested=nested)


def _value(rest: str, *, nested: bool) -> str | list[str] | None:
    if rest.startswith('"'):
        inner = rest[1:-1]
        return inner if len(rest) > 1 and rest.endswith('"') and '"' not in inner and "\\" not in inner else None
    if rest.startswith("["):
        return _list(rest)
    if nested:
        plain = not rest.startswith(_NO_PLAIN) and ": " not in rest and " #" not in rest and not rest.endswith(":")
        return rest if plain else None
    return None if rest.startswith(_NO_VERBATIM) else rest


def _list(rest: str) -> list[str] | None:
    inner = rest[1:-1].strip(" ")
    if not rest.endswith("]"):
        return None
    items = [item.strip(" ") for item in inner.split(",")] if inner else []
    return items if all(item and _WORD.issuperset(item) for item in items) else None
