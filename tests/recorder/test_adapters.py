"""The providers file and the adapters are one: neither knows an event, a key or a reason that the other does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from cockpit.formats import document, outline, providers
from cockpit.recorder import adapters
from tests.recorder.team import NOW, WORDS, payload

DECLARED = document.parse(Path(adapters.FILE).read_bytes())


def test_the_hook_reads_the_providers_file_as_yaml_does() -> None:
    assert outline.parse(Path(adapters.FILE).read_bytes()) == DECLARED.fields


def test_every_provider_with_hooks_has_an_adapter_and_no_other_has() -> None:
    declared = {d.id: d.lifecycle for d in providers.declarations(DECLARED)}
    wired = {name: tuple(a.events.values()) for name, a in adapters.adapters().items() if a.settings}
    assert wired == {name: events for name, events in declared.items() if events}


@pytest.mark.parametrize("provider", WORDS)
def test_every_event_that_is_declared_is_understood(provider: str) -> None:
    adapter = adapters.adapters()[provider]
    assert adapter.events == WORDS[provider]
    for kind, word in WORDS[provider].items():
        event = adapter.read(payload(provider, kind, "id-1", "/somewhere"), NOW)
        assert (event.kind, event.name, event.session, event.folder) == (kind, word, "id-1", "/somewhere")


@pytest.mark.parametrize("provider", WORDS)
def test_a_deliberate_end_is_told_from_an_interruption(provider: str) -> None:
    adapter = adapters.adapters()[provider]
    assert adapter.read(payload(provider, "end", "id-1", "/x"), NOW).deliberate
    assert not adapter.read(payload(provider, "end", "id-1", "/x", reason="a new word"), NOW).deliberate
    assert adapter.deliberate


@pytest.mark.parametrize("provider", WORDS)
def test_every_claim_has_its_evidence_and_every_timeout_its_unit(provider: str) -> None:
    declared = DECLARED.block("providers").block(provider)
    assert {"hooks", "deliberate", "timeouts", "prompt_capture"} <= declared.block("evidence").fields.keys()
    adapter = declared.block("adapter")
    second = {"seconds": 1, "milliseconds": 1000}[adapter.text("timeout_unit")]
    asked = {kind: int(adapter.block("timeouts").text(kind)) / second for kind in WORDS[provider]}
    assert all(1 <= each <= 60 for each in asked.values())
    assert provider != "codex" or asked["end"] <= 3


def test_no_adapter_reads_a_transcript_or_a_prompt() -> None:
    keys = [key for a in adapters.adapters().values() for name in a._payload for key in outline.words(a._payload, name)]
    assert not {"transcript_path", "prompt", "prompt_text", "message"} & set(keys)


def test_a_payload_of_cursor_is_its_own_whichever_hook_ran_it() -> None:
    known = adapters.adapters()
    told = payload("claude-code", "start", "c-1", "", cursor_version="2.1", workspace_roots=["/work/place"])
    adapter = adapters.whose("claude-code", told, known)
    assert adapter is not None
    event = adapter.read(told, NOW)
    assert (event.provider, event.kind, event.session, event.folder) == ("cursor", "start", "c-1", "/work/place")
