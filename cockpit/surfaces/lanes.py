"""What the answer at an address is made from, so that a request waits only for those that need what it needs."""

from __future__ import annotations

from cockpit.reads.catalog import CATALOG, Needs

ALL: Needs = frozenset({"git", "ledger", "section"})
_PAGES: dict[str, Needs] = {
    "/cockpit/continuity": ALL,
    "/cockpit/continuity.md": ALL,
    "/cockpit/closed": frozenset({"git", "section"}),
    "/cockpit/object": frozenset({"git", "section"}),
    "/cockpit/surfaces": frozenset({"git", "section", "documents"}),
    "/cockpit/handoffs": frozenset({"git", "section", "letters"}),
    "/cockpit/patterns": ALL,
}
_NEEDS = _PAGES | {read.route: read.needs for read in CATALOG}


def needs(path: str) -> Needs:
    """What a path's answer needs; nothing for what is not made from the checkout at all."""
    return _NEEDS.get(path, frozenset())
