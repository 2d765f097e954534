"""``cockpit handoff new``: a letter from standard input and git; proposed, and written only when told to."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cockpit.formats import letter_text
from cockpit.formats.letter import parse
from cockpit.formats.letter_text import Stated
from tests.builders import Scene, picture
from tests.handoffs import letters
from tests.handoffs.running import TEXT, handoff, kept, new, written

PROJECT = Path(__file__).parents[2]


# ---------------------------------------------------------------------- what is proposed
def test_a_letter_is_proposed_and_nothing_is_written(scene: Scene) -> None:
    before = scene.picture()
    ran = new(scene)
    assert (ran.exit_code, scene.picture() == before) == (0, True)
    assert "Nothing was written" in ran.stderr
    read = parse(ran.stdout.encode())
    assert {name: field.value for name, field in read.fields.items()} == {
        "status": "active", "effort": "labels", "leg": "1", "supersedes": "none", "consumed-at": "pending",
        "branch": "main", "commit": scene.head, "owner": "Mara Lind <mara@example.org>",
    }  # fmt: skip
    assert [each.role for each in read.sections] == ["", "goal", "progress", "remainder", "invariants", "verification"]
    assert ran.stdout.endswith(TEXT)


def test_what_is_written_is_what_was_proposed_and_the_check_is_clean(scene: Scene) -> None:
    proposed = new(scene).stdout
    assert new(scene, "--write").exit_code == 0
    (path,) = written(scene)
    assert path.read_text() == proposed
    assert re.fullmatch(r"HANDOFF-\d{4}-\d\d-\d\d-labels\.md", path.name)
    assert handoff(scene, "check").exit_code == 0


def test_a_title_of_ones_own_is_kept(scene: Scene) -> None:
    assert new(scene, text=f"# Labels for depots\n\nA word before.\n\n{TEXT}").stdout.startswith(
        "# Labels for depots\n\nStatus: active\n"
    )


def test_git_says_who_and_where_and_what_it_does_not_say_is_left_out(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path / "bare")], check=True)
    scene = Scene(tmp_path / "bare")
    unborn = parse(new(scene).stdout.encode())
    assert ("commit" in unborn.fields, "owner" in unborn.fields, "branch" in unborn.fields) == (False, False, True)


def test_a_detached_head_is_no_branch(scene: Scene) -> None:
    scene.git("checkout", "-q", "--detach")
    assert "branch" not in parse(new(scene).stdout.encode()).fields


# ---------------------------------------------------------------------- what is refused
def _refused(scene: Scene, *more: str, code: int = 3, **words: str) -> str:
    before = scene.picture()
    ran = new(scene, "--write", *more, **words)
    assert (ran.exit_code, scene.picture() == before, ran.stdout) == (code, True, "")
    assert ran.stderr.startswith("cockpit: ")
    return ran.stderr


@pytest.mark.parametrize("heading", ["Original goal", "Progress", "Ordered remainder", "Invariants", "Verification"])
def test_a_missing_section_is_asked_for(scene: Scene, heading: str) -> None:
    assert f"missing or empty: {heading}." in _refused(scene, text=TEXT.replace(f"## {heading}\n", ""))
    emptied = re.sub(rf"(## {heading}\n\n)[^#]*", r"\1", TEXT)
    assert f"missing or empty: {heading}." in _refused(scene, text=emptied)


def test_a_credential_is_refused_and_shown_masked(scene: Scene) -> None:
    secret = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    said = _refused(scene, text=TEXT.replace("Print the test sheet.", f"Print with {secret}."))
    assert "Line 11" in said
    assert secret[:8] not in said


@pytest.mark.parametrize("which", ["effort", "leg", "slug"])
def test_a_credential_is_refused_in_the_call_too(scene: Scene, which: str) -> None:
    secret = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    said = _refused(scene, **{which: secret})
    assert ("credential" in said, secret[:8] in said) == (True, False)


def test_a_pasted_conversation_is_refused(scene: Scene) -> None:
    assert "From line" in _refused(scene, text=f"{TEXT}\nUser: a\nAssistant: b\nUser: c\n")


def test_what_is_no_text_is_refused(scene: Scene) -> None:
    assert new(scene, "--write", text=b"\xff" + TEXT.encode()).exit_code == 3
    assert written(scene) == []


@pytest.mark.parametrize("slug", ["", "a/b", "../x", "-x", "x.", "a b", "ä", "x" * 101, "a\nb"])
def test_a_slug_that_is_no_plain_name_is_refused(scene: Scene, slug: str) -> None:
    assert "--slug" in _refused(scene, slug=slug)


@pytest.mark.parametrize("value", ["", " ", "a\nb", "`x`", "a\x1bb", "a\u202eb"])
@pytest.mark.parametrize("which", ["effort", "leg"])
def test_what_cannot_stand_in_a_field_is_refused(scene: Scene, which: str, value: str) -> None:
    assert f"--{which}" in _refused(scene, **{which: value})


@pytest.mark.parametrize("which", ["effort", "leg"])
def test_a_field_longer_than_two_hundred_characters_is_refused(scene: Scene, which: str) -> None:
    assert "at most 200 characters" in _refused(scene, **{which: "é" * 201})
    assert new(scene, **{which: "é" * 200}).exit_code == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"# {'x' * 4096}\n\n{TEXT}", "The field Status would not stand in the first 4 KiB"),
        (f"{TEXT}\n## # #\n\nx\n", "The headings would not be read as they are given"),
        (f"{TEXT}\n# Labels\n\nx\n", "The headings would not be read as they are given"),
        (f"# # #\n\n{TEXT}", "The headings would not be read as they are given"),
        (TEXT + "x" * ((1 << 20) - len(TEXT)), "one over 1 MiB is not read"),
    ],
)
def test_a_letter_that_would_not_be_read_as_it_was_given_is_refused(scene: Scene, text: str, said: str) -> None:
    assert said in _refused(scene, text=text)


def test_a_second_letter_of_one_effort_and_leg_is_refused(scene: Scene) -> None:
    new(scene, "--write")
    assert "labels.md is in force" in _refused(scene, slug="two", effort="LABELS")
    assert new(scene, "--write", slug="two", leg="2").exit_code == 0


def test_a_name_that_is_taken_is_refused_also_where_the_archive_has_it(scene: Scene) -> None:
    new(scene, "--write")
    assert "already" in _refused(scene, leg="2")
    handoff(scene, "consume", written(scene)[0].name)
    assert "already" in _refused(scene, leg="2")


def test_superseding_another_letter_does_not_make_room_for_a_second(scene: Scene) -> None:
    new(scene, "--write")
    new(scene, "--write", leg="2", slug="two")
    assert "is in force" in _refused(
        scene, "--supersedes", str(written(scene)[1].relative_to(scene.root)), slug="three"
    )


def test_what_does_not_exist_cannot_be_superseded(scene: Scene) -> None:
    assert "There is no letter docs/x.md" in _refused(scene, "--supersedes", "docs/x.md")


def test_what_cannot_be_read_might_be_any_letter(scene: Scene) -> None:
    (scene.root / letters.LIVE).mkdir(parents=True)
    (scene.root / letters.LIVE / letters.NAME).symlink_to("/etc/passwd")
    assert "is a link" in _refused(scene)


@pytest.mark.parametrize("place", ["docs", "docs/handoffs"])
def test_nothing_is_written_through_a_link(scene: Scene, tmp_path: Path, place: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    link = scene.root / place
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(outside)
    assert "link" in _refused(scene)
    assert list(outside.iterdir()) == []


def test_outside_a_repository_is_said(tmp_path: Path) -> None:
    ran = new(Scene(tmp_path))
    assert (ran.exit_code, "not inside a git repository" in ran.stderr) == (2, True)


# ---------------------------------------------------------------------- one supersedes another
@pytest.mark.parametrize("tracked", [True, False])
def test_the_letter_that_is_superseded_goes_into_the_archive_in_the_same_step(scene: Scene, tracked: bool) -> None:
    new(scene, "--write")
    if tracked:
        scene.commit("Hand over")
    ran = new(scene, "--write", "--supersedes", f"docs/handoffs/{written(scene)[0].name}", slug="two")
    assert ran.exit_code == 0
    ((old,), (path,)) = kept(scene), written(scene)
    digest = hashlib.sha256(old.read_bytes()).hexdigest()
    assert f"Supersedes: docs/archive/{old.name} sha256:{digest}\n" in path.read_text()
    assert "Status: consumed\n" in old.read_text()
    assert "rename to docs/archive/" in ran.stdout
    assert handoff(scene, "check").exit_code == 0
    assert "0 errors, 0 warnings" in handoff(scene, "check").stdout


def test_a_letter_of_an_earlier_leg_may_be_superseded_in_the_archive_too(scene: Scene) -> None:
    new(scene, "--write")
    name = written(scene)[0].name
    handoff(scene, "consume", f"docs/handoffs/{name}")
    before = picture(scene.root / "docs/archive")
    assert new(scene, "--write", "--supersedes", name, slug="two", leg="2").exit_code == 0
    assert picture(scene.root / "docs/archive") == before
    assert "0 errors, 0 warnings" in handoff(scene, "check").stdout


def test_the_folders_of_the_policy_are_written_to(scene: Scene) -> None:
    scene.write(".ai/repo/policy.yaml", "handoffs:\n  path: a/b c\n  archive: d\n")
    new(scene, "--write")
    (path,) = (scene.root / "a/b c").iterdir()
    assert handoff(scene, "consume", f"a/b c/{path.name}").exit_code == 0
    assert sorted(each.name for each in (scene.root / "d").iterdir()) == [path.name, "INDEX.md"]


def test_a_letter_is_superseded_once(scene: Scene) -> None:
    new(scene, "--write")
    first = written(scene)[0].name
    new(scene, "--write", "--supersedes", first, leg="2", slug="two")
    for stated in (first, f"docs/handoffs/{first}", f"docs/archive/{first}"):
        said = _refused(scene, "--supersedes", stated, leg="3", slug="three")
        assert f"docs/archive/{first} is superseded by docs/handoffs/{written(scene)[0].name} already" in said


def test_a_letter_of_another_effort_is_not_superseded(scene: Scene) -> None:
    new(scene, "--write", effort="returns")
    first = f"docs/handoffs/{written(scene)[0].name}"
    assert "is of the effort returns" in _refused(scene, "--supersedes", first, slug="two")
    assert new(scene, "--supersedes", first, slug="two", effort="RETURNS", leg="2").exit_code == 0


def test_an_effort_is_the_same_however_its_accents_are_encoded(scene: Scene) -> None:
    new(scene, "--write", effort="Lager\u00e9")
    assert "is in force for effort" in _refused(scene, effort="lagere\u0301", slug="two")


def test_a_file_elsewhere_of_a_letters_name_is_not_that_letter(scene: Scene) -> None:
    letters.live(scene, letters.letter(effort="other"))
    scene.write(f"elsewhere/{letters.NAME}", letters.letter())
    text = letters.letter(supersedes=f"elsewhere/{letters.NAME}")
    letters.live(scene, text, f"HANDOFF-{letters.DAY}-two.md")
    assert json.loads(handoff(scene, "check", "--json").stdout)["findings"] == []


def test_a_letter_that_does_not_say_its_effort_may_be_superseded(scene: Scene) -> None:
    letters.live(scene, letters.letter(effort=None))
    assert new(scene, "--write", "--supersedes", letters.NAME, slug="two").exit_code == 0


@pytest.mark.parametrize(("legs", "codes"), [(("2", "2"), ["duplicate-active"]), (("2", "3"), [])])
def test_of_two_that_supersede_one_only_a_second_of_a_leg_is_a_fault(
    scene: Scene, legs: tuple[str, str], codes: list[str]
) -> None:
    letters.archived(scene, letters.consumed())
    for leg, name in zip(legs, ("one", "two"), strict=True):
        text = letters.letter(leg=leg, supersedes=f"{letters.ARCHIVE}/{letters.NAME}")
        letters.live(scene, text, f"HANDOFF-{letters.DAY}-{name}.md")
    told = json.loads(handoff(scene, "check", "--json").stdout)
    assert [each["code"] for each in told["findings"]] == codes


# ---------------------------------------------------------------------- two at once
def test_of_two_at_once_exactly_one_wins(scene: Scene) -> None:
    words = ["new", "--repo", str(scene.root), "--effort", "e", "--leg", "1", "--write"]
    command = [sys.executable, "-m", "cockpit", "handoff", *words]
    running = [
        subprocess.Popen([*command, "--slug", slug], cwd=PROJECT, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        for slug in ("one", "two", "one")
    ]
    for each in running:
        assert each.stdin
        each.stdin.write(TEXT.encode())
        each.stdin.close()
    codes = sorted(each.wait(60) for each in running)
    for each in running:
        assert each.stderr
        each.stderr.close()
    assert (codes, len(written(scene))) == ([0, 3, 3], 1)


# ---------------------------------------------------------------------- any text
_LINES = st.lists(
    st.sampled_from(["word", "# Title", "## Notes", "### Progress", "- `a/b.py`", "", "x" * 50, "## Next ##"])
)


@given(_LINES, _LINES)
def test_a_composed_letter_holds_every_line_of_its_sections(above: list[str], below: list[str]) -> None:
    text = "\n".join([*above, TEXT, *below])
    read = parse(text.encode())
    stated = Stated("e", "1", "none", commit="1" * 40)
    made = parse(letter_text.compose(stated, read).encode())
    lines = [line for each in read.sections for line in each.text.split("\n") if line]
    held = [line for each in made.sections for line in each.text.split("\n") if line and ": " not in line]
    assert held == lines
    assert (made.text("Effort"), made.text("Commit")) == ("e", "1" * 40)
    assert letter_text.missing(read) == letter_text.missing(made)
    if "# Title" not in [*above[1:], *below]:
        assert letter_text.outline(read) == letter_text.outline(made)


def test_a_letter_says_the_day_on_which_it_is_written(scene: Scene) -> None:
    days = {f"{datetime.now(UTC).astimezone():%Y-%m-%d}"}
    new(scene, "--write")
    days.add(f"{datetime.now(UTC).astimezone():%Y-%m-%d}")
    assert written(scene)[0].name[8:18] in days
