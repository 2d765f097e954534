"""A new letter: what stands on standard input, with what git says; proposed, and written only when told to.

Where it supersedes a letter in force, that one is consumed first and the new one is written last, under a name that
was free: whatever is killed between the two, the same command goes on from there.
"""

from __future__ import annotations

import re
from datetime import date

from msgspec import Struct

from cockpit.formats import letter_text
from cockpit.formats.blemishes import Blemishes, blemishes
from cockpit.formats.letter import NONE, Letter, folded, parse
from cockpit.formats.letter_text import Stated
from cockpit.formats.text import counted, one_line, shown, visible
from cockpit.handoffs import archiving
from cockpit.handoffs.archiving import Consumed
from cockpit.handoffs.desk import Desk
from cockpit.housekeeping import writing
from cockpit.reads.letter_chains import chain_of, key_of
from cockpit.recorder.site import Refused
from cockpit.store.files import LIMIT
from cockpit.store.letters import Filed, told
from cockpit.store.position import DETACHED

_SLUG = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?")
_LONGEST = 200  # characters of an effort or a leg
_MODE = 0o644


class Wanted(Struct, frozen=True):
    """What is asked for: whose leg, the end of the file's name, what it supersedes (empty: nothing), the day."""

    effort: str
    leg: str
    slug: str
    supersedes: str
    day: date


class Draft(Struct, frozen=True):
    """A letter that may be written: its path, its bytes, and the letter that must lie in the archive before it."""

    path: str
    data: bytes
    ends: Filed | None


def draft(desk: Desk, wanted: Wanted, text: bytes) -> Draft:
    """The letter that is asked for; nothing is written. Raises Refused with the reason."""
    given = _given(text)
    for name, value in (("Effort", wanted.effort), ("Leg", wanted.leg)):
        if len(value) > _LONGEST or not letter_text.stands(name, value):
            raise Refused(
                f"--{name.lower()} must be one line of printable text, as it can stand in a field: at most {_LONGEST} "
                "characters."
            )
    if blemishes(f"{wanted.effort}\n{wanted.leg}\n{wanted.slug}\n".encode()).secrets:
        raise Refused("--effort, --leg or --slug holds what looks like a credential. Take it out: a letter is kept.")
    if not _SLUG.fullmatch(wanted.slug):
        raise Refused("--slug ends the file's name: letters, digits, “.”, “_” and “-”, at most a hundred.")
    letters = desk.known()
    superseded = _superseded(desk, wanted) if wanted.supersedes else None
    path = f"{letters.folder}/HANDOFF-{wanted.day.isoformat()}-{wanted.slug}.md"
    stated = _stated(desk, wanted, superseded)
    data = letter_text.compose(stated, given).encode()
    _refuse_second(desk, wanted, path, superseded)
    _refuse_misread(stated, given, data)
    return Draft(path, data, superseded)


def write(desk: Desk, made: Draft) -> Consumed | None:
    """Write a draft, and archive what it ends; what came of that, if any. The caller holds the checkout."""
    ended = archiving.consume(desk, made.ends) if made.ends else None
    folder, _, name = made.path.rpartition("/")
    writing.make_folder(desk.root, folder)
    writing.create(desk.root, folder, [(name, made.data)], _MODE)
    return ended


# ---------------------------------------------------------------------- what is given
def _given(text: bytes) -> Letter:
    """The sections on standard input. Raises Refused where one is missing or something must not stand in a letter."""
    try:
        text.decode()
    except UnicodeDecodeError as error:
        raise Refused("The text on standard input is no UTF-8.") from error
    _refuse_blemished(blemishes(text))
    given = parse(text)
    missing = letter_text.missing(given)
    if missing:
        names = ", ".join(f"“{heading}”" for _, heading in letter_text.WANTED)
        raise Refused(
            f"A letter needs sections under the headings {names}, on standard input; missing or empty: "
            f"{', '.join(missing)}."
        )
    return given


def _refuse_blemished(found: Blemishes) -> None:
    if found.secrets:
        first, number = found.secrets[0], len(found.secrets)
        raise Refused(
            f"Line {first.line} of the text holds what looks like a credential ({first.kind}, "
            f"{visible(first.masked)}); {counted(number, 'credential')} in all. Take it out: a letter is kept."
        )
    if found.transcript:
        raise Refused(f"From line {found.transcript} on a conversation is pasted: write what came of it instead.")


def _refuse_misread(stated: Stated, given: Letter, data: bytes) -> None:
    """What is written is read again as just what was given, and nothing that git says is a secret."""
    read = parse(data)
    if len(data) > LIMIT:
        raise Refused(f"The letter would have {len(data):,} bytes, and one over 1 MiB is not read. Shorten the text.")
    for name, value in stated.fields():
        if read.text(name) != value:
            raise Refused(f"The field {name} would not stand in the first 4 KiB. Shorten the title, or what git says.")
    if letter_text.outline(read) != letter_text.outline(given) or given.title not in ("", read.title):
        raise Refused("The headings would not be read as they are given: first “# Title”, if any, then “## Heading”.")
    if blemishes(data).secrets:
        raise Refused("The branch or the identity that git says holds what looks like a credential. Rename it.")


def _superseded(desk: Desk, wanted: Wanted) -> Filed:
    """The letter that another takes the place of: one of the same effort, which none has taken the place of yet."""
    found = desk.find(wanted.supersedes)
    path, effort = one_line(told(found.path)), found.letter.text("Effort")
    chain = chain_of(desk.letters)
    by = next((each for each in desk.letters.all if chain.get(each.path) is found), None)
    if by:
        raise Refused(f"{path} is superseded by {one_line(told(by.path))} already. Supersede that one.")
    if effort and folded(effort) != folded(wanted.effort):
        raise Refused(
            f"{path} is of the effort {one_line(found.told.text('Effort'))}, and a letter supersedes one of its own "
            "effort. Consume it, and write this one without --supersedes."
        )
    return found


def _stated(desk: Desk, wanted: Wanted, superseded: Filed | None) -> Stated:
    position = desk.snapshot.position
    owner = str(desk.owner())
    return Stated(
        effort=wanted.effort,
        leg=wanted.leg,
        supersedes=_reference(desk, superseded) if superseded else NONE,
        branch="" if position.branch == DETACHED else position.branch,
        commit=position.head,
        owner=owner if letter_text.stands("Owner", owner) else "",
    )


def _reference(desk: Desk, superseded: Filed) -> str:
    """A letter as the archive will hold it: its path there, and the digest of its bytes there."""
    plan = archiving.planned(desk, superseded)
    path = shown(plan.path)
    if not letter_text.stands("Supersedes", path):
        raise Refused(f"{one_line(path)} has a name that cannot stand in a field. Rename it first.")
    return f"{path} sha256:{plan.digest}"


def _refuse_second(desk: Desk, wanted: Wanted, path: str, ends: Filed | None) -> None:
    """One letter in force for an effort and leg, and one file a name."""
    name = path.rpartition("/")[2]
    if any(each.name == name for each in desk.letters.all):
        raise Refused(f"There is a letter {name} already. Choose another --slug.")
    key = folded(wanted.effort), folded(wanted.leg)
    others = [each for each in desk.letters.in_force if key_of(each) == key and each is not ends]
    if others:
        there = one_line(shown(others[0].path))
        raise Refused(
            f"{there} is in force for effort {wanted.effort}, leg {wanted.leg}. One letter at a time: supersede it "
            "with --supersedes, or give this one another --leg."
        )
