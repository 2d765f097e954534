"""What is said of a surface that is refused holds no credential."""

from __future__ import annotations

from cockpit.formats import document
from cockpit.formats.surfaces import declared

TOKEN = "gh" + "p_" + "aB3" * 12


def test_the_name_of_a_refused_surface_is_masked() -> None:
    policy = f"surfaces:\n  - name: {TOKEN}\n    live: ../{TOKEN}\n    archive: a\n"
    found, (sentence,) = declared("/r", document.parse(policy.encode()))
    assert (found, TOKEN in sentence) == ([], False)
