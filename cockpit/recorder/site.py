"""Where a checkout's recorder writes. No folder on the way may be a link: the readers enter none, nor does it."""

from __future__ import annotations

import os
import stat

from cockpit.formats import outline
from cockpit.recorder.where import Where

MANIFEST = ".ai/manifest.yaml"
STATE = ".ai/local/state"
_DEFAULTS = {"policy": "repo/policy.yaml", "sessions": "repo/sessions"}


class Refused(Exception):
    """Something that is not done here; the text is a sentence that says why, and what to do."""


class Site:
    """The folders of one checkout, absolute, and the name of whoever writes (``by``)."""

    __slots__ = ("_sections", "by", "root", "state", "store", "where")

    def __init__(self, where: Where, by: str) -> None:
        self.where, self.root, self.by = where, where.root, by
        self.state = os.path.join(where.root, STATE)
        self.store = os.path.join(self.state, "sessions-open")
        self._sections: dict[str, str] | None = None
        confined(self.store)

    @property
    def sessions(self) -> str:
        """The folder of closed records, absolute. Raises Refused where the manifest's leads where none may."""
        return self.section("sessions")

    @property
    def policy(self) -> bytes:
        """The bytes of the policy; empty where there is none."""
        return _read(self.section("policy"))

    def section(self, name: str) -> str:
        """The place of a section, absolute. Raises Refused where the manifest's leads where none may."""
        if self._sections is None:
            self._sections = _sections(os.path.join(self.root, MANIFEST))
        path = self._sections[name]
        if not path:
            raise Refused(f"The manifest's sections.{name} leads where no section may lie.")
        return confined(os.path.join(self.root, path))


def confined(path: str) -> str:
    """An absolute path below a resolved root; raises Refused where a link stands on the way."""
    if os.path.realpath(path) != path:
        raise Refused(f"{path} lies behind a link, which is not followed.")
    return path


def _read(path: str) -> bytes:
    """The beginning of a regular file; empty where nothing is there. Raises Refused for what nobody may wait for."""
    try:
        with open(path, "rb", opener=_without_waiting) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise Refused(f"{path} is not a regular file. Put one in its place, or move it away.")
            return file.read(1 << 20)
    except FileNotFoundError:
        return b""


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY)


def _sections(manifest: str) -> dict[str, str]:
    """The section paths of a manifest, empty where one is refused; the defaults where there is no manifest."""
    data = _read(manifest)
    read = outline.parse(data)
    if read is not None:
        stated = outline.block(read, "sections")
        if all(outline.text(stated, name) in ("", default) for name, default in _DEFAULTS.items()):
            return {name: f".ai/{default}" for name, default in _DEFAULTS.items()}
    from cockpit.formats import document, policy  # noqa: PLC0415  only an unusual manifest needs a YAML parser

    whole = document.parse(data)
    return {name: policy.section_path(whole, name) or "" for name in _DEFAULTS}
