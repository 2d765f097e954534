"""How many examples a property is tried with, and from what hostile text is made.

``COCKPIT_EXAMPLES=10`` in the environment tries ten times as many, each time other ones; without it a run is the same
every time.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

TIMES = int(os.environ.get("COCKPIT_EXAMPLES", "1"))
UNSUITED = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]


def examples(number: int, **more: Any) -> Callable[[Any], Any]:
    """The settings of a property: so many examples, no deadline, no data base beside the code."""
    return profile(number, **more)


def profile(number: int, **more: Any) -> settings:
    """The same as a value, for a state machine."""
    return settings(
        max_examples=number * TIMES,
        derandomize=TIMES == 1,
        deadline=None,
        database=None,
        suppress_health_check=UNSUITED,
        **more,
    )


ODD = [
    "\0",
    "\x1b",
    "\r",
    "\x85",
    "\u2028",
    "\ufeff",
    "\u202e",
    "\ue000",
    "\ufffe",
    "ü",
    "😀",
    "\t",
    "'",
    '"',
    "\\",
    "%",
]
"""Characters that some reader, shell, terminal or encoding takes for something special."""

soup = st.text(st.one_of(st.sampled_from([*ODD, *"ab: -#[]{}&*!|>$`;\n"]), st.characters(codec="utf-8")), max_size=40)
"""Text in which anything may stand."""

file_names = (
    st.lists(
        st.one_of(
            st.sampled_from(
                [b"a", b"-", b" ", b"'", b'"', b"$(touch pwned)", b"`id`", b"\n", b"\\", b"*", b"%s", b"{x}"]
            ),
            st.binary(min_size=1, max_size=3),
        ),
        min_size=1,
        max_size=8,
    )
    .map(lambda parts: b"".join(parts).replace(b"\0", b"0").replace(b"/", b"|")[:60])
    .filter(lambda name: name not in (b".", b".."))
)
"""Names that a file may have, as bytes."""
