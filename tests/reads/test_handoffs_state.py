"""``handoffs.state``: the letters in force, the archive, and every rule: a letter that breaks it alone, and a near miss."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec import UNSET

from cockpit.reads.handoffs_state import WINDOW, HandoffsState
from cockpit.reads.letter_rules import OF_PROSE
from cockpit.store.letters import MOST
from tests.builders import Scene, paste
from tests.handoffs import letters
from tests.handoffs.letters import ARCHIVE, DAY, LIVE, NAME, OTHER, archived, body, consumed, letter, live
from tests.looking import ask, checkout

POLICY = ".ai/repo/policy.yaml"


def answer(scene: Scene) -> HandoffsState:
    found = ask(scene, "handoffs.state")
    assert isinstance(found, HandoffsState)
    return found


def codes(scene: Scene) -> list[str]:
    return [each.code for each in answer(scene).findings]


# ---------------------------------------------------------------------- the letters
def test_a_checkout_without_letters_is_no_fault(scene: Scene) -> None:
    found = answer(scene)
    assert (found.present, found.active, found.waiting, found.findings, found.archive, found.faults) == (
        False, [], [], [], [], [],
    )  # fmt: skip


def test_a_letter_in_force_says_whose_work_it_hands_on(scene: Scene) -> None:
    head = scene.head
    scene.commit("More", datetime(2026, 9, 12, tzinfo=UTC))
    text = letter(
        status="active - mind the printer", supersedes=f"{ARCHIVE}/{OTHER}", commit=head, branch="main", owner="Mara"
    )
    live(scene, text)
    archived(scene, consumed(leg="0"), OTHER)
    (found,) = answer(scene).active
    assert (found.path, found.title, found.effort, found.leg, found.since) == (
        f"{LIVE}/{NAME}",
        "Labels",
        "labels",
        "1",
        DAY,
    )
    assert (found.status, found.said, found.supersedes, found.owner) == (
        "active", "mind the printer", f"{ARCHIVE}/{OTHER}", "Mara",
    )  # fmt: skip
    assert (found.digest, found.bytes) == (hashlib.sha256(text.encode()).hexdigest(), len(text))
    assert (found.commit, found.stand, found.ahead, found.behind, found.branch) == (head, "advanced", 1, 0, "main")


def test_the_commit_is_the_last_one_named_as_progress_that_git_knows(scene: Scene) -> None:
    live(scene, letter(body(f"Done in {scene.head[:9]}, then in 0000001 and deadbee1.", more="See 1234567.\n")))
    (found,) = answer(scene).active
    assert (found.commit, found.stand, found.ahead) == (scene.head, "exact", 0)


def test_a_commit_that_head_does_not_come_from_has_diverged(scene: Scene) -> None:
    scene.git("checkout", "-q", "-b", "side")
    scene.commit("Aside", datetime(2026, 9, 12, tzinfo=UTC))
    aside = scene.head
    scene.git("checkout", "-q", "main")
    live(scene, letter(commit=aside))
    (found,) = answer(scene).active
    assert (found.stand, found.ahead, found.behind) == ("diverged", 0, 1)


@pytest.mark.parametrize("stated", [None, "main"])
def test_without_a_commit_its_distance_is_not_known(scene: Scene, stated: str | None) -> None:
    live(scene, letter(commit=stated))
    (found,) = answer(scene).active
    assert (found.stand, bool(found.ahead)) == ("unknown", False)
    assert found.stand_reason


def test_a_branch_with_the_name_of_a_commit_is_no_commit(scene: Scene) -> None:
    scene.git("branch", "deadbee1")
    live(scene, letter(body("Done in deadbee1.")))
    assert codes(scene) == ["commit-missing"]


def test_a_letter_that_waits_for_a_person_stands_apart(scene: Scene) -> None:
    live(scene, letter(status="Awaiting-Human: A5 or A6?"))
    found = answer(scene)
    assert (found.active, [(each.status, each.said) for each in found.waiting]) == (
        [],
        [("awaiting-human", "A5 or A6?")],
    )
    assert (found.counts.active, found.counts.waiting, found.findings) == (0, 1, [])
    assert found.waiting[0].note == "Answer its question in the letter and set its Status to active, or consume it."


def test_the_newest_twenty_of_the_archive_are_told_and_all_are_counted(scene: Scene) -> None:
    for number in range(WINDOW + 5):
        name = f"HANDOFF-2026-08-{31 - number:02}-x.md"
        archived(
            scene,
            consumed(consumed_at=f"2026-09-{number + 1:02}T08:00:00Z" if number < 11 else "2026-08-01T00:00:00Z"),
            name,
        )
    found = answer(scene)
    assert (len(found.archive), found.counts.archived, found.window) == (WINDOW, WINDOW + 5, WINDOW)
    assert [each.consumed_at for each in found.archive[:11]] == [
        f"2026-09-{day:02}T08:00:00Z" for day in range(11, 0, -1)
    ]


def test_other_files_of_the_folders_are_no_letters(scene: Scene) -> None:
    for folder in (LIVE, ARCHIVE):
        scene.write(f"{folder}/README.md", "Status: active")
        scene.write(f"{folder}/.tmp.HANDOFF-{DAY}-x.md", "x")
        (scene.root / folder / "inner").mkdir()
        scene.write(f"{folder}/inner/{NAME}", "x")
    found = answer(scene)
    assert (found.present, found.counts.active, found.counts.archived, found.findings) == (True, 0, 0, [])


@pytest.mark.parametrize("name", ["wrongname.md", f"handoff-{DAY}-x.md", "x.MD"])
def test_a_letter_under_a_name_of_none_is_told(scene: Scene, name: str) -> None:
    scene.write(f"{LIVE}/{name}", letter())
    found = answer(scene)
    (fault,) = found.faults
    assert fault.startswith(f"{LIVE}/{name} has the fields of a letter, and by its name it is none")
    assert (found.active, found.findings) == ([], [])


def test_a_document_beside_the_letters_is_no_letter_for_a_status_alone(scene: Scene) -> None:
    scene.write(f"{LIVE}/plan.md", "Status: active\nEffort: labels\n")
    scene.write(f"{LIVE}/INDEX.md", letter())
    scene.write(f"{LIVE}/Readme.md", letter())
    scene.write(f"{LIVE}/notes.txt", letter())
    os.mkfifo(scene.root / LIVE / "fifo.md")
    assert answer(scene).faults == []


@pytest.mark.parametrize("status", ["conusmed", "in-progress - printing"])
def test_a_status_that_nobody_knows_counts_as_in_force_and_that_is_said(scene: Scene, status: str) -> None:
    live(scene, letter(status=status))
    found = answer(scene)
    assert found.active[0].note == f"Its status “{status.split(maxsplit=1)[0]}” is not known; it counts as in force."
    assert found.findings == []


def test_a_letter_that_is_active_asks_nothing(scene: Scene) -> None:
    live(scene, letter(status="active - mind the printer"))
    live(scene, letter(status="42", leg="2"), OTHER)
    assert [each.note for each in answer(scene).active] == [UNSET, UNSET]


# ---------------------------------------------------------------------- where they lie, and what cannot be read
def test_the_policy_names_other_folders(scene: Scene) -> None:
    scene.write(POLICY, "handoffs:\n  path: notes/letters\n  archive: notes/letters/old\n")
    scene.write(f"notes/letters/{NAME}", letter())
    scene.write(f"notes/letters/old/{OTHER}", consumed(leg="0"))
    scene.write("notes/letters/old/INDEX.md", f"| {OTHER} | done |\n")
    live(scene, "another tool's")
    found = answer(scene)
    assert (found.folder, found.archive_folder) == ("notes/letters", "notes/letters/old")
    assert ([each.path for each in found.active], len(found.archive), found.findings) == (
        [f"notes/letters/{NAME}"],
        1,
        [],
    )


@pytest.mark.parametrize("stated", ["/etc", "../x", "a/../../x", ".git/x", ".ai/local/x", "docs/.GIT", "."])
@pytest.mark.parametrize("which", ["path", "archive"])
def test_a_folder_that_leads_where_none_may_is_refused(scene: Scene, which: str, stated: str) -> None:
    scene.write(POLICY, f"handoffs:\n  {which}: {stated}\n")
    live(scene, letter())
    archived(scene, consumed(leg="0"), OTHER)
    found = answer(scene)
    assert (len(found.active), len(found.archive)) == ((0, 1) if which == "path" else (1, 0))
    (fault,) = found.faults
    assert f"handoffs.{which} ({stated}) is refused" in fault


def test_the_archive_is_another_folder(scene: Scene) -> None:
    scene.write(POLICY, f"handoffs:\n  archive: {LIVE}/.\n")
    live(scene, letter())
    found = answer(scene)
    assert (len(found.active), found.findings) == (1, [])
    assert "is the folder of the active letters itself" in found.faults[0]


def test_what_is_no_file_of_ordinary_size_is_a_fault_and_is_not_read(scene: Scene) -> None:
    outside = scene.root.parent / "outside.md"
    outside.write_text(letter())
    (scene.root / LIVE).mkdir(parents=True)
    (scene.root / LIVE / NAME).symlink_to(outside)
    os.mkfifo(scene.root / LIVE / OTHER)
    live(scene, b"x" * ((1 << 20) + 1), f"HANDOFF-{DAY}-large.md")
    (scene.root / ARCHIVE).symlink_to(outside.parent)
    found = answer(scene)
    assert (found.active, found.findings, found.archive) == ([], [], [])
    assert sorted(each.rpartition(" ")[2] for each in found.faults) == ["file.", "followed.", "read.", "read."]


def test_an_unchanged_letter_is_not_opened_again(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    path = live(scene, letter())
    os.utime(path, (1, 1))
    opened = checkout(scene)
    later = datetime(2027, 1, 1, tzinfo=UTC)
    assert len(ask(opened, "handoffs.state", later).active) == 1
    monkeypatch.setattr("cockpit.store.letters.parse", None)
    assert len(ask(opened, "handoffs.state", later).active) == 1
    live(scene, letter(effort="x"))
    with pytest.raises(TypeError):
        ask(checkout(scene), "handoffs.state", later)


def test_without_git_no_commit_is_called_missing(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    live(scene, letter(body("Done in deadbee1.")))
    opened = checkout(scene)
    monkeypatch.setattr("git.Git.GIT_PYTHON_GIT_EXECUTABLE", "/nonexistent/git")
    found = ask(opened, "handoffs.state")
    assert (found.findings, "none is called missing" in found.faults[-1]) == ([], True)


# ---------------------------------------------------------------------- the rules
def _pair(scene: Scene, **fields: str) -> None:
    live(scene, letter(), OTHER)
    live(scene, letter(**fields))


def _noted(scene: Scene, digest: str) -> None:
    archived(scene, consumed(), noted=f"; sha256:{digest}")


def _supersedes(scene: Scene, digest: str) -> None:
    archived(scene, consumed(leg="0"), OTHER)
    live(scene, letter(supersedes=f"{ARCHIVE}/{OTHER} sha256:{digest}"))


SECRET = "AKIA" + "IOSFODNN7EXAMPLQ"
TALK = "**User:** Why?\n\n**Assistant:** Because.\n\n**User:** I see.\n"
GOOD = hashlib.sha256(consumed().encode()).hexdigest()
GOOD_OTHER = hashlib.sha256(consumed(leg="0").encode()).hexdigest()

Case = Callable[[Scene], object]
RULES: dict[str, tuple[Case, Case]] = {
    "metadata-missing": (lambda s: live(s, letter(effort=None)), lambda s: live(s, letter(effort="e", title="\n\n"))),
    "duplicate-active": (_pair, lambda s: _pair(s, leg="2")),
    "consumed-live": (lambda s: live(s, consumed()), lambda s: live(s, letter(status="active, not consumed"))),
    "consumed-undated": (lambda s: archived(s, consumed(consumed_at="Pending")), lambda s: archived(s, consumed())),
    "active-archived": (lambda s: archived(s, letter()), lambda s: archived(s, consumed(status="CONSUMED by mara"))),
    "supersedes-missing": (
        lambda s: live(s, letter(supersedes=f"{LIVE}/{OTHER}")),
        lambda s: (live(s, letter(supersedes=f"{LIVE}/{OTHER}")), archived(s, consumed(leg="0"), OTHER)),
    ),
    "supersedes-cycle": (
        lambda s: _pair(s, leg="2", supersedes=f"{LIVE}/{NAME}"),
        lambda s: (live(s, letter(supersedes=f"{ARCHIVE}/{OTHER}")), archived(s, consumed(leg="0"), OTHER)),
    ),
    "superseded-active": (
        lambda s: _pair(s, leg="2", supersedes=f"{LIVE}/{OTHER}"),
        lambda s: (live(s, letter(supersedes=f"{ARCHIVE}/{OTHER}")), archived(s, consumed(), OTHER)),
    ),
    "date-invalid": (
        lambda s: live(s, letter(), "HANDOFF-2026-02-30-x.md"),
        lambda s: live(s, letter(), "HANDOFF-2024-02-29-x.md"),
    ),
    "digest-mismatch": (lambda s: _noted(s, "0" * 64), lambda s: _noted(s, GOOD)),
    "secret": (lambda s: live(s, letter(body(more=f"\n{SECRET}\n"))), lambda s: live(s, letter(body(more=f"\n{GOOD}\n")))),
    "transcript": (
        lambda s: live(s, letter(body(more=TALK))),
        lambda s: live(s, letter(body(more="User: a clerk\n\nAssistant: none yet\n"))),
    ),
    "path-missing": (
        lambda s: live(s, letter(body("Wrote `src/gone.py`."))),
        lambda s: live(s, letter(body("Removed `src/gone.py`.", verification="sh src/none.sh"))),
    ),
    "commit-missing": (
        lambda s: live(s, letter(body("In deadbee1."))),
        lambda s: live(s, letter(body(f"In {s.head[:7]}.", verification="git show deadbee1"))),
    ),
    "placeholder": (
        lambda s: live(s, letter(body(more="\n<your name here>\n"))),
        lambda s: live(s, letter(body(more="\n`<slug>` is the name, and a TODO in it is known.\n"))),
    ),
    "verification-missing": (lambda s: live(s, letter(body(verification="\n"))), lambda s: live(s, letter(body(verification="x")))),
    "not-indexed": (lambda s: s.write(f"{ARCHIVE}/{NAME}", consumed()), lambda s: archived(s, consumed())),
    "large": (
        lambda s: live(s, letter(body(more="x" * (15361 - len(letter(body())))))),
        lambda s: live(s, letter(body(more="x" * (15360 - len(letter(body())))))),
    ),
}  # fmt: skip
WARNINGS = {
    "transcript",
    "path-missing",
    "commit-missing",
    "placeholder",
    "verification-missing",
    "not-indexed",
    "large",
}


@pytest.mark.parametrize("code", RULES)
def test_a_letter_that_breaks_one_rule_has_one_finding(scene: Scene, code: str) -> None:
    RULES[code][0](scene)
    found = answer(scene)
    assert [(each.code, each.severity) for each in found.findings] == [
        (code, "warning" if code in WARNINGS else "error")
    ]
    (one,) = found.findings
    assert (scene.root / one.path).is_file()
    assert one.sentence.endswith(".")
    assert (found.counts.errors, found.counts.warnings) == ((0, 1) if code in WARNINGS else (1, 0))


@pytest.mark.parametrize("code", RULES)
def test_a_letter_that_just_keeps_a_rule_has_none(scene: Scene, code: str) -> None:
    RULES[code][1](scene)
    assert codes(scene) == []


def _line(path: Path, words: str) -> int:
    return path.read_text().split("\n").index(words) + 1


def test_a_finding_names_the_line(scene: Scene) -> None:
    path = live(
        scene,
        letter(body("\nIn `a/b.py`,\nand in deadbee1.", more=f"\n{SECRET}\n\nTBD\n\n{TALK}"), supersedes="x/y.md"),
    )
    assert [(each.code, each.line) for each in answer(scene).findings] == [
        ("supersedes-missing", _line(path, "Supersedes: x/y.md")),
        ("secret", _line(path, SECRET)),
        ("placeholder", _line(path, "TBD")),
        ("transcript", _line(path, "**User:** Why?")),
        ("path-missing", _line(path, "In `a/b.py`,")),
        ("commit-missing", _line(path, "and in deadbee1.")),
    ]


def test_a_secret_is_never_shown_whole(scene: Scene) -> None:
    live(scene, letter(body(more=f"\n{SECRET}\n")))
    (found,) = answer(scene).findings
    assert "AKIA…" in found.sentence
    assert SECRET[:6] not in found.sentence


@pytest.mark.parametrize("field", ["status", "effort", "leg", "supersedes", "consumed_at"])
@pytest.mark.parametrize("said", [None, ""])
def test_each_of_the_five_fields_is_wanted(scene: Scene, field: str, said: str | None) -> None:
    live(scene, letter(**{field: said}))
    (found,) = answer(scene).findings
    assert (found.code, field.replace("_", "-").capitalize() in found.sentence) == ("metadata-missing", True)


def test_several_missing_fields_are_one_finding(scene: Scene) -> None:
    live(scene, "# Labels\n\n## Verification\n\nx\n")
    (found,) = answer(scene).findings
    assert "its Status, Effort, Leg, Supersedes and Consumed-at" in found.sentence


@pytest.mark.parametrize("said", ["yesterday", "2026-09-11", "2026-09-31T00:00:00Z", "2026-09-13T00:00:00Z"])
def test_what_is_no_past_instant_is_no_date_of_consumption(scene: Scene, said: str) -> None:
    archived(scene, consumed(consumed_at=said))
    assert codes(scene) == ["date-invalid"]


def test_a_letter_in_force_was_not_consumed(scene: Scene) -> None:
    live(scene, letter(consumed_at=letters.INSTANT))
    assert codes(scene) == ["date-invalid"]


@pytest.mark.parametrize("said", ["0" * 64, GOOD_OTHER])
def test_a_digest_beside_what_is_superseded_is_held_against_its_bytes(scene: Scene, said: str) -> None:
    _supersedes(scene, said)
    found = answer(scene).findings
    assert [(each.code, each.path) for each in found] == (
        [] if said == GOOD_OTHER else [("digest-mismatch", f"{ARCHIVE}/{OTHER}")]
    )


@pytest.mark.parametrize("said", ["00", "", "0" * 63, "A" * 64, "x" * 64])
def test_a_digest_that_is_none_is_said_and_what_is_superseded_is_found_all_the_same(scene: Scene, said: str) -> None:
    _supersedes(scene, said)
    (found,) = answer(scene).findings
    assert (found.code, found.path, found.line) == ("digest-mismatch", f"{LIVE}/{NAME}", 6)
    assert f"malformed (“sha256:{said}”)" in found.sentence
    assert answer(scene).active[0].supersedes == f"{ARCHIVE}/{OTHER}"


def test_the_commands_beside_a_changed_letter_show_what_is_committed_and_what_is_not(scene: Scene) -> None:
    name = f"HANDOFF-{DAY}-a[b].md"
    archived(scene, consumed(), name, noted=f"; sha256:{GOOD}")
    scene.commit("Hand over")
    archived(scene, consumed(leg="7"), name, noted=f"; sha256:{GOOD}")
    (found,) = answer(scene).findings
    diff, log = found.sentence.split("`")[1:4:2]
    assert ("+Leg: 7" in paste(diff).stdout.decode(), "+Leg: 1" in paste(log).stdout.decode()) == (True, True)


def test_a_digest_of_before_the_letter_was_consumed_holds_as_long_as_the_index_says_so(scene: Scene) -> None:
    archived(scene, consumed(leg="0"), OTHER, noted=f"; sha256:{GOOD_OTHER}; was sha256:{'1' * 64}")
    live(scene, letter(supersedes=f"{LIVE}/{OTHER} sha256:{'1' * 64}"))
    assert codes(scene) == []
    live(scene, letter(supersedes=f"{LIVE}/{OTHER} sha256:{'2' * 64}"))
    assert codes(scene) == ["digest-mismatch"]


@pytest.mark.parametrize("length", [1, 2, 3])
def test_a_cycle_of_any_length_is_one_finding(scene: Scene, length: int) -> None:
    names = [f"HANDOFF-{DAY}-{number}.md" for number in range(length)]
    for number, name in enumerate(names):
        live(scene, letter(leg=str(number), supersedes=f"{LIVE}/{names[(number + 1) % length]}"), name)
    (found,) = answer(scene).findings
    assert (found.code, found.path) == ("supersedes-cycle", f"{LIVE}/{names[0]}")


def test_three_letters_of_one_leg_are_one_finding_and_case_makes_no_other_effort(scene: Scene) -> None:
    for number, effort in enumerate(("labels", "Labels", "LABELS")):
        live(scene, letter(effort=effort), f"HANDOFF-2026-09-0{number + 1}-x.md")
    (found,) = answer(scene).findings
    assert (found.code, found.path) == ("duplicate-active", f"{LIVE}/HANDOFF-2026-09-03-x.md")
    assert "HANDOFF-2026-09-01-x.md" in found.sentence
    assert "HANDOFF-2026-09-02-x.md" in found.sentence


def test_an_archived_letter_is_not_held_against_the_disk_of_today(scene: Scene) -> None:
    archived(scene, consumed(body("Wrote `src/gone.py` in deadbee1.")))
    assert codes(scene) == []


def test_how_an_archived_letter_is_written_is_not_held_against_it(scene: Scene) -> None:
    prose = body(more=f"\n<your name here>\n\n{TALK}\n{'x' * (16 << 10)}\n", verification="\n")
    live(scene, letter(prose), OTHER)
    assert {each.code for each in answer(scene).findings} == OF_PROSE
    (scene.root / LIVE / OTHER).unlink()
    archived(scene, consumed(prose))
    assert codes(scene) == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (consumed(effort=None), "metadata-missing"),
        (consumed(consumed_at="yesterday"), "date-invalid"),
        (consumed(supersedes=f"{LIVE}/{OTHER}"), "supersedes-missing"),
        (consumed(supersedes=f"{LIVE}/{NAME}"), "supersedes-cycle"),
        (consumed(body(more=f"\n{SECRET}\n")), "secret"),
    ],
)
def test_what_has_to_be_mended_in_an_archived_letter_is_to_be_noted_anew(scene: Scene, text: str, code: str) -> None:
    archived(scene, text)
    (found,) = answer(scene).findings
    assert (found.code, "correct what INDEX.md notes of it too." in found.sentence) == (code, True)
    (scene.root / ARCHIVE / NAME).rename(live(scene, ""))
    assert "INDEX.md notes" not in next(each.sentence for each in answer(scene).findings if each.code == code)


@pytest.mark.parametrize(
    "line",
    [f"* {NAME}", f"| [x](../archive/{NAME}) | labels |", f"[{NAME}](<{NAME}>)", f"- {NAME.replace('-', '%2D')}"],
)
def test_an_index_may_be_written_by_hand(scene: Scene, line: str) -> None:
    scene.write(f"{ARCHIVE}/{NAME}", consumed())
    scene.write(f"{ARCHIVE}/INDEX.md", f"# Done\n\n{line}\n")
    assert codes(scene) == ([] if "%" not in line else ["not-indexed"])


def test_an_index_that_cannot_be_read_says_nothing_about_letters(scene: Scene) -> None:
    scene.write(f"{ARCHIVE}/{NAME}", consumed())
    (scene.root / ARCHIVE / "INDEX.md").mkdir()
    found = answer(scene)
    assert (found.findings, "INDEX.md is a folder" in found.faults[0]) == ([], True)


@pytest.mark.parametrize(
    "name", [f"HANDOFF-{DAY}-a b'c.md", f"HANDOFF-{DAY}-\udcff\n.md", f"HANDOFF-{DAY}-$(touch x).md"]
)
def test_a_hostile_name_is_told_and_quoted(scene: Scene, name: str) -> None:
    live(scene, consumed(), name)
    (found,) = answer(scene).findings
    assert (found.code, found.path.isprintable() or "\n" in found.path) == ("consumed-live", True)
    assert isinstance(found.remedy, str)
    assert found.remedy.isprintable()


def test_a_letter_whose_name_is_taken_in_the_archive_has_no_command_that_would_fail(scene: Scene) -> None:
    live(scene, consumed())
    archived(scene, consumed())
    (found,) = answer(scene).findings
    assert (found.code, bool(found.remedy)) == ("consumed-live", False)


@pytest.mark.parametrize(
    "talk",
    [
        "Human: a\nAssistant: b\nHuman: c",
        "### User\na\n### Assistant\nb\n### User\nc",
        '{"role": "user"}\n{"role": "assistant"}\n{"role": "user"}',
        '[{"role":"user"},{"role":"assistant"},{"role":"user"}]',
        "> [10:02] You: a\n> [10:03] Claude: b\n> [10:04] You: c",
        "```\nUser: a\nCodex (gpt): b\nUser: c\n```",
    ],
)
def test_a_pasted_conversation_has_many_forms(scene: Scene, talk: str) -> None:
    live(scene, letter(body(more=f"\n{talk}\n")))
    assert codes(scene) == ["transcript"]


@pytest.mark.parametrize(
    "text", ["TBD", "- TODO", "Owner: ...", "{{ goal }}", "<fill this in>", "[describe the goal]", "lorem ipsum"]
)
def test_text_of_a_template_has_many_forms(scene: Scene, text: str) -> None:
    live(scene, letter(body(more=f"\n{text}\n")))
    assert codes(scene) == ["placeholder"]


@pytest.mark.parametrize(
    "text", ["- TODO: print A5", "<details>", "[the date](docs/x.md)", "`{{ goal }}`", "```\nTBD\n```", "wait ..."]
)
def test_ordinary_text_is_no_template(scene: Scene, text: str) -> None:
    live(scene, letter(body(more=f"\n{text}\n")))
    assert codes(scene) == []


def test_commits_that_are_too_many_to_be_looked_up_are_said(scene: Scene) -> None:
    live(scene, letter(body("\n".join(f"- {number:07x}abc" for number in range(MOST + 3)))))
    assert answer(scene).faults == [f"The letters name {MOST + 3} commits; the last 3 were not looked up."]


def test_no_command_is_offered_that_would_be_refused_since_the_index_of_the_archive_cannot_be_read(
    scene: Scene,
) -> None:
    live(scene, consumed())
    assert [bool(each.remedy) for each in answer(scene).findings if each.code == "consumed-live"] == [True]
    (scene.root / ARCHIVE / "INDEX.md").mkdir(parents=True)
    assert [bool(each.remedy) for each in answer(scene).findings if each.code == "consumed-live"] == [False]
