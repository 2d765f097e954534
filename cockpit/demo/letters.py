"""The handoff letters of the demonstration: one goes on, one waits for a person, one was left, one is a draft.

The others, in which something is wrong, are those of :mod:`cockpit.demo.strays`.
"""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta

from cockpit.demo import strays
from cockpit.demo.strays import ARCHIVE, LIVE, named

_FIRST = """\
# Labels, first leg

Status: consumed
Effort: labels
Leg: 1
Supersedes: none
Consumed-at: {consumed:%Y-%m-%dT%H:%M:%SZ}

## Original goal

Labels that a depot can read: nothing cut off, one format for all printers.

## Progress

- `parcels/labels.py` prints forty characters a line.

## Remainder

1. Long addresses.

## Invariants

- Forty characters a line.

## Verification

    python -m pytest
"""

_SECOND = """\
# Labels, second leg

Status: active - the test printer is on loan until Friday
Effort: labels
Leg: 2
Supersedes: {first} sha256:{digest}
Consumed-at: pending
Branch: main
Commit: {head}
Owner: Mara Lind <mara@example.org>

## Original goal

Labels that a depot can read: nothing cut off, one format for all printers.

## Progress

- `parcels/labels.py` wraps long addresses ({head:.9}).

## Remainder

1. Print the test sheet on A5 and compare the margins with A6.
2. Names longer than forty characters.

## Invariants

- Forty characters a line; prices never appear on a label.

## Verification

    python -m pytest
    python -c "from parcels.labels import label; print(label(['x' * 60]))"
"""

_WAITING = """\
# Returns: which reasons?

Status: awaiting-human: does the shop want its own list of reasons, or ours?
Effort: returns
Leg: 1
Supersedes: none
Consumed-at: pending

## Original goal

A customer sends something back and says why.

## Progress

The form is drafted on `feature/returns`.

## Remainder

1. The list of reasons, once the shop has answered.

## Invariants

- A return has exactly one reason.

## Verification

    python -m pytest
"""

_LEFT = """\
# Prices for Slovakia

Status: consumed
Effort: tariff
Leg: 1
Supersedes: none
Consumed-at: {consumed:%Y-%m-%dT%H:%M:%SZ}

## Progress

- `parcels/pricing.py` has a price for Slovakia.

## Verification

    python -m pytest tests/test_pricing.py
"""

_DRAFT = """\
# A map of the depots

Status: active
Effort: map
Leg: 1
Supersedes: none
Consumed-at: pending

## Original goal

<describe the goal in one sentence>

## Progress

- `parcels/map.py` draws the depots.

## Remainder

1. TBD

## Invariants

- None yet.
"""


def letters(now: datetime, head: str) -> dict[str, str]:
    """The letters by their paths; dates are counted back from ``now``, ``head`` is a commit that one was written at."""

    first = named(now, 4, "labels-1")
    text = _FIRST.format(consumed=now - timedelta(days=2, hours=3))
    digest = hashlib.sha256(text.encode()).hexdigest()
    archived, noted = strays.archived(now)
    return {
        f"{ARCHIVE}/{first}": text,
        **{f"{ARCHIVE}/{name}": stray for name, stray in archived.items()},
        f"{ARCHIVE}/INDEX.md": _index({first: digest} | noted),
        f"{LIVE}/{named(now, 2, 'labels-2')}": _SECOND.format(first=f"{ARCHIVE}/{first}", digest=digest, head=head),
        f"{LIVE}/{named(now, 1, 'returns')}": _WAITING,
        f"{LIVE}/{named(now, 3, 'slovakia')}": _LEFT.format(consumed=now - timedelta(days=1)),
        f"{LIVE}/{named(now, 1, 'map')}": _DRAFT,
        **strays.in_force(now),
    }


def _index(noted: dict[str, str]) -> str:
    """The archive's index: a line for each name, with the digest that is noted of it."""
    lines = (f"- [{name}]({name}); sha256:{digest}\n" for name, digest in sorted(noted.items()))
    return "".join(("# Consumed handoffs\n\n", *lines))
