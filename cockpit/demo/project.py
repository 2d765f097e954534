"""The project that the demonstration repository holds: its files as they grew, and what its episodes were about.

Everything here is invented. It is data: :mod:`cockpit.demo.morning` puts dates and commits to it.
"""

from __future__ import annotations

from typing import NamedTuple


class Step(NamedTuple):
    """One commit of the project: its message and the files it wrote, whole."""

    message: str
    files: dict[str, str]


class Past(NamedTuple):
    """One closed episode: what it was about, where, by whom, how it ended."""

    title: str
    branch: str = "main"
    provider: str = "claude-code"
    outcome: str = "closed"
    body: str = ""


README = """\
# Parcels

Prices a parcel, prints its label and tells where it is. Python only, no dependencies.

    python -m pytest
"""

PRICING = '''\
"""What a parcel costs, in cents."""

BASE = {"DE": 499, "AT": 899, "CZ": 849}
PER_KILOGRAM = 90


def price(kilograms: float, country: str) -> int:
    return BASE[country] + PER_KILOGRAM * whole_kilograms(kilograms)


def whole_kilograms(kilograms: float) -> int:
    return round(kilograms)
'''

LABELS = '''\
"""A label: forty characters wide, one line an address line."""

WIDTH = 40


def label(lines: list[str]) -> str:
    return "\\n".join(line[:WIDTH] for line in lines)
'''

TRACKING = '''\
"""Where a parcel is: the newest scan counts."""


def whereabouts(scans: list[tuple[str, str]]) -> str:
    return max(scans)[1] if scans else "not yet handed over"
'''

TESTS = """\
from parcels.pricing import price


def test_a_light_parcel_within_the_country():
    assert price(0.4, "DE") == 499


def test_weight_is_paid_by_the_kilogram():
    assert price(3, "AT") == 899 + 270
"""

STEPS = (
    Step("Price a parcel by weight and country", {"README.md": README, "parcels/pricing.py": PRICING}),
    Step("Test the prices", {"parcels/__init__.py": "", "tests/test_pricing.py": TESTS}),
    Step("Print labels", {"parcels/labels.py": LABELS}),
    Step("Wrap a long address instead of cutting it", {"parcels/labels.py": LABELS.replace("line[:WIDTH]", "line")}),
    Step("Tell where a parcel is", {"parcels/tracking.py": TRACKING}),
    Step("Deliver to Slovakia", {"parcels/pricing.py": PRICING.replace('"CZ": 849', '"CZ": 849, "SK": 879')}),
)
"""One a day, oldest first; the last lies a day back."""

LATEST = Step(
    "Round weights up before pricing",
    {
        "parcels/pricing.py": PRICING.replace('"CZ": 849', '"CZ": 849, "SK": 879')
        .replace("return round(kilograms)", "return math.ceil(kilograms)")
        .replace("\n\nBASE", "\n\nimport math\n\nBASE"),
    },
)

RETURNS = Step("Draft the returns form", {"parcels/returns.py": '"""What a customer sends back, and why."""\n'})

PAST = (
    Past(
        "Agree on cents instead of euros", body="Prices are whole cents everywhere. A float never reaches the ledger."
    ),
    Past("First prices for three countries", provider="codex"),
    Past("Read the carrier's tariff sheet", provider="gemini", outcome="interrupted"),
    Past("Lay out the package", provider="codex"),
    Past("Tests for the price of a light parcel"),
    Past(
        "Find out why 2.5 kg costs as much as 2 kg",
        body="`round` rounds half to even. Left open: what the tariff means.",
    ),
    Past("A test for each country", provider="gemini"),
    Past("Check the tests on Python 3.13", "chore/ci", "codex"),
    Past("Label printer: how wide is a line?", "fix/label-width"),
    Past("Print a label on plain paper", provider="codex"),
    Past("Names with umlauts on a label", "fix/label-width", "gemini", "interrupted"),
    Past(
        "One label format for all printers", "fix/label-width", body="Forty characters, A6. A5 waits for the carrier."
    ),
    Past("Wrap instead of cutting", "fix/label-width"),
    Past("Review of the label change", provider="codex"),
    Past("Cache the tariff sheet", "chore/ci", "gemini", "abandoned", "Not worth it: the sheet is read once."),
    Past("Shorten the test run", "chore/ci", "codex"),
    Past("What is a scan?", provider="gemini"),
    Past("Newest scan wins", body="Scans arrive out of order; their own time decides, not the order of arrival."),
    Past("Scans from two depots at one second", provider="codex", outcome="interrupted"),
    Past("Whereabouts of a parcel never scanned"),
    Past("Returns: what the shop asks for", "feature/returns", "gemini"),
    Past("Returns: reasons and deadlines", "feature/returns", "gemini", body="Fourteen days, counted from delivery."),
    Past("Slovakia in the price table", provider="codex"),
    Past("Delivery times to Slovakia", "feature/slovakia", outcome="interrupted"),
    Past("Merge Slovakia", provider="codex"),
    Past("Returns: who pays the way back", "feature/returns", "gemini", "interrupted"),
    Past("Read the README as a newcomer"),
    Past("Weigh once, price once", provider="codex"),
)
"""Oldest first. Five a day: see :data:`RESUMED` for the two that were closed twice."""

RESUMED = frozenset({5, 17})
"""Places in :data:`PAST` of the episodes that were resumed after a close and closed again: two records each."""

RECOVERED = 23
"""The place in :data:`PAST` of the episode whose provider never said goodbye and that a recovery closed."""
