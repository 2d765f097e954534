"""The documents of the demonstration that people append to: one waits, one was rotated, one lost an archive file."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from cockpit.demo.scene import Scene
from cockpit.formats.livedoc import summary_title
from cockpit.formats.surfaces import Surface
from cockpit.housekeeping import rotating


class _Document(NamedTuple):
    """A document: its name, its title, and its entries as days ago, headline and text, the latest first."""

    name: str
    title: str
    entries: tuple[tuple[int, str, str], ...]

    @property
    def live(self) -> str:
        return f"docs/{self.name}.md"

    @property
    def archive(self) -> str:
        return f"docs/past/{self.name}"


_DECISIONS = _Document(
    "decisions",
    "Decisions",
    (
        (1, "Weights are rounded up", "Outcome: 2.5 kg costs as much as 3 kg, as the tariff says."),
        (3, "Long addresses wrap", "Outcome: nothing is cut off; a label may have eight lines."),
        (5, "One format for all printers", "Outcome: forty characters a line, no umlauts replaced."),
        (6, "No dependencies", "Outcome: the standard library alone, so that a depot can run it."),
    ),
)
_PROGRESS = _Document(
    "progress",
    "Progress",
    (
        (2, "Tracking answers", "Outcome: a parcel says where it is; the map is not drawn yet."),
        (4, "Labels print", "Outcome: both test printers print forty characters a line."),
        (6, "Prices by weight and country", "Outcome: Germany, Austria and the Czech Republic have prices."),
    ),
)
_INCIDENTS = _Document(
    "incidents",
    "Incidents",
    (
        (2, "A label without a postcode", "Insight: the sixth line was cut; it wraps now."),
        (3, "Slovakia priced as the Czech Republic", "Insight: the country was guessed from the language."),
        (5, "The test printer ran dry", "Outcome: a spare cartridge lies beside it."),
    ),
)
_ALL = (_DECISIONS, _PROGRESS, _INCIDENTS)

POLICY = "\nsurfaces:\n" + "".join(
    f"  - name: {each.name}\n    live: {each.live}\n    archive: {each.archive}\n" for each in _ALL
)
"""What the policy says of them."""


def documents(scene: Scene, now: datetime) -> None:
    """Write the documents, dated back from ``now``, and rotate all but the decisions as ``cockpit housekeep`` does."""
    for each in _ALL:
        scene.write(each.live, _text(each, now))
    for each in (_PROGRESS, _INCIDENTS):
        title = summary_title(each.name)
        rotating.rotate(Surface(str(scene.root), each.name, each.live, each.archive, title), dry_run=False)


def lost(scene: Scene) -> Path:
    """Remove the oldest archive file of the incidents, as somebody did who tidied up; answer where it was."""
    archived = min((scene.root / _INCIDENTS.archive).glob("*.md"))
    archived.unlink()
    return archived


def _text(document: _Document, now: datetime) -> str:
    entries = (
        f"## {now - timedelta(days=days):%Y-%m-%d} - {headline}\n\n{text}\n"
        for days, headline, text in document.entries
    )
    return "\n".join((f"# {document.title}\n", *entries))
