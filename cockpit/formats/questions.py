"""``open-questions.md``: the questions that block work, one list item each."""

from __future__ import annotations

import re

from cockpit.formats.text import lines

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_UNRESOLVED = "- [unresolved] "


def unresolved(data: bytes) -> list[str]:
    """The text of each ``- [unresolved] …`` line outside HTML comments, in the order of the file."""
    text = "\n".join(line.decode("utf-8", "backslashreplace") for line in lines(data))
    kept = (line.strip() for line in _COMMENT.sub("", text).split("\n"))
    return [line.removeprefix(_UNRESOLVED).strip() for line in kept if line.startswith(_UNRESOLVED)]
