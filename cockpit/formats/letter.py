"""A handoff letter: the bytes of one file in; its fields, its sections and what it names out. It never raises.

In the first 4 KiB stand the fields, one a line, ``Field: value``: a bullet before it and ``**bold**`` around the name
are tolerated, names are in any case, the first of a name counts. Nothing in fenced code or an HTML comment is a field
or a heading. Line numbers begin at 1.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from datetime import date
from typing import Literal

from msgspec import Struct, structs

from cockpit.formats import mentions
from cockpit.formats.credentials import masked
from cockpit.formats.livedoc import hidden
from cockpit.formats.mentions import Mention
from cockpit.formats.text import lines as split

PREFIX, SUFFIX = "HANDOFF-", ".md"
HEAD = 4 << 10  # bytes in which a field may begin
REQUIRED = ("Status", "Effort", "Leg", "Supersedes", "Consumed-at")
OPTIONAL = ("Commit", "Branch", "Owner")
NONE, PENDING = "none", "pending"
ACTIVE, WAITING, CONSUMED = "active", "awaiting-human", "consumed"

Role = Literal["", "goal", "progress", "remainder", "invariants", "verification"]

FIELD = re.compile(
    rf"[ \t]{{0,3}}(?:[-*+][ \t]{{1,3}})?(\*\*)?({'|'.join((*REQUIRED, *OPTIONAL))})(\*\*)?[ \t]*:(\*\*)?(.*)",
    re.IGNORECASE,
)
WORD = re.compile(r"[^\W\d_]\w*(?:-\w+)*")
_LINK = re.compile(r"\[[^\]]{0,512}\]\(<?([^()<>]{1,1024})>?\)")
_BESIDE = re.compile(r"[(,;]?[ \t]?sha256:[ \t]{0,3}([^\s()]*)\)?$")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_NAME = re.compile(r"HANDOFF-(\d{4}-\d\d-\d\d)-(.+)\.md", re.DOTALL | re.ASCII)
_ROLES: tuple[tuple[Role, re.Pattern[str]], ...] = (
    ("goal", re.compile(r"\b(goals?|objectives?)\b")),
    ("remainder", re.compile(r"\b(remain(der|ing|s)?|next|to[ -]?do|outstanding|left to do)\b")),
    ("invariants", re.compile(r"\b(invariants?|constraints?)\b")),
    ("verification", re.compile(r"\b(verif(y|ied|ication|ying)|checks?)\b")),
    ("progress", re.compile(r"\b(progress|done|completed?|current state)\b")),
)


class Field(Struct, frozen=True):
    """What a field says, and where."""

    value: str
    line: int


class Status(Struct, frozen=True):
    """The first word of ``Status`` in lower case, the prose after it, and the line; no word: there is none."""

    word: str = ""
    prose: str = ""
    line: int = 1


class Reference(Struct, frozen=True):
    """What ``Supersedes`` names: a path as it is written, and the SHA-256 that may stand behind it.

    ``malformed`` is what stands there and is none; then ``digest`` is empty.
    """

    path: str
    digest: str
    line: int
    malformed: str | None = None


class Section(Struct, frozen=True):
    """A heading with its level and line, and the lines below it, each with its ``\\n``, up to the next heading.

    What stands before the first heading is a section of level 0. A section below one that has a role has it too.
    """

    heading: str
    level: int
    line: int
    text: str
    role: Role = ""

    @property
    def first(self) -> int:
        """The number of the first line of its text."""
        return self.line + (self.level > 0)


def folded(stated: str) -> str:
    """An effort, or a leg, as two of them are compared: whatever their capitals, and however accents are encoded."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", stated).casefold())


class Letter(Struct, frozen=True):
    """A letter as it is written. ``fields`` go by their names in lower case; ``digest`` is the SHA-256 of its bytes."""

    title: str
    fields: dict[str, Field]
    sections: tuple[Section, ...]
    paths: tuple[Mention, ...]
    commits: tuple[Mention, ...]
    digest: str
    size: int

    def text(self, name: str) -> str:
        """What a field says; empty where it is absent."""
        field = self.fields.get(name.lower())
        return field.value if field else ""

    def line(self, name: str) -> int:
        """Where a field stands; 1 where it is absent."""
        field = self.fields.get(name.lower())
        return field.line if field else 1

    @property
    def status(self) -> Status:
        """What ``Status`` says."""
        said = self.text("Status")
        word = WORD.match(said)
        if not word:
            return Status("", said, self.line("Status"))
        return Status(word[0].lower(), said[word.end() :].lstrip(" \t,.;:()-–—"), self.line("Status"))

    @property
    def supersedes(self) -> Reference | None:
        """What ``Supersedes`` names; None where it names nothing."""
        said = self.text("Supersedes")
        beside = _BESIDE.search(said)
        stated = said[: beside.start()].strip() if beside else said
        link = _LINK.fullmatch(stated)
        path = _plain(link[1] if link else stated).removeprefix("./")
        if not path or re.fullmatch(r"none\b.*", path, re.IGNORECASE):
            return None
        digest = beside[1] if beside and _DIGEST.fullmatch(beside[1]) else ""
        return Reference(path, digest, self.line("Supersedes"), beside[1] if beside and not digest else None)

    @property
    def told(self) -> Letter:
        """The letter with the credentials in its title and its fields masked: what may be shown of it."""
        said = "\n".join((self.title, *(field.value for field in self.fields.values())))
        if masked(said) == said:
            return self
        fields = {name: Field(masked(field.value), field.line) for name, field in self.fields.items()}
        return structs.replace(self, title=masked(self.title), fields=fields)

    def of(self, role: Role) -> list[Section]:
        """The sections that have a role."""
        return [section for section in self.sections if section.role == role]

    def within(self, role: Role, named: tuple[Mention, ...]) -> list[Mention]:
        """Those of some mentions that stand in the sections of a role."""
        sections = self.of(role)
        firsts = [each.first for each in sections]
        ends = [0, *(each.first + each.text.count("\n") for each in sections)]
        return [each for each in named if each.line < ends[bisect_right(firsts, each.line)]]


def parse(data: bytes) -> Letter:
    """The letter in ``data``; bytes that are no UTF-8 are written out as ``\\xNN``."""
    raw = split(data)
    texts = [line.decode("utf-8", "backslashreplace") for line in raw]
    covered = hidden(texts)
    sections = _with_roles(list(_sections(texts, covered)))
    return Letter(
        title=next((each.heading for each in sections if each.level == 1 and not each.role), ""),
        fields=_fields(raw, texts, covered),
        sections=tuple(sections),
        paths=tuple(mentions.paths(texts)),
        commits=tuple(mentions.commits(texts)),
        digest=hashlib.sha256(data).hexdigest(),
        size=len(data),
    )


def is_letter(name: str) -> bool:
    """Whether a file name is one of a letter, with or without a date that can be right."""
    return name.startswith(PREFIX) and name.endswith(SUFFIX)


def reads_as_letter(data: bytes) -> bool:
    """Whether a file states what only a letter does: a status, an effort and a leg."""
    letter = parse(data[:HEAD])
    return all(letter.text(name) for name in ("Status", "Effort", "Leg"))


def written_on(name: str) -> date | None:
    """The day in a letter's file name; None where it names none that there is."""
    found = _NAME.fullmatch(name)
    try:
        return date.fromisoformat(found[1]) if found else None
    except ValueError:
        return None


def _fields(raw: list[bytes], texts: list[str], covered: list[bool]) -> dict[str, Field]:
    found: dict[str, Field] = {}
    at = 0
    for number, (line, text) in enumerate(zip(raw, texts, strict=True), 1):
        if at >= HEAD:
            break
        at += len(line) + 1
        if not covered[number - 1] and (stated := FIELD.fullmatch(text)):
            found.setdefault(stated[2].lower(), Field(_value(stated), number))
    return found


def _value(stated: re.Match[str]) -> str:
    value = stated[5].strip()
    if stated[1] and not (stated[3] or stated[4]):  # **Status: active**
        value = value.removesuffix("**").rstrip()
    return _plain(value)


def _plain(value: str) -> str:
    """A value without the backquotes around the whole of it."""
    inner = value[1:-1]
    return inner.strip() if len(value) > 1 and value[0] == value[-1] == "`" and "`" not in inner else value


def _sections(texts: list[str], covered: list[bool]) -> Iterator[Section]:
    heading, level, start = "", 0, 0
    for number, text in enumerate(texts):
        found = None if covered[number] else _heading(text)
        if found:
            if level or number:
                yield _section(heading, level, start, texts[start:number])
            level, heading = found
            start = number
    yield _section(heading, level, start, texts[start:])


def _section(heading: str, level: int, start: int, texts: list[str]) -> Section:
    body = texts[1:] if level else texts
    return Section(heading, level, start + 1, "".join(f"{line}\n" for line in body))


def _heading(text: str) -> tuple[int, str] | None:
    """Level and text of an ATX heading, https://spec.commonmark.org/0.31.2/#atx-headings."""
    if "#" not in text:
        return None
    bare = text.lstrip(" ")
    rest = bare.lstrip("#")
    level = len(bare) - len(rest)
    if not 1 <= level <= 6 or len(text) - len(bare) > 3 or (rest and rest[0] not in " \t"):
        return None
    said = rest.strip()
    closed = said.rstrip("#")
    return level, closed.rstrip() if not closed or closed[-1] in " \t" else said


def _with_roles(sections: list[Section]) -> list[Section]:
    """The sections with their roles; a single level-one heading is the title, and has none."""
    titled = sum(each.level == 1 for each in sections) == 1
    found: list[Section] = []
    role: Role = ""
    above = 7
    for each in sections:
        if each.level <= above:
            role = "" if each.level == 0 or (titled and each.level == 1) else role_of(each.heading)
            above = each.level if role else 7
        found.append(Section(each.heading, each.level, each.line, each.text, role))
    return found


def role_of(heading: str) -> Role:
    """What a heading is about; empty where that is nothing a letter must have."""
    said = heading.casefold()
    return next((role for role, words in _ROLES if words.search(said)), "")
