"""Letters as they are written, put into a repository: in order unless a test says what is wrong with them."""

from __future__ import annotations

from pathlib import Path

from tests.builders import Scene

LIVE, ARCHIVE = "docs/handoffs", "docs/archive"
DAY = "2026-09-11"
NAME = f"HANDOFF-{DAY}-labels.md"
OTHER = f"HANDOFF-{DAY}-margins.md"
INSTANT = "2026-09-12T08:00:00Z"

BODY = """
## Original goal

Labels that a depot can read.

## Progress

- `.ai/manifest.yaml` is laid out.

## Ordered remainder

1. Print the test sheet.

## Invariants

- A label is forty characters wide.

## Verification

    python -m pytest
"""


def letter(body: str = BODY, title: str = "# Labels\n", **fields: str | None) -> str:
    """The text of a letter; ``fields`` replace the five it has or, when None, leave them out (``_`` is ``-``)."""
    stated: dict[str, str | None] = {
        "status": "active",
        "effort": "labels",
        "leg": "1",
        "supersedes": "none",
        "consumed_at": "pending",
    }
    lines = (
        f"{key.replace('_', '-').capitalize()}: {value}\n"
        for key, value in (stated | fields).items()
        if value is not None
    )
    return f"{title}\n{''.join(lines)}{body}"


def consumed(body: str = BODY, **fields: str | None) -> str:
    """The text of a letter that was consumed."""
    said: dict[str, str | None] = {"status": "consumed", "consumed_at": INSTANT}
    return letter(body, **said | fields)


def live(scene: Scene, text: str | bytes, name: str = NAME) -> Path:
    """Put a letter among the active ones."""
    return scene.write(f"{LIVE}/{name}", text)


def archived(scene: Scene, text: str | bytes, name: str = NAME, noted: str = "") -> Path:
    """Put a letter into the archive, with the line of the index that names it and says ``noted`` besides."""
    index = scene.root / ARCHIVE / "INDEX.md"
    before = index.read_text() if index.exists() else "# Consumed handoffs\n\n"
    scene.write(f"{ARCHIVE}/INDEX.md", f"{before}- [{name}]({name}){noted}\n")
    return scene.write(f"{ARCHIVE}/{name}", text)


def body(progress: str = "Nothing yet.", verification: str = "    make test\n", more: str = "") -> str:
    """The sections of a letter, with these in them."""
    return f"\n## Goal\n\nLabels.\n{more}\n## Progress\n\n{progress}\n\n## Verification\n\n{verification}"
