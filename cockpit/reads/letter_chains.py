"""The rules among letters: which supersedes which, which are one too many, and which are not what was noted of them.

Two letters that supersede the same one are no fault by that: of one effort and leg they are ``duplicate-active``, of
two legs each is the one letter of its leg. A letter that is named by ``Supersedes`` may have gone into the archive
since: its name leads to it there.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from cockpit.formats.diffs import differences
from cockpit.formats.letter import CONSUMED, Reference, folded
from cockpit.formats.text import cut, shown, visible
from cockpit.reads.letter_rules import Docket, LetterFinding, finding
from cockpit.store.letters import Filed, Letters, told

Chain = dict[str, Filed]
"""What each letter supersedes, by the path of the one that does."""


def among(docket: Docket) -> Iterator[LetterFinding]:
    """What is wrong between letters."""
    chain = chain_of(docket.letters)
    round_trips = list(_cycles(docket.letters, chain))
    in_cycle = {each.path for cycle in round_trips for each in cycle}
    superseded = {chain[each.path].path: each for each in docket.letters.all if each.path in chain}
    yield from _missing(docket, chain)
    for cycle in round_trips:
        first = cycle[0]
        names = " → ".join(cut(visible(told(each.name)), 80) for each in (*cycle, first))
        said = f"What it supersedes leads back to it ({names}): write “Supersedes: none” into the first of them."
        yield finding("supersedes-cycle", first, first.letter.line("Supersedes"), said)
    ended = [each for each in docket.letters.in_force if each.path in superseded and each.path not in in_cycle]
    for each in ended:
        by = cut(visible(told(superseded[each.path].path)), 200)
        said = f"It is in force, and {by} supersedes it: consume it."
        yield finding("superseded-active", each, each.letter.status.line, said, docket.consume(each))
    yield from _doubles([each for each in docket.letters.in_force if each not in ended])
    yield from _malformed(docket)
    yield from _changed(docket)


def chain_of(letters: Letters) -> Chain:
    """What each letter supersedes, where that is a letter that there is."""
    known = places(letters)
    found = ((each, named(letters, known, each.letter.supersedes)) for each in letters.all)
    return {each.path: target for each, target in found if target}


def places(letters: Letters) -> dict[str, Filed]:
    """Every letter by its path and by its name; of two of one name the archived one has it."""
    return {key: each for each in letters.all for key in (shown(each.path), shown(each.name))}


def named(letters: Letters, known: dict[str, Filed], reference: Reference | None) -> Filed | None:
    """The letter that a reference leads to: the one at the path; where nothing is there, the one of the name."""
    if reference is None:
        return None
    gone = reference.path in letters.absent
    return known.get(reference.path) or (known.get(reference.path.rpartition("/")[2]) if gone else None)


def _missing(docket: Docket, chain: Chain) -> Iterator[LetterFinding]:
    for each in docket.letters.all:
        reference = each.letter.supersedes
        if reference and each.path not in chain and reference.path in docket.letters.absent:
            path = cut(visible(told(reference.path)), 200)
            said = f"It supersedes {path}, and there is no such file: correct the path, or write “Supersedes: none”."
            yield finding("supersedes-missing", each, reference.line, said)


def _cycles(letters: Letters, chain: Chain) -> Iterator[list[Filed]]:
    """Every cycle once, each from its first letter by name."""
    done: set[str] = set()
    for start in letters.all:
        trail: dict[str, Filed] = {}
        at: Filed | None = start
        while at and at.path not in done and at.path not in trail:
            trail[at.path] = at
            at = chain.get(at.path)
        if at and at.path in trail:
            cycle = list(trail.values())[list(trail).index(at.path) :]
            first = cycle.index(min(cycle, key=lambda each: each.name))
            yield cycle[first:] + cycle[:first]
        done |= trail.keys()


def _doubles(candidates: list[Filed]) -> Iterator[LetterFinding]:
    """Letters in force of one effort and leg: one finding for all of them, at the newest."""
    whose = sorted(
        ((key, each) for each in candidates if (key := key_of(each))), key=lambda pair: (pair[0], pair[1].name)
    )
    for _, group in groupby(whose, key=lambda pair: pair[0]):
        *others, newest = [each for _, each in group]
        if others:
            paths = ", ".join(cut(visible(told(each.path)), 200) for each in others)
            effort, leg = (cut(visible(newest.told.text(name)), 60) for name in ("Effort", "Leg"))
            said = (
                f"It is in force for effort {effort}, leg {leg}, and so is "
                f"{paths}: consume the one that is done with, or give one of them another leg."
            )
            yield finding("duplicate-active", newest, newest.letter.line("Leg"), said)


def key_of(filed: Filed) -> tuple[str, str] | None:
    """What there may be one letter in force of: effort and leg; None where the letter does not say both."""
    effort, leg = (folded(filed.letter.text(name)) for name in ("Effort", "Leg"))
    return (effort, leg) if effort and leg else None


def _malformed(docket: Docket) -> Iterator[LetterFinding]:
    """Letters that state as the digest of what they supersede something that is none."""
    for each in docket.letters.all:
        reference = each.told.supersedes
        if reference and reference.malformed is not None:
            stated = cut(visible(reference.malformed), 80)
            said = (
                f"The digest of what it supersedes is malformed (“sha256:{stated}”): write the sixty-four hexadecimal "
                "digits that `sha256sum` prints, in lower case, or leave it out."
            )
            yield finding("digest-mismatch", each, reference.line, said)


def _changed(docket: Docket) -> Iterator[LetterFinding]:
    """Letters whose bytes are not those that the index, or a letter that supersedes them, has noted."""
    letters, known, noted = docket.letters, places(docket.letters), docket.letters.noted or {}
    found: dict[str, tuple[Filed, str]] = {}
    for each in letters.archived:
        about = noted.get(each.name)
        unmarked = about and about.was == each.letter.digest and each.letter.status.word != CONSUMED
        if about and about.digest and about.digest != each.letter.digest and not unmarked:
            found[each.path] = each, f"line {about.line} of the archive's INDEX.md"
    for each in letters.all:
        reference = each.letter.supersedes
        target = named(letters, known, reference)
        if reference and target and reference.digest and target.path not in found:
            about = noted.get(target.name)
            if reference.digest not in (target.letter.digest, about.was if about else ""):
                found[target.path] = target, f"line {reference.line} of {cut(visible(told(each.path)), 200)}"
    for each, by in found.values():
        said = (
            f"Its bytes are not those that {by} has noted: see what changed with "
            f"{told(differences(docket.root, each.path))}, and put its bytes back, or correct the digest."
        )
        yield finding("digest-mismatch", each, 1, said)
