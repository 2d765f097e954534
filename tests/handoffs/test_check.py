"""``cockpit handoff check``: every rule over every letter, for a person and for a program."""

from __future__ import annotations

import json

import pytest

from tests.builders import Scene
from tests.handoffs.letters import ARCHIVE, LIVE, NAME, archived, consumed, letter, live
from tests.handoffs.running import handoff
from tests.reads.test_handoffs_state import RULES, WARNINGS


@pytest.mark.parametrize("code", RULES)
def test_an_error_ends_with_one_and_a_warning_with_none(scene: Scene, code: str) -> None:
    RULES[code][0](scene)
    before = scene.picture()
    ran = handoff(scene, "check")
    assert ran.exit_code == (0 if code in WARNINGS else 1)
    assert f" {code}: " in ran.stdout
    assert scene.picture() == before


def test_each_finding_has_its_place_and_its_command(scene: Scene) -> None:
    live(scene, consumed())
    said = handoff(scene, "check").stdout.split("\n")
    assert said[0].startswith(f"{LIVE}/{NAME}:3: error consumed-live: It is consumed")
    assert said[1] == f"    cockpit handoff consume --repo {scene.root} -- {LIVE}/{NAME}"
    assert said[2] == "0 letters in force, 0 in the archive: 1 error, 0 warnings."


def test_a_program_reads_the_same_as_json(scene: Scene) -> None:
    archived(scene, letter())
    ran = handoff(scene, "check", "--json")
    told = json.loads(ran.stdout)
    assert (ran.exit_code, told["counts"]["errors"], told["faults"]) == (1, 1, [])
    assert told["findings"][0]["code"] == "active-archived"
    assert told["findings"][0]["path"] == f"{ARCHIVE}/{NAME}"


def test_what_cannot_be_read_is_an_error(scene: Scene) -> None:
    (scene.root / LIVE).mkdir(parents=True)
    (scene.root / LIVE / NAME).symlink_to("x")
    ran = handoff(scene, "check")
    assert (ran.exit_code, "is a link" in ran.stdout) == (1, True)


def test_many_credentials_of_a_kind_are_one_finding_where_the_first_is(scene: Scene) -> None:
    token, key = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a", "-----BEGIN PRI" + "VATE KEY-----"
    live(scene, letter() + f"{key}\n{token}\n" + f"{key}\n" * 1000)
    first = letter().count("\n") + 1
    said = [line for line in handoff(scene, "check").stdout.split("\n") if " secret: " in line]
    assert [line.split(":")[1] for line in said] == [str(first), str(first + 1)]
    assert ("1000 others of this kind" in said[0], "of this kind" in said[1]) == (True, False)


def test_a_status_that_is_misspelt_is_said_and_is_no_error(scene: Scene) -> None:
    live(scene, letter(status="conusmed"))
    ran = handoff(scene, "check")
    assert (ran.exit_code, ran.stdout.split("\n")[0]) == (
        0,
        f"{LIVE}/{NAME}: Its status “conusmed” is not known; it counts as in force.",
    )


def test_a_letter_under_another_name_is_an_error(scene: Scene) -> None:
    scene.write(f"{LIVE}/wrongname.md", letter())
    ran = handoff(scene, "check")
    assert (ran.exit_code, f"{LIVE}/wrongname.md has the fields of a letter" in ran.stdout) == (1, True)


def test_a_policy_that_does_not_parse_is_told_with_the_line_to_correct(scene: Scene) -> None:
    scene.write(".ai/repo/policy.yaml", "x: 1\nhandoffs: {path: a\n")
    ran = handoff(scene, "check")
    assert (ran.exit_code, "does not parse as a whole (correct line 2 of it)" in ran.stdout) == (1, True)
