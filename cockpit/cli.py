"""The command line: the only place, with the commands it registers, that turns errors into exit codes."""

from __future__ import annotations

import errno
import os
import signal
import socket
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from cockpit import __version__
from cockpit.settings import Settings, loopback, own_hosts, wildcard

if TYPE_CHECKING:
    from cockpit.store.checkout import Checkout

PORT = 8741
_SHORTEST = 16  # characters of a token


RECORDER = ("init", "hook", "episode", "checkpoint", "handover", "rotate", "recover")
HANDOFFS = ("handoff",)
HYGIENE = ("audit", "clean", "resume")


class _Commands(click.Group):
    """The commands; those of the recorder, of handoffs and of hygiene are imported when one of them is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every name, in the order of the alphabet."""
        return sorted([*super().list_commands(ctx), *RECORDER, *HANDOFFS, *HYGIENE])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name."""
        if cmd_name in RECORDER:
            from cockpit.recorder import commands as recorder

            return recorder.COMMANDS[cmd_name]
        if cmd_name in HANDOFFS:
            from cockpit.handoffs import commands as handoffs

            return handoffs.COMMANDS[cmd_name]
        if cmd_name in HYGIENE:
            from cockpit.hygiene import commands as hygiene

            return hygiene.COMMANDS[cmd_name]
        return super().get_command(ctx, cmd_name)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="cockpit")
def main() -> None:
    """What a repository records about the coding agents at work in it, read and shown."""


_port = click.option(
    "--port", default=PORT, show_default=True, type=click.IntRange(0, 65535), help="0 takes a free one."
)
_open = click.option("--open", "browse", is_flag=True, help="Open the page in a browser.")


@main.command()
@click.option("--repo", default=".", type=click.Path(), help="Any folder inside the checkout (default: this one).")
@_port
@click.option("--listen", default="127.0.0.1", metavar="ADDR", help="Any but a loopback address needs --token-file.")
@click.option("--token-file", type=click.Path(), help="A file that holds the token every request must carry.")
@click.option("--allow-host", multiple=True, metavar="NAME[:PORT]", help="A further name this server is reached by.")
@click.option("--pin", is_flag=True, help="Build the index of closed records once, for a stand-up that must not move.")
@_open
def serve(  # noqa: PLR0913
    repo: str, port: int, listen: str, token_file: str | None, allow_host: tuple[str, ...], *, pin: bool, browse: bool
) -> None:
    """Serve the page of one checkout, and its answers as JSON."""
    token = _token(listen, token_file)
    _serve(repo, port, listen, token, allow_host, pin=pin, browse=browse)


@main.command()
@_port
@_open
def demo(port: int, *, browse: bool) -> None:
    """Serve a demonstration repository with every kind of finding in it; nothing is left behind."""
    from cockpit.demo import demonstration

    signal.signal(signal.SIGTERM, signal.default_int_handler)  # also while it is being built: nothing stays behind
    with demonstration(datetime.now(UTC)) as repository:
        click.echo(f"A demonstration repository is at {repository} until this ends.", err=True)
        _serve(str(repository), port, "127.0.0.1", None, (), pin=False, browse=browse)


@main.command()
@click.option("--repo", default=".", type=click.Path(), help="Any folder inside the checkout (default: this one).")
def mcp(repo: str) -> None:
    """Answer the reads over the Model Context Protocol, on standard input and output."""
    from cockpit.surfaces import mcp as surface

    surface.serve(_opened(repo, pin=False))


@main.command()
@click.argument("where", nargs=-1, metavar="[migrate] [PATH]")
@click.option("--dry-run", is_flag=True, help="Say what would be done, and write nothing.")
@click.option("--verify", is_flag=True, help="Say what is wrong with what was rotated, and what to do about it.")
@click.option("--retire", is_flag=True, help="Say which concepts of a spaced review could be retired.")
@click.option("--yes", is_flag=True, help="With --retire: retire them. With migrate: convert what is old.")
def housekeep(where: tuple[str, ...], *, dry_run: bool, verify: bool, retire: bool, yes: bool) -> None:
    """Rotate the documents that people append to: the latest entry stays, each earlier one goes into the archive."""
    migrate = where[:1] == ("migrate",)
    paths = where[1:] if migrate else where
    if len(paths) > 1 or (verify and (dry_run or retire or migrate)) or (retire and migrate):
        _stop("That does not go together: one PATH at most, and one of --verify, --retire and migrate.")
    if yes and not (retire or migrate):
        _stop("--yes goes with --retire or with migrate; a rotation needs no word of consent.")
    start = os.path.abspath(paths[0] if paths else ".")
    if not os.path.isdir(start):
        _stop(f"{start} is no folder. Name a folder of the repository or project to keep house in.")
    from cockpit.housekeeping import run

    home, today = os.path.expanduser("~"), datetime.now().astimezone().date()
    if migrate:
        done = run.migrate(start, home, today, really=yes, dry_run=dry_run)
    elif verify:
        done = run.verify(start, home)
    elif retire:
        done = run.retire(start, home, today, really=yes and not dry_run)
    else:
        done = run.rotate(start, home, today, dry_run=dry_run)
    click.echo("\n".join(done.lines))
    if dry_run:
        click.echo("Nothing was written: this was a dry run.", err=True)
    if done.failed:
        raise SystemExit(1)


def _opened(repo: str, *, pin: bool) -> Checkout:
    """The checkout that a folder lies in; one that cannot be served ends the program."""
    from cockpit.store.checkout import Checkout, NotServable

    try:
        return Checkout.open(os.path.abspath(repo), pin=pin)
    except NotServable as error:
        _stop(str(error))


def _serve(  # noqa: PLR0913
    repo: str, port: int, listen: str, token: str | None, allow: tuple[str, ...], *, pin: bool, browse: bool
) -> None:
    from cockpit import server
    from cockpit.app import create_app

    checkout = _opened(repo, pin=pin)
    if pin:
        _ = checkout.look().index
    listening = _bound(listen, port)
    port = listening.getsockname()[1]
    hosts = own_hosts(listen, port, allow)
    app = create_app(checkout, Settings(hosts, token))
    url = f"http://{_reached_at(listen)}:{port}/cockpit/continuity"
    names = "" if loopback(listen) else _answers_to(hosts, port)
    server.serve(app, listening, lambda: _announce(url, names, browse=browse))


def _answers_to(hosts: frozenset[str], port: int) -> str:
    """Under which names others may ask: any other one is refused, the machine's own names too unless they are given."""
    *most, last = sorted(hosts)
    return f"Answers to {', '.join(most)} and {last} only; --allow-host NAME:{port} adds a name."


def _announce(url: str, names: str, *, browse: bool) -> None:
    click.echo(url)
    if names:
        click.echo(names, err=True)
    if browse:
        import webbrowser

        webbrowser.open(url)


def _bound(listen: str, port: int) -> socket.socket:
    from cockpit import server

    try:
        return server.bound(listen, port)
    except socket.gaierror:
        _stop(f"{listen} is no address of this machine. --listen takes one, such as 127.0.0.1 or ::1.")
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            _stop(f"Port {port} of {listen} is taken. Name another with --port, or take a free one with --port 0.")
        if error.errno in (errno.EACCES, errno.EPERM):
            _stop(f"This user may not listen on port {port}. Name one above 1023 with --port.")
        _stop(f"Cannot listen on {listen}, port {port}: {error.strerror}.")


def _reached_at(listen: str) -> str:
    if wildcard(listen):
        return "localhost"
    return f"[{listen}]" if ":" in listen else listen


def _token(listen: str, token_file: str | None) -> str | None:
    """The token, where there is one; a wrong call ends the program."""
    if token_file is None:
        if not loopback(listen):
            _stop(f"{listen} can be reached from other machines, so it needs a token: name a file with --token-file.")
        return None
    try:
        token = Path(token_file).read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no UTF-8"
        _stop(f"The token file {token_file} cannot be read: {why}.")
    if len(token) < _SHORTEST or not token.isprintable():
        made = "`python3 -c 'import secrets; print(secrets.token_urlsafe())' > FILE`"
        _stop(f"The token in {token_file} must be one line of at least {_SHORTEST} characters. {made} makes one.")
    return token


def _stop(sentence: str) -> NoReturn:
    click.echo(f"cockpit: {sentence}", err=True)
    raise SystemExit(2)
