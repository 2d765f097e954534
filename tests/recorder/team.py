"""A team's repository with the recorder in place, and what its agents' hooks do in it."""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from cockpit.reads.catalog import CATALOG
from cockpit.recorder import hook, layer, ledger
from cockpit.recorder.recover import Desk
from cockpit.recorder.site import Site
from cockpit.recorder.where import find
from cockpit.store.checkout import Checkout
from tests.builders import STATE, Scene

PROJECT = Path(__file__).parents[2]
NOW = "2026-11-30T12:00:00Z"
WORDS = {
    "claude-code": {"start": "SessionStart", "end": "SessionEnd", "compact": "PreCompact"},
    "codex": {"start": "SessionStart", "end": "SessionEnd", "compact": "PreCompact"},
    "gemini": {"start": "SessionStart", "end": "SessionEnd", "compact": "PreCompress"},
}


def site_of(root: Path) -> Site:
    where = find(str(root))
    assert where is not None
    return Site(where, "mara")


def team(folder: Path, *providers: str) -> Scene:
    """A repository in which ``cockpit init`` has run, committed."""
    scene = Scene.create(folder, layer=False)
    layer.init(site_of(scene.root), list(providers or WORDS), dry_run=False)
    scene.commit("Lay out the layer")
    return scene


def payload(provider: str, kind: str, session: str, cwd: str | Path, **more: Any) -> dict[str, Any]:
    """What a provider hands its hook, in the shape its documentation gives."""
    shape: dict[str, Any] = {
        "session_id": session,
        "transcript_path": f"/nowhere/{session}.jsonl",
        "cwd": str(cwd),
        "hook_event_name": WORDS[provider][kind],
    }
    shape |= {
        "claude-code": {"permission_mode": "default"},
        "codex": {"model": "gpt-5.2-codex", "permission_mode": "default"},
        "gemini": {"timestamp": NOW},
    }[provider]
    deliberate = {"claude-code": "prompt_input_exit", "codex": "other", "gemini": "exit"}[provider]
    shape |= {"start": {"source": "startup"}, "end": {"reason": deliberate}, "compact": {"trigger": "auto"}}[kind]
    return shape | more


def fire(provider: str, kind: str, session: str, cwd: str | Path, ts: str = NOW, **more: Any) -> bytes:
    """An event acted on in this process; what the hook would print."""
    return hook.run(provider, json.dumps(payload(provider, kind, session, cwd, **more)).encode(), ts)


def hooked(
    provider: str, stdin: bytes | dict[str, Any], at: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """The hook as the process that a provider starts, in the folder ``at``."""
    data = json.dumps(stdin).encode() if isinstance(stdin, dict) else stdin
    return cockpit("hook", provider, stdin=data, at=at, **environment)


def cockpit(
    *arguments: str | Path, stdin: bytes = b"", at: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """The program, as a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "cockpit", *map(str, arguments)],
        input=stdin,
        cwd=at or PROJECT,
        env=os.environ | {"PYTHONPATH": str(PROJECT)} | environment,
        capture_output=True,
        timeout=60,
        check=False,
    )


def recovered(root: Path, only: str = "", ts: str = NOW) -> list[str]:
    """``cockpit recover --yes`` in this process; what kind of thing was mended, in order. Nothing may fail."""
    checkout, site = Checkout.open(str(root)), site_of(root)
    ledger.prepare(site.state)
    with ledger.Lock(site.state, 10):
        hook.drain(site)
        tried = Desk(checkout, site, ts, (site.where.head, site.where.branch)).mend(only)
    assert [why for _, why in tried if why] == []
    return [step.kind for step, _ in tried]


def answers(root: Path) -> dict[str, Any]:
    """The six answers, as a client gets them."""
    snapshot = Checkout.open(str(root)).look()
    return {read.id: msgspec.to_builtins(read.ask(snapshot)) for read in CATALOG}


def healthy(root: Path, *, several: bool = True) -> dict[str, Any]:
    """The six answers, after making sure that nothing needs a hand, the books agree and no read has a finding.

    That several episodes are open is said by a finding too, as ordinary.
    """
    seen = answers(root)
    recovery = seen["lifecycle.recovery"]
    assert recovery["findings"] == [], recovery["findings"]
    assert recovery["balance"]["agrees"], recovery["balance"]
    assert recovery["balance"]["unaccounted_sessions"] == []
    findings = [
        each for name, answer in seen.items() for each in answer.get("findings", []) if name != "lifecycle.recovery"
    ]
    found = [each for each in findings if not (several and "open at once" in each)]
    assert found == [], found
    return seen


def events(root: Path, *names: str) -> list[dict[str, str]]:
    """The events of the live ledger, all or those of some names."""
    path = root / STATE / "ledger.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    return [line for line in lines if not names or line["event"] in names]


def open_records(root: Path) -> list[Path]:
    return sorted((root / STATE / "sessions-open").glob("[!.]*.yaml"))


def closed_records(root: Path) -> list[Path]:
    return sorted(p for p in (root / ".ai/repo/sessions").glob("[!.]*.md") if p.name != "README.md")


def pointed(root: Path) -> str:
    """The name of the record that the pointer leads to; empty where there is none."""
    link = root / STATE / "session-current.yaml"
    return link.resolve().name if link.is_symlink() else ""


def contents(root: Path) -> set[str]:
    """A digest of every file below .ai but for the ledger, which grows: what no recovery may lose."""
    files = [p for p in (root / ".ai").rglob("*") if p.is_file() and not p.is_symlink() and p.name != "ledger.jsonl"]
    return {hashlib.sha256(p.read_bytes()).hexdigest() for p in files if p.stat().st_size}


@contextmanager
def program(folder: Path) -> Iterator[str]:
    """A folder with ``cockpit`` in it, as a PATH; what a pasted command and a hook's command string find."""
    folder.mkdir(exist_ok=True)
    script = folder / "cockpit"
    script.write_text(
        f'#!/bin/sh\nPYTHONPATH={shlex.quote(str(PROJECT))} exec {shlex.quote(sys.executable)} -m cockpit "$@"\n'
    )
    script.chmod(0o755)
    yield f"{folder}:{os.environ['PATH']}"
