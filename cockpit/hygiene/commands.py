"""The commands of context hygiene: words in, sentences out, and the only place where its errors become exit codes.

0: done, nothing wrong. 1: an error was found (with ``--strict`` a warning too), the manifest of a run is wrong so that
nothing of it could be proven, or the disk failed. 2: a call that cannot be served. 3: refused, with the reason.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import click
import msgspec

from cockpit.formats.credentials import masked
from cockpit.formats.text import counted, shown, sound, visible
from cockpit.hygiene import audit as auditing
from cockpit.hygiene import cleaning, masking, recording, resuming
from cockpit.hygiene.audit import Audit
from cockpit.hygiene.cleaning import Done
from cockpit.hygiene.findings import Finding
from cockpit.hygiene.resuming import LetterInForce, Open, Resumption, Source
from cockpit.hygiene.searching import Unproven
from cockpit.recorder.site import Refused
from cockpit.store.checkout import Checkout, NotServable
from cockpit.store.git import GitFailed
from cockpit.store.snapshot import Snapshot

_repo = click.option(
    "--repo", default=".", type=click.Path(), help="Any folder inside the checkout (default: this one)."
)
_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.command("audit")
@_repo
@_json
@click.option("--strict", is_flag=True, help="End with 1 for a warning too.")
@click.option("--record", is_flag=True, help="Record a success, where the policy has a hygiene block.")
def audit_command(repo: str, *, as_json: bool, strict: bool, record: bool) -> None:
    """Say what has accumulated for agents to stumble over; without --record nothing is written."""
    with _checkout(repo) as checkout:
        snapshot = checkout.look()
        done = auditing.audit(checkout, snapshot=snapshot)
        _print(done, _audit_lines, as_json=as_json)
        if record:
            _record(snapshot, done)
        if done.errors or (strict and done.warnings):
            raise SystemExit(1)


def _record(snapshot: Snapshot, done: Audit) -> None:
    try:
        click.echo(recording.record(snapshot, done), err=True)
    except Refused as error:
        _stop(str(error), 1 if done.errors else 3)


def _audit_lines(done: Audit) -> list[str]:
    lines = [line for each in done.findings for line in _finding_lines(each)]
    counts = f"{counted(done.errors, 'error')}, {counted(done.warnings, 'warning')}"
    return [*lines, counts if lines else "Nothing has accumulated."]


def _finding_lines(each: Finding) -> list[str]:
    place = f"{each.path}:{each.line}" if each.line else each.path
    said = f"{each.severity}  {each.code}  {place}  {each.sentence}"
    return [said, f"    {each.remedy}"] if each.remedy else [said]


@click.command("clean")
@_repo
@click.option("--yes", is_flag=True, help="Remove what is proven to be gone; without it the proofs are only printed.")
def clean_command(repo: str, *, yes: bool) -> None:
    """Remove what a run's own manifest calls ephemeral, that has expired, and that nothing names; nothing else."""
    with _checkout(repo) as checkout:
        try:
            done = cleaning.clean(checkout, really=yes)
        except Unproven as error:
            _stop(str(error), 1)
        _echo(_cleaned_lines(done, really=yes))
        if done.unsettled:
            raise SystemExit(1)


def _cleaned_lines(done: Done, *, really: bool) -> list[str]:
    word = "removed" if really else "would remove"
    lines = [f"{word}  {shown(each.path)}: {each.reason}" for each in done.removed]
    lines += [f"kept  {shown(each.path)}: {each.reason}" for each in done.kept]
    lines += [f"not there  {shown(each.path)}: {each.reason}" for each in done.absent]
    lines += [f"failed  {each}" for each in done.failed]
    if done.removed and not really:
        lines.append("Nothing was removed: --yes removes what is proven here.")
    return lines or ["There is no run here that owns anything."]


@click.command("resume")
@_repo
@_json
def resume_command(repo: str, *, as_json: bool) -> None:
    """Say what to read before going on, in which order, and what is not there; nothing is written."""
    with _checkout(repo) as checkout:
        _print(resuming.resume(checkout), _resume_lines, as_json=as_json)


def _resume_lines(found: Resumption) -> list[str]:
    declared = f" (declared in {found.declaration})" if found.declaration else ""
    parts = (
        (f"1. Owners{declared}", [_source_line(each) for each in found.owners]),
        ("2. Work map", [_source_line(each) for each in found.work_map]),
        ("3. Letters in force", [_letter_line(each) for each in found.letters]),
        ("4. Open decisions", [_open_line(each) for each in found.decisions]),
        ("5. Unanswered gates", [_open_line(each) for each in found.gates]),
        ("Not there", found.missing),
    )
    return [line for title, lines in parts for line in (title, *(f"   {each}" for each in lines or ["none"]))]


def _source_line(each: Source) -> str:
    digest = f"  sha256:{each.digest}" if each.digest else ""
    what = {"elsewhere": "not looked at", "unreadable": each.reason or ""}.get(each.place, each.place)
    return f"{each.name}: {each.stated}  [{what}]{digest}"


def _letter_line(each: LetterInForce) -> str:
    effort, leg = each.effort or "no effort named", each.leg or "no leg named"
    return f"{each.path}  [{each.status or 'no status'}; {effort}, {leg}]  sha256:{each.digest}"


def _open_line(each: Open) -> str:
    return f"{each.path}:{each.line}  {each.text}" if each.line else f"{each.path}  {each.text}"


@contextmanager
def _checkout(repo: str) -> Iterator[Checkout]:
    """The checkout that a folder lies in; what goes wrong ends the program with a sentence."""
    try:
        yield Checkout.open(os.path.abspath(repo))
    except NotServable as error:
        _stop(str(error), 2)
    except GitFailed as error:
        _stop(f"git failed: {error}. Try `git status` there by hand.", 1)
    except OSError as error:
        _stop(f"{error.filename or 'The repository'} cannot be read: {error.strerror}.", 1)


def _print(answer: Any, lines: Callable[[Any], list[str]], *, as_json: bool) -> None:
    told = masking.without_credentials(answer)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(told), indent=2))
    else:
        _echo(lines(told))


def _echo(lines: list[str]) -> None:
    """Lines for a person, each of them one line, whatever a name holds."""
    click.echo("\n".join(visible(sound(masked(line))).replace("\n", "\\n") for line in lines))


def _stop(sentence: str, code: int) -> NoReturn:
    click.echo(visible(masked(f"cockpit: {sentence}")), err=True)
    raise SystemExit(code)


COMMANDS = {"audit": audit_command, "clean": clean_command, "resume": resume_command}
