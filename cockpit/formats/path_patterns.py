"""Patterns of paths in a text: of a shell, of ``find``, of a glob, or of a template; read so that a doubt fits."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from fnmatch import translate
from functools import lru_cache

from cockpit.formats.run_manifest import HOLDERS

_WILDCARDS = "*?[{$"
_BRACES = re.compile(r"\$?\{([^{}\s`'\"]{0,200})\}|\$\w{1,100}")
_FILLED = "\0"  # what a template fills in
_TOKEN = re.compile(r"[^\s`'\"<>()=,;:|&{}]+")
_LONGEST = 512  # characters of a pattern: what is longer is no path, such as a program on one line
_EMPHASIS = re.compile(r"^\*{2,}(?=\w)|(?<=\w)\*{2,}$")
_STARS = re.compile(r"\*{2,}")
_WILD = re.compile(r"[*?]|\[!?\]?[^\]]*\]")
_ABOVE = re.compile(r"^(?:\.{0,2}/)+")
_HELD = re.compile(rf".*/(?=(?:{'|'.join(re.escape('/'.join(each)) for each in HOLDERS)})(?:/|$))")
_ENDING = re.compile(r"\.\w+$")
_NAMED = re.compile(r"(?:\W*\w){3}")
_NAMES = re.compile(r"[\w.@+~-]")
_STOPS = ".!"


def patterns(text: str) -> Mapping[str, list[str]]:
    """The patterns in a text, each with its parts that are no wildcards, all of which are in what it fits.

    One with a slash is for a path, or its end from a folder on; one without is for a file's name. ``{a,b}`` stands as
    ``*``, and so does what a template fills in (``{name}``, ``$name``). One that says nothing of a name is left out,
    such as the end of a comment in C.
    """
    lines = (line for line in text.splitlines() if any(each in line for each in _WILDCARDS))
    tokens = {token for line in lines for token in _tokens(line) if len(token) <= _LONGEST}
    found = filter(None, map(_pattern, tokens))
    parts = {each: list(filter(None, _WILD.split(each))) for each in found}
    return {each: plain for each, plain in parts.items() if _telling(each, plain)}


@lru_cache(1 << 14)
def matcher(pattern: str) -> Callable[[str], object]:
    """What tells whether a path matches, in time in proportion to both."""
    matches = re.compile(f"(?s:.*/)?{translate(pattern)}").match
    return matches if "/" in pattern else lambda path: matches(posixpath.basename(path))


def _tokens(line: str) -> Iterator[str]:
    """The words of a line in which a wildcard stands; those within braces too, since each can be one."""
    for inner in _BRACES.findall(line) if "{" in line else ():
        yield from (each for each in inner.split(",") if "*" in each)
    for _ in range(2):  # braces within braces
        line = _BRACES.sub(_filled, line)
    yield from (each for each in _TOKEN.findall(line) if any(mark in each for mark in f"*?[{_FILLED}"))


def _filled(found: re.Match[str]) -> str:
    inner = found[1] or ""
    return "*" if "," in inner or ".." in inner else _FILLED


def _pattern(token: str) -> str:
    """The pattern that a token is; empty where a template names nothing, as in ``{name}.txt``."""
    bare = token.rstrip(_STOPS)
    if "/" not in bare:
        bare = _EMPHASIS.sub("", bare)
    if not any(mark in bare for mark in "*?[") and not _NAMED.search(_ENDING.sub("", bare)):
        return ""
    one = _STARS.sub("*", bare.replace(_FILLED, "*"))
    return _HELD.sub("", _ABOVE.sub("", one)).rstrip("/")


def _telling(pattern: str, plain: list[str]) -> bool:
    """Whether a pattern says enough of a name: without a slash it is a word of code more often than not."""
    if "/" in pattern:
        return any(map(_NAMES.search, plain))
    together = "".join(plain)
    if not _WILD.search(pattern) or pattern == together:
        return False
    if "*" not in pattern and "?" not in pattern:
        return "." in together
    return pattern == "*.*" or bool(_NAMED.search(together)) or ("." in together and together != ".")
