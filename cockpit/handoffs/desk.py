"""Where letters are worked on: one checkout at one moment, its letters, its git, and one writer at a time."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from msgspec import Struct

from cockpit.formats import instants
from cockpit.formats.text import shown, visible
from cockpit.housekeeping.writing import Busy, alone
from cockpit.recorder.site import Refused
from cockpit.store.checkout import Checkout
from cockpit.store.git import Answer
from cockpit.store.letters import Filed, Letters

WAIT = 10.0  # seconds that a person waits for another run
_PAUSE = 0.02


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
        self.when = instants.written(now)

    @property
    def letters(self) -> Letters:
        """The letters as they were read first."""
        return self.snapshot.letters

    def git(self, *arguments: str, codes: tuple[int, ...] = (0,)) -> Answer:
        """Ask git, or have it write its index. Raises GitFailed."""
        return self.checkout.git.ask(*arguments, codes=codes)

    def known(self) -> Letters:
        """The letters; raises Refused where one cannot be read, since it might be any."""
        faults = [*self.snapshot.layer.policy_findings, *self.letters.faults]
        if faults:
            raise Refused(f"{visible(faults[0])} Settle that first: what is not known is not decided about.")
        return self.letters

    def find(self, stated: str) -> Filed:
        """The letter that a person names: by a path from the root or from here, or by its name. Raises Refused.

        The path of a letter that has moved into the archive since leads to it there.
        """
        letters = self.letters
        name = stated.rpartition("/")[2]
        for path in (stated, os.path.relpath(os.path.join(self.here, stated), self.root)):
            for each in letters.all:
                if os.path.normpath(path) == each.path:
                    return each
        for each in letters.archived if "/" in stated else letters.all:
            if each.name == name:
                return each
        where = " or ".join(filter(None, (letters.folder, letters.archive)))
        raise Refused(f"There is no letter {visible(shown(stated))} in {visible(shown(where))}.")

    def owner(self) -> Owner:
        """Git's identity here."""
        asked = (self.git("config", "--get", f"user.{key}", codes=(0, 1)).out for key in ("name", "email"))
        return Owner(*(" ".join(visible(out.decode("utf-8", "replace")).split()) for out in asked))


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
