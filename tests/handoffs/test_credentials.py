"""A credential in a letter or its name is told nowhere, and goes nowhere: not into the archive, not into an answer."""

from __future__ import annotations

import html

import pytest

from cockpit.formats.letter import parse
from tests.builders import Scene
from tests.handoffs.letters import ARCHIVE, DAY, LIVE, NAME, OTHER, archived, body, consumed, letter, live
from tests.handoffs.running import handoff, new
from tests.looking import BASE, client

SECRET = "gh" + "p_16C7e42F292c6912E7710c838347Ae178B4a"
SHOWN = "ghp_16"  # more of it than a mask leaves
NAMED = f"HANDOFF-{DAY}-{SECRET}.md"


# ---------------------------------------------------------------------- what is not done with it
@pytest.mark.parametrize("words", [("consume",), ("export",), ("new", "--supersedes")])
@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (NAME, letter(owner=SECRET), f"{LIVE}/{NAME}:8 holds what looks like a credential (GitHub Token, ghp_…)"),
        (NAME, letter(body(more=f"\n{SECRET}\n")), f"{LIVE}/{NAME}:13 holds what looks like a credential"),
        (NAMED, letter(), f"The name of {LIVE}/HANDOFF-{DAY}-ghp_….md holds what looks like a credential"),
    ],
)
def test_a_letter_with_a_credential_is_refused_before_anything_is_written(
    scene: Scene, words: tuple[str, ...], name: str, text: str, said: str
) -> None:
    live(scene, text, name)
    before = scene.picture()
    path = f"{LIVE}/{name}"
    ran = new(scene, "--write", words[1], path) if words[0] == "new" else handoff(scene, *words, path)
    assert (ran.exit_code, ran.stdout, scene.picture() == before) == (3, "", True)
    assert said in ran.stderr
    assert SHOWN not in ran.stderr


def test_no_command_is_told_that_would_be_refused(scene: Scene) -> None:
    live(scene, consumed(body(more=f"\n{SECRET}\n")))
    found = handoff(scene, "check").stdout
    assert ("consumed-live" in found, "cockpit handoff consume" in found) == (True, False)


def test_what_stands_beside_it_in_the_index_is_masked_in_the_diff(scene: Scene) -> None:
    live(scene, letter())
    archived(scene, consumed(leg="0"), OTHER, noted=f" {SECRET}")
    ran = handoff(scene, "consume", f"{LIVE}/{NAME}")
    assert (ran.exit_code, SHOWN in ran.stdout, "ghp_…" in ran.stdout) == (0, False, True)
    assert SECRET in (scene.root / ARCHIVE / "INDEX.md").read_text()


def test_a_credential_that_git_says_is_not_written_into_a_letter(scene: Scene) -> None:
    scene.git("checkout", "-q", "-b", SECRET)
    ran = new(scene, "--write")
    assert (ran.exit_code, ran.stdout, SHOWN in ran.stderr) == (3, "", False)


def test_an_identity_with_a_credential_does_not_travel(scene: Scene) -> None:
    live(scene, letter())
    scene.git("config", "user.name", SECRET)
    ran = handoff(scene, "export", NAME)
    assert (ran.exit_code, ran.stdout, SHOWN in ran.stderr) == (3, "", False)


@pytest.mark.parametrize("words", [("consume",), ("export",)])
def test_a_credential_in_the_call_is_not_printed(scene: Scene, words: tuple[str, ...]) -> None:
    ran = handoff(scene, *words, SECRET)
    assert (ran.exit_code, SHOWN in ran.stderr) == (3, False)


# ---------------------------------------------------------------------- what is told of it
def _full(scene: Scene) -> Scene:
    """Letters with a credential in every place that an answer tells of."""
    said: dict[str, str | None] = {
        "effort": SECRET, "leg": SECRET, "owner": SECRET, "branch": SECRET, "commit": SECRET, "consumed_at": SECRET,
    }  # fmt: skip
    for kind, status in enumerate(("active", "awaiting-human", "consumed", SECRET)):
        text = letter(
            body(f"In `a/{SECRET}.py`."), f"# {SECRET}\n", status=f"{status} - {SECRET}", supersedes=f"a/{SECRET}.md", **said
        )  # fmt: skip
        for number in range(2):
            live(scene, text, f"HANDOFF-{DAY}-{kind}{number}-{SECRET}.md")
            archived(scene, text, f"HANDOFF-{DAY}-{kind}{number}-{SECRET[:-1]}x.md", noted=f" sha256:{'0' * 64}")
    (scene.root / LIVE / f"HANDOFF-{DAY}-{SECRET}.md").mkdir()
    return scene


def test_no_answer_and_no_page_tells_a_credential(scene: Scene) -> None:
    _full(scene)
    asked = client(scene)
    for path in ("/api/v1/handoffs", "/cockpit/handoffs"):
        told = asked.get(path, base_url=BASE).text
        assert ("ghp_" in told, SHOWN.lower() in told.lower()) == (True, False)


def test_check_tells_no_credential(scene: Scene) -> None:
    _full(scene)
    for more in ((), ("--json",)):
        said = handoff(scene, "check", *more).stdout
        assert ("secret" in said, SHOWN.lower() in said.lower()) == (True, False)


def test_a_letter_is_judged_as_it_is_and_told_masked() -> None:
    read = parse(letter(effort=f"labels {SECRET}", supersedes=f"docs/{SECRET}.md").encode())
    assert (read.told.text("Effort"), read.text("Effort")) == ("labels ghp_…", f"labels {SECRET}")
    assert read.told.supersedes is not None
    assert read.told.supersedes.path == "docs/ghp_….md"
    assert read.told.line("Effort") == read.line("Effort")


def test_a_letter_without_a_credential_is_told_as_it_is() -> None:
    read = parse(letter().encode())
    assert read.told is read


def test_an_owner_of_periodic_hygiene_and_a_surface_that_is_refused_show_no_credential(scene: Scene) -> None:
    policy = f"hygiene:\n  owner: {SECRET}\n  cadence: 7 days\nsurfaces:\n  - name: {SECRET}\n    live: ../x.md\n    archive: y\n"
    scene.write(".ai/repo/policy.yaml", policy)
    web = client(scene)
    for path in ("/api/v1/handoffs", "/cockpit/handoffs", "/api/v1/surfaces", "/cockpit/surfaces"):
        told = web.get(path, base_url=BASE).text
        assert ("ghp_…" in html.unescape(told), SHOWN in told) == (True, False)
