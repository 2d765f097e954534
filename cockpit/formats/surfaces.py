"""Live, archive, summary: where a repository or a project says such documents are, and the digests of an archive.

A policy's ``surfaces: [{name, live, archive, summary}]`` name paths below the repository; ``summary`` is the heading of
the summary section, "Summary of earlier <name>" unless it is stated. A BodhiKit project has two of its own.
"""

from __future__ import annotations

import json
import posixpath
import re
from typing import Any

from msgspec import Struct

from cockpit.formats import livedoc
from cockpit.formats.credentials import masked
from cockpit.formats.document import Document
from cockpit.formats.policy import LAYER
from cockpit.formats.text import visible

DIGESTS = ".digests"
BODHIKIT = (
    ("sessions", "progress.md", "progress/archive"),
    ("assessments", "assessments/latest.md", "assessments/archive"),
)
_DIGEST = re.compile(r"([0-9a-f]{64})  ([^/\0]+)")


class Surface(Struct, frozen=True):
    """One such document: ``root`` is absolute, ``live`` and ``archive`` are below it, ``title`` heads its summary."""

    root: str
    name: str
    live: str
    archive: str
    title: str


def declared(root: str, policy: Document) -> tuple[list[Surface], list[str]]:
    """The surfaces that a policy names, and a sentence for each that is refused."""
    found: list[Surface] = []
    findings = []
    for number, entry in enumerate(policy.blocks("surfaces"), 1):
        name = _line(entry.text("name")) or f"surface {number}"
        live, archive = path(entry.text("live")), path(entry.text("archive"))
        if live is None or archive is None:
            stated = entry.text("live") if live is None else entry.text("archive")
            which = "live document" if live is None else "archive folder"
            findings.append(f"The policy's surface {name} names “{visible(stated)}” as its {which}: {_REFUSED}")
        elif live == archive or live.startswith(f"{archive}/"):
            findings.append(f"The policy's surface {name} keeps its live document inside its archive, and is refused.")
        elif any(live == other.live or archive == other.archive for other in found):
            findings.append(
                f"The policy's surface {name} shares a document or an archive with another, and is refused."
            )
        else:
            title = _line(entry.text("summary")).lstrip("# ") or livedoc.summary_title(name)
            found.append(Surface(root, name, live, archive, title))
    return found, [masked(each) for each in findings]


_REFUSED = "a path inside the repository is wanted, without “..” and outside .git and .ai/local."


def _line(words: str) -> str:
    return " ".join(words.split())


def path(stated: str) -> str | None:
    """A stated path as it lies below the root; None where it may not lie there. (Links are the store's business.)"""
    parts = stated.split("/")
    if not stated or stated.startswith("/") or "\0" in stated or ".." in parts:
        return None
    normal = posixpath.normpath(stated)
    low = [part.lower() for part in normal.split("/")]
    return None if normal == "." or ".git" in low or low[:2] == [LAYER, "local"] else normal


def project_root(config: bytes) -> str:
    """``projectRoot`` of a project's configuration; empty where it states none."""
    stated = _object(config).get("projectRoot")
    return stated if isinstance(stated, str) and "\0" not in stated else ""


def search_paths(config: bytes) -> list[str] | None:
    """``searchPaths`` of a configuration; None where it states none."""
    stated = _object(config).get("searchPaths")
    return [each for each in stated if isinstance(each, str) and "\0" not in each] if isinstance(stated, list) else None


def _object(data: bytes) -> dict[str, Any]:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


# ---------------------------------------------------------------------- digests
def digests(data: bytes) -> dict[str, str]:
    """What ``.digests`` notes of each file: lines as ``sha256sum`` prints them; the first of a name counts."""
    found: dict[str, str] = {}
    for line in livedoc.text(data).split("\n"):
        if noted := _DIGEST.fullmatch(line.removesuffix("\r")):
            found.setdefault(noted[2], noted[1])
    return found


def with_digests(data: bytes, more: dict[str, str]) -> bytes:
    """``.digests`` with further lines; those that are there stay as they are."""
    known = digests(data)
    added = "".join(f"{digest}  {name}\n" for name, digest in more.items() if name not in known)
    parted = b"" if not data or data.endswith(b"\n") or not added else b"\n"
    return data + parted + livedoc.raw(added)
