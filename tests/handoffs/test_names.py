"""Names of letters: long ones, ones that no line can hold, and paths that lead to a letter or to none."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cockpit.formats import letter_index
from tests.builders import Scene
from tests.handoffs.letters import ARCHIVE, DAY, LIVE, NAME, archived, consumed, letter, live
from tests.handoffs.running import handoff, new

LONGEST = f"HANDOFF-{DAY}-{'n' * 233}.md"


# ---------------------------------------------------------------------- long ones
def test_a_letter_with_the_longest_name_there_is_is_consumed_whole(scene: Scene) -> None:
    assert len(LONGEST) == 255
    live(scene, letter(), LONGEST)
    ran = handoff(scene, "consume", f"{LIVE}/{LONGEST}")
    assert (ran.exit_code, os.listdir(scene.root / LIVE)) == (0, []), ran.stderr
    assert sorted(os.listdir(scene.root / ARCHIVE)) == [LONGEST, "INDEX.md"]
    assert handoff(scene, "check").exit_code == 0


# ---------------------------------------------------------------------- paths that lead to a letter, or to none
@pytest.mark.parametrize("stated", [f"nonsense/{NAME}", f"../../etc/{NAME}", f"/nowhere/{NAME}", f"{LIVE}/x/{NAME}"])
@pytest.mark.parametrize("words", [("consume",), ("export",), ("new", "--supersedes")])
def test_a_path_in_another_folder_leads_to_no_letter(scene: Scene, words: tuple[str, ...], stated: str) -> None:
    archived(scene, consumed())
    before = scene.picture()
    ran = new(scene, "--write", words[1], stated) if words[0] == "new" else handoff(scene, *words, stated)
    assert (ran.exit_code, f"There is no letter {stated} in" in ran.stderr, scene.picture() == before) == (
        3,
        True,
        True,
    )


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


# ---------------------------------------------------------------------- names that no line can hold
FORGED = f"HANDOFF-{DAY}-a\nHANDOFF-{DAY}-forged.md"


@pytest.mark.parametrize(
    "words", [("check",), ("consume", FORGED), ("consume", f"{FORGED}x"), ("export", f"\t{FORGED}")]
)
def test_a_name_with_a_newline_is_printed_on_one_line(scene: Scene, words: tuple[str, ...]) -> None:
    live(scene, letter(leg=None), FORGED)
    ran = handoff(scene, *words)
    said = f"{ran.stdout}{ran.stderr}"
    assert ("forged" in said, any(each.startswith(f"HANDOFF-{DAY}-forged") for each in said.split("\n"))) == (
        True,
        False,
    )
    assert "\t" not in said


_ODD = st.text(st.sampled_from("ab \n\t\\[](){}`<>%&x0\x80\xad\xff\u202e\udc80\udcff\u2028"), min_size=1, max_size=6)


@given(_ODD, _ODD)
def test_the_index_shows_no_two_names_alike_and_leads_to_each(one: str, other: str) -> None:
    names = {f"HANDOFF-{DAY}-{each}.md" for each in (one, other)}
    entries = [letter_index.entry(name, "effort e", "1" * 64, "") for name in names]
    assert letter_index.parse("\n".join(entries).encode()).keys() == names
    assert len({entry.split("](")[0] for entry in entries}) == len(names)
    assert all(entry.isprintable() for entry in entries)


def test_the_index_shows_a_byte_that_is_no_text_as_such_and_a_newline_as_none() -> None:
    assert letter_index.entry("HANDOFF-a\udcff.md", "x", "1" * 64, "").startswith("- [HANDOFF-a\\xff.md](")
    assert letter_index.entry("HANDOFF-a\nb.md", "x", "1" * 64, "").startswith("- [HANDOFF-a\\u000ab.md](")
