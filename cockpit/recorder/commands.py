"""The recorder's commands: words in, sentences out, and the only place where its errors become exit codes.

0: done, or nothing to do. 1: the disk, the lock or git failed. 2: a call that cannot be served (no repository, no
layer). 3: refused, with the reason.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from cockpit.formats import document, policy
from cockpit.formats.text import counted, one_line, visible
from cockpit.recorder import bodies, episodes, facts, hook, ledger, notes, rotation
from cockpit.recorder.adapters import Event, adapters
from cockpit.recorder.facts import Facts
from cockpit.recorder.reading import Record
from cockpit.recorder.site import Refused, Site
from cockpit.recorder.where import find, layered
from cockpit.recorder.writers import evidence, refuse_another

if TYPE_CHECKING:
    from cockpit.recorder.recovery import Plan

WAIT = 10.0  # seconds that a person waits for the lock
_LONGEST = 1 << 20  # bytes of standard input
_MOST = 40  # lines of a checkpoint, unless the policy says otherwise

WIRED = [name for name, adapter in adapters().items() if adapter.settings]  # the providers whose hooks can be wired

_repo = click.option(
    "--repo", default=".", type=click.Path(), help="Any folder inside the checkout (default: this one)."
)


class NotHere(Exception):
    """A folder in which nothing can be recorded."""


@click.command(
    "hook",
    help=f"""What a provider's hook runs; PROVIDER is one of {", ".join(adapters())}.

Its event comes as JSON on standard input. Nothing is printed on standard output, and it ends with 0 whatever happens.
""",
)
@click.argument("provider")
def hook_command(provider: str) -> None:
    """Record an event of a provider."""
    hook.main(provider)


@click.command("init")
@_repo
@click.option("--provider", "providers", multiple=True, metavar="NAME", help=f"{', '.join(WIRED)}; may be given again.")
@click.option("--dry-run", is_flag=True, help="Print a unified diff and write nothing.")
@click.option("--undo", is_flag=True, help="Take out exactly what init put in: for the --provider named, or all of it.")
def init_command(repo: str, providers: tuple[str, ...], *, dry_run: bool, undo: bool) -> None:
    """Lay out .ai/ in a checkout and wire the hooks of its providers; change nothing else."""
    from cockpit.recorder import layer, undoing  # noqa: PLC0415

    with _exits():
        site = _site(repo)
        wrong = sorted(set(providers) - set(WIRED))
        if wrong or not (providers or undo):
            which = f"There is no adapter for {wrong[0]}." if wrong else "Name a provider to wire."
            raise NotHere(f"{which} --provider takes {', '.join(WIRED)}.")
        named = list(dict.fromkeys(providers))
        said = (undoing.undo if undo else layer.init)(site, named, dry_run=dry_run)
        click.echo("\n".join(said))


@click.group("episode")
def episode_group() -> None:
    """Open and close an episode of work by hand."""


@episode_group.command("start")
@_repo
@click.option("--owner", default="", help="Whose episode it is (default: this user).")
@click.option("--worker", default="", help="What works in it, such as the name of a model.")
def start_command(repo: str, owner: str, worker: str) -> None:
    """Open an episode by hand; one that is open already goes on."""
    with _exits(), _writing(repo) as (site, stand):
        event = Event("", "start", "", hook.clock(), {"worker": worker}, deliberate=True)
        session_id, fresh = episodes.start(site, event, stand, owner)
        click.echo(session_id if fresh else f"{session_id} (was open already)")


@episode_group.command("close")
@_repo
@click.option("--outcome", default="closed", type=click.Choice(["closed", "interrupted"]), show_default=True)
def close_command(repo: str, outcome: str) -> None:
    """Close the episode that was opened by hand; a summary may stand on standard input."""
    with _exits():
        body = bodies.summary(_input())
        with _writing(repo) as (site, stand):
            own = episodes.find(site, "", "")
            if own is None:
                raise Refused("No episode was opened by hand here (`cockpit episode start` opens one).")
            commits = facts.commits(site.where, own.text("start_head"), facts.PATIENT)
            click.echo(episodes.close(site, own, outcome, hook.clock(), stand, commits, body))


@click.command("checkpoint")
@_repo
def checkpoint_command(repo: str) -> None:
    """Write down where the work stands; the text comes on standard input, and the page shows its “# Next Action”."""
    with _exits():
        text = _input()
        with _writing(repo) as (site, stand):
            stated = document.parse(site.policy).block("checkpoint").text("max_body_lines")
            body = bodies.checkpoint(text, int(stated) if stated.isascii() and stated.isdigit() else _MOST)
            session = _session(episodes.current(site))
            click.echo(notes.write(site, notes.CHECKPOINT, hook.clock(), stand, body, session))
            click.echo(bodies.shows(body), err=True)


@click.command("handover")
@_repo
@click.option("--derive", is_flag=True, help="Compose it from the task, the ledger, git and the open questions.")
def handover_command(repo: str, *, derive: bool) -> None:
    """Write what the next worker resumes from: Objective, Current State and Next Action, on standard input."""
    from cockpit.recorder import deriving  # noqa: PLC0415

    with _exits():
        text = "" if derive else bodies.handover(_input())
        with _writing(repo) as (site, stand):
            session = _session(episodes.current(site))
            if derive:
                lines = ledger.lines_of(ledger.tail(site.state), session) if session else []
                text = bodies.derived(deriving.handover(site, stand, lines))
            told = {"closed": "false"} | ({"derived": "true"} if derive else {})
            click.echo(notes.write(site, notes.HANDOVER, hook.clock(), stand, text, session, **told))


@click.command("rotate")
@_repo
def rotate_command(repo: str) -> None:
    """Move the oldest ledger lines beyond the policy's ledger.retention_max_lines into an archive beside it."""
    with _exits(), _writing(repo, git=False) as (site, stand):
        keep = policy.policy(document.parse(site.policy)).retention
        if keep is None:
            raise Refused("The policy says no ledger.retention_max_lines, so that nothing is too much.")
        archive = rotation.rotate(site.state, keep, hook.clock(), site.by, stand.on)
        click.echo(archive or "Nothing to move.")


@click.command("recover")
@_repo
@click.option("--only", default="", metavar="ID", help="One item alone: an episode's id, a file's name, or `pointer`.")
@click.option("--yes", is_flag=True, help="Do it; without this the plan is printed and nothing is written.")
def recover_command(repo: str, only: str, *, yes: bool) -> None:
    """Say what a kill or a lost end left behind, and mend it: nothing is deleted, no record is lost."""
    from cockpit.recorder import recovery  # noqa: PLC0415
    from cockpit.recorder.recover import Desk  # noqa: PLC0415
    from cockpit.store.checkout import Checkout, NotServable  # noqa: PLC0415

    with _exits():
        site = _site(repo)
        try:
            checkout = Checkout.open(site.root)
        except NotServable as error:
            raise NotHere(str(error)) from error
        found = recovery.plan(site, checkout.look(), only)
        if not found.known:
            named = one_line(only)
            raise NotHere(f"Nothing that can be read here goes by {named}. Without --only everything is listed.")
        if not yes:
            _tell([f"{step}\n    {visible(step.evidence)}" for step in found.steps], found)
            if another := evidence(site):
                click.echo(f"majordomus is the writer here ({another}): this is shown, and it is for majordomus to do.")
            elif found.steps:
                click.echo("Nothing was written. `--yes` does this.")
            return
        refuse_another(site)
        if not found.steps and not os.path.isdir(site.state):
            _tell([], found)
            return
        ledger.prepare(site.state)
        with ledger.Lock(site.state, WAIT):
            hook.drain(site)
            tried = Desk(checkout, site, hook.clock(), (site.where.head, site.where.branch)).mend(only)
        left = recovery.plan(site, checkout.look(), only)  # its commands name places that are free now
        _tell([f"{step}{f' - FAILED: {visible(why)}' if why else ''}" for step, why in tried], left)
        if any(why for _, why in tried):
            raise SystemExit(1)


def _tell(lines: list[str], left: Plan) -> None:
    """Print what is done, and what cannot be read with the page's command for it."""
    click.echo("\n".join(lines) if lines else "Nothing to recover.")
    number = len(left.unread)
    if number:
        click.echo(f"{counted(number, 'thing')} cannot be read and {'is' if number == 1 else 'are'} left alone:")
    for each in left.unread:
        click.echo(f"{visible(each.path)} - {visible(each.reason)}")
        if each.remedy:
            click.echo(f"    {each.remedy}")


def _session(own: Record | None) -> str:
    return own.session_id if own else ""


def _site(repo: str) -> Site:
    """The checkout that a folder lies in. Raises NotHere."""
    where = find(os.path.abspath(repo))
    if where is None or not os.path.isdir(repo):
        raise NotHere(f"{repo} is not inside a checkout of a git repository. Name one with --repo.")
    return Site(where, hook.whoever())


@contextmanager
def _writing(repo: str, *, git: bool = True) -> Iterator[tuple[Site, Facts]]:
    """Where to write and what git says, under the lock, with what waited in the spool acted on."""
    site = _site(repo)
    if not layered(site.where):
        raise NotHere(f"{site.root} has no layer. `cockpit init --provider NAME` lays it out.")
    refuse_another(site)
    stand = facts.gather(site.where, facts.PATIENT) if git else Facts(site.where.head, site.where.branch)
    ledger.prepare(site.state)
    with ledger.Lock(site.state, WAIT):
        hook.drain(site)
        yield site, stand


@contextmanager
def _exits() -> Iterator[None]:
    """Errors as a sentence and an exit code."""
    try:
        yield
    except NotHere as error:
        _stop(str(error), 2)
    except Refused as error:
        _stop(str(error), 3)
    except ledger.Busy as error:
        _stop(f"{error}; nothing was written. Try again.", 1)
    except OSError as error:
        _stop(f"Nothing more was written: {error}.", 1)


def _stop(sentence: str, code: int) -> None:
    click.echo(f"cockpit: {sentence}", err=True)
    raise SystemExit(code)


def _input() -> str:
    """Standard input as text; empty where a person sits at it."""
    if sys.stdin is None or sys.stdin.isatty():
        return ""
    data = sys.stdin.buffer.read(_LONGEST + 1)
    if len(data) > _LONGEST:
        raise Refused("Standard input holds more than 1 MiB, which no note and no summary may have. Shorten it.")
    return data.decode("utf-8", "backslashreplace")


COMMANDS = {
    command.name: command
    for command in (
        hook_command,
        init_command,
        episode_group,
        checkpoint_command,
        handover_command,
        rotate_command,
        recover_command,
    )
}
