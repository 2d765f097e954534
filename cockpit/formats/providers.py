"""The providers file: what each adapter declares. Three shapes occur and are read (see :func:`_lifecycle`)."""

from __future__ import annotations

from msgspec import Struct

from cockpit.formats.document import Document


class Declaration(Struct, frozen=True):
    """One provider's declaration: its lifecycle events in its own words, and whether prompts can be captured."""

    id: str
    title: str
    lifecycle: tuple[str, ...]
    prompt_capture: bool
    client_config: str
    note: str


def declarations(read: Document) -> list[Declaration]:
    """Every provider of the file, in the file's order."""
    providers = read.block("providers")
    return [_declaration(name, providers.block(name)) for name in providers.fields]


def _declaration(name: str, entry: Document) -> Declaration:
    lifecycle, captured = _lifecycle(entry)
    return Declaration(
        id=name,
        title=entry.text("title") or name,
        lifecycle=lifecycle,
        prompt_capture=captured,
        client_config=entry.text("client_config"),
        note=" ".join((entry.text("note") or entry.block("lifecycle").text("episode_evidence")).split()),
    )


def _lifecycle(entry: Document) -> tuple[tuple[str, ...], bool]:
    """The events and whether prompts can be captured.

    Shapes: a ``hooks`` block that names the event of each kind (start, end, compact); a mapping
    ``{episode: hooks|connection|none, prompts: hook|none}``, whose events are the one word where it is not none;
    a list of event names with ``prompt_capture: true|false`` beside it.
    """
    hooks, stated = entry.block("hooks"), entry.block("lifecycle")
    captured = entry.text("prompt_capture") == "true" or stated.text("prompts") == "hook"
    if hooks.fields:
        kinds = ("start", "end", "compact")
        return tuple(event for kind in kinds if (event := hooks.text(kind))), captured
    if stated.fields:
        episode = stated.text("episode")
        return ((episode,) if episode not in ("", "none") else ()), captured
    return tuple(entry.texts("lifecycle")), captured
