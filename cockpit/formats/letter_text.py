"""Letters as they are written: a new one from its parts, and an old one that is marked as consumed."""

from __future__ import annotations

from msgspec import Struct

from cockpit.formats import instants
from cockpit.formats.letter import CONSUMED, FIELD, WORD, Letter, Role, Section, parse
from cockpit.formats.text import BOM

WANTED: tuple[tuple[Role, str], ...] = (
    ("goal", "Original goal"),
    ("progress", "Progress"),
    ("remainder", "Ordered remainder"),
    ("invariants", "Invariants"),
    ("verification", "Verification"),
)
"""The sections of a letter: their role, and the heading that names it best."""


class Stated(Struct, frozen=True):
    """What a new letter says above its sections; what is empty is left out. ``supersedes`` is a path or ``none``."""

    effort: str
    leg: str
    supersedes: str
    branch: str = ""
    commit: str = ""
    owner: str = ""

    def fields(self) -> list[tuple[str, str]]:
        """The fields in the order in which they are written."""
        said = [("Status", "active"), ("Effort", self.effort), ("Leg", self.leg), ("Supersedes", self.supersedes)]
        more = [("Branch", self.branch), ("Commit", self.commit), ("Owner", self.owner)]
        return [*said, ("Consumed-at", "pending"), *((name, value) for name, value in more if value)]


def compose(stated: Stated, given: Letter) -> str:
    """A letter with the title and the sections of a text, which is parsed as if it were one."""
    title = given.title or f"Handoff: {stated.effort}, leg {stated.leg}"
    named = next((each for each in given.sections if each.level == 1 and not each.role), None)
    fields = "".join(f"{name}: {value}\n" for name, value in stated.fields())
    body = "".join(_section(each, headed=each is not named) for each in given.sections).strip("\n")
    return f"# {title}\n\n{fields}\n{body}\n"


def _section(section: Section, *, headed: bool) -> str:
    if not section.level or not headed:
        return section.text
    return f"{'#' * section.level} {section.heading}\n{section.text}"


def missing(given: Letter) -> list[str]:
    """The headings of the sections that a text does not have, or has nothing in."""
    return [heading for role, heading in WANTED if not any(each.text.strip() for each in given.of(role))]


def outline(read: Letter) -> list[tuple[int, str, Role, str]]:
    """The sections below a letter's title: level, heading, role, and text without the empty lines around it."""
    found = (each for each in read.sections if each.level and (each.level > 1 or each.role))
    return [(each.level, each.heading, each.role, each.text.strip("\n")) for each in found]


def stands(name: str, value: str) -> bool:
    """Whether a value stands in a field as just what it is."""
    return (
        bool(value)
        and "\n" not in value
        and value.isprintable()
        and parse(f"{name}: {value}\n".encode()).text(name) == value
    )


# ---------------------------------------------------------------------- an old one
def consumed(data: bytes, when: str) -> bytes:
    """A letter marked as consumed at the instant ``when``; an instant that it names already stays."""
    read = parse(data)
    dated = instants.parse(read.text("Consumed-at")) is not None
    changed = _with(data, read, "Status", CONSUMED)
    return changed if dated else _with(changed, parse(changed), "Consumed-at", when)


def _with(data: bytes, read: Letter, name: str, value: str) -> bytes:
    """The letter with a field that says ``value``; of ``Status`` the prose after its word stays."""
    mark = BOM if data.startswith(BOM) else b""
    lines = data[len(mark) :].split(b"\n")
    if name.lower() in read.fields:
        at = read.line(name) - 1
        lines[at] = _replaced(lines[at], value, word=name == "Status" and bool(read.status.word))
    else:
        ending = b"\r" if lines[0].endswith(b"\r") else b""
        first = min((field.line for field in read.fields.values()), default=0)
        new = f"{name}: {value}".encode() + ending
        lines = [*lines[: first - 1], new, *lines[first - 1 :]] if first else [new, ending, *lines]
    return mark + b"\n".join(lines)


def _replaced(line: bytes, value: str, *, word: bool) -> bytes:
    """A field's line with another value; with ``word`` only the first word of what it says is replaced."""
    text = line.decode("utf-8", "surrogateescape")
    bare = text.removesuffix("\r")
    stated = FIELD.fullmatch(bare)
    assert stated
    said = stated[5]
    old = WORD.search(said) if word else None
    if old:
        new = said[: old.start()] + value + said[old.end() :]
    else:
        bold = "**" if stated[1] and not (stated[3] or stated[4]) and said.rstrip().endswith("**") else ""
        new = f" {value}{bold}"
    return (bare[: stated.start(5)] + new + text[len(bare) :]).encode("utf-8", "surrogateescape")
