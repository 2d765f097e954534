"""What a person or an agent writes by hand: an episode, a checkpoint, a handover, a rotation."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cockpit.cli import main
from tests.builders import STATE, Scene
from tests.recorder.team import answers, closed_records, events, fire, healthy, open_records, pointed, recovered, team

WHOLE = "# Objective\n\nShip it.\n\n# Current State\n\nHalf.\n\n# Next Action\n\nRun the tests.\n"


@pytest.fixture
def here(tmp_path: Path) -> Scene:
    return team(tmp_path / "repo")


def run(scene: Scene, *arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(main, [*arguments, "--repo", str(scene.root)], input=stdin)


def test_an_episode_by_hand(here: Scene) -> None:
    opened = run(here, "episode", "start", "--owner", "mara: #1", "--worker", "opus")
    assert opened.exit_code == 0
    assert run(here, "episode", "start").output == f"{opened.output.strip()} (was open already)\n"
    (episode,) = healthy(here.root)["lifecycle.episodes"]["episodes"]
    assert (episode["owner"], episode["worker"], episode["standing"]) == ("mara: #1", "opus", "current")
    assert (pointed(here.root), "provider" in episode) == ("hand.yaml", False)
    closed = run(here, "episode", "close", "--outcome", "interrupted", stdin="What came of it.\n")
    assert closed.exit_code == 0
    said = (here.root / closed.output.strip()).read_text()
    assert "outcome: interrupted\n" in said
    assert said.endswith("---\n\nWhat came of it.\n")
    assert run(here, "episode", "close").exit_code == 3
    healthy(here.root)


def test_notes_are_what_the_next_worker_is_handed(here: Scene) -> None:
    fire("claude-code", "start", "a", here.root)
    assert run(here, "checkpoint", stdin="Half way.\n").exit_code == 0
    assert run(here, "handover", stdin=WHOLE).exit_code == 0
    state = healthy(here.root)["continuity.state"]
    assert state["handover"]["next_action"] == "Run the tests."
    assert state["handover"]["matched"] == state["checkpoint"]["matched"] == "same_worktree_same_branch"
    assert state["handover"]["divergence"] == "exact"
    session = events(here.root, "session.started")[0]["session"]
    assert {line["session"] for line in events(here.root, "task.checkpoint", "task.handed_over")} == {session}
    fire("claude-code", "end", "a", here.root)
    assert "handovers:\n  - .ai/local/state/handovers/" in closed_records(here.root)[0].read_text()


def test_a_note_carries_the_active_task_and_needs_none(here: Scene) -> None:
    run(here, "checkpoint", stdin="Without.")
    here.task("t-20260911000000-0001")
    run(here, "checkpoint", stdin="With.")
    assert [line.get("task_id") for line in events(here.root, "task.checkpoint")] == [None, "t-20260911000000-0001"]


def test_a_derived_handover_says_only_what_is_known(here: Scene) -> None:
    assert run(here, "handover", "--derive").exit_code == 0
    here.task()
    here.questions("- [unresolved] t-1 - Which colour? (2026-09-11)\n")
    here.write("new.txt", "x")
    assert run(here, "handover", "--derive").exit_code == 0
    text = max((here.root / STATE / "handovers").glob("*.md"), key=lambda p: p.stat().st_mtime_ns).read_text()
    assert "Do one thing" in text
    assert "`new.txt`" in text
    assert "Which colour?" in text.partition("# Next Action")[2]
    assert "handover" in healthy_but_for_blockers(here)


def healthy_but_for_blockers(scene: Scene) -> dict[str, object]:
    state: dict[str, object] = answers(scene.root)["continuity.state"]
    return state


@pytest.mark.parametrize(
    "body",
    [
        "head: abc\n",
        "Done.\n- **Branch**: main\n",
        "worktree: /x",
        "  session_id : s-1",
        "* `task_id`: t-1",
        "OWNER: me",
        "changed_files:",
    ],
)
def test_identity_is_never_authored(here: Scene, body: str) -> None:
    for command in ("checkpoint", "handover"):
        done = run(here, command, stdin=WHOLE + body if command == "handover" else body)
        assert (done.exit_code, "git is asked" in done.output) == (3, True)
    run(here, "episode", "start")
    assert run(here, "episode", "close", stdin=body).exit_code == 3
    assert len(open_records(here.root)) == 1


TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.mark.parametrize("command", [("checkpoint",), ("handover",), ("episode", "close")])
def test_a_credential_is_not_written_down(here: Scene, command: tuple[str, ...]) -> None:
    run(here, "episode", "start")
    before = here.picture()
    done = run(here, *command, stdin=f"\n{WHOLE}Push with {TOKEN}.\n")
    number = WHOLE.count("\n") + 2
    assert (done.exit_code, f"Line {number} of the text" in done.output, "ghp_…" in done.output) == (3, True, True)
    assert TOKEN not in done.output
    assert here.picture() == before


@pytest.mark.parametrize("source", ["question", "file"])
def test_a_credential_on_record_is_not_composed_into_a_handover(here: Scene, source: str) -> None:
    if source == "question":
        here.questions(f"- [unresolved] t-1 - Is {TOKEN} still good? (2026-09-11)\n")
    else:
        here.write(f"{TOKEN}.txt", "x")
    done = run(here, "handover", "--derive")
    assert (done.exit_code, "of the composed text" in done.output, TOKEN in done.output) == (3, True, False)
    assert not (here.root / STATE / "handovers").exists()


@pytest.mark.parametrize(
    "body", ["The head: it is done.", "```\nhead: abc\n```", "See branch: no, wait", "Ahead: more"]
)
def test_a_word_in_a_sentence_is_no_field(here: Scene, body: str) -> None:
    assert run(here, "checkpoint", stdin=body).exit_code == 0


def test_a_checkpoint_is_short(here: Scene) -> None:
    assert run(here, "checkpoint", stdin="x\n" * 40).exit_code == 0
    refused = run(here, "checkpoint", stdin="x\n" * 41)
    assert (refused.exit_code, "handover" in refused.output) == (3, True)
    assert run(here, "checkpoint", stdin=" \n").exit_code == 3


@pytest.mark.parametrize(
    ("body", "said", "action"),
    [
        ("Half way.\n", "no section “# Next Action”", None),
        ("Half way.\n\n# Next Action\n\nPrint it.\n", "shows the section “# Next Action”", "Print it."),
    ],
)
def test_a_checkpoint_says_what_the_page_will_show_of_it(here: Scene, body: str, said: str, action: str | None) -> None:
    done = run(here, "checkpoint", stdin=body)
    assert (here.root / done.stdout.strip()).is_file()
    assert said in done.stderr
    assert answers(here.root)["continuity.state"]["checkpoint"].get("next_action") == action


@pytest.mark.parametrize("missing", ["Objective", "Current State", "Next Action"])
def test_a_handover_has_its_three_sections(here: Scene, missing: str) -> None:
    done = run(here, "handover", stdin=WHOLE.replace(f"# {missing}", f"## {missing}"))
    assert (done.exit_code, missing in done.output) == (3, True)


@pytest.mark.parametrize("command", [("episode", "start"), ("checkpoint",), ("handover", "--derive"), ("rotate",)])
def test_without_a_layer_nothing_is_written(tmp_path: Path, command: tuple[str, ...]) -> None:
    scene = Scene.create(tmp_path / "repo", layer=False)
    before = scene.picture()
    done = run(scene, *command, stdin="x")
    assert (done.exit_code, "cockpit init" in done.output) == (2, True)
    assert scene.picture() == before


def test_rotation_moves_the_oldest_lines_and_the_books_stay(here: Scene) -> None:
    policy = here.root / ".ai/repo/policy.yaml"
    policy.write_text(policy.read_text().replace("5000", "6"))
    for name in ("a", "b", "c"):
        fire("claude-code", "start", name, here.root)
    fire("claude-code", "end", "a", here.root)
    before = (here.root / STATE / "ledger.jsonl").read_bytes()
    books = healthy(here.root)["lifecycle.recovery"]["balance"]
    done = run(here, "rotate")
    assert done.exit_code == 0
    archive, live = here.root / STATE / done.output.strip(), here.root / STATE / "ledger.jsonl"
    assert before.startswith(archive.read_bytes())
    assert (archive.read_bytes() + live.read_bytes()).startswith(before)
    assert [line["event"] for line in events(here.root)][-1] == "ledger.rotated"
    assert healthy(here.root)["lifecycle.recovery"]["balance"] == books
    assert run(here, "rotate").output.strip() != archive.name
    policy.write_text(policy.read_text().replace("6", "60000"))
    assert run(here, "rotate").output == "Nothing to move.\n"
    assert recovered(here.root) == []


def test_archives_keep_their_order_where_the_clock_goes_back(here: Scene) -> None:
    from cockpit.recorder import ledger, rotation

    fire("claude-code", "start", "a", here.root)
    names = []
    state = str(here.root / STATE)
    for ts in ("2026-11-30T12:00:00Z", "2026-11-30T12:00:00Z", "2026-11-30T09:00:00Z"):
        with ledger.Lock(state, 5):
            names.append(rotation.rotate(state, 0, ts, "mara", ("0" * 40, "main")))
    assert names == sorted(set(names))
    assert names[-1] == "ledger.20261130T120002Z.jsonl.archived"
    healthy(here.root)


def test_without_a_retention_nothing_is_too_much(here: Scene) -> None:
    policy = here.root / ".ai/repo/policy.yaml"
    policy.write_text(policy.read_text().replace("retention_max_lines", "something_else"))
    assert run(here, "rotate").exit_code == 3


def test_the_commands_refuse_where_another_writes(here: Scene) -> None:
    here.ledger('{"event":"x","by":"majordomus"}')
    for command in (("episode", "start"), ("checkpoint",), ("rotate",)):
        assert run(here, *command, stdin="x").exit_code == 3


@pytest.mark.parametrize("command", [["checkpoint"], ["handover"], ["episode", "close"]])
def test_more_than_a_note_may_have_is_refused_and_not_cut(here: Scene, command: list[str]) -> None:
    run(here, "episode", "start")
    before = here.picture()
    done = run(here, *command, stdin=f"{WHOLE}{'x' * (1 << 20)}")
    assert (done.exit_code, "holds more than 1 MiB" in done.output) == (3, True)
    assert here.picture() == before
