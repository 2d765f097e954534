"""``python -m bench [NAME …] [--list] [--check]``: run the benchmarks and print one table."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import click

from bench import audit, cold, credentials, crowd, hook, housekeep, index, ledger, memory, page, start, store
from bench.pairs import Figure
from bench.table import table

Measure = Callable[[Path], Iterator[Figure]]

BENCHMARKS: dict[str, tuple[str, Measure]] = {
    module.__name__.rpartition(".")[2]: ((module.__doc__ or "").partition(": ")[2], module.measure)
    for module in (start, page, index, cold, ledger, memory, store, crowd, hook, housekeep, credentials, audit)
}


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(list(BENCHMARKS)), metavar="[NAME]...")
@click.option("--list", "listing", is_flag=True, help="Say which there are, and what each asks.")
@click.option("--check", is_flag=True, help="End with 1 where a target is not met.")
def main(names: tuple[str, ...], *, listing: bool, check: bool) -> None:
    """Measure side by side; without a NAME, everything."""
    if listing:
        for name, (question, _) in BENCHMARKS.items():
            click.echo(f"{name:11}  {question}")
        return
    figures = [figure for name in dict.fromkeys(names or BENCHMARKS) for figure in _measured(name)]
    click.echo(table(figures))
    if check and any(figure.verdict == "not met" for figure in figures):
        sys.exit(1)


def _measured(name: str) -> Iterator[Figure]:
    click.echo(f"measuring {name} ...", err=True)
    with tempfile.TemporaryDirectory(prefix=f"cockpit-bench-{name}-") as folder:
        yield from BENCHMARKS[name][1](Path(folder).resolve())


main(prog_name="python -m bench")
