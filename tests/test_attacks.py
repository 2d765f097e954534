"""What an attacker found: each input that once harmed, and what it must cost now."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from cockpit.formats import document
from cockpit.reads.recovery import needs
from cockpit.store.checkout import Checkout, NotServable
from cockpit.surfaces.security import COOKIE, cookie_for
from tests.builders import STATE, Scene, paste
from tests.looking import BASE, ask, client

TOKEN = "0123456789abcdef"


def test_a_long_run_of_one_letter_costs_no_memory() -> None:
    text = "session_id: s-1\nz: {}\nx: " + "v" * 60_000 + "\n" + "".join(f"k{n}: y\n" for n in range(3000))
    read = document.parse(text.encode())
    assert (read.text("session_id"), read.text("k2999"), len(read.text("x"))) == ("s-1", "y", 60_000)


@pytest.mark.parametrize("line", ["k{}: [a, b, c, d, e, f]", "k{}: [", "k{}: {{a: b}}"])
def test_a_megabyte_that_only_yaml_can_read_takes_no_ten_seconds(line: str) -> None:
    text = "session_id: s-1\nz: {}\n" + "\n".join(line.format(n) for n in range(30_000))
    began = time.process_time()
    assert document.parse(text.encode()).text("session_id") == "s-1"
    assert time.process_time() - began < 10


def test_a_working_tree_that_leads_to_another_repository_is_refused(scene: Scene, tmp_path: Path) -> None:
    other = Scene.create(tmp_path / "other")
    scene.git("config", "core.worktree", str(other.root))
    with pytest.raises(NotServable, match=r"core\.worktree"):
        Checkout.open(str(scene.root))


def test_a_record_that_names_a_folder_of_prompts_opens_nothing_there(scene: Scene) -> None:
    prompts = scene.root / ".ai/local/prompts"
    prompts.mkdir(parents=True)
    os.mkfifo(prompts / ".git")
    scene.open_episode("a", "s-a", worktree=prompts)
    (episode,) = ask(scene, "lifecycle.episodes").episodes
    assert episode.standing == "foreign"


def test_a_project_of_documents_may_not_lie_among_the_prompts(scene: Scene) -> None:
    scene.write(".bodhikit/config.json", '{"projectRoot": ".ai/local/prompts"}')
    scene.write(".ai/local/prompts/.bodhi/progress.md", "# P\n\n## 2026-09-11\n\nsecret\n\n## 2026-09-10\n\nsecret\n")
    assert ask(scene, "surfaces.state").surfaces == []


def test_thousands_of_names_that_mean_one_are_told_apart_in_a_moment(scene: Scene) -> None:
    for number in range(3000):
        scene.write(f"{STATE}/sessions-open/{chr(0x4E00 + number)}.yaml", "{{{")
    began = time.process_time()
    remedies = [need.remedy for need in needs(ask(scene, "lifecycle.recovery"))]
    assert len(set(remedies)) == 3000
    assert time.process_time() - began < 20


@pytest.mark.parametrize("stranded", [True, False])
def test_a_late_command_leaves_a_text_pointer_that_was_aimed_since(
    scene: Scene, tmp_path: Path, stranded: bool
) -> None:
    scene.open_episode("a", "s-a", worktree=tmp_path / "gone" if stranded else scene.root)
    pointer = scene.write(f"{STATE}/session-current.yaml", f"sessions-open/{'a' if stranded else 'gone'}.yaml\n")
    (need,) = needs(ask(scene, "lifecycle.recovery"))
    scene.open_episode("b", "s-b")
    pointer.write_text("sessions-open/b.yaml\n")
    paste(need.remedy)
    assert pointer.read_text() == "sessions-open/b.yaml\n"


def test_no_command_moves_an_inline_record_through_a_link(scene: Scene, tmp_path: Path) -> None:
    scene.open_episode("a", "s-a")
    record = scene.root / STATE / "sessions-open/a.yaml"
    record.rename(scene.root / STATE / "session-current.yaml")
    record.parent.rmdir()
    record.parent.symlink_to(tmp_path)
    assert not ask(scene, "lifecycle.recovery").pointer.remedy


def test_a_tag_of_the_branchs_name_does_not_change_that_name(scene: Scene) -> None:
    scene.git("tag", "main")
    (scene.root / ".git/index").write_bytes(b"broken")
    assert ask(scene, "lifecycle.runtime").repository_branch == "main"


def test_a_head_that_names_no_branch_is_detached(scene: Scene) -> None:
    scene.git("update-ref", "refs/foo/bar", "HEAD")
    scene.git("symbolic-ref", "HEAD", "refs/foo/bar")
    assert ask(scene, "lifecycle.runtime").repository_branch == "DETACHED"


@pytest.mark.parametrize("foreign", ['prefs={"a":1}', "a=b c", "x", 'a="', "path=/x"])
def test_another_programs_cookie_locks_nobody_out(scene: Scene, foreign: str) -> None:
    web = client(scene, token=TOKEN).application.test_client(use_cookies=False)
    cookie = f"{foreign}; {COOKIE}={cookie_for(TOKEN)}"
    assert web.get("/api/v1", base_url=BASE, headers={"Cookie": cookie}).status_code == 200


def test_a_tracked_record_that_is_not_on_disk_is_said(scene: Scene) -> None:
    scene.closed_record("s-a").unlink()
    path = scene.closed_record("s-b")
    scene.commit("Close")
    path.unlink()
    closed = ask(scene, "lifecycle.closed")
    assert closed.total == 0
    assert any("not lie on disk" in finding for finding in closed.findings)


def test_the_note_shows_no_path_that_an_id_holds(scene: Scene) -> None:
    scene.open_episode("a", "/home/mara/client/id")
    scene.closed_record("/home/mara/client/done", name="x.md")
    scene.commit("Close")
    note = client(scene).get("/cockpit/continuity.md", base_url=BASE).text
    assert "/home/mara" not in note


def test_a_pinned_address_never_shows_another_episodes_record_as_its_own(scene: Scene) -> None:
    scene.closed_record("s-a", name="x.md")
    scene.commit("Close")
    opened = Checkout.open(str(scene.root), pin=True)
    _ = opened.look().index
    scene.closed_record("s-b", name="x.md")
    page = client(opened).get("/cockpit/object?uri=majordomus://session/s-a", base_url=BASE).text
    assert "rewritten since the index was built" in page


def test_a_subfolder_of_this_checkout_is_not_stranded(scene: Scene) -> None:
    (scene.root / "src").mkdir()
    scene.open_episode("a", "s-a", worktree=scene.root / "src")
    assert ask(scene, "lifecycle.recovery").stranded == []


def test_a_repository_that_cannot_be_read_is_not_taken_for_the_one_around_it(tmp_path: Path) -> None:
    Scene.create(tmp_path / "outer").git("checkout", "-q", "-b", "around")
    scene = Scene.create(tmp_path / "outer/repo")
    opened = Checkout.open(str(scene.root))
    (scene.root / ".git/HEAD").write_bytes(b"\0")
    runtime = ask(opened, "lifecycle.runtime")
    assert "not a git repository" in runtime.note
    assert not runtime.repository_branch


def test_what_git_listed_is_not_relied_on_while_git_fails(scene: Scene) -> None:
    scene.closed_record("s-a")
    scene.commit("Close")
    os.utime(scene.root / ".git/index", (1, 1))
    opened = Checkout.open(str(scene.root))
    ask(opened, "lifecycle.recovery")
    (scene.root / ".git/HEAD").write_bytes(b"\0")
    (finding,) = ask(opened, "lifecycle.recovery").findings
    assert "git does not say which records it tracks" in finding


@pytest.mark.parametrize("shape", ["FIFO", "link", "file"])
def test_what_is_set_aside_stays_in_the_repository_where_the_local_folder_is_none(
    scene: Scene, tmp_path: Path, shape: str
) -> None:
    scene.write(".ai/repo/sessions/.tmp.x", "half")
    local, outside = scene.root / ".ai/local", tmp_path / "outside"
    outside.mkdir()
    {"FIFO": lambda: os.mkfifo(local), "link": lambda: local.symlink_to(outside), "file": local.touch}[shape]()
    paste("\n".join(need.remedy for need in needs(ask(scene, "lifecycle.recovery"))))
    assert needs(ask(scene, "lifecycle.recovery")) == []
    assert (scene.root / ".ai/set-aside/tmp.x").read_text() == "half"
    assert not any(outside.iterdir())
