"""The portable artifact of a letter: what it says, whose it is, which generation it is, and until when it holds.

Its ``digest`` is the SHA-256 of its own JSON without that member, in UTF-8, without spaces, the members of each object
in the order of their names. It tells an artifact that was damaged or edited by hand, and not who made it.
Its form is ``handoff.schema.json`` beside this module (JSON Schema 2020-12), which is made from the types here.
"""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, structs

from cockpit.formats import instants
from cockpit.formats.credentials import masked
from cockpit.formats.letter import CONSUMED, OPTIONAL, REQUIRED, Letter
from cockpit.formats.text import shown
from cockpit.handoffs.desk import Desk, refuse_credential
from cockpit.reads.letter_chains import Chain, chain_of
from cockpit.recorder.site import Refused
from cockpit.store.letters import Filed, Letters

ID = "urn:cockpit:handoff:v1"
Named = Annotated[str, Meta(min_length=1)]
Instant = Annotated[
    str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9:]{8}(\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$")
]
Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Role = Literal["goal", "progress", "remainder", "invariants", "verification"]


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A section: its heading (absent for what stands before the first), its level, its text, what it is about."""

    heading: Named | UnsetType = UNSET
    level: Annotated[int, Meta(ge=0, le=6)]
    text: str
    role: Role | UnsetType = UNSET


class Identity(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who works here, as git says it."""

    name: Named | UnsetType = UNSET
    email: Named | UnsetType = UNSET


class Artifact(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A handoff letter as it may travel.

    ``path`` is where it lay below the root; ``fields`` are those above its sections, by name. ``generation`` is 1 and
    the number of letters that it supersedes, one through the other; ``sha256`` is that of its bytes, ``digest`` that of
    the artifact.
    """

    form: Literal["cockpit/handoff/v1"]
    path: Named
    title: Named | UnsetType = UNSET
    fields: dict[str, str]
    sections: list[Part]
    owner: Identity | UnsetType = UNSET
    generation: Annotated[int, Meta(ge=1)]
    exported_at: Instant
    expires_at: Instant | UnsetType = UNSET
    sha256: Digest
    digest: Digest


def schema() -> dict[str, Any]:
    """The JSON Schema of an artifact, with the artifact itself at its root."""
    (_,), parts = msgspec.json.schema_components([Artifact], ref_template="#/$defs/{name}")
    root = parts.pop(Artifact.__name__)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": ID, **root, "$defs": parts}


def export(desk: Desk, filed: Filed, expires_at: str = "") -> Artifact:
    """The artifact of a letter. Raises Refused where it would hold a credential, or a name that no text can hold."""
    refuse_credential(filed, filed.blemishes.secrets, "an artifact travels")
    if shown(filed.path) != filed.path:
        raise Refused(f"{shown(filed.path)} has a name that is no UTF-8, which no artifact can hold. Rename it.")
    if masked(str(desk.owner())) != str(desk.owner()):
        raise Refused("Git's identity here holds what looks like a credential. Correct it: an artifact travels.")
    made = Artifact(
        form="cockpit/handoff/v1",
        path=filed.path,
        title=filed.letter.title or UNSET,
        fields=_fields(filed.letter),
        sections=_sections(filed.letter),
        owner=identity(desk),
        generation=generation(chain_of(desk.letters), filed.path),
        exported_at=desk.when,
        expires_at=expires_at or UNSET,
        sha256=filed.letter.digest,
        digest="",
    )
    return structs.replace(made, digest=digest(made))


def _fields(letter: Letter) -> dict[str, str]:
    named = {name.lower(): name for name in (*REQUIRED, *OPTIONAL)}
    return {named[key]: field.value for key, field in letter.fields.items()}


def _sections(letter: Letter) -> list[Part]:
    return [
        Part(heading=each.heading or UNSET, level=each.level, text=each.text, role=each.role or UNSET)
        for each in letter.sections
    ]


def digest(artifact: Artifact) -> str:
    """What the ``digest`` of an artifact must be, whatever it is."""
    said = msgspec.to_builtins(artifact)
    del said["digest"]
    return hashlib.sha256(msgspec.json.encode(said, order="sorted")).hexdigest()


def identity(desk: Desk) -> Identity | UnsetType:
    """Git's identity here; absent where there is none."""
    owner = desk.owner()
    return Identity(name=owner.name or UNSET, email=owner.email or UNSET) if owner.name or owner.email else UNSET


def generation(chain: Chain, path: str) -> int:
    """1, and how many letters are superseded by the one at ``path``, one through the other."""
    seen = {path}
    while (before := chain.get(path)) and before.path not in seen:
        path = before.path
        seen.add(path)
    return len(seen)


# ---------------------------------------------------------------------- whether it still holds
class NoArtifact(Exception):
    """What was given is no artifact; the text says why."""


class Failure(Exception):
    """An artifact that does not hold any more: a sentence, and the exit code for the reason."""

    def __init__(self, code: int, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


_ANEW = "If the work still stands, export the letter anew with `cockpit handoff export`."
_RESUME = "`cockpit resume` names the letters in force: go on from one of them."
_ELSEWHERE = "Ask git for the branch that has it, or name its checkout with --repo."

CHANGED, SUPERSEDED, EXPIRED, OWNER, MISSING = 10, 11, 12, 13, 14


def read(data: bytes) -> Artifact:
    """An artifact from its JSON. Raises NoArtifact."""
    try:
        found = msgspec.json.decode(data, type=Artifact)
        json.loads(data, object_pairs_hook=_once)
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        raise NoArtifact(f"That is no handoff artifact: {error}.") from error
    for stated in filter(None, (found.exported_at, found.expires_at)):
        if instants.parse(stated) is None:
            raise NoArtifact(f"That is no handoff artifact: there is no instant {stated}.")
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The members of an object. Raises ValueError where one comes twice: readers differ in which of them counts."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("it has a member twice")
    return found


def verify(desk: Desk, artifact: Artifact) -> None:
    """Whether an artifact still holds here. Raises Failure for the first reason why it does not."""
    letters = desk.known()
    folder, _, name = artifact.path.rpartition("/")
    if folder in (letters.folder, letters.archive):
        _refuse_superseded(letters, name)
    filed = letters.at(artifact.path)
    if filed is None:
        raise Failure(MISSING, f"There is no letter {artifact.path} here. {_ELSEWHERE}")
    _refuse_changed(filed, artifact)
    now = generation(chain_of(letters), filed.path)
    if now != artifact.generation:
        raise Failure(
            SUPERSEDED, f"The letter is of generation {now}, and the artifact of {artifact.generation}. {_ANEW}"
        )
    _refuse_expired(desk, artifact)
    _refuse_other(desk, artifact)
    if artifact.digest != digest(artifact):
        said = "The artifact is not as it was exported: its digest is not that of what it says."
        raise Failure(CHANGED, f"{said} Do not use it. {_ANEW}")


def _refuse_changed(filed: Filed, artifact: Artifact) -> None:
    """The letter is in force, its bytes are those that were exported, and the artifact says what they say."""
    letter = filed.letter
    if letter.status.word == CONSUMED:
        raise Failure(
            CHANGED, f"The letter {shown(filed.path)} was consumed since, or before it was exported. {_RESUME}"
        )
    if letter.digest != artifact.sha256:
        said = f"The letter {shown(filed.path)} has changed since: its digest is {letter.digest}."
        raise Failure(CHANGED, f"{said} Read it as it is. {_ANEW}")
    here = {"title": letter.title or UNSET, "fields": _fields(letter), "sections": _sections(letter)}
    for name, written in here.items():
        if getattr(artifact, name) != written:
            verb = "is" if name == "title" else "are"
            said = f"The artifact's {name} {verb} not what the letter {shown(filed.path)} says."
            raise Failure(CHANGED, f"{said} Go by the letter. {_ANEW}")
    if filed.path != artifact.path:
        said = f"The letter lies in {shown(filed.path)} now, and not where the artifact's path says."
        raise Failure(CHANGED, f"{said} {_ANEW}")


def _refuse_superseded(letters: Letters, name: str) -> None:
    for each in letters.all:
        reference = each.letter.supersedes
        if reference and reference.path.rpartition("/")[2] == name != each.name:
            raise Failure(SUPERSEDED, f"The letter {name} is superseded by {shown(each.path)}. Go on from that one.")


def _refuse_expired(desk: Desk, artifact: Artifact) -> None:
    if not artifact.expires_at:
        return
    until = instants.parse(artifact.expires_at)
    if until is None or until <= instants.of(desk.now):
        raise Failure(EXPIRED, f"The artifact expired at {artifact.expires_at}. {_ANEW}")


def _refuse_other(desk: Desk, artifact: Artifact) -> None:
    """An owner is told by his address, and by his name where one of the two has no address."""
    if not artifact.owner:
        return
    owner, here = artifact.owner, desk.owner()
    same = owner.email == here.email if owner.email and here.email else owner.name == here.name
    if not same or not (here.name or here.email):
        whose = owner.name or owner.email
        said = f"The artifact is {whose}'s, and git's identity here is {here or 'not set'}."
        raise Failure(
            OWNER, f"{said} Agree with its owner that the work is yours now, and export the letter anew here."
        )
