"""The rules about one letter by itself: its fields, its dates, what it names and what must not stand in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from cockpit.formats import instants
from cockpit.formats.credentials import Credential
from cockpit.formats.letter import CONSUMED, PENDING, REQUIRED, Role, written_on
from cockpit.formats.mentions import Mention
from cockpit.formats.text import counted, cut, visible
from cockpit.reads.letter_rules import Docket, LetterFinding, finding
from cockpit.store.letters import Filed, told

LARGE = 15 << 10  # bytes
_LEFT = re.compile(r"\b(removed?|deleted?|renamed?|moved?|dropped|is gone)\b", re.IGNORECASE)
_INSTANT = "an instant such as 2026-11-30T09:00:00Z"


def of_each(docket: Docket) -> Iterator[LetterFinding]:
    """What is wrong with each letter by itself."""
    for filed in docket.letters.all:
        yield from _metadata(filed)
        yield from _place(docket, filed)
        yield from _dates(docket, filed)
        yield from _secrets(filed)
        if not filed.archived:
            yield from _prose(filed)
        if filed.in_force:
            yield from _progress(docket, filed)


def _metadata(filed: Filed) -> Iterator[LetterFinding]:
    letter = filed.letter
    stated = {name for name in REQUIRED if letter.text(name)}
    if not letter.status.word:
        stated.discard("Status")
    if letter.status.word == CONSUMED:
        stated.add("Consumed-at")  # that it has no date is a fault of its own
    missing = [name for name in REQUIRED if name not in stated]
    if missing:
        said = f"It does not say its {' and '.join(filter(None, (', '.join(missing[:-1]), missing[-1])))}: write "
        each = "it as a line" if len(missing) == 1 else "each as a line"
        yield finding("metadata-missing", filed, 1, f"{said}{each} “Field: value” into its first 4 KiB.")


def _place(docket: Docket, filed: Filed) -> Iterator[LetterFinding]:
    """Whether a letter lies where its status says, and the index knows it."""
    status, remedy, noted = filed.letter.status, docket.consume(filed), docket.letters.noted
    if status.word == CONSUMED and not filed.archived:
        said = "It is consumed and lies among the active letters: it belongs into the archive."
        if not remedy:
            said += (
                " The archive has a file of its name or no folder, or a credential is in it: settle that by hand first."
            )
        yield finding("consumed-live", filed, status.line, said, remedy)
    if filed.archived and status.word not in ("", CONSUMED):
        word = cut(visible(filed.told.status.word), 40)
        said = (
            f"It lies in the archive and its status is {word}: the command marks it as consumed; if the work "
            "goes on, move it back among the active letters."
        )
        yield finding("active-archived", filed, status.line, said, remedy)
    elif filed.archived and noted is not None and filed.name not in noted:
        yield finding("not-indexed", filed, 1, "No line of the archive's INDEX.md names it.", remedy)


def _dates(docket: Docket, filed: Filed) -> Iterator[LetterFinding]:
    letter = filed.letter
    if written_on(filed.name) is None:
        said = "Its name holds no day that there is: rename it to HANDOFF-YYYY-MM-DD-<slug>.md, the day it was written."
        yield finding("date-invalid", filed, 1, said)
    stated, line, consumed = letter.text("Consumed-at"), letter.line("Consumed-at"), letter.status.word == CONSUMED
    if not stated or stated.lower() == PENDING:
        if consumed:
            said = (
                "It is consumed and does not say when: the command dates it now; write the instant where it is known."
            )
            yield finding("consumed-undated", filed, line, said, docket.consume(filed))
        return
    when = instants.parse(stated)
    if when is None:
        said = (
            f"Its Consumed-at is “{cut(visible(filed.told.text('Consumed-at')), 60)}”: write {PENDING}, or {_INSTANT}."
        )
        yield finding("date-invalid", filed, line, said)
    elif when - docket.now >= instants.MINUTE:
        yield finding(
            "date-invalid", filed, line, f"Its Consumed-at lies in the future: write {_INSTANT} that is past."
        )
    elif filed.in_force:
        said = f"It is in force and says when it was consumed: write Consumed-at: {PENDING}, or consume it."
        yield finding("date-invalid", filed, line, said)


def _secrets(filed: Filed) -> Iterator[LetterFinding]:
    for alike in _by_kind(filed.blemishes.secrets):
        leader, more = alike[0], counted(len(alike) - 1, "other")
        what = f"{leader.kind}, {visible(leader.masked)}" + (f"; {more} of this kind below" if alike[1:] else "")
        said = f"It holds what looks like a credential ({what}): revoke it, and take it out."
        yield finding("secret", filed, leader.line, said)
    if filed.named_secretly:
        yield finding("secret", filed, 1, "Its name holds what looks like a credential: revoke it, and rename it.")


def _by_kind(secrets: tuple[Credential, ...]) -> Iterable[list[Credential]]:
    """Credentials of one kind together, each kind where its first one is."""
    kinds: dict[str, list[Credential]] = {}
    for each in secrets:
        kinds.setdefault(each.kind, []).append(each)
    return kinds.values()


def _prose(filed: Filed) -> Iterator[LetterFinding]:
    """How a letter is written: the rules of ``OF_PROSE``."""
    letter, blemishes = filed.letter, filed.blemishes
    if blemishes.transcript:
        said = "It holds a pasted conversation: write what came of it instead."
        yield finding("transcript", filed, blemishes.transcript, said)
    if blemishes.placeholders:
        first, *others = blemishes.placeholders
        more = f" (also on {counted(len(others), 'other line')})" if others else ""
        said = f"Text of a template was left in here{more}: fill it in, or take it out."
        yield finding("placeholder", filed, first, said)
    if not any(each.text.strip() for each in letter.of("verification")):
        said = "It says nothing about verification: name the exact commands under a heading “Verification”."
        yield finding("verification-missing", filed, _line_of(filed, "verification"), said)
    if letter.size > LARGE:
        said = f"It has {letter.size:,} bytes, more than {LARGE >> 10} KiB: consolidate it."
        yield finding("large", filed, 1, said)


def _line_of(filed: Filed, role: Role) -> int:
    return next((each.line for each in filed.letter.of(role)), 1)


def _progress(docket: Docket, filed: Filed) -> Iterator[LetterFinding]:
    """What a letter in force names as progress and is not there; a line that says so itself is believed."""
    letter = filed.letter
    leaving = frozenset(_leaving(filed))
    paths = [each for each in letter.within("progress", letter.paths) if each.line not in leaving]
    for each in _firsts(paths):
        if each.name in docket.letters.absent:
            path = cut(visible(told(each.name)), 200)
            said = f"It names {path} as progress, and there is no such file: correct the path."
            yield finding("path-missing", filed, each.line, said)
    commits = letter.within("progress", letter.commits)
    if stated := letter.text("Commit"):
        commits.insert(0, Mention(stated.lower(), letter.line("Commit")))
    for each in _firsts(commits):
        if docket.commits is not None and each.name in docket.wanted and each.name not in docket.commits:
            said = f"It names the commit {each.name[:12]}, and this repository does not have it: name one that it has."
            yield finding("commit-missing", filed, each.line, said)


def _firsts(named: list[Mention]) -> list[Mention]:
    """Each name where it is named first."""
    return list({each.name: each for each in reversed(named)}.values())[::-1]


def _leaving(filed: Filed) -> Iterator[int]:
    """The lines under progress that say that something was removed, renamed or moved."""
    for section in filed.letter.of("progress"):
        for number, line in enumerate(section.text.split("\n"), section.first):
            if _LEFT.search(" ".join(word for word in line.split() if "/" not in word)):
                yield number
