"""The commands that clear what ``lifecycle.recovery`` finds.

No remedy takes away the bytes of a file: what is cleared is moved to ``.ai/local/set-aside/`` under a name that is free
there, and a command that is pasted late, or twice, stops before it would overwrite anything. Only two names are ever
removed: a temporary one whose bytes were just given the name of a record, and a link, which holds nothing but its
target; that target is shown beside the command.
"""

from __future__ import annotations

import os

from cockpit.formats import names, shell
from cockpit.formats.policy import sole_writer
from cockpit.store.episodes import POINTER, STATE, STORE
from cockpit.store.snapshot import Snapshot

_FREE = "test ! -e {target}"
_FREE_OF_LINKS = _FREE + " && test ! -L {target}"  # what a link that was set aside leads to need not exist


_SAME_TEXT = """test "$(tr -d '[:space:]' < {pointer})" = {text}"""  # a text that stands for a link, unchanged


def _compact(text: str) -> str:
    return "".join(text.split())


class Aside:
    """Writes the commands that set things of one checkout aside; two of them never name one place."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._root = snapshot.root
        self._folder, self._aside = snapshot.aside.path, names.Free(snapshot.aside.entries)

    def _at(self, path: str) -> str:
        return os.path.join(self._root, path)

    def _aside_for(self, path: str) -> str:
        return f"{self._at(self._folder)}/{self._aside.take(names.aside(os.path.basename(path)))}"

    def set_aside(self, path: str, and_then: str = "", *, first: str = "", regular: bool = True, **more: str) -> str:
        """Move one thing to where it can be taken back from; ``regular`` where it is known to be a regular file."""
        template = (
            f"{first}mkdir -p -- {{folder}} && {_FREE if regular else _FREE_OF_LINKS} && mv -- {{source}} {{target}}"
        )
        words = {"folder": self._at(self._folder), "source": self._at(path), "target": self._aside_for(path)}
        return shell.command(template + and_then, **words, **more)


class Remedies(Aside):
    """Writes the commands of one reading."""

    def __init__(self, snapshot: Snapshot) -> None:
        super().__init__(snapshot)
        self._pointer = snapshot.store.pointer
        self._recorder = sole_writer(snapshot.layer.policy)
        self._published = names.Free(snapshot.section.names)
        self._store = names.Free(snapshot.store.names)

    def close(self, path: str, session_id: str) -> str:
        """Clear a stranded record: where Cockpit's recorder is the one writer it closes the episode, else see below."""
        return (self.recover(session_id) if self._recorder else "") or self.set_record_aside(path)

    def recover(self, session_id: str) -> str:
        """Have the recorder close an episode that nobody closed; empty where no argument can name it."""
        if not session_id or "\0" in session_id:
            return ""
        return shell.command("cockpit recover --repo {root} --only {id} --yes", root=self._root, id=session_id)

    def set_record_aside(self, path: str) -> str:
        """Set an open record aside; where the pointer names it, the same command removes the link."""
        pointer = self._pointer
        if pointer.names != path or pointer.shape == "inline":
            return self.set_aside(path)
        if pointer.shape == "text":
            then = f" && {{{{ ! {_SAME_TEXT} || {{{{ test ! -e {{old}} && mv -- {{pointer}} {{old}}; }}}}; }}}}"
            old = self._aside_for(POINTER)
            return self.set_aside(path, then, pointer=self._at(POINTER), old=old, text=_compact(pointer.target))
        return self.set_aside(path, " && {{ test -e {pointer} || rm -f -- {pointer}; }}", pointer=self._at(POINTER))

    def publish(self, path: str, section: str, name: str) -> str:
        """Give a whole temporary record the name of a record, and then remove the temporary name."""
        target = f"{self._at(section)}/{self._published.take(name)}"
        return shell.command("ln -- {source} {target} && rm -- {source}", source=self._at(path), target=target)

    def migrate(self, provider_session: str) -> str:
        """Move an inline record to its place in the store, and link to it."""
        name = self._store.take(f"{names.key(provider_session)}.yaml")
        return shell.command(
            "test ! -L {pointer} && test ! -L {store} && mkdir -p -- {store} && "
            + _FREE
            + " && mv -- {pointer} {target} && ln -s -- {to} {pointer}",
            pointer=self._at(POINTER),
            store=self._at(STORE),
            target=f"{self._at(STORE)}/{name}",
            to=f"sessions-open/{name}",
        )

    def aim(self, record: str | None) -> str:
        """Aim the pointer at a record, or remove it where there is none to aim at."""
        to = os.path.relpath(record, STATE) if record else ""
        pointer = self._at(POINTER)
        if self._pointer.shape == "text":
            then = " && printf '%s\\n' {to} > {source}" if record else ""
            text = _compact(self._pointer.target)
            return self.set_aside(POINTER, then, first=f"{_SAME_TEXT} && ", pointer=pointer, to=to, text=text)
        template = f"test -L {{pointer}} && {self._as_it_was()} && rm -- {{pointer}}"
        template += " && ln -s -- {to} {pointer}" if record else ""
        return shell.command(template, pointer=pointer, to=to, old=self._pointer.target)

    def _as_it_was(self) -> str:
        """A test that the link still leads where it did: one that was aimed since is a good one."""
        if not self._pointer.leads:
            return "test ! -e {pointer}"
        if self._pointer.target.endswith("\n"):
            return "test -e {pointer}"  # a command substitution would drop the newline
        return 'test "$(readlink -- {pointer})" = {old}'


def track(root: str, path: str) -> str:
    """The command that makes git track a record, also where an ignore rule names it."""
    return shell.command("git -C {root} --literal-pathspecs add -f -- {path}", root=root, path=os.path.join(root, path))
