"""``handoffs.state``: which letters hand work on here, which wait for a person, and what is wrong with them?

A letter is in force while it lies in the folder of active letters and is not consumed. Its commit is its field
``Commit``, else the last commit under its progress that the repository has.
"""

from __future__ import annotations

from itertools import chain

from msgspec import UNSET, Struct, UnsetType

from cockpit.formats import instants
from cockpit.formats.letter import ACTIVE, WAITING, Letter, Status, written_on
from cockpit.formats.text import cut, shown, sound, visible
from cockpit.reads import hygiene, letter_chains, letter_faults
from cockpit.reads.answers import Count, Divergence, Text, optional
from cockpit.reads.hygiene import HygieneState
from cockpit.reads.letter_rules import Docket, LetterFinding, in_order
from cockpit.store.layer import MANIFEST
from cockpit.store.letters import ROOT, Filed, Letters, Trouble, progress, told
from cockpit.store.snapshot import Snapshot

WINDOW = 20
_DIGITS = 40  # of a commit id, where there is no commit yet


class ActiveLetter(Struct, frozen=True, kw_only=True):
    """A letter in force.

    ``status`` is the first word of its status in lower case, ``said`` the prose after it, and ``note`` a sentence about
    what that word asks of a person, absent where it asks nothing. ``since`` is the day in its name (YYYY-MM-DD),
    ``supersedes`` a path as it is written, ``digest`` the SHA-256 of its ``bytes`` bytes. ``stand`` is how its commit
    stands to HEAD, with the reason in words; ``ahead`` counts the commits that HEAD has beyond it, ``behind`` those
    that it has and HEAD lacks.
    """

    path: str
    title: Text = UNSET
    status: Text = UNSET
    said: Text = UNSET
    note: Text = UNSET
    effort: Text = UNSET
    leg: Text = UNSET
    since: Text = UNSET
    supersedes: Text = UNSET
    owner: Text = UNSET
    digest: str
    bytes: int
    commit: Text = UNSET
    branch: Text = UNSET
    stand: Divergence
    stand_reason: str
    ahead: Count = UNSET
    behind: Count = UNSET


class ArchivedLetter(Struct, frozen=True, kw_only=True):
    """A letter in the archive; ``consumed_at`` is an instant, absent where the letter names none."""

    path: str
    title: Text = UNSET
    effort: Text = UNSET
    leg: Text = UNSET
    since: Text = UNSET
    consumed_at: Text = UNSET
    digest: str


class LetterCounts(Struct, frozen=True, kw_only=True):
    """How many letters there are of each kind, and how many findings of each severity."""

    active: int
    waiting: int
    archived: int
    errors: int
    warnings: int


class HandoffsState(Struct, frozen=True, kw_only=True):
    """``handoffs.state``: the letters of this checkout.

    ``folder`` and ``archive_folder`` are absent where the policy's are refused. ``active`` and ``waiting`` are the
    letters in force, newest first, ``waiting`` those whose status is ``awaiting-human``; ``archive`` is the newest
    ``window`` of the archive. ``faults`` says what is refused or cannot be read. ``hygiene`` is how periodic hygiene
    stands, absent where the policy does not opt in.
    """

    present: bool
    folder: Text = UNSET
    archive_folder: Text = UNSET
    active: list[ActiveLetter]
    waiting: list[ActiveLetter]
    findings: list[LetterFinding]
    archive: list[ArchivedLetter]
    window: int
    counts: LetterCounts
    faults: list[str]
    hygiene: HygieneState | UnsetType = UNSET


def answer(snapshot: Snapshot) -> HandoffsState:
    """The answer of one reading; nothing is written by looking."""
    letters = snapshot.letters
    found = findings(snapshot)
    active = [_active(snapshot, each) for each in _newest_first(letters.in_force)]
    waiting = [each for each in active if each.status == WAITING]
    errors = sum(each.severity == "error" for each in found)
    return HandoffsState(
        present=letters.present,
        folder=optional(shown(letters.folder)),
        archive_folder=optional(shown(letters.archive)),
        active=[each for each in active if each.status != WAITING],
        waiting=waiting,
        findings=found,
        archive=_newest(letters),
        window=WINDOW,
        counts=LetterCounts(
            active=len(active) - len(waiting),
            waiting=len(waiting),
            archived=len(letters.archived),
            errors=errors,
            warnings=len(found) - errors,
        ),
        faults=faults(snapshot),
        hygiene=hygiene.state(snapshot),
    )


def findings(snapshot: Snapshot) -> list[LetterFinding]:
    """What every rule finds in every letter, the errors first."""
    letters = snapshot.letters
    digits = len(snapshot.position.head) or _DIGITS
    wanted = frozenset(each for each in letters.commits if len(each) <= digits)
    docket = Docket(letters, snapshot.root, snapshot.now, snapshot.letter_commits, wanted)
    return in_order(chain(letter_faults.of_each(docket), letter_chains.among(docket)))


def faults(snapshot: Snapshot) -> list[str]:
    """What is refused or cannot be read, in sentences."""
    return [each.sentence for each in troubles(snapshot)]


def troubles(snapshot: Snapshot) -> list[Trouble]:
    """What is refused or cannot be read, each with the file or folder it is, as they may be shown."""
    layer, letters = snapshot.layer, snapshot.letters
    found = [Trouble(*each) for each in layer.policy_faults]
    policy = layer.policy_path or MANIFEST
    found += [Trouble(told(sound(each.path or policy)), told(sound(each.sentence))) for each in letters.troubles]
    if snapshot.letter_commits is None:
        said = "git does not say which commits this repository has, so that none is called missing."
        found.append(Trouble(ROOT, said))
    named, asked = len(letters.named_commits), len(letters.commits)
    if named > asked:
        found.append(Trouble(ROOT, f"The letters name {named} commits; the last {named - asked} were not looked up."))
    return found


def _newest_first(filed: list[Filed]) -> list[Filed]:
    return sorted(filed, key=lambda each: each.name, reverse=True)


def _active(snapshot: Snapshot, filed: Filed) -> ActiveLetter:
    letter = filed.told
    commit = commit_of(snapshot, letter)
    standing = snapshot.standing(commit) if commit else None
    apart = snapshot.distance(snapshot.position.head, commit) if standing and standing.word != "unknown" else None
    superseded = letter.supersedes
    return ActiveLetter(
        path=told(filed.path),
        title=optional(letter.title),
        status=optional(letter.status.word),
        said=optional(letter.status.prose),
        note=optional(_note(letter.status)),
        effort=optional(letter.text("Effort")),
        leg=optional(letter.text("Leg")),
        since=_since(filed),
        supersedes=optional(superseded.path if superseded else ""),
        owner=optional(letter.text("Owner")),
        digest=letter.digest,
        bytes=letter.size,
        commit=optional(commit),
        branch=optional(letter.text("Branch")),
        stand=standing.word if standing else "unknown",
        stand_reason=standing.reason if standing else "it names no commit that this repository has",
        ahead=apart.ahead if apart else UNSET,
        behind=apart.behind if apart else UNSET,
    )


def _note(status: Status) -> str:
    """What the word of a status asks of a person; that there is no word is a fault of its own."""
    if status.word == WAITING:
        return f"Answer its question in the letter and set its Status to {ACTIVE}, or consume it."
    if status.word in ("", ACTIVE):
        return ""
    return f"Its status “{cut(visible(status.word), 40)}” is not known; it counts as in force."


def commit_of(snapshot: Snapshot, letter: Letter) -> str:
    """The commit that a letter was written at, whole where the repository has it; empty where none is known."""
    known = snapshot.letter_commits or {}
    if stated := letter.text("Commit"):
        return known.get(stated.lower(), stated)
    return next((known[name] for name in reversed(progress(letter)) if name in known), "")


def _since(filed: Filed) -> Text:
    day = written_on(filed.name)
    return day.isoformat() if day else UNSET


def _newest(letters: Letters) -> list[ArchivedLetter]:
    """The newest of the archive: by the instant they were consumed at, then by name."""
    dated = [(instants.parse(each.letter.text("Consumed-at")), each) for each in letters.archived]
    newest = sorted(dated, key=lambda pair: (pair[0] is not None, pair[0] or 0, pair[1].name), reverse=True)
    return [_archived(each, dated=when is not None) for when, each in newest[:WINDOW]]


def _archived(filed: Filed, *, dated: bool) -> ArchivedLetter:
    letter = filed.told
    return ArchivedLetter(
        path=told(filed.path),
        title=optional(letter.title),
        effort=optional(letter.text("Effort")),
        leg=optional(letter.text("Leg")),
        since=_since(filed),
        consumed_at=optional(letter.text("Consumed-at") if dated else ""),
        digest=letter.digest,
    )
