"""Where letters are worked on: one checkout at one moment, its letters, its git, and one writer at a time."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from msgspec import Struct

from cockpit.formats import instants
from cockpit.formats.credentials import Credential
from cockpit.formats.letter import is_letter
from cockpit.formats.text import one_line, shown, visible
from cockpit.housekeeping.writing import Busy, alone
from cockpit.recorder.site import Refused
from cockpit.store import surfaces as disk
from cockpit.store.checkout import Checkout
from cockpit.store.files import LIMIT, Fault
from cockpit.store.git import Answer, Git
from cockpit.store.letters import Filed, Letters, told

WAIT = 10.0  # seconds that a person waits for another run
_PAUSE = 0.02
_PATIENCE = 120.0  # seconds for git, which writes its index here: one that is ended may leave that locked


class Owner(Struct, frozen=True):
    """Whoever git says works here; what git does not say is empty."""

    name: str
    email: str

    def __str__(self) -> str:
        return f"{self.name} <{self.email}>" if self.name and self.email else self.name or self.email


class Desk:
    """A checkout as it is when this is made; ``here`` is the folder in which the command was given."""

    def __init__(self, checkout: Checkout, now: datetime, here: str) -> None:
        self.checkout, self.now, self.here, self.root = checkout, now, here, checkout.root
        self.snapshot = checkout.look(now)
        self._git = Git(checkout.root, _PATIENCE, inside=True)
        self.when = instants.written(now)

    @property
    def letters(self) -> Letters:
        """The letters as they were read first."""
        return self.snapshot.letters

    def git(self, *arguments: str, codes: tuple[int, ...] = (0,)) -> Answer:
        """Ask git, or have it write its index. Raises GitFailed."""
        return self._git.ask(*arguments, codes=codes)

    def known(self) -> Letters:
        """The letters; raises Refused where one cannot be read, since it might be any."""
        faults = [*self.snapshot.layer.policy_findings, *(each.sentence for each in self.letters.troubles)]
        if faults:
            raise Refused(f"{visible(faults[0])} Settle that first: what is not known is not decided about.")
        return self.letters

    def find(self, stated: str) -> Filed:
        """The letter that a person names: by a path from the root or from here, or by its name. Raises Refused.

        The path among the active letters of one that has moved into the archive since leads to it there.
        """
        letters = self.letters
        bare = [f"{folder}/{stated}" for folder in (letters.folder, letters.archive) if folder and "/" not in stated]
        paths = [stated, os.path.relpath(os.path.join(self.here, stated), self.root), *bare]
        paths = [os.path.normpath(path) for path in paths]
        for path in paths:
            if filed := letters.at(path):
                return filed
        self._refuse_other(paths)
        where = " or ".join(filter(None, (letters.folder, letters.archive)))
        raise Refused(f"There is no letter {one_line(shown(stated))} in {one_line(shown(where))}.")

    def _refuse_other(self, paths: list[str]) -> None:
        """Say what it is that lies among the letters at one of some paths, and is none."""
        for path in paths:
            if os.path.dirname(path) not in filter(None, (self.letters.folder, self.letters.archive)):
                continue
            read = disk.file(self.root, path, LIMIT)
            if isinstance(read, Fault):
                raise Refused(f"{one_line(read.path)} {read.reason}. It is no letter.")
            if read and not is_letter(os.path.basename(path)):
                raise Refused(f"{one_line(shown(path))} is no letter: the name of one is HANDOFF-YYYY-MM-DD-<slug>.md.")

    def owner(self) -> Owner:
        """Git's identity here."""
        asked = (self.git("config", "--get", f"user.{key}", codes=(0, 1)).out for key in ("name", "email"))
        return Owner(*(" ".join(visible(out.decode("utf-8", "replace")).split()) for out in asked))


def refuse_credential(filed: Filed, secrets: tuple[Credential, ...], reason: str) -> None:
    """Raise Refused where the text of a letter, or its name, holds what looks like a credential."""
    path = one_line(told(filed.path))
    if secrets:
        first = secrets[0]
        what = f"{first.kind}, {visible(first.masked)}"
        raise Refused(f"{path}:{first.line} holds what looks like a credential ({what}). Take it out: {reason}.")
    if filed.named_secretly:
        raise Refused(f"The name of {path} holds what looks like a credential. Rename it: {reason}.")


@contextmanager
def alone_here(root: str, wait: float = WAIT) -> Iterator[None]:
    """Hold the checkout against other runs; raises Busy after ``wait`` seconds, and OSError."""
    until = time.monotonic() + wait
    while True:
        try:
            with alone(root, ""):
                yield
                return
        except Busy:
            if time.monotonic() >= until:
                raise
        time.sleep(_PAUSE)
