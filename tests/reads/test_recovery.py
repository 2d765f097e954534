"""Every item that needs a hand, and its command: pasted, the item is gone and nothing is lost."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import socket
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET

from cockpit.reads.recovery import needs
from tests.builders import SESSIONS, STATE, Scene, five_windows, paste
from tests.looking import ask

READ = "lifecycle.recovery"
POINTER = f"{STATE}/session-current.yaml"

HOSTILE = [
    b"plain",
    b"two words",
    b'it\'s "quoted"',
    b"$(touch pwned) `touch pwned`",
    b"-rf",
    b"new\nline",
    b"end\n",
    b"end\n\n",
    b"\x01\x1b[31m\x7f",
    b"\xff\xfe \xc3\xbc",
    b"\x81\x82\x88\n",
    b"a;b&c|d>e<f*?[!x]{a,b}~#$HOME\\",
]
IDS = [repr(name)[2:-1] for name in HOSTILE]


def _items(scene: Scene) -> list[Any]:
    return needs(ask(scene, READ))


def _bytes(root: Path) -> Counter[str]:
    """What every regular file below holds, and every odd thing's kind; links apart, which hold only their target."""
    found: Counter[str] = Counter()
    for folder, folders, files in os.walk(os.fsencode(root)):
        for name in (*folders, *files):
            path = os.path.join(folder, name)
            if os.path.islink(path) or b"/.git/" in path + b"/":
                continue
            kind = os.lstat(path).st_mode >> 12
            if os.path.isfile(path):
                found[hashlib.sha256(Path(os.fsdecode(path)).read_bytes()).hexdigest()] += 1
            elif not os.path.isdir(path):
                found[f"special {kind}"] += 1
    return found


def _cleared(scene: Scene, remedy: str) -> None:
    """Paste a remedy: it works, loses nothing, and pasted again changes nothing."""
    assert re.fullmatch("[ -~]+", remedy)
    assert shlex.split(remedy)
    before = _bytes(scene.root)
    done = paste(remedy)
    assert (done.returncode, done.stderr) == (0, b"")
    assert before - _bytes(scene.root) == Counter()
    once = scene.picture()
    paste(remedy)
    assert scene.picture() == once
    assert not any(Path(folder, "pwned").exists() for folder in ("/", scene.root, scene.state))


# ---------------------------------------------------------------------- the good case
def test_an_empty_store_needs_nothing(scene: Scene) -> None:
    answer = ask(scene, READ)
    assert (answer.present, answer.pointer.layout, answer.pointer.resolves) == (False, "absent", False)
    assert (answer.stranded, answer.orphans, answer.unreadable, answer.findings) == ([], [], [], [])
    assert answer.balance.agrees


def test_a_healthy_episode_needs_nothing(scene: Scene) -> None:
    scene.open_episode("k", "s-1")
    scene.point_at("k")
    scene.ledger(scene.event("session.started", "s-1"))
    answer = ask(scene, READ)
    assert (answer.present, needs(answer), answer.findings) == (True, [], [])
    assert (answer.pointer.layout, answer.pointer.session_id) == ("pointer", "s-1")
    assert answer.pointer.target == "sessions-open/k.yaml"
    assert answer.pointer.remedy is UNSET


# ---------------------------------------------------------------------- stranded
def _closed(scene: Scene) -> None:
    scene.ledger(scene.event("session.started", "s-1"), scene.event("session.closed", "s-1"))


@pytest.mark.parametrize("why", ["gone", "closed", "no checkout"])
def test_a_stranded_record_is_set_aside_with_the_first_reason_that_holds(
    scene: Scene, tmp_path: Path, why: str
) -> None:
    worktree = {"gone": tmp_path / "gone", "closed": scene.root, "no checkout": tmp_path}[why]
    record = scene.open_episode("k", "s-1", worktree=worktree)
    if why != "no checkout":
        _closed(scene)
    (item,) = ask(scene, READ).stranded
    said = {"gone": "is gone from disk", "closed": "already records it as closed", "no checkout": "no checkout of this"}
    assert (item.session_id, item.path, said[why] in item.reason) == ("s-1", f"{STATE}/sessions-open/k.yaml", True)
    _cleared(scene, item.remedy)
    assert _items(scene) == []
    assert not record.exists()


def test_an_episode_that_was_reopened_is_not_stranded(scene: Scene) -> None:
    scene.open_episode("k", "s-1")
    _closed(scene)
    scene.ledger(scene.event("session.started", "s-1"))
    assert ask(scene, READ).stranded == []


def test_a_close_in_an_archive_strands_too(scene: Scene) -> None:
    scene.open_episode("k", "s-1")
    scene.ledger(scene.event("session.closed", "s-1"), name="ledger.20260910T000000Z.jsonl.archived")
    assert [item.session_id for item in ask(scene, READ).stranded] == ["s-1"]


def test_another_worktree_of_this_repository_is_not_stranded(scene: Scene, tmp_path: Path) -> None:
    linked = scene.worktree("side", tmp_path / "linked")
    scene.open_episode("k", "s-1", worktree=linked)
    assert ask(scene, READ).stranded == []


@pytest.mark.parametrize("shape", ["link", "absolute", "through", "text"])
def test_the_command_of_a_stranded_record_clears_the_pointer_that_names_it(
    scene: Scene, tmp_path: Path, shape: str
) -> None:
    record = scene.open_episode("k", "s-1", worktree=tmp_path / "gone")
    if shape == "text":
        scene.write(POINTER, "sessions-open/k.yaml")
    elif shape == "through":
        (scene.state / "way").symlink_to("sessions-open/k.yaml")
        scene.point_to("way")
    else:
        scene.point_to("sessions-open/k.yaml" if shape == "link" else str(record))
    (item,) = _items(scene)
    _cleared(scene, item.remedy)
    answer = ask(scene, READ)
    assert (needs(answer), answer.pointer.layout) == ([], "absent")


def test_the_pointer_to_another_record_is_left_alone(scene: Scene, tmp_path: Path) -> None:
    scene.open_episode("k", "s-1", worktree=tmp_path / "gone")
    scene.open_episode("good", "s-2")
    scene.point_at("good")
    (item,) = _items(scene)
    _cleared(scene, item.remedy)
    assert ask(scene, READ).pointer.session_id == "s-2"


def test_a_stale_command_does_not_cost_the_pointer_of_an_episode_that_began_since(scene: Scene, tmp_path: Path) -> None:
    scene.open_episode("k", "s-1", worktree=tmp_path / "gone")
    scene.point_at("k")
    (item,) = _items(scene)
    scene.open_episode("new", "s-2")
    scene.point_at("new")
    paste(item.remedy)
    assert ask(scene, READ).pointer.session_id == "s-2"


# ---------------------------------------------------------------------- the pointer
def test_a_pointer_that_leads_nowhere_is_aimed_at_the_only_record_it_can_mean(scene: Scene, tmp_path: Path) -> None:
    scene.open_episode("k", "s-1")
    scene.open_episode("gone", "s-2", worktree=tmp_path / "gone")
    scene.point_at("nobody")
    answer = ask(scene, READ)
    assert (answer.pointer.layout, answer.pointer.resolves, answer.pointer.target) == (
        "pointer",
        False,
        "sessions-open/nobody.yaml",
    )
    _cleared(scene, answer.pointer.remedy)
    pointer = ask(scene, READ).pointer
    assert (pointer.session_id, pointer.remedy, (scene.root / POINTER).readlink()) == (
        "s-1",
        UNSET,
        Path("sessions-open/k.yaml"),
    )


def test_a_stale_command_does_not_undo_a_pointer_that_was_aimed_since(scene: Scene) -> None:
    scene.open_episode("a", "s-a")
    scene.task()
    scene.point_to("current.yaml")
    (item,) = _items(scene)
    scene.open_episode("b", "s-b")
    scene.point_at("b")
    assert paste(item.remedy).returncode != 0
    assert os.readlink(scene.root / POINTER) == "sessions-open/b.yaml"


@pytest.mark.parametrize("taken", ["file", "link"])
def test_what_has_the_name_of_the_set_aside_folder_is_let_be(scene: Scene, tmp_path: Path, taken: str) -> None:
    scene.write(f"{STATE}/sessions-open/broken.yaml", "{{{")
    aside = scene.root / ".ai/local/set-aside"
    aside.write_text("mine") if taken == "file" else aside.symlink_to(tmp_path)
    (item,) = _items(scene)
    _cleared(scene, item.remedy)
    assert (scene.root / ".ai/local/set-aside-2/broken.yaml").read_text() == "{{{"


@pytest.mark.parametrize("keys", [[], ["a", "b"]])
def test_a_pointer_that_leads_nowhere_is_removed_where_no_one_record_is_meant(scene: Scene, keys: list[str]) -> None:
    for key in keys:
        scene.open_episode(key, f"s-{key}")
    scene.point_at("nobody")
    _cleared(scene, ask(scene, READ).pointer.remedy)
    assert ask(scene, READ).pointer.layout == "absent"


@pytest.mark.parametrize(
    "target", ["sessions-open", "/etc/passwd", "current.yaml", "session-current.yaml", "sessions-open/bad.yaml"]
)
def test_a_pointer_to_anything_else_is_mended(scene: Scene, target: str) -> None:
    scene.open_episode("k", "s-1")
    scene.task()
    scene.write(f"{STATE}/sessions-open/bad.yaml", "x: 1\n")
    scene.point_to(target)
    assert not ask(scene, READ).pointer.resolves
    _cleared(scene, ask(scene, READ).pointer.remedy)
    assert ask(scene, READ).pointer.session_id == "s-1"


def test_a_text_that_stands_for_a_link_is_read_as_that_link(scene: Scene) -> None:
    scene.open_episode("k", "s-1")
    scene.write(POINTER, "sessions-open/k.yaml\n")
    pointer = ask(scene, READ).pointer
    assert (pointer.layout, pointer.resolves, pointer.remedy) == ("pointer", True, UNSET)


@pytest.mark.parametrize("keys", [[], ["a"], ["a", "b"]])
def test_a_text_that_leads_nowhere_is_mended(scene: Scene, keys: list[str]) -> None:
    for key in keys:
        scene.open_episode(key, f"s-{key}")
    scene.write(POINTER, "sessions-open/nobody.yaml\n")
    _cleared(scene, ask(scene, READ).pointer.remedy)
    pointer = ask(scene, READ).pointer
    assert pointer.remedy is UNSET
    assert pointer.session_id == ("s-a" if keys == ["a"] else UNSET)


@pytest.mark.parametrize(
    ("session", "key"),
    [('"abc"', "abc"), (None, "hand"), ("..", "%2E."), ("a/../b c", "a%2F..%2Fb%20c"), ("ü", "%C3%BC")],
)
def test_an_inline_record_is_moved_to_its_place_and_linked(scene: Scene, session: str | None, key: str) -> None:
    said = "" if session is None else f"provider_session: {session}\n"
    scene.write(POINTER, f"session_id: s-1\nworktree: {scene.root}\n{said}")
    answer = ask(scene, READ)
    assert (answer.pointer.layout, answer.pointer.resolves, answer.pointer.session_id) == ("inline", True, "s-1")
    _cleared(scene, answer.pointer.remedy)
    assert (scene.root / POINTER).readlink() == Path(f"sessions-open/{key}.yaml")
    assert (_items(scene), ask(scene, READ).pointer.session_id) == ([], "s-1")


def test_an_inline_record_takes_no_other_record_s_place(scene: Scene) -> None:
    scene.open_episode("hand", "s-1")
    scene.write(POINTER, "session_id: s-2\n")
    _cleared(scene, ask(scene, READ).pointer.remedy)
    assert {e.session_id for e in ask(scene, "lifecycle.episodes").episodes} == {"s-1", "s-2"}


def test_an_inline_record_that_is_stranded_is_set_aside(scene: Scene, tmp_path: Path) -> None:
    scene.write(POINTER, f"session_id: s-1\nworktree: {tmp_path / 'gone'}\n")
    answer = ask(scene, READ)
    assert [item.session_id for item in answer.stranded] == ["s-1"]
    _cleared(scene, answer.stranded[0].remedy)
    assert (_items(scene), ask(scene, READ).pointer.layout) == ([], "absent")


@pytest.mark.parametrize("odd", ["garbage", "folder", "fifo", "socket", "large"])
def test_a_pointer_that_is_no_record_is_set_aside(scene: Scene, odd: str) -> None:
    pointer = scene.root / POINTER
    _make_odd(pointer, odd)
    answer = ask(scene, READ)
    assert (answer.pointer.resolves, answer.pointer.session_id) == (False, UNSET)
    _cleared(scene, answer.pointer.remedy)
    assert ask(scene, READ).pointer.layout == "absent"


def _make_odd(path: Path, odd: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if odd == "garbage":
        path.write_bytes(b"\xff\x00")
    elif odd == "large":
        path.write_bytes(b"x" * ((1 << 20) + 1))
    elif odd == "folder":
        path.mkdir()
        (path / "inside").write_text("x")
    elif odd == "fifo":
        os.mkfifo(path)
    elif odd == "link":
        path.symlink_to("nowhere")
    elif odd == "socket":
        here = Path.cwd()
        os.chdir(path.parent)  # the name of a socket may not be long
        try:
            with socket.socket(socket.AF_UNIX) as listening:
                listening.bind(path.name)
        finally:
            os.chdir(here)


# ---------------------------------------------------------------------- unreadable
@pytest.mark.parametrize("odd", ["garbage", "folder", "fifo", "socket", "large", "link"])
def test_an_open_record_that_is_no_episode_is_set_aside(scene: Scene, odd: str) -> None:
    scene.open_episode("good", "s-1")
    _make_odd(scene.state / "sessions-open/odd.yaml", odd)
    (item,) = ask(scene, READ).unreadable
    assert item.path == f"{STATE}/sessions-open/odd.yaml"
    _cleared(scene, item.remedy)
    assert (_items(scene), [e.session_id for e in ask(scene, "lifecycle.episodes").episodes]) == ([], ["s-1"])


@pytest.mark.parametrize("odd", ["folder", "fifo", "socket", "link"])
def test_a_temporary_name_that_is_no_file_is_not_followed(scene: Scene, odd: str) -> None:
    _make_odd(scene.root / SESSIONS / ".tmp.odd", odd)
    answer = ask(scene, READ)
    assert (answer.orphans, [item.path for item in answer.unreadable]) == ([], [f"{SESSIONS}/.tmp.odd"])
    _cleared(scene, answer.unreadable[0].remedy)
    assert _items(scene) == []


# ---------------------------------------------------------------------- orphans
def test_a_whole_record_that_nobody_published_is_the_only_copy_and_is_published(scene: Scene) -> None:
    orphan = scene.closed_record("s-1", name=".tmp.AbCdEf", branch="feature/x y", head="0123456789" * 4)
    data = orphan.read_bytes()
    (item,) = ask(scene, READ).orphans
    assert (item.holds, item.session_id, item.bytes) == ("record", "s-1", len(data))
    _cleared(scene, item.remedy)
    digest = hashlib.sha256(data).hexdigest()[:16]
    published = scene.root / SESSIONS / f"20260912T100000Z--s-1--feature-x-y--0123456--{digest}.md"
    assert published.read_bytes() == data
    assert not orphan.exists()
    assert _items(scene) == []
    assert [each.session_id for each in ask(scene, "lifecycle.closed").untracked] == ["s-1"]


def test_publishing_never_overwrites(scene: Scene) -> None:
    orphan = scene.closed_record("s-1", name=".tmp.x")
    (item,) = ask(scene, READ).orphans
    target = Path(shlex.split(item.remedy)[3])
    target.write_text("somebody else's")
    assert paste(item.remedy).returncode != 0
    assert (target.read_text(), orphan.exists()) == ("somebody else's", True)


def test_only_a_link_and_a_name_whose_bytes_were_published_are_ever_removed(scene: Scene, tmp_path: Path) -> None:
    _one_of_each(scene, tmp_path)
    removing = {item.kind: item.remedy for item in _items(scene) if re.search(r"\brm\b", item.remedy)}
    assert sorted(removing) == ["only copy", "pointer"]
    assert re.search(r"ln -- (\S+) \S+ && rm -- \1$", removing["only copy"])
    assert "test -L" in removing["pointer"]


def test_two_equal_only_copies_are_both_published(scene: Scene) -> None:
    for name in (".tmp.a", ".tmp.b"):
        scene.closed_record("s-1", name=name)
    for item in ask(scene, READ).orphans:
        _cleared(scene, item.remedy)
    assert _items(scene) == []
    assert len(ask(scene, "lifecycle.closed").untracked) == 2


def test_a_record_that_is_published_is_a_double_and_is_set_aside(scene: Scene) -> None:
    scene.closed_record("s-1")
    scene.closed_record("s-1", name=".tmp.x")
    (item,) = ask(scene, READ).orphans
    assert (item.holds, item.session_id) == ("published", "s-1")
    _cleared(scene, item.remedy)
    assert _items(scene) == []


@pytest.mark.parametrize(
    "content",
    [
        "",
        "---\nschema: session/v1\nkind: session\nsession_id: s-1\n",
        "---\nschema: session/v1\nkind: session\n---\n",
        "---\nschema: session/v2\nkind: session\nsession_id: s-1\n---\n",
        "---\nschema: session/v1\nsession_id: s-1\n---\n",
        "---\nschema: session/v1\nkind: decision\nsession_id: s-1\n---\n",
        b"\xff\x00",
        "x" * ((1 << 20) + 1),
    ],
)
def test_what_is_no_whole_record_is_a_fragment_and_is_set_aside(scene: Scene, content: str | bytes) -> None:
    scene.write(f"{SESSIONS}/.tmp.x", content)
    (item,) = ask(scene, READ).orphans
    assert (item.holds, item.session_id, item.bytes) == ("fragment", UNSET, len(content))
    _cleared(scene, item.remedy)
    assert _items(scene) == []


def test_a_temporary_file_of_a_folder_below_is_no_orphan(scene: Scene) -> None:
    scene.write(f"{SESSIONS}/below/.tmp.x", "x")
    assert ask(scene, READ).orphans == []


# ---------------------------------------------------------------------- hostile names
def _hostile_items(scene: Scene, name: bytes) -> None:
    text = os.fsdecode(name)
    gone = scene.root.parent / "nowhere at all"
    record = scene.open_episode("k", "s-stranded", worktree=gone)
    record.rename(record.parent / f"{text}.yaml")
    scene.point_to(f"sessions-open/{text}.yaml")
    scene.write(f"{STATE}/sessions-open/{text}!.yaml", "no: record\n")
    scene.write(f"{SESSIONS}/.tmp.{text}", "fragment")
    scene.closed_record("s-copy", name=f".tmp.copy {text}", branch=text.encode("utf-8", "replace").decode())
    scene.closed_record("s-untracked", name=f"{text}.md")


@pytest.mark.parametrize("name", HOSTILE, ids=IDS)
def test_every_remedy_holds_whatever_a_name_holds(scene: Scene, name: bytes) -> None:
    _hostile_items(scene, name)
    assert [item.kind for item in _items(scene)] == ["stranded", "only copy", "unreadable", "fragment"]
    for left in (3, 2, 1, 0):
        _cleared(scene, _items(scene)[0].remedy)
        assert len(_items(scene)) == left


@pytest.mark.parametrize("name", HOSTILE, ids=IDS)
def test_every_remedy_holds_whatever_the_repository_s_own_path_holds(tmp_path: Path, name: bytes) -> None:
    scene = Scene.create(tmp_path / os.fsdecode(name) / os.fsdecode(name + b"2"))
    scene.open_episode("k", "s-1", worktree="/nowhere/at/all")
    scene.write(f"{STATE}/sessions-open/bad.yaml", "no: record\n")
    scene.write(POINTER, "session_id: s-2\nprovider_session: x\n")
    scene.closed_record("s-3", name=".tmp.x")
    kinds = [item.kind for item in _items(scene)]
    assert kinds == ["pointer", "stranded", "only copy", "unreadable"]
    for left in (3, 2, 1, 0):
        _cleared(scene, _items(scene)[0].remedy)
        assert len(_items(scene)) == left


@pytest.mark.parametrize("name", HOSTILE, ids=IDS)
def test_all_commands_pasted_as_one_block_leave_nothing(scene: Scene, name: bytes) -> None:
    _hostile_items(scene, name)
    before = _bytes(scene.root)
    block = "\n".join(item.remedy for item in _items(scene))
    assert paste(block).returncode == 0
    assert (_items(scene), before - _bytes(scene.root)) == ([], Counter())
    once = scene.picture()
    paste(block)
    assert scene.picture() == once


def test_all_commands_of_a_bad_morning_pasted_as_one_block_leave_nothing(scene: Scene, tmp_path: Path) -> None:
    scene.write(POINTER, f"session_id: s-0\nworktree: {tmp_path / 'gone'}\n")
    for key in ("a", "b"):
        scene.open_episode(key, "s-same", worktree=tmp_path / "gone")
    for odd in ("garbage", "folder", "fifo", "link"):
        _make_odd(scene.state / f"sessions-open/{odd}.yaml", odd)
    for n in range(3):
        scene.closed_record("s-copy", name=f".tmp.{n}")
        scene.write(f"{SESSIONS}/.tmp.{n}.fragment", f"{n}")
    scene.write(".ai/local/set-aside/a.yaml", "was here before")
    before = _bytes(scene.root)
    paste("\n".join(item.remedy for item in _items(scene)))
    assert (_items(scene), before - _bytes(scene.root)) == ([], Counter())


def test_a_command_works_from_any_directory(scene: Scene, tmp_path: Path) -> None:
    scene.open_episode("k", "s-1", worktree=tmp_path / "gone")
    (item,) = _items(scene)
    assert paste(item.remedy, at=tmp_path).returncode == 0
    assert _items(scene) == []


# ---------------------------------------------------------------------- order and findings
def _one_of_each(scene: Scene, tmp_path: Path) -> None:
    scene.write(f"{SESSIONS}/.tmp.a", "fragment")
    scene.closed_record("s-done")
    scene.closed_record("s-done", name=".tmp.b")
    scene.write(f"{STATE}/sessions-open/a.yaml", "no: record\n")
    scene.closed_record("s-copy", name=".tmp.z")
    scene.open_episode("z", "s-1", worktree=tmp_path / "gone")
    scene.point_at("nobody")


def test_the_order_is_worst_first(scene: Scene, tmp_path: Path) -> None:
    _one_of_each(scene, tmp_path)
    kinds = ["pointer", "stranded", "only copy", "unreadable", "fragment", "published"]
    assert [item.kind for item in _items(scene)] == kinds
    findings = ask(scene, READ).findings
    marks = ["leads nowhere", "s-1 is stranded", ".tmp.z", "a.yaml", ".tmp.a", ".tmp.b"]
    assert [mark in finding for mark, finding in zip(marks, findings, strict=False)] == [True] * 6


def test_lists_are_in_an_order_that_no_folder_decides(scene: Scene, tmp_path: Path) -> None:
    for key in "cab":
        scene.open_episode(f"z{key}", f"s-{key}", worktree=tmp_path / "gone")
        scene.write(f"{STATE}/sessions-open/{key}.yaml", "no: record\n")
        scene.write(f"{SESSIONS}/.tmp.{key}", "x")
    answer = ask(scene, READ)
    assert [item.session_id for item in answer.stranded] == ["s-a", "s-b", "s-c"]
    assert [item.path[-6:] for item in answer.unreadable] == ["a.yaml", "b.yaml", "c.yaml"]
    assert [item.path[-1:] for item in answer.orphans] == ["a", "b", "c"]


def test_a_sessions_section_that_cannot_be_listed_is_said(scene: Scene, tmp_path: Path) -> None:
    (scene.root / SESSIONS).rename(tmp_path / "sessions")
    (scene.root / SESSIONS).symlink_to(tmp_path / "sessions")
    (finding,) = ask(scene, READ).findings
    assert "is a link, which is not followed" in finding


# ---------------------------------------------------------------------- the books
def _books(scene: Scene) -> tuple[int, int, int, int, int, bool]:
    books = ask(scene, READ).balance
    return books.started, books.closed, books.recovered, books.open, books.unaccounted, books.agrees


def _line(scene: Scene, event: str, session: str | None, **more: object) -> None:
    scene.ledger(scene.event(f"session.{event}", session, **more))


def test_five_windows_leave_one_episode_unaccounted_for(scene: Scene) -> None:
    ids = five_windows(scene)
    books = ask(scene, READ).balance
    assert _books(scene) == (5, 0, 0, 4, 1, False)
    assert books.unaccounted_sessions == [ids.missing]
    assert any(ids.missing in finding for finding in ask(scene, READ).findings)


def test_started_closed_and_open_balance(scene: Scene) -> None:
    for session in ("s-1", "s-2"):
        _line(scene, "started", session)
    _line(scene, "closed", "s-1")
    scene.open_episode("k", "s-2")
    assert _books(scene) == (2, 1, 0, 1, 0, True)


def test_a_recovered_episode_is_accounted_for_by_the_payload_not_the_envelope(scene: Scene) -> None:
    _line(scene, "started", "s-1")
    _line(scene, "started", "s-2")
    _line(scene, "recovered", "s-2", session_id="s-1")
    scene.open_episode("k", "s-2")
    assert _books(scene) == (2, 0, 1, 1, 0, True)
    assert ask(scene, READ).balance.unaccounted_sessions == []


def test_an_episode_that_is_closed_and_recovered_counts_once(scene: Scene) -> None:
    _line(scene, "started", "s-1")
    _line(scene, "closed", "s-1")
    _line(scene, "recovered", "s-2", session_id="s-1")
    assert _books(scene) == (1, 1, 0, 0, 0, True)


def test_a_reopened_episode_that_left_nothing_is_named(scene: Scene) -> None:
    for event in ("started", "closed", "started"):
        _line(scene, event, "s-1")
    assert _books(scene) == (2, 1, 0, 0, 1, False)
    assert ask(scene, READ).balance.unaccounted_sessions == ["s-1"]


def test_an_episode_with_a_record_in_the_section_is_not_named(scene: Scene) -> None:
    _line(scene, "started", "s-1")
    scene.closed_record("s-1")
    books = ask(scene, READ).balance
    assert (books.unaccounted, books.unaccounted_sessions) == (1, [])


def test_a_rotation_by_itself_does_not_unbalance_the_books(scene: Scene) -> None:
    scene.ledger(scene.event("session.started", "s-1"), name="ledger.20260910T000000Z.jsonl.archived")
    _line(scene, "closed", "s-1")
    scene.ledger(scene.event("ledger.rotated"))
    assert _books(scene) == (1, 1, 0, 0, 0, True)


def test_a_ledger_whose_beginning_is_gone_is_negative_and_no_item(scene: Scene) -> None:
    _line(scene, "closed", "s-1")
    answer = ask(scene, READ)
    assert (answer.balance.unaccounted, answer.balance.agrees, needs(answer)) == (-1, False, [])
    assert "beginning is gone" in answer.balance.note


def test_unaccounted_episodes_are_reported_and_are_no_item_to_clear(scene: Scene) -> None:
    _line(scene, "started", "s-1")
    answer = ask(scene, READ)
    assert (answer.balance.unaccounted, needs(answer)) == (1, [])
    assert answer.findings


def test_the_provider_s_own_event_does_not_count(scene: Scene) -> None:
    scene.ledger('{"ts":"2026-09-11T00:00:00Z","event":"session.started","session":"s-1","event":"SessionStart"}')
    scene.ledger('{"ts":"2026-09-11T00:00:00Z","event":"capture","session":"s-1","event":"session.closed"}')
    assert _books(scene)[:2] == (1, 0)


def test_a_remedy_is_understood_by_every_posix_shell(scene: Scene) -> None:
    _hostile_items(scene, b"a'b \xff\n")
    for item in _items(scene):
        for shell in ("dash", "bash"):
            assert subprocess.run([shell, "-n", "-c", item.remedy], check=False).returncode == 0
