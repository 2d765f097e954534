"""What is wrong with a surface: an archive nothing leads to, a pointer to nothing, what is there twice or changed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Literal

from msgspec import Struct

from cockpit.formats import summary
from cockpit.formats.livedoc import LiveDocument

Kind = Literal["edited", "deleted", "unreachable", "broken", "twice", "leftover"]


class Problem(Struct, frozen=True):
    """One kind of damage, and the name, pattern or date it is about."""

    kind: Kind
    name: str


class Held(Struct, frozen=True):
    """What is known of an archive file: the digest of its bytes, and that of its bytes without the blank end."""

    digest: str
    core: str


def held(data: bytes) -> Held:
    """What is known of bytes."""
    return Held(hashlib.sha256(data).hexdigest(), core(data))


def core(data: bytes) -> str:
    """The digest of bytes without the white space at their end, by which an entry is known again."""
    return hashlib.sha256(data.rstrip()).hexdigest()


def archives(names: frozenset[str]) -> list[str]:
    """The names in an archive folder that are archive files."""
    return sorted(name for name in names if name.endswith(".md") and not name.startswith(".") and name != "README.md")


def leads(document: LiveDocument, folder: str, names: frozenset[str]) -> list[Problem]:
    """Pointers to nothing, and archive files that nothing leads to."""
    there = archives(names)
    stated = summary.pointers(document.block, folder)
    broken = [name for name in stated if name not in names and not any(fnmatchcase(each, name) for each in there)]
    reached = summary.reached(there, [*stated, *summary.pointers(document.data, folder)])
    unreachable = [name for name in there if name not in reached]
    return [Problem("broken", name) for name in broken] + [Problem("unreachable", name) for name in unreachable]


def problems(
    document: LiveDocument, folder: str, names: frozenset[str], files: Mapping[str, Held], digests: Mapping[str, str]
) -> list[Problem]:
    """Everything that is wrong, in a fixed order; ``files`` holds the archive files that could be read."""
    edited = [
        Problem("edited", name) for name, noted in digests.items() if name in files and files[name].digest != noted
    ]
    deleted = [Problem("deleted", name) for name in digests if name not in names]
    gone = {problem.name for problem in deleted}
    leading = [problem for problem in leads(document, folder, names) if problem.name not in gone]
    cores = {each.core for each in files.values()}
    twice = [Problem("twice", entry.date) for entry in document.entries if core(document.bytes_of(entry)) in cores]
    leftover = [Problem("leftover", name) for name in sorted(names) if name.startswith(".tmp.")]
    return [*edited, *deleted, *leading, *twice, *leftover]
