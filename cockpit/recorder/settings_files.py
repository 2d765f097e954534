"""Hooks merged into a provider's settings, as text: every other byte stays as it was, comments included.

Settings are JSON, or JSON with comments and trailing commas as editors allow them. What cannot be merged with certainty
is left alone, with a sentence. Shape: https://code.claude.com/docs/en/hooks; the other providers have the same.
"""

from __future__ import annotations

import json
import re
from typing import Any

from cockpit.formats import jsontext
from cockpit.formats.jsontext import Part
from cockpit.recorder.adapters import Adapter
from cockpit.recorder.site import Refused

_BOM = "\ufeff"


def command(provider: str) -> str:
    """What a provider runs: it never changes (Codex trusts it by its hash), and is silent where there is no cockpit."""
    return f"command -v cockpit >/dev/null 2>&1 && exec cockpit hook {provider} || true"


def merged(data: bytes | None, adapter: Adapter) -> bytes:
    """A settings file with the adapter's hooks in it; the same bytes where they are there. Raises Refused."""
    text = _text(data or b"", adapter)
    if not text.removeprefix(_BOM).strip():
        hooks = {event: [_group(adapter, kind)] for kind, event in adapter.events.items()}
        return f"{text}{json.dumps({'hooks': hooks}, indent=2)}\n".encode()
    wanted = _value(text, adapter)
    for kind, event in adapter.events.items():
        if not _has(wanted, event, adapter):
            wanted.setdefault("hooks", {}).setdefault(event, []).append(_group(adapter, kind))
            text = _with(text, event, _group(adapter, kind))
    if _value(text, adapter) != wanted:
        raise Refused(
            f"{adapter.settings} is laid out in a way that cannot be extended with certainty. {_by_hand(adapter)}"
        )
    return text.encode()


def runs(data: bytes | None, adapter: Adapter) -> bool:
    """Whether a settings file names the adapter's hook."""
    return command(adapter.id).encode() in (data or b"")


def without(data: bytes, adapter: Adapter) -> bytes:
    """A settings file without the adapter's hooks, and without what is empty then. Raises Refused."""
    text = _text(data, adapter)
    _value(text, adapter)
    for event in adapter.events.values():
        parts, place = _found(text, "hooks", event)
        if place is None:
            continue
        groups = jsontext.elements(masked(text), place.value_start)
        ours = {n for n, group in enumerate(groups) if _is_ours(group.value, adapter)}
        text = jsontext.without(text, groups, ours)
        if ours and len(ours) == len(groups):
            parts, _ = _found(text, "hooks", event)
            text = jsontext.without(text, parts, {n for n, part in enumerate(parts) if part.key == event})
    parts, hooks = _found(text, "hooks")
    if hooks and hooks.value == {}:
        text = jsontext.without(text, parts, {n for n, part in enumerate(parts) if part.key == "hooks"})
    return text.encode()


def masked(text: str) -> str:
    """The text with spaces in place of comments and trailing commas: JSON, with every span where it was."""
    out = list(text)
    comma = -1
    for found in _TOKEN.finditer(text):
        piece = found[0]
        if piece.startswith(("//", "/*")):
            out[found.start() : found.end()] = [c if c in "\r\n" else " " for c in piece]
        elif piece == ",":
            comma = found.start()
            continue
        elif piece in "}]" and comma >= 0:
            out[comma] = " "
        comma = comma if piece.startswith(("//", "/*")) else -1
    return "".join([" " if c == _BOM and n == 0 else c for n, c in enumerate(out)])


_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/|[^\s]', re.DOTALL)


def _text(data: bytes, adapter: Adapter) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise Refused(f"{adapter.settings} is no UTF-8 and is left alone. {_by_hand(adapter)}") from None


def _value(text: str, adapter: Adapter) -> dict[str, Any]:
    """The settings as a value. Raises Refused where the file is broken, or has something else where hooks belong."""
    try:
        value = json.loads(masked(text))
    except (ValueError, RecursionError) as error:
        raise Refused(f"{adapter.settings} does not parse ({error}) and is left alone. {_by_hand(adapter)}") from None
    hooks = value.get("hooks", {}) if isinstance(value, dict) else None
    lists = [hooks.get(event, []) for event in adapter.events.values()] if isinstance(hooks, dict) else [None]
    if not all(isinstance(each, list) for each in lists):
        raise Refused(f"{adapter.settings} holds something else where hooks belong. {_by_hand(adapter)}")
    assert isinstance(value, dict)
    return value


def _by_hand(adapter: Adapter) -> str:
    hooks = {event: [_group(adapter, kind)] for kind, event in adapter.events.items()}
    return f"Put this into it by hand: {json.dumps({'hooks': hooks})}"


def _group(adapter: Adapter, kind: str) -> dict[str, Any]:
    hook: dict[str, Any] = {"name": "cockpit"} if adapter.named else {}
    hook |= {"type": "command", "command": command(adapter.id), "timeout": adapter.timeout(kind)}
    return ({} if adapter.matcher is None else {"matcher": adapter.matcher}) | {"hooks": [hook]}


def _has(value: dict[str, Any], event: str, adapter: Adapter) -> bool:
    return any(_runs(group, adapter) for group in value.get("hooks", {}).get(event, []))


def _runs(group: Any, adapter: Adapter) -> bool:
    hooks = group.get("hooks") if isinstance(group, dict) else None
    return any(isinstance(h, dict) and h.get("command") == command(adapter.id) for h in hooks or [])


def _is_ours(group: Any, adapter: Adapter) -> bool:
    """Whether a group holds our hook and no other."""
    return _runs(group, adapter) and len(group["hooks"]) == 1


def _found(text: str, *keys: str) -> tuple[list[Part], Part | None]:
    """The member that keys lead to, and its neighbours."""
    parts: list[Part] = []
    at = 0
    for key in keys:
        parts = jsontext.members(masked(text), at)
        part = next((each for each in reversed(parts) if each.key == key), None)
        if part is None:
            return parts, None
        at = part.value_start
    return parts, part


def _with(text: str, event: str, group: dict[str, Any]) -> str:
    """The text with one more group in the list of an event; what is missing on the way there is added."""
    _, hooks = _found(text, "hooks")
    if hooks is None:
        return _added(text, 0, "hooks", {event: [group]})
    _, listed = _found(text, "hooks", event)
    if listed is None:
        return _added(text, hooks.value_start, event, [group])
    return _added(text, listed.value_start, "", group)


def _added(text: str, at: int, key: str, value: Any) -> str:
    """The text with one more member (or element, without a key) at the end of what begins at ``at``."""
    bare = masked(text)
    opening = len(bare) - len(bare[at:].lstrip())
    parts = jsontext.members(bare, at) if key else jsontext.elements(bare, at)
    close = bare.index("}" if key else "]", parts[-1].end if parts else opening + 1)
    named = f"{json.dumps(key)}: " if key else ""
    one_line = "\n" not in text.strip()
    if one_line or (parts and "\n" not in text[opening : parts[0].start]):
        comma = ", " if parts and not _trailing(text, parts, close) else ""
        last = parts[-1].end if parts and comma else len(text[:close].rstrip())
        return text[:last] + comma + named + json.dumps(value) + text[last:]
    newline = "\r\n" if "\r\n" in text else "\n"
    unit = _unit(text)
    outer = _indent(text, close) if parts else _indent(text, opening)
    inner = _indent(text, parts[-1].start) if parts else outer + unit
    item = json.dumps(value, indent=unit).replace("\n", newline + inner)
    end = len(text[:close].rstrip())
    added = f"{newline}{inner}{named}{item}"
    rest = text[end:] if "\n" in text[end:close] else newline + outer + text[close:]
    comma = "," if parts and not _trailing(text, parts, close) else ""
    split = parts[-1].end if parts else end
    return text[:split] + comma + text[split:end] + added + rest


def _trailing(text: str, parts: list[Part], close: int) -> bool:
    """Whether a comma stands behind the last part already."""
    return any(found[0] == "," for found in _TOKEN.finditer(text, parts[-1].end, close))


def _indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip())]


def _unit(text: str) -> str:
    """What a level is indented by: the indentation of the first line that has any."""
    found = re.search(r"\n([ \t]+)\S", text)
    return found[1] if found else "  "
