"""Data that is shipped with the program."""

from __future__ import annotations

from functools import cache
from importlib import resources

from cockpit.formats import document, providers


@cache
def declared() -> list[providers.Declaration]:
    """What each provider's adapter declares, from ``providers.yaml``."""
    data = resources.files("cockpit").joinpath("providers.yaml").read_bytes()
    return providers.declarations(document.parse(data))
