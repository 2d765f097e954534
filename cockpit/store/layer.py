"""The tracked half of the layer: the manifest, and the policy it names."""

from __future__ import annotations

from msgspec import Struct

from cockpit.formats import document, policy
from cockpit.formats.document import Document
from cockpit.formats.policy import LAYER, Policy
from cockpit.store.files import Fault, listing
from cockpit.store.memory import Memory

MANIFEST = f"{LAYER}/manifest.yaml"


class Layer(Struct, frozen=True):
    """What the layer declares; ``sessions`` and ``policy_path`` are None where the manifest's place is refused.

    The file at ``policy_path`` need not be there.
    """

    present: bool
    sessions: str | None
    policy: Policy
    policy_path: str | None
    sessions_findings: tuple[str, ...] = ()
    policy_findings: tuple[str, ...] = ()
    hidden: bool = False
    """Whether the machine lets nobody see if there is one."""

    @property
    def policy_faults(self) -> list[tuple[str, str]]:
        """The findings about the policy, each with the path of the file to look at: of both sections, the manifest."""
        policy = self.policy_path or MANIFEST
        return [(MANIFEST if each in self.sessions_findings else policy, each) for each in self.policy_findings]


class Layers:
    """The reader of one checkout's manifest and policy; unchanged files are not read again."""

    def __init__(self) -> None:
        self._manifest: Memory[Document] = Memory(document.parse)
        self._policy: Memory[Policy] = Memory(lambda data: policy.policy(document.parse(data)))

    def read(self, root: str, now: int) -> Layer:
        """The layer as it is now."""
        manifest, said = _manifest(self._manifest.file(root, MANIFEST, now))
        sessions, about_sessions = _section(manifest, "sessions")
        path, about_policy = _section(manifest, "policy")
        read = self._policy.file(root, path, now) if path else None
        if isinstance(read, Fault):
            about_policy += (f"The policy {read.path} {read.reason}.",)
        elif read and read.damage:
            about_policy += (f"The policy {path} {read.damage}.",)
        there = listing(root, LAYER)
        if there.fault:
            said = (f"The layer {there.fault.path} {there.fault.reason}.",)
        return Layer(
            present=there.present,
            hidden=there.fault is not None,
            sessions=sessions,
            policy=read if isinstance(read, Policy) else Policy(),
            policy_path=path,
            sessions_findings=said + about_sessions,
            policy_findings=said + about_policy,
        )


def _manifest(read: Document | Fault | None) -> tuple[Document, tuple[str, ...]]:
    if isinstance(read, Fault):
        return Document({}), (f"The manifest {read.path} {read.reason}; its defaults are used.",)
    if read and read.damage:
        return read, (f"The manifest {MANIFEST} {read.to_correct}.",)
    return read or Document({}), ()


def _section(manifest: Document, name: str) -> tuple[str | None, tuple[str, ...]]:
    path = policy.section_path(manifest, name)
    if path is None:
        stated = manifest.block("sections").text(name)
        return None, (f"The manifest's sections.{name} ({stated}) leads where no section may lie, and is refused.",)
    return path, ()
