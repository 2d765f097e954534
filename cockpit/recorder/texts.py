"""The texts of records: YAML lines that :mod:`cockpit.formats.document` reads back as they were given."""

from __future__ import annotations

from cockpit.formats.wording import sound

Field = str | list[str]

_WORD = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-")
_NO_PLAIN = tuple("\"'[{|>&*!#")  # what the readers do not take verbatim at the top level
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}


def lines(fields: dict[str, Field]) -> str:
    """Fields as top-level lines; a list has one item a line, ``[]`` where it is empty."""
    return "".join(_field(key, value) for key, value in fields.items())


def front_matter(fields: dict[str, Field], body: str = "") -> bytes:
    """A whole file: front matter, and below it the body."""
    return (
        f"---\n{lines(fields)}---\n{f'{chr(10)}{sound(body).strip(chr(10))}{chr(10)}' if body.strip() else ''}".encode()
    )


def scalar(value: str) -> str:
    """A value as it stands behind ``key: ``."""
    plain = value.isprintable() and value.strip(" ") == value and not value.startswith(_NO_PLAIN)
    return value if plain else quoted(value)


def quoted(value: str) -> str:
    """A value in double quotes, whatever it holds."""
    return f'"{"".join(map(_escaped, sound(value)))}"'


def _field(key: str, value: Field) -> str:
    if isinstance(value, str):
        return f"{key}: {scalar(sound(value))}\n" if value else f"{key}:\n"
    items = "".join(f"  - {_item(each)}\n" for each in value)
    return f"{key}:\n{items}" if items else f"{key}: []\n"


def _item(value: str) -> str:
    plain = value and _WORD.issuperset(value) and not value.startswith("-")
    return value if plain else quoted(value)


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isprintable():
        return character
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
