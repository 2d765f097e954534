"""A drawing of how costs grow: both axes logarithmic, as an SVG that is readable in light and dark."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from msgspec import Struct

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 720, 300, 76, 250, 34, 44
_STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#24292f}.axis{stroke:#8c959f}"
    ".curve{fill:none;stroke:#0969da;stroke-width:2}"
    ".other{stroke:#57606a;stroke-dasharray:6 4}"
    "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.axis{stroke:#6e7681}"
    ".curve{stroke:#58a6ff}.other{stroke:#9da7b3}}"
)


class Curve(Struct, frozen=True):
    """Values (above zero) over lengths; the first curve of a drawing is what it is about."""

    name: str
    lengths: Sequence[float]
    values: Sequence[float]


def drawn(title: str, along: str, upward: str, curves: Sequence[Curve]) -> str:
    """The drawing; ``along`` and ``upward`` are the units of its axes."""
    across = _scale([each for curve in curves for each in curve.lengths], _LEFT, _WIDTH - _RIGHT)
    up = _scale([each for curve in curves for each in curve.values], _HEIGHT - _BOTTOM, _TOP)
    parts = [_axis(across, up, along, upward)]
    for number, curve in enumerate(curves):
        points = [(across(x), up(y)) for x, y in zip(curve.lengths, curve.values, strict=True)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        end, last = points[-1], curve.values[-1]
        parts.append(f'<polyline class="curve{" other" if number else ""}" points="{path}"/>')
        parts.append(_text(end[0] + 8, end[1] + 4, f"{curve.name}, {last:,.0f} {upward}"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-label="{escape(title)}">'
        f"<style>{_STYLE}</style>{_text(_LEFT, 18, title)}{''.join(parts)}</svg>\n"
    )


class _Scale(Struct, frozen=True):
    low: int
    high: int
    start: float
    end: float

    def __call__(self, value: float) -> float:
        return self.start + (math.log10(value) - self.low) / (self.high - self.low) * (self.end - self.start)


def _scale(values: Sequence[float], start: float, end: float) -> _Scale:
    """Whole powers of ten around the values."""
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return _Scale(low, max(high, low + 1), start, end)


def _axis(across: _Scale, up: _Scale, along: str, upward: str) -> str:
    lines = [f'<path class="axis" fill="none" d="M{across.start},{up.end}V{up.start}H{across.end}"/>']
    for power in range(across.low, across.high + 1):
        lines.append(_text(across(10**power) - 16, up.start + 18, f"{10**power:,}"))
    for power in range(up.low, up.high + 1):
        lines.append(_text(4, up(10**power) + 4, f"{10**power:,} {upward}" if power >= 0 else f"{10**power} {upward}"))
    lines.append(_text(across.end - 30, up.start + 34, along))
    return "".join(lines)


def _text(x: float, y: float, words: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}">{escape(words)}</text>'
