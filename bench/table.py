"""The figures as a table of text."""

from __future__ import annotations

from collections.abc import Sequence

from bench.pairs import Figure

_HEAD = ("what", "against", "ratio", "min - max", "target", "", "median ms, both sides")


def table(figures: Sequence[Figure]) -> str:
    """One line a figure, its columns aligned."""
    rows = [_HEAD, *map(_row, figures)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rows.insert(1, tuple("-" * width for width in widths))
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)


def _row(each: Figure) -> tuple[str, ...]:
    spread = f"{_number(min(each.ratios))} - {_number(max(each.ratios))}"
    scale = " / ".join(_number(value) for value in each.milliseconds)
    target = "-" if each.target is None else _number(each.target)
    return each.what, each.against, _number(each.median), spread, target, each.verdict, scale


def _number(value: float) -> str:
    return f"{value:.3f}" if value < 1 else f"{value:.2f}" if value < 100 else f"{value:,.0f}"
