"""What must not stand in a letter: credentials, a pasted conversation, text of its template that was left in."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from cockpit.formats import credentials
from cockpit.formats.credentials import Credential
from cockpit.formats.livedoc import hidden
from cockpit.formats.text import lines

_HUMAN = "user|human|you|me"
_MACHINE = "assistant|ai|agent|claude|codex|gemini|chatgpt|copilot|model"
_TURN = re.compile(
    rf"[ \t>*_-]{{0,8}}(?:\[[^\]]{{0,40}}\][ \t]?)?(?:#{{1,6}} )?\**(?:({_HUMAN})|({_MACHINE}))\**"
    r"(?:[ \t]?\([^)]{0,40}\))?(?::|[ \t]*$)",
    re.IGNORECASE,
)
_ROLE = re.compile(r"\"role\"[ \t]{0,8}:[ \t]{0,8}\"(?:(user|human)|(assistant|model))\"")
_TURNS = 3  # that change sides: a question, an answer, and a word about it

_CODE = re.compile(r"`[^`]*`")
_TEMPLATE = re.compile(
    r"\bTBD\b|\blorem ipsum\b|\bYYYY-MM-DD\b|\{\{[^{}]{0,80}\}\}|\bfill (?:this|me) in\b"
    r"|<(?:your|the|fill|insert|describe|what|which|path|slug|goal|effort|leg|name|date|commit|branch|command|todo)\b[^<>@]{0,80}>"
    r"|\[(?:your|fill in|insert|describe|to be)\b[^\]]{0,80}\](?!\()",
    re.IGNORECASE,
)
_ALONE = re.compile(
    r"[ \t>*+-]{0,12}(?:\d{1,3}[.)][ \t]*)?(?:\[[ x]\][ \t]*)?(?:[\w-]{1,20}\**:\**[ \t]*)?"
    r"(?:TODO|FIXME|XXX|\.\.\.|…)[ \t.!:*]*"
)


class Blemishes(Struct, frozen=True):
    """The credentials, the line where a conversation begins (0: there is none), the lines that hold template text."""

    secrets: tuple[Credential, ...] = ()
    transcript: int = 0
    placeholders: tuple[int, ...] = ()


def blemishes(data: bytes) -> Blemishes:
    """What must not stand in a letter of these bytes; lines are numbered from 1."""
    texts = [line.decode("utf-8", "backslashreplace") for line in lines(data)]
    return Blemishes(tuple(credentials.find("\n".join(texts))), transcript(texts), tuple(_placeholders(texts)))


def transcript(texts: list[str]) -> int:
    """The line of the first turn of a pasted conversation; 0 where there is none."""
    first, changes, before = 0, 0, None
    for number, human in _turns(texts):
        first = first or number
        changes += human is not before
        before = human
    return first if changes >= _TURNS else 0


def _turns(texts: list[str]) -> Iterator[tuple[int, bool]]:
    """The turns of a conversation, each with whether a person takes it."""
    for number, text in enumerate(texts, 1):
        turn = _TURN.match(text) if text else None
        if turn and (turn[0].endswith(":") or "#" in turn[0]):
            yield number, bool(turn[1])
        elif '"role"' in text:
            yield from ((number, bool(role[1])) for role in _ROLE.finditer(text))


def _placeholders(texts: list[str]) -> Iterator[int]:
    for number, (text, covered) in enumerate(zip(texts, hidden(texts), strict=True), 1):
        if text and not covered and (_ALONE.fullmatch(text) or _TEMPLATE.search(_CODE.sub("", text))):
            yield number
