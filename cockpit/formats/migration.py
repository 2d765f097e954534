"""Older layouts of a BodhiKit project, and what becomes of them. Text in, text out.

Old are: one ``progress.md`` without a summary section, a flat ``assessment.md``, and narrative fields in
``state.json``.
"""

from __future__ import annotations

import json
from datetime import date

from cockpit.formats import jsontext, livedoc
from cockpit.formats.livedoc import LiveDocument, raw

NARRATIVE = ("lastSessionSummary", "bloomResetNote")
_DATES = ("lastSessionAt", "updatedAt", "createdAt")


def narrative(state: str) -> list[str]:
    """The narrative fields that a state holds. Raises NoJson."""
    return [part.key for part in jsontext.members(state) if part.key in NARRATIVE]


def without_narrative(state: str) -> str:
    """The state without them; every other byte stays."""
    parts = jsontext.members(state)
    return jsontext.without(state, parts, {place for place, part in enumerate(parts) if part.key in NARRATIVE})


def entry(state: str, today: date, ending: str) -> str:
    """The narrative as an entry of the progress log, dated as the state is; quoted, so that it stays one entry."""
    parts = jsontext.members(state)
    stated = {part.key: part.value for part in parts}
    dates = [found[0] for key in _DATES if (found := livedoc.dated(str(stated.get(key))))]
    lines = [f"## {next(iter(dates), today.isoformat())} - Moved out of state.json", ""]
    for part in parts:
        if part.key in NARRATIVE:
            said = part.value if isinstance(part.value, str) else json.dumps(part.value, ensure_ascii=False)
            lines += [f"**{part.key}:**", "", *(f"> {line}".rstrip() for line in said.split("\n")), ""]
    return "".join(line + ending for line in lines)


def with_entry(document: LiveDocument, new: bytes) -> bytes:
    """The document with an entry above its others, or at its end where it has none; one that it holds is not added."""
    data = document.data
    if new.strip() in data:
        return data
    starts = [each.start for each in document.entries]
    places = [document.summary.start] if document.summary else []
    if starts or places:
        at = min([*starts, *places])
        return data[:at] + new + data[at:]
    parted = b"" if not data or data.endswith(b"\n\n") else document.ending * (1 if data.endswith(b"\n") else 2)
    return data + raw(parted.decode()) + new
