"""The ways in which one text can be meant: as it is, with its escapes resolved, and with backslashes as slashes."""

from __future__ import annotations

import re
from html import unescape
from unicodedata import normalize
from urllib.parse import unquote

# A run of backslashes is tried at its beginning alone: tried at each of them it would cost the square of its length.
_OCTAL = re.compile(r"(?<!\\)\\+([0-3][0-7]{2})")  # as git quotes a path, a byte each
_UNICODE = re.compile(r"(?<!\\)(?:\\+u[0-9a-fA-F]{4})+")
_HEX = re.compile(r"u([0-9a-fA-F]{4})")
_LAYOUT = re.compile(r"(?<!\\)\\+[nrt](?![\\/])")
_ESCAPED = re.compile(r"(?<!\\)\\+([!-/:-@\[\]^-`{-~])")  # CommonMark 2.4: a backslash before punctuation
_ENTITY = re.compile(r"&(?:#\w{1,8}|\w{1,32});")
_SLASHES = re.compile(r"/(?:\.?/)+")
_BACKSLASHES = re.compile(r"\\+")
_WIDE = re.compile(r"[\0-\x7f]?[^\0-\x7f]{1,64}")  # a longer run would cost the square of its length to be ordered
_BYTES = {0xDC00 + byte: byte for byte in range(0x80, 0x100)}  # what was no UTF-8 is most likely Latin-1


def spellings(text: str) -> list[str]:
    """``text``, and what it means where that differs: in Markdown, HTML, an address, JSON or as git quotes a path.

    Composed and decomposed letters are made the same (NFC). Each takes time in proportion to the text.
    """
    slashed = _BACKSLASHES.sub("/", text) if "\\" in text else text
    return list(dict.fromkeys((text, _meant(text), _SLASHES.sub("/", slashed))))


def _meant(text: str) -> str:
    if "\\" in text:
        text = _UNICODE.sub(_characters, _OCTAL.sub(lambda found: f"%{int(found[1], 8):02X}", text))
        text = _ESCAPED.sub(r"\1", _LAYOUT.sub(" ", text))
    if "&" in text:
        text = _ENTITY.sub(lambda found: unescape(found[0]), text)
    if "%" in text:
        text = unquote(text, errors="surrogateescape")
    text = _SLASHES.sub("/", text)
    return text if text.isascii() else _WIDE.sub(lambda found: normalize("NFC", found[0]), text.translate(_BYTES))


def _characters(found: re.Match[str]) -> str:
    return bytes.fromhex("".join(_HEX.findall(found[0]))).decode("utf-16-be", "surrogatepass")
