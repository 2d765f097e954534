"""The stand-up note: what it says, and what it must never carry out of this machine."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from cockpit.formats import instants
from cockpit.reads.answers import (
    Balance,
    Closed,
    Continuity,
    Episode,
    Episodes,
    Pointer,
    Providers,
    Recovery,
    Runtime,
    Tallies,
    Untracked,
)
from cockpit.reads.recovery import Need
from cockpit.surfaces import markdown
from cockpit.surfaces.photograph import Photograph

ROOT = "/srv/secret place/atlas"
GONE = "/srv/secret place/vanished"
REMEDY = f"mkdir -p -- '{ROOT}/.ai/local/set-aside' && mv -- '{ROOT}/x.yaml' '{ROOT}/.ai/local/set-aside/x.yaml'"
SENTENCES = {"no_layer": "There is no layer.", "nothing_open": "Nothing is open."}


def photograph(*episodes: Episode, **changes: Any) -> Photograph:
    pointer = Pointer(layout="absent", resolves=False, note="There is no pointer.")
    books = Balance(
        started=0, closed=0, recovered=0, open=0, unaccounted=0, agrees=True, unaccounted_sessions=[], note="It agrees."
    )
    tallies = Tallies(handovers=0, checkpoints=0, blockers=0, ledger_lines=0)
    answers = {
        "continuity": Continuity(
            present=True, worktree=ROOT, blockers=[], tallies=tallies, findings=["See `/etc/passwd`."]
        ),
        "episodes": Episodes(present=True, store="s", worktree=ROOT, episodes=list(episodes), findings=[]),
        "recovery": Recovery(
            present=True, pointer=pointer, stranded=[], orphans=[], unreadable=[], balance=books, findings=[]
        ),
        "runtime": Runtime(
            root=ROOT,
            served_at="2026-09-11T08:00:00Z",
            agree=True,
            relation="equal",
            objects=0,
            index_state="ok",
            version="1",
            note=f"This process answers about {ROOT}.",
        ),
        "providers": Providers(providers=[], with_lifecycle=0, findings=[]),
        "closed": Closed(total=0, on_this_branch=0, episodes=0, window=20, newest=[], untracked=[], findings=[]),
    }
    taken = "2026-09-11T08:42:10Z"
    photo = Photograph(instants.parse(taken) or 0, taken, 5, answers, {}, [], "open")
    return structs.replace(photo, **changes)


def episode(**more: Any) -> Episode:
    words = {"session_id": "s-20260911000004-dddd", "path": "p", "standing": "stranded", "events": 1, "tasks": []}
    return Episode(**words | {"worktree": GONE, "note": f"The worktree it opened in, {GONE}, is gone."} | more)


def note(photo: Photograph) -> str:
    return markdown.note(photo, SENTENCES)


def test_an_episode_is_named_whole_with_its_standing_and_its_folder_by_name() -> None:
    said = note(photograph(episode()))
    assert "- **stranded** s-20260911000004-dddd: " in said
    assert "The worktree it opened in, vanished, is gone." in said


def test_it_begins_with_the_whole_in_one_line() -> None:
    need = Need("stranded", "x.yaml", "s-1", "It is gone.", REMEDY, "episodes")
    head = note(photograph(episode(), needs=[need])).partition("## ")[0]
    said = "1 needs a hand (1 stranded); 1 open (1 stranded); 0 closed; 0 ledger lines; 0 providers"
    assert head.endswith(f"In short: {said}.\n\n")


def test_no_absolute_path_leaves() -> None:
    said = note(photograph(episode(note=f"{ROOT}/.ai/local/state/x.yaml, file:///a/b/c, C:\\Users\\jane\\d, key=/e/f")))
    assert "secret place" not in said
    assert "x.yaml, c, d, key=f" in said
    assert "passwd" in said
    assert "/etc" not in said


def test_it_says_how_many_records_no_clone_receives_without_the_command() -> None:
    photo = photograph()
    rows = [Untracked(session_id=f"s-{n}", path=f"{n}.md", remedy=f"git -C '{ROOT}' add -f -- {n}.md") for n in (1, 2)]
    one, two = (structs.replace(photo.answers["closed"], untracked=rows[:number]) for number in (1, 2))
    assert "git does not track" not in note(photo)
    assert "- 1 record that git does not track, and no clone receives: s-1 (" in note(_with(photo, one))
    said = note(_with(photo, two))
    assert "- 2 records that git does not track, and no clone receives: s-1, s-2 (" in said
    assert "add -f" not in said


def _with(photo: Photograph, closed: Closed) -> Photograph:
    return structs.replace(photo, answers=photo.answers | {"closed": closed})


def test_an_address_and_a_relative_path_stay() -> None:
    write = markdown.Writer(photograph())
    kept = "majordomus://session/s-1 https://example.com/a/b .ai/repo/x ./a/b and/or 3/4 origin/main"
    assert write.redacted(kept) == kept


def test_no_command_leaves_even_where_a_sentence_repeats_it() -> None:
    need = Need("stranded", "x.yaml", "s-1", f"It is gone. Run: {REMEDY}", REMEDY, "stranded")
    said = note(photograph(episode(), needs=[need]))
    assert "- **stranded** s-1: It is gone." in said
    assert not re.search(r"\b(mkdir|mv)\b", said)


def test_recorded_text_renders_as_itself() -> None:
    said = note(
        photograph(episode(session_id="<b>*x*_[y](z)|`q`", branch="# no heading", note="1. no list\n- nor this"))
    )
    assert r"\<b\>\*x\*\_\[y\](z)\|\`q\`" in said
    assert r"\# no heading" in said
    assert r"1\. no list - nor this" in said


def test_what_cannot_be_seen_is_written_out() -> None:
    said = note(photograph(episode(session_id="s-\u202eabc\n# x", note="a\u200bb")))
    assert "s-\\\\u202eabc\\\\n\\# x" in said
    assert "a\\\\u200bb" in said


def test_a_failed_read_costs_only_its_section() -> None:
    photo = photograph(episode())
    said = note(structs.replace(photo, answers=photo.answers | {"runtime": None}, failures={"runtime": "It failed."}))
    assert "## This process against the repository\n\nIt failed." in said
    assert "s-20260911000004-dddd" in said


@pytest.mark.parametrize(("state", "sentence"), [*SENTENCES.items(), ("open", "")])
def test_an_empty_state_says_which_it_is(state: str, sentence: str) -> None:
    said = note(photograph(emptiness=state))
    assert [each for each in SENTENCES.values() if each in said] == ([sentence] if sentence else [])


@given(st.lists(st.text("abc .,:;=(-", min_size=1, max_size=8), min_size=1, max_size=4).map("/".join))
def test_a_known_path_never_leaves_wherever_it_stands(around: str) -> None:
    assert ROOT not in markdown.Writer(photograph()).redacted(f"{around} {ROOT}{around}")
