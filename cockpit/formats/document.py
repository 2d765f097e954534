"""A YAML document in which every scalar is the text that was written.

The writers are shell scripts that print YAML unquoted, so a reader that guesses types changes values:
commit ``1529143`` is no number and branch ``on`` no boolean. Rules of the layer:

* a top-level line ``key: rest`` whose rest begins with none of ``"'[{|>&*!`` gives ``rest``, stripped,
  verbatim (``worktree: /home/me/proj #2`` is that whole path);
* where the document does not parse as a whole, or is too large for that (``_MOST``), its top-level lines are read one
  by one; one that does not parse alone is dropped and named in ``dropped``;
* duplicate keys: the last one counts.

One addition: a rest that begins with ``#`` and is followed by an indented block is a comment on that block.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice
from typing import Any

import yaml
from msgspec import Struct

from cockpit.formats.text import lines

Value = str | list[Any] | dict[str, Any]

_KEY = re.compile(r"([A-Za-z_][\w.-]{0,127}):(?:[ \t]+(.*))?", re.DOTALL)
_INDICATORS = tuple("\"'[{|>&*!")
_MARKS = frozenset((*_INDICATORS, "#"))
_SIMPLE = re.compile(r'"([^"\\\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff]*)"')
_ITEM = re.compile(r'( +)- (?:([A-Za-z0-9_./][A-Za-z0-9_./-]*)|"([^"\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]*)")')
_MOST = 256 << 10  # characters that YAML is given: it takes seconds for a megabyte of brackets
_SHORT, _DIFFERENT = 96, 1024  # characters, and lines, of which it is remembered what they say
_LINE = 256  # what a line that is read alone counts besides its length
_NAMED = 20
_BREAKS = "\r\x85\u2028\u2029"  # what libyaml takes for the end of a line, besides "\n"
_FAILURES = (yaml.YAMLError, RecursionError, ValueError)  # ValueError holds Unicode errors


class Document(Struct, frozen=True):
    """The top-level fields of a document; ``whole`` is false where it did not parse as one.

    ``dropped`` names what could not be read: a key, or ``line N`` for a line that is no UTF-8. ``broken`` is the line
    at which a person would look for what is wrong, from 1; 0 where the parser tells none.
    """

    fields: dict[str, Value]
    whole: bool = True
    dropped: tuple[str, ...] = ()
    broken: int = 0

    def text(self, key: str) -> str:
        """The text of a field; empty where it is absent, empty or no text."""
        value = self.fields.get(key)
        return value if isinstance(value, str) else ""

    def texts(self, key: str) -> list[str]:
        """The texts of a list, in order; anything in it that is no text is passed over."""
        value = self.fields.get(key)
        return [item for item in value if isinstance(item, str) and item] if isinstance(value, list) else []

    def block(self, key: str) -> Document:
        """A field that is a mapping, as a document; an empty one where it is none."""
        value = self.fields.get(key)
        return Document(value) if isinstance(value, dict) else Document({})

    def blocks(self, key: str) -> list[Document]:
        """The mappings of a list, in order."""
        value = self.fields.get(key)
        return [Document(item) for item in value if isinstance(item, dict)] if isinstance(value, list) else []

    @property
    def damage(self) -> str:
        """A sentence about what was lost; empty where the document parsed as a whole."""
        return "" if self.whole else self._damage("")

    @property
    def to_correct(self) -> str:
        """The same about a file that is this document and that a person writes: with what to correct."""
        where = f"correct line {self.broken} of it" if self.broken else "correct its YAML"
        return "" if self.whole else self._damage(f" ({where})")

    def _damage(self, where: str) -> str:
        names = ", ".join(self.dropped[:_NAMED]) + (" …" if len(self.dropped) > _NAMED else "")
        lost = f" (not read: {names})" if names else ""
        return f"does not parse as a whole{where}, so its top-level lines were read one by one{lost}"


def parse(data: bytes) -> Document:
    """The document in ``data``; never raises, whatever the bytes are."""
    return parse_lines(lines(data))


def parse_lines(raw: list[bytes]) -> Document:
    """The document in lines that were already split."""
    texts, foreign = _decoded(raw)
    broken = 0
    if not foreign:
        plain = _plain(texts)
        if plain is not None:
            return Document(plain)
        try:
            return Document(_whole(texts))
        except _FAILURES as error:
            broken = _line_of(error, texts)
    return _piecemeal(texts, foreign, broken)


def _line_of(error: Exception, texts: list[str]) -> int:
    """The line of a failure: for what is opened and never ends, the one in which it begins; 0 where it has none.

    What is missing at the end is missing from the last line that says anything.
    """
    if not isinstance(error, yaml.MarkedYAMLError):
        return 0
    opened = error.context_mark if re.search("flow|scanning", error.context or "") else None
    mark = opened or error.problem_mark
    last = max((number for number, text in enumerate(texts, 1) if text.strip()), default=0)
    return min(mark.line + 1, last) if mark else 0


def _decoded(raw: list[bytes]) -> tuple[list[str], list[str]]:
    """The lines as text, and a name for each that is no UTF-8 (left out of the first)."""
    try:
        return b"\n".join(raw).decode().split("\n"), []
    except UnicodeDecodeError:
        pass
    texts, foreign = [], []
    for number, line in enumerate(raw, 1):
        try:
            texts.append(line.decode())
        except UnicodeDecodeError:
            foreign.append(f"line {number}")
    return texts, foreign


def _verbatim(rest: str | None) -> str | None:
    """What a top-level line gives without YAML: its stripped rest; None where YAML must say."""
    rest = (rest or "").strip(" \t")
    return None if rest.startswith(_INDICATORS) else rest


def _plain(texts: list[str]) -> dict[str, Value] | None:
    """The fields of a document that needs no YAML: plain and simply quoted lines, ``[]`` and lists of such.

    None where anything else occurs. It exists for speed alone and agrees with :func:`_whole` (held by a test).
    """
    fields: dict[str, Value] = {}
    items: list[Any] | None = None
    last = indent = ""
    for text in texts:
        if items is not None and text[:1] == " " and (item := _ITEM.fullmatch(text)):
            if items and item[1] != indent:
                return None
            fields[last], indent = items, item[1]
            items.append(item[2] or item[3] or "")
            continue
        items = None
        if not text:
            continue
        field = _known_field(text) if len(text) <= _SHORT else _field(text)
        if not field:
            return None
        last, value, opens = field
        fields[last] = [] if value is None else value
        items = [] if opens else None
    return fields


def _field(text: str) -> tuple[str, str | None, bool] | None:
    """The key of a line that needs no YAML, its value (None: an empty list), and whether items may follow."""
    key = _KEY.fullmatch(text)
    if not key:
        return None
    rest = (key[2] or "").strip(" \t")
    if not rest or rest == "[]":
        return key[1], None if rest else "", not rest
    if rest[0] == '"' and (quoted := _SIMPLE.fullmatch(rest)):
        return key[1], quoted[1], False
    return None if rest[0] in _MARKS or not rest.isprintable() else (key[1], rest, False)


_known_field = lru_cache(_DIFFERENT)(_field)  # most lines of a record stand in most others too


class _Loader(yaml.CBaseLoader):
    """Scalars as text; a scalar that stands for a verbatim value gives that value."""

    values: dict[str, str]
    breaks: dict[int, str]

    def construct_scalar(self, node: yaml.ScalarNode) -> str:
        """The text of a scalar, with the line separators put back that YAML would have folded."""
        text = super().construct_scalar(node)
        assert isinstance(text, str)
        kept = None if node.style else self.values.get(text.split(maxsplit=1)[0] if text else "")
        return kept if kept is not None else text.translate(self.breaks)


def _load(text: str, values: dict[str, str], breaks: dict[int, str]) -> Any:
    loader = _Loader(text)
    loader.values, loader.breaks = values, breaks
    try:
        return loader.get_single_data()
    finally:
        loader.dispose()


def _whole(texts: list[str]) -> dict[str, Value]:
    """The fields of a document that YAML reads. Raises one of ``_FAILURES`` where it does not parse."""
    text = "\n".join(texts)
    if len(text) > _MOST:
        raise ValueError("too large for YAML")
    mark, *spare = _unused(text, 1 + len(_BREAKS))
    values: dict[str, str] = {}
    prepared = []
    for number, line in enumerate(texts):
        key = _KEY.fullmatch(line)
        value = _verbatim(key[2]) if key else None
        if key and value and not (value.startswith("#") and _opens_a_block(texts, number)):
            values[f"{mark}{number}"] = value
            line = f"{key[1]}: {mark}{number}"  # noqa: PLW2901
        prepared.append(line)
    there = str.maketrans(dict(zip(_BREAKS, spare, strict=True)))
    back = {ord(s): b for b, s in zip(_BREAKS, spare, strict=True)}
    loaded = _load("\n".join(prepared).translate(there), values, back)
    if loaded is None or loaded == "":
        return {}
    if not isinstance(loaded, dict) or not all(isinstance(key, str) for key in loaded):
        raise ValueError("no mapping")
    return loaded


def _unused(text: str, count: int) -> list[str]:
    """Private-use characters that do not occur in ``text``."""
    found = list(islice((c for c in map(chr, range(0xE000, 0xF8FF)) if c not in text), count))
    if len(found) < count:
        raise ValueError("no private character is free")
    return found


def _opens_a_block(texts: list[str], number: int) -> bool:
    """Whether the next line that is neither blank nor a comment is indented or a list item."""
    for following in range(number + 1, len(texts)):
        line = texts[following]
        if line.strip() and not line.lstrip().startswith("#"):
            return line.startswith((" ", "\t", "- "))
    return False


def _piecemeal(texts: list[str], foreign: Iterable[str], broken: int) -> Document:
    """The top-level lines one by one: what parses alone is kept, the rest is named."""
    fields: dict[str, Value] = {}
    dropped = list(foreign)
    left = _MOST
    for line in texts:
        key = _KEY.fullmatch(line)
        if not key:
            continue
        value: Value | None = _verbatim(key[2])
        if value is None and left > 0:
            left -= len(line) + _LINE
            value = _alone(line, key[1])
        if value is None:
            dropped.append(key[1])
        else:
            fields[key[1]] = value
    return Document(fields, whole=False, dropped=tuple(dict.fromkeys(dropped)), broken=broken)


def _alone(line: str, name: str) -> Value | None:
    try:
        value = _whole([line]).get(name)
    except _FAILURES:
        return None
    return value if isinstance(value, str | list | dict) else None
