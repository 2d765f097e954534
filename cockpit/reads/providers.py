"""``lifecycle.providers``: what does each adapter declare, and what does this repository wire to it?"""

from __future__ import annotations

from cockpit.formats.policy import Wiring
from cockpit.formats.providers import Declaration
from cockpit.reads.answers import Provider, Providers, optional
from cockpit.store.distribution import declared
from cockpit.store.snapshot import Snapshot


def answer(snapshot: Snapshot) -> Providers:
    """The declarations of the distribution, each with the policy's enforcement entries that name its hook."""
    declarations = declared()
    wirings = snapshot.layer.policy.wirings
    rows = [_row(declaration, wirings) for declaration in declarations]
    return Providers(
        providers=rows,
        with_lifecycle=sum(bool(row.lifecycle) for row in rows),
        findings=[*snapshot.layer.policy_findings, *_findings(declarations, wirings)],
    )


def _row(declaration: Declaration, wirings: tuple[Wiring, ...]) -> Provider:
    return Provider(
        id=declaration.id,
        title=declaration.title,
        lifecycle=list(declaration.lifecycle),
        prompt_capture=declaration.prompt_capture,
        client_config=optional(declaration.client_config),
        wired=[wiring.name for wiring in wirings if wiring.provider == declaration.id],
        note=declaration.note,
    )


def _findings(declarations: list[Declaration], wirings: tuple[Wiring, ...]) -> list[str]:
    known = {declaration.id: declaration for declaration in declarations}
    found = []
    for wiring in wirings:
        declaration = known.get(wiring.provider)
        if declaration is None:
            found.append(f"The policy's entry {wiring.name} wires {wiring.provider}, a provider that nobody declares.")
        elif not declaration.lifecycle:
            said = (
                f"The policy's entry {wiring.name} wires {wiring.provider}, whose adapter declares no lifecycle event"
            )
            found.append(f"{said}: nothing will run it.")
    return found
