"""What each adapter declares and what the policy wires to it; never what lies on disk."""

from __future__ import annotations

import pytest

from cockpit.store.distribution import declared
from tests.builders import Scene
from tests.looking import ask

READ = "lifecycle.providers"


def _wire(scene: Scene, *wired_by: str) -> None:
    entries = "".join(f"  - name: e{n}\n    wired_by: {each}\n" for n, each in enumerate(wired_by))
    scene.write(".ai/repo/policy.yaml", f"enforcement:\n{entries}")


def _wired(scene: Scene) -> dict[str, list[str]]:
    return {row.id: row.wired for row in ask(scene, READ).providers if row.wired}


def test_every_declared_provider_has_one_row_in_the_file_s_order(scene: Scene) -> None:
    answer = ask(scene, READ)
    assert [row.id for row in answer.providers] == [each.id for each in declared()]
    assert answer.with_lifecycle == sum(bool(each.lifecycle) for each in declared()) > 0


def test_wirings_stand_at_their_provider(scene: Scene) -> None:
    _wire(scene, "provider-hook:codex", "provider-hook:claude-code:session", "git-hook:x", "provider-hook:codex:y")
    assert _wired(scene) == {"codex": ["e0", "e3"], "claude-code": ["e1"]}
    assert ask(scene, READ).findings == []


@pytest.mark.parametrize("path", [".claude/settings.json", ".mcp.json", ".codex/hooks.json", ".gemini/settings.json"])
def test_a_hook_file_on_disk_changes_nothing(scene: Scene, path: str) -> None:
    before = ask(scene, READ)
    scene.write(path, '{"hooks": {"SessionStart": []}}')
    assert ask(scene, READ) == before


def test_a_wiring_to_a_provider_without_a_lifecycle_is_a_finding_and_stands(scene: Scene) -> None:
    _wire(scene, "provider-hook:cursor:session")
    assert _wired(scene) == {"cursor": ["e0"]}
    assert "declares no lifecycle event" in ask(scene, READ).findings[0]


def test_a_provider_that_nobody_declares_is_a_finding_and_gets_no_row(scene: Scene) -> None:
    _wire(scene, "provider-hook:unheard-of")
    answer = ask(scene, READ)
    assert "unheard-of" not in [row.id for row in answer.providers]
    assert "nobody declares" in answer.findings[0]


@pytest.mark.parametrize("path", ["../../x", "/etc/policy", "../.git/x", "local/x"])
def test_a_refused_policy_is_a_finding(scene: Scene, path: str) -> None:
    scene.write(".ai/manifest.yaml", f"sections:\n  policy: {path}\n")
    assert (_wired(scene), path in ask(scene, READ).findings[0]) == ({}, True)


def test_without_a_layer_the_declarations_stand(tmp_path_factory: pytest.TempPathFactory) -> None:
    scene = Scene.create(tmp_path_factory.mktemp("bare") / "repo", layer=False)
    answer = ask(scene, READ)
    assert (len(answer.providers), answer.findings) == (len(declared()), [])


def test_every_row_says_what_an_operator_should_know(scene: Scene) -> None:
    assert all(row.note and row.title for row in ask(scene, READ).providers)
