"""``cockpit handoff``: words in, sentences out, and the only place where its errors become exit codes.

0: done, or nothing to do. 1: the disk, the lock or git failed, or a check found an error. 2: a call that cannot be
served. 3: refused, with the reason. ``verify`` besides: 10 to 14, see ``artifact``.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import click
import msgspec

from cockpit.formats import instants
from cockpit.formats.credentials import masked
from cockpit.formats.letter import WAITING
from cockpit.formats.text import counted, one_line, shown, visible
from cockpit.handoffs import archiving, artifact, creating, staging
from cockpit.handoffs.artifact import Failure, NoArtifact
from cockpit.handoffs.desk import Desk, alone_here
from cockpit.housekeeping.writing import Busy, Changed
from cockpit.reads import handoffs_state
from cockpit.reads.letter_rules import OF_PROSE
from cockpit.recorder.site import Refused
from cockpit.store import files
from cockpit.store.checkout import Checkout, NotServable
from cockpit.store.git import GitFailed
from cockpit.store.letters import Filed, told

_GIVEN = 16 << 20  # bytes of an artifact: each of a letter may take six in JSON
_LONGEST = 1 << 20  # bytes of standard input, as of a letter
_DAYS = re.compile(r"[1-9]\d{0,3}", re.ASCII)

_repo = click.option(
    "--repo", default=".", type=click.Path(), help="Any folder inside the checkout (default: this one)."
)


class NotServed(Exception):
    """A call that cannot be served; the text says why, and what to do."""


@click.group("handoff")
def handoff_group() -> None:
    """Letters that hand work on: write, consume, check, export and verify them."""


@handoff_group.command("new")
@_repo
@click.option("--effort", required=True, help="The work that the letter hands on.")
@click.option("--leg", required=True, help="Which stretch of that work it is.")
@click.option("--slug", required=True, help="The end of the file's name.")
@click.option("--supersedes", default="", metavar="PATH", help="The letter that this one takes the place of.")
@click.option("--write", "really", is_flag=True, help="Write it; without this it is printed and nothing is written.")
def new_command(repo: str, effort: str, leg: str, slug: str, supersedes: str, *, really: bool) -> None:  # noqa: PLR0913
    """Compose a letter from standard input and git: goal, progress, remainder, invariants, verification."""
    with _exits():
        checkout, text = _opened(repo), _input()
        today = datetime.now().astimezone().date()
        wanted = creating.Wanted(effort.strip(), leg.strip(), slug, supersedes, today)
        if not really:
            made = creating.draft(_desk(checkout), wanted, text)
            click.echo(made.data.decode(), nl=False)
            _say(f"Nothing was written: --write writes this to {shown(made.path)}.", err=True)
            return
        with alone_here(checkout.root):
            desk = _desk(checkout)
            made = creating.draft(desk, wanted, text)
            ended = creating.write(desk, made)
        diff = visible(masked(ended.diff)) if ended else ""
        click.echo("\n".join(filter(None, (diff, one_line(shown(made.path))))))
        _say_left(desk, "Hand over", made.path, *(ended.touched if ended else ()))


@handoff_group.command("consume")
@_repo
@click.argument("path")
def consume_command(repo: str, path: str) -> None:
    """Mark a letter as consumed, move it into the archive and name it in the index there; print the diff."""
    with _exits():
        checkout = _opened(repo)
        with alone_here(checkout.root):
            desk = _desk(checkout)
            filed = desk.find(path)
            _say_unsettled(desk, filed)
            done = archiving.consume(desk, filed)
        if done.diff:
            click.echo(visible(masked(done.diff)))
        else:
            _say(f"{shown(done.path)} was consumed at {filed.letter.text('Consumed-at')}; nothing to do.")
        _say_left(desk, "Consume a handoff", *done.touched)


@handoff_group.command("check")
@_repo
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def check_command(repo: str, *, as_json: bool) -> None:
    """Hold every letter to every rule; 1 says that one is broken."""
    with _exits():
        found = handoffs_state.answer(_desk(_opened(repo)).snapshot)
    if as_json:
        told = {"findings": found.findings, "faults": found.faults, "counts": found.counts}
        click.echo(msgspec.json.encode(told).decode())
    else:
        for each in found.findings:
            click.echo(one_line(f"{each.path}:{each.line}: {each.severity} {each.code}: {each.sentence}"))
            if each.remedy:
                click.echo(f"    {each.remedy}")
        notes = [f"{each.path}: {each.note}" for each in [*found.waiting, *found.active] if each.note]
        click.echo("\n".join([*map(one_line, [*notes, *found.faults]), _summary(found.counts)]))
    if found.counts.errors or found.faults:
        raise SystemExit(1)


def _summary(counts: handoffs_state.LetterCounts) -> str:
    letters = counted(counts.active + counts.waiting, "letter")
    found = f"{counted(counts.errors, 'error')}, {counted(counts.warnings, 'warning')}"
    return f"{letters} in force, {counts.archived} in the archive: {found}."


@handoff_group.command("export")
@_repo
@click.option("--expires", default="", metavar="INSTANT|DAYS", help="Until when it holds (default: no end).")
@click.argument("path")
def export_command(repo: str, expires: str, path: str) -> None:
    """Print the portable artifact of a letter, as JSON."""
    with _exits():
        desk = _desk(_opened(repo))
        made = artifact.export(desk, desk.find(path), _until(expires, desk.now))
        click.echo(msgspec.json.format(msgspec.json.encode(made), indent=2).decode())


@handoff_group.command("verify")
@_repo
@click.argument("file", metavar="ARTIFACT")
def verify_command(repo: str, file: str) -> None:
    """Say whether an artifact (`-`: standard input) still holds here: its digest, generation, expiry and owner."""
    with _exits():
        made = artifact.read(_given(file))
        artifact.verify(_desk(_opened(repo)), made)
        until = f", until {made.expires_at}" if made.expires_at else ""
        _say(f"{made.path} holds: generation {made.generation}, sha256:{made.sha256}{until}.")


# ---------------------------------------------------------------------- what is given, and what goes wrong
def _opened(repo: str) -> Checkout:
    return Checkout.open(os.path.abspath(repo))


def _desk(checkout: Checkout) -> Desk:
    return Desk(checkout, datetime.now(UTC).replace(microsecond=0), os.path.realpath("."))


def _input() -> bytes:
    if sys.stdin is None or sys.stdin.isatty():
        raise NotServed("The sections of the letter are read from standard input: pipe them in.")
    text = sys.stdin.buffer.read(_LONGEST + 1)
    if len(text) > _LONGEST:
        raise NotServed("Standard input holds more than 1 MiB, which no letter may have.")
    return text


def _given(file: str) -> bytes:
    if file == "-":
        return _whole(sys.stdin.buffer.read(_GIVEN + 1) if sys.stdin else b"")
    head, name = os.path.split(os.path.realpath(file))
    try:
        with files.folder(head, "") as at, files.opened(at, name) as (descriptor, _):
            return _whole(files.read_all(descriptor, _GIVEN + 1))
    except files.Uprooted as error:
        raise NotServed(f"{shown(file)} cannot be read: its folder is not there.") from error
    except OSError as error:
        raise NotServed(f"{shown(file)} {files.why(error)}.") from error


def _whole(data: bytes) -> bytes:
    if len(data) > _GIVEN:
        raise NotServed(f"That holds more than {_GIVEN >> 20} MiB, which no artifact may have.")
    return data


def _until(stated: str, now: datetime) -> str:
    """The instant that ``--expires`` means; empty where it means none."""
    if not stated:
        return ""
    if _DAYS.fullmatch(stated):
        return instants.written(now + timedelta(days=int(stated)))
    until = instants.parse(stated)
    if until is None or until <= instants.of(now):
        raise NotServed("--expires takes a number of days, or an instant to come such as 2030-01-31T12:00:00Z.")
    return stated


@contextmanager
def _exits() -> Iterator[None]:
    """Errors as a sentence and an exit code."""
    try:
        yield
    except (NotServable, NotServed, NoArtifact) as error:
        _stop(str(error), 2)
    except Refused as error:
        _stop(str(error), 3)
    except Failure as error:
        _stop(str(error), error.code)
    except Busy:
        _stop("Another run is at work on this checkout. Nothing was written. Try again.", 1)
    except Changed:
        _stop("A file changed while it was worked on, and is left as it is. Try again.", 1)
    except archiving.NotMoved as error:
        _stop(str(error), 1)
    except GitFailed as error:
        _stop(f"Nothing more was written: git says: {error}", 1)
    except OSError as error:
        _stop(f"Nothing more was written: {error}.", 1)


def _stop(sentence: str, code: int) -> None:
    _say(f"cockpit: {sentence}", err=True)
    raise SystemExit(code)


def _say(sentence: str, *, err: bool = False) -> None:
    """Print a sentence on one line, with what looks like a credential in it masked."""
    click.echo(one_line(masked(sentence)), err=err)


def _say_unsettled(desk: Desk, filed: Filed) -> None:
    """Say, beside the output, what a letter leaves open that nobody can mend in it once it lies in the archive."""
    if filed.in_force and filed.letter.status.word == WAITING:
        _say(f"{told(filed.path)}: the question of this letter is unanswered.", err=True)
    for each in handoffs_state.findings(desk.snapshot):
        if each.path == told(filed.path) and each.code in OF_PROSE:
            _say(f"{each.path}:{each.line}: {each.code}: {each.sentence} The archive keeps it as it is.", err=True)


def _say_left(desk: Desk, message: str, *paths: str) -> None:
    """Print, beside the output, how a person commits what was written."""
    commands = staging.left(desk, message, *paths)
    if commands:
        click.echo("\n".join(["Nothing is committed. To commit it:", *(f"    {each}" for each in commands)]), err=True)


COMMANDS = {"handoff": handoff_group}
