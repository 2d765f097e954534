"""The policy's enforcement entries, put in and taken out as text: every other line stays as it was."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from cockpit.formats import document
from cockpit.formats.document import Document
from cockpit.recorder.site import Refused

_NEW = """\
# What this repository asks of the record of its agents' work.
version: 1

session:
  freshness:
    fresh_minutes: 720
    stale_minutes: 2880

checkpoint:
  max_body_lines: 40

ledger:
  retention_max_lines: 5000

enforcement:
"""
_HEAD = re.compile(r"^enforcement:[ \t]*(\[[ \t]*\])?[ \t]*\r?$", re.MULTILINE)
_ENTRY = re.compile(
    r"^([ ]*)- name: cockpit-([a-z-]+)\r?\n\1  path: cockpit\r?\n\1  args: \[hook, \2\]\r?\n"
    r"\1  wired_by: provider-hook:\2:session\r?\n?",
    re.MULTILINE,
)


def with_entries(data: bytes | None, providers: list[str], path: str) -> bytes:
    """A policy that names the recorder for each provider; the same bytes where it does. Raises Refused."""
    if data is None:
        return (_NEW + "".join(_entry(provider, "  ") for provider in providers)).encode()
    before = document.parse(data)
    missing = [provider for provider in providers if not _names(before, provider)]
    if not missing:
        return data
    try:
        after = _inserted(data.decode(), missing).encode()
    except UnicodeDecodeError:
        after = b""
    if not before.whole or not _adds_only(before, document.parse(after), len(missing)):
        entries = "".join(_entry(provider, "  ") for provider in missing)
        raise Refused(f"{path} cannot be extended with certainty and is left alone. Put these entries in:\n{entries}")
    return after


def without_entries(data: bytes, providers: Collection[str]) -> bytes:
    """A policy without the entries that name the recorder for these providers."""
    text = data.decode("utf-8", "surrogateescape")
    bare = _ENTRY.sub(lambda found: "" if found[2] in providers else found[0], text)
    if bare != text and not document.parse(bare.encode("utf-8", "surrogateescape")).fields.get("enforcement"):
        bare = _HEAD.sub("enforcement: []", bare)
    return bare.encode("utf-8", "surrogateescape")


def named(data: bytes | None, providers: Iterable[str]) -> list[str]:
    """The providers for which a policy names the recorder."""
    policy = document.parse(data or b"")
    return [provider for provider in providers if _names(policy, provider)]


def laid_out(data: bytes, providers: Collection[str]) -> bool:
    """Whether a policy, but for its entries for these providers, is just what init writes."""
    return without_entries(data, providers) == f"{_NEW.rstrip()} []\n".encode()


def _entry(provider: str, indent: str) -> str:
    first, *more = (
        f"name: cockpit-{provider}",
        "path: cockpit",
        f"args: [hook, {provider}]",
        f"wired_by: provider-hook:{provider}:session",
    )
    return "".join([f"{indent}- {first}\n", *(f"{indent}  {line}\n" for line in more)])


def _inserted(text: str, providers: list[str]) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    head = _HEAD.search(text)
    if head is None:
        gap = "" if not text or text.endswith("\n") else newline
        entries = "enforcement:\n" + "".join(_entry(provider, "  ") for provider in providers)
        return text + gap + ("" if not text.strip() else newline) + entries.replace("\n", newline)
    below = re.compile(r"\r?\n(?:[ \t]*(?:#[^\n]*)?\r?\n)*([ ]*)- ").match(text, head.end() - head[0].endswith("\r"))
    indent = below[1] if below else "  "
    entries = "".join(_entry(provider, indent) for provider in providers).replace("\n", newline)
    rest = text[head.end() :].removeprefix("\n")
    return text[: head.start()] + "enforcement:" + newline + entries + rest


def _names(policy: Document, provider: str) -> bool:
    return any(
        entry.text("path") == "cockpit" and entry.text("wired_by").startswith(f"provider-hook:{provider}")
        for entry in policy.blocks("enforcement")
    )


def _adds_only(before: Document, after: Document, count: int) -> bool:
    old, new = before.fields.get("enforcement") or [], after.fields.get("enforcement") or []
    others = {name: value for name, value in after.fields.items() if name != "enforcement"}
    same = others == {name: value for name, value in before.fields.items() if name != "enforcement"}
    return same and after.whole and isinstance(old, list) and isinstance(new, list) and new[count:] == old
