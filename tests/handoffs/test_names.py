"""Names of letters: long ones, ones that no line can hold, and paths that lead to a letter or to none."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.builders import Scene
from tests.handoffs.letters import ARCHIVE, DAY, LIVE, NAME, archived, consumed, letter, live
from tests.handoffs.running import handoff, new

LONGEST = f"HANDOFF-{DAY}-{'n' * 233}.md"


# ---------------------------------------------------------------------- long ones
def test_a_letter_with_the_longest_name_there_is_is_consumed_whole(scene: Scene) -> None:
    assert len(LONGEST) == 255
    live(scene, letter(), LONGEST)
    ran = handoff(scene, "consume", f"{LIVE}/{LONGEST}")
    assert (ran.exit_code, ran.stderr, os.listdir(scene.root / LIVE)) == (0, "", [])
    assert sorted(os.listdir(scene.root / ARCHIVE)) == [LONGEST, "INDEX.md"]
    assert handoff(scene, "check").exit_code == 0


# ---------------------------------------------------------------------- paths that lead to a letter, or to none
@pytest.mark.parametrize("stated", [f"nonsense/{NAME}", f"../../etc/{NAME}", f"/nowhere/{NAME}", f"{LIVE}/x/{NAME}"])
@pytest.mark.parametrize("words", [("consume",), ("export",), ("new", "--supersedes")])
def test_a_path_in_another_folder_leads_to_no_letter(scene: Scene, words: tuple[str, ...], stated: str) -> None:
    archived(scene, consumed())
    before = scene.picture()
    ran = new(scene, "--write", words[1], stated) if words[0] == "new" else handoff(scene, *words, stated)
    assert (ran.exit_code, f"There is no letter {stated} in" in ran.stderr, scene.picture() == before) == (3, True, True)


@pytest.mark.parametrize("stated", [NAME, f"{LIVE}/{NAME}", f"./{LIVE}/{NAME}", f"{LIVE}/../handoffs/{NAME}"])
def test_a_name_and_a_path_among_the_active_letters_lead_on_to_the_archive(scene: Scene, stated: str) -> None:
    archived(scene, consumed())
    ran = handoff(scene, "consume", stated)
    assert (ran.exit_code, f"{ARCHIVE}/{NAME} was consumed at" in ran.stdout) == (0, True)


def _too_large(path: Path) -> None:
    path.write_bytes(b"x" * ((1 << 20) + 1))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: path.symlink_to("/etc/passwd"), "is a link, which is not followed"),
        (os.mkfifo, "is not a regular file"),
        (os.mkdir, "is a folder"),
        (_too_large, "is larger than 1 MiB"),
    ],
)
@pytest.mark.parametrize("stated", [NAME, f"{LIVE}/{NAME}"])
def test_what_lies_there_and_is_no_letter_is_called_what_it_is(
    scene: Scene, make: Callable[[Path], object], said: str, stated: str
) -> None:
    (scene.root / LIVE).mkdir(parents=True)
    make(scene.root / LIVE / NAME)
    for command in ("consume", "export"):
        ran = handoff(scene, command, stated)
        assert (ran.exit_code, f"{LIVE}/{NAME} {said}" in ran.stderr) == (3, True)


def test_another_file_among_the_letters_is_no_letter_and_is_told_why(scene: Scene) -> None:
    live(scene, "x", "notes.md")
    ran = handoff(scene, "consume", f"{LIVE}/notes.md")
    assert (ran.exit_code, "the name of one is HANDOFF-YYYY-MM-DD-<slug>.md" in ran.stderr) == (3, True)
