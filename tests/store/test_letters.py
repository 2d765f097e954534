"""The letters of a checkout as they are read: what is looked up on the disk, and what never is."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from cockpit.formats.policy import Letters as Stated
from cockpit.store.letters import MOST, absent, folders
from tests.builders import Scene
from tests.faults.disk import failing
from tests.handoffs.letters import LIVE, NAME, body, consumed, letter, live
from tests.looking import look


@pytest.mark.parametrize("path", ["a/b.md", "a/", "a", "./a/b.md", "link"])
def test_what_is_there_is_not_absent(tmp_path: Path, path: str) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/b.md").touch()
    (tmp_path / "link").symlink_to("nowhere")
    assert absent(str(tmp_path), [path]) == ([], [])


@pytest.mark.parametrize(
    "path", ["a/c.md", "b/", "../x", "/etc/passwd", "link/passwd", "a\0b", "x" * 300, "a/b.md/c", "."]
)
def test_what_is_not_there_or_leads_out_is_absent(tmp_path: Path, path: str) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/b.md").touch()
    (tmp_path / "link").symlink_to("/etc")
    assert absent(str(tmp_path), [path]) == ([path], [])


@pytest.mark.parametrize("error", [errno.EACCES, errno.EIO, errno.EMFILE])
@pytest.mark.parametrize("call", ["open", "stat"])
def test_what_the_machine_lets_nobody_see_is_not_called_absent(tmp_path: Path, call: str, error: int) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/b.md").touch()
    with failing(str(tmp_path / ("a" if call == "open" else "a/b.md")), (call,), error):
        missing, unseen = absent(str(tmp_path), ["a/b.md"])
    assert (missing, [fault.path for fault in unseen]) == ([], ["a/b.md"])


def test_a_letter_is_not_told_that_its_path_is_missing_where_that_cannot_be_seen(scene: Scene) -> None:
    scene.write("src/a.py", "x")
    live(scene, letter(body(progress="- `src/a.py`")))
    with failing(str(scene.root / "src/a.py"), ("stat",), errno.EIO):
        letters = look(scene).letters
    assert (letters.absent, tuple(each.sentence for each in letters.troubles)) == (
        frozenset(),
        ("Whether 1 path that letters name is there is not known: src/a.py cannot be read (Input/output error).",),
    )


def test_the_folders_are_those_of_the_policy_without_detours() -> None:
    assert folders(Stated()) == (("docs/handoffs", "docs/archive"), [])
    assert folders(Stated("./a//b/", "c/.")) == (("a/b", "c"), [])
    places, said = folders(Stated("../a", ".git"))
    assert (places, len(said)) == (("", ""), 2)


def test_a_letter_with_very_many_paths_and_commits_is_looked_up_in_part_and_says_so(scene: Scene) -> None:
    paths = "\n".join(f"- `a/{number}.py` in {number:07x}abc" for number in range(MOST + 100))
    live(scene, letter(body(paths)))
    found = look(scene).letters
    assert (len(found.absent), len(found.commits)) == (MOST, MOST)
    assert [each.sentence for each in found.troubles] == [
        f"The letters name {MOST + 100} paths; the last 100 were not looked up."
    ]


def test_a_consumed_letter_among_the_active_ones_is_not_in_force(scene: Scene) -> None:
    live(scene, consumed())
    found = look(scene).letters
    assert ([each.path for each in found.live], found.in_force) == ([f"{LIVE}/{NAME}"], [])


def test_a_letter_that_is_replaced_is_read_again(scene: Scene) -> None:
    path = live(scene, letter())
    before = look(scene).letters.live[0].letter.digest
    path.write_text(letter(effort="other"))
    os.utime(path, ns=(1, 1))
    assert look(scene).letters.live[0].letter.digest != before
