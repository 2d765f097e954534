"""The answers as Markdown, made to be pasted into a chat or a stand-up note: it leaves this machine.

So it carries no command and no absolute path: one is shown by its last component, and a path below the repository
stays whole. Recorded values are escaped for Markdown, and what cannot be seen in them is written out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from msgspec import UNSET

from cockpit.formats.text import counted, cut, visible
from cockpit.reads.answers import Closed, Continuity, Episode, Episodes, Providers, Record, Recovery, Runtime
from cockpit.reads.tallies import tallies, told
from cockpit.surfaces import words
from cockpit.surfaces.photograph import Photograph

T = TypeVar("T")
MOST = 200
LONGEST = 600
_SPECIAL = re.compile(r"([\\`*_\[\]<>|~#&!@$])")
_OPENING = re.compile(r"^(\s*)([-+=:]|\d+[.)])")
_END = r"[^\s\"'`<>|“”‘’]*"
_STARTS = r"(?:file:/+|(?<![\w.:/])/+|(?<=:)/(?!/)|(?<!\w)~[\w-]*/|\b[A-Za-z]:[\\/]|\\\\)"
_PATHS = re.compile(_STARTS + _END, re.ASCII)
_AFTER = ".,;:!?)]}"


def note(photo: Photograph, empty_states: Mapping[str, str]) -> str:
    """The whole note; ends with a newline."""
    write = Writer(photo)
    lines = [*_head(photo, write, empty_states)]
    for name, title, section in _SECTIONS:
        answer = photo.answers[name]
        lines += ["", f"## {title}", ""]
        lines += section(answer, photo, write) if answer is not None else [photo.failures[name]]
    return "\n".join(lines) + "\n"


class Writer:
    """Recorded text made fit to leave this machine: it knows the paths and commands that the answers hold."""

    def __init__(self, photo: Photograph) -> None:
        """Learn what must not leave: ``photo``'s absolute paths and its commands."""
        self._commands = sorted(_commands(photo), key=len, reverse=True)
        paths = sorted({visible(path) for path in _known(photo)} | _known(photo), key=len, reverse=True)
        known = "|".join(re.escape(path) for path in paths) or r"(?!)"
        self._below = re.compile(rf"(?:{known})(?:[/\\]{_END}|(?![\w-]))")

    def __call__(self, text: str, limit: int = LONGEST) -> str:
        """One line of ``text``, redacted, visible and escaped."""
        return escaped(cut(" ".join(visible(self.redacted(text)).split()), limit))

    def id(self, text: str) -> str:
        """An identifier, whole on one line: redacted, visible and escaped."""
        return escaped(self.redacted(text))

    def lines(self, text: str) -> list[str]:
        """The lines of ``text``, each as above; blank ones are dropped."""
        return [self(line) for line in text.split("\n") if line.strip()]

    def redacted(self, text: str) -> str:
        """``text`` with every absolute path by its last component, and no command of the answers."""
        for command in self._commands:
            text = text.replace(command, "(the command is on the page)")
        return _PATHS.sub(_shortened, self._below.sub(_shortened, text))


def escaped(text: str) -> str:
    """``text`` as one line of Markdown that renders as itself, with the unseen written out."""
    safe = _SPECIAL.sub(r"\\\1", visible(text).replace("\n", "\\n"))
    return _OPENING.sub(lambda found: f"{found[1]}{found[2][:-1]}\\{found[2][-1]}", safe)


def _known(photo: Photograph) -> set[str]:
    """The absolute paths that the answers name."""
    episodes, recovery, runtime, state = (photo.answers[n] for n in ("episodes", "recovery", "runtime", "continuity"))
    named = [runtime.root] if runtime else []
    named += [episodes.worktree, *(episode.worktree for episode in episodes.episodes)] if episodes else []
    named += [recovery.pointer.target] if recovery else []
    named += [state.worktree, *([state.session.worktree] if state.session else [])] if state else []
    return {path.rstrip("/\\") for path in named if path and path.startswith(("/", "\\")) and path.strip("/\\")}


def _commands(photo: Photograph) -> set[str]:
    closed: Closed | None = photo.answers["closed"]
    return {need.remedy for need in photo.needs or []} | {row.remedy for row in (closed.untracked if closed else [])}


def _shortened(found: re.Match[str]) -> str:
    path = found[0].rstrip(_AFTER)
    return words.last_component(path) + found[0][len(path) :] if path.strip("/\\") else found[0]


# ------------------------------------------------------------------ sections
def _head(photo: Photograph, write: Writer, empty_states: Mapping[str, str]) -> Iterator[str]:
    runtime: Runtime | None = photo.answers["runtime"]
    yield f"# Continuity of {write(runtime.root)}" if runtime else "# Continuity"
    yield ""
    commit = f" of {_commit(runtime.served_head, runtime.served_branch, write)}" if runtime else ""
    yield f"Taken {words.utc(photo.taken_at)}{commit}."
    if photo.emptiness in empty_states:
        yield ""
        yield empty_states[photo.emptiness]
    yield ""
    yield f"In short: {'; '.join(_counted(photo))}."


def _counted(photo: Photograph) -> Iterator[str]:
    """What the page counts at its top, in words."""
    for tally in tallies(photo.answers, photo.needs):
        parts = ", ".join(told(word, count) for word, count in tally.parts)
        yield f"{tally.title} ({parts})" if parts else tally.title


def _commit(head: object, branch: object, write: Writer) -> str:
    place = write(words.short(head), 60) if isinstance(head, str) else "no commit"
    return f"{place} on {write(branch, 120)}" if isinstance(branch, str) else place


def _needs(_: Recovery, photo: Photograph, write: Writer) -> Iterator[str]:
    if photo.needs is None:
        yield photo.failures["recovery"]
    elif not photo.needs:
        yield photo.no_needs
    for need in _most(photo.needs or []):
        yield f"- **{need.kind}** {write.id(need.session_id) or write(need.name)}: {write(need.sentence)}"
    yield from _more(len(photo.needs or []))


def _resume(state: Continuity, photo: Photograph, write: Writer) -> Iterator[str]:
    yield f"- Checkout: {write(words.last_component(state.worktree))}, {_commit(state.head, state.branch, write)}"
    yield f"- Episode: {_session(state, write)}"
    if state.task:
        yield f"- Task: {write(state.task.task or state.task.id)} ({write(state.task.id)})"
    for title, record in (("Handover", state.handover), ("Checkpoint", state.checkpoint)):
        yield from _record(title, record, photo, write) if isinstance(record, Record) else [f"- {title}: none"]
    yield from (f"- Blocker: {write(blocker)}" for blocker in state.blockers)
    yield from _findings(state.findings, write)


def _session(state: Continuity, write: Writer) -> str:
    if not state.session:
        return "none is pointed at"
    since = f", since {write(words.utc(state.session.started_at))}" if state.session.started_at else ""
    return write.id(state.session.session_id) + since


def _record(title: str, record: Record, photo: Photograph, write: Writer) -> Iterator[str]:
    yield f"- {title}: {record.divergence}, {record.freshness}; {_when(record.created_at, photo, write)}"
    if record.next_action is not UNSET:
        yield "  Next action:"
        yield ""
        yield from (f"  > {line}  " for line in write.lines(str(record.next_action)))
        yield ""
    if record.next_action_withheld is not UNSET:
        yield f"  Next action withheld: {write(str(record.next_action_withheld))}"


def _episodes(answer: Episodes, photo: Photograph, write: Writer) -> Iterator[str]:
    if not answer.episodes:
        yield photo.none_open
    yield from (_episode(episode, photo, write) for episode in _most(answer.episodes))
    yield from _more(len(answer.episodes))
    yield from _findings(answer.findings, write)


def _episode(episode: Episode, photo: Photograph, write: Writer) -> str:
    facts = [write(str(value), 120) for value in (episode.provider, episode.branch) if value]
    if episode.started_at:
        facts.append(f"opened {_when(episode.started_at, photo, write)}")
    if episode.last_activity:
        facts.append(f"last seen {_when(episode.last_activity, photo, write)}")
    facts.append(counted(episode.events, "event"))
    facts += [f"tasks {write(', '.join(episode.tasks), 200)}"] if episode.tasks else []
    facts += [f"in {write(words.last_component(episode.worktree), 120)}"] if episode.worktree else []
    return f"- **{episode.standing}** {write.id(episode.session_id)}: {'; '.join(facts)}. {write(episode.note)}"


def _recovery(answer: Recovery, _: Photograph, write: Writer) -> Iterator[str]:
    yield f"- Pointer: {write(answer.pointer.note)}"
    yield f"- The books: {write(answer.balance.note)}"
    named = answer.balance.unaccounted_sessions
    if named:
        yield f"- Unaccounted: {', '.join(write.id(session_id) for session_id in _most(named))}"


def _runtime(answer: Runtime, _: Photograph, write: Writer) -> Iterator[str]:
    yield f"- Serving {_commit(answer.served_head, answer.served_branch, write)}"
    yield f"- Repository on {_commit(answer.repository_head, answer.repository_branch, write)}"
    yield f"- {answer.relation}: {write(answer.note)}"


def _providers(answer: Providers, _: Photograph, write: Writer) -> Iterator[str]:
    for provider in answer.providers:
        yield f"- {write(provider.title)}: {write(provider.note)}"
    yield from _findings(answer.findings, write)


def _closed(answer: Closed, photo: Photograph, write: Writer) -> Iterator[str]:
    records, episodes = counted(answer.total, "record"), counted(answer.episodes, "episode")
    yield f"{records} of {episodes}; {answer.on_this_branch} on this branch."
    yield ""
    for row in answer.newest:
        when = f", {_when(row.created_at, photo, write)}" if row.created_at else ""
        yield f"- {write.id(row.session_id)}{when}: {write(row.title or row.outcome or 'no title')}"
    yield from _untracked(answer, write)
    yield from _findings(answer.findings, write)


def _untracked(answer: Closed, write: Writer) -> Iterator[str]:
    """How many records no clone receives, and of which episodes."""
    number = len(answer.untracked)
    if number:
        which = ", ".join(write.id(row.session_id) for row in _most(answer.untracked))
        untracked = f"{counted(number, 'record')} that git does not track, and no clone receives"
        yield f"- {untracked}: {which} (the page has each command)"
        yield from _more(number)


def _findings(findings: Iterable[str], write: Writer) -> Iterator[str]:
    yield from (f"- Note: {write(finding)}" for finding in findings)


def _when(text: str, photo: Photograph, write: Writer) -> str:
    away = words.distance(text, photo.taken)
    return write(words.utc(text), 80) + (f" ({away})" if away else "")


def _most(items: list[T]) -> list[T]:
    return items[:MOST]


def _more(count: int) -> Iterator[str]:
    if count > MOST:
        yield f"- and {count - MOST} more, {count} in all"


_SECTIONS: tuple[tuple[str, str, Callable[..., Iterator[str]]], ...] = (
    ("recovery", "Needs a hand", _needs),
    ("continuity", "Resume from here", _resume),
    ("episodes", "Every open episode", _episodes),
    ("recovery", "Recovery", _recovery),
    ("runtime", "This process against the repository", _runtime),
    ("providers", "Providers", _providers),
    ("closed", "Closed episodes", _closed),
)
