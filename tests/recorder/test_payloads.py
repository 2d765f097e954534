"""What providers really hand a hook, and what they should not: the hook ends with 0 and says nothing, whatever it is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cockpit.recorder import ledger
from cockpit.recorder.site import Refused
from tests.builders import STATE, Scene
from tests.recorder.team import (
    NOW,
    WORDS,
    closed_records,
    events,
    fire,
    healthy,
    hooked,
    open_records,
    payload,
    pointed,
    team,
)


@pytest.fixture
def here(tmp_path: Path) -> Scene:
    return team(tmp_path / "repo")


@pytest.mark.parametrize("provider", WORDS)
def test_an_episode_of_each_provider_from_its_start_to_its_end(here: Scene, provider: str) -> None:
    for kind in ("start", "compact", "end"):
        done = hooked(provider, payload(provider, kind, "0199-abc", here.root))
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert open_records(here.root) == []
    (record,) = closed_records(here.root)
    assert "outcome: closed\n" in record.read_text()
    assert "checkpoints:\n  - .ai/local/state/checkpoints/" in record.read_text()
    seen = healthy(here.root)
    assert (
        seen["lifecycle.recovery"]["balance"] | {"started": 1, "closed": 1, "open": 0}
        == seen["lifecycle.recovery"]["balance"]
    )
    assert seen["continuity.state"]["checkpoint"]["matched"] == "same_worktree_same_branch"


def test_the_receipt_comes_first(here: Scene) -> None:
    fire("claude-code", "start", "a", here.root)
    first, second = events(here.root)
    assert (first["event"], second["event"]) == ("provider.event.received", "session.started")
    assert (first["provider"], first["provider_event"], first["provider_session"]) == (
        "claude-code",
        "SessionStart",
        "a",
    )


def test_a_transcript_is_neither_opened_nor_stored(here: Scene, tmp_path: Path) -> None:
    secret = tmp_path / "transcript.jsonl"
    os.mkfifo(secret)  # opening it would hang
    for kind in ("start", "compact", "end"):
        done = hooked(
            "claude-code", payload("claude-code", kind, "a", here.root, transcript_path=str(secret), prompt="SECRET")
        )
        assert done.returncode == 0
    kept = b"".join(p.read_bytes() for p in (here.root / ".ai").rglob("*") if p.is_file())
    assert b"SECRET" not in kept
    assert b"transcript.jsonl" not in kept


def test_a_hundred_and_nineteen_starts_are_one_episode(here: Scene) -> None:
    for _ in range(119):
        fire("claude-code", "start", "same", here.root)
    assert len(open_records(here.root)) == 1
    assert len(events(here.root, "session.started")) == 1
    assert len(events(here.root, "session.resumed")) == 118
    assert len(events(here.root, "provider.event.received")) == 119
    healthy(here.root)


@pytest.mark.parametrize("source", ["resume", "compact", "clear", "fork"])
def test_a_start_of_an_open_episode_keeps_it(here: Scene, source: str) -> None:
    fire("claude-code", "start", "a", here.root)
    before = open_records(here.root)[0].read_bytes()
    fire("claude-code", "start", "a", here.root, source=source)
    assert open_records(here.root)[0].read_bytes() == before


def test_two_providers_may_use_one_id(here: Scene) -> None:
    fire("claude-code", "start", "same", here.root)
    fire("codex", "start", "same", here.root)
    assert len(open_records(here.root)) == 2
    fire("codex", "end", "same", here.root)
    (left,) = open_records(here.root)
    assert "provider: claude-code\n" in left.read_text()
    healthy(here.root)


def test_a_second_end_is_nothing(here: Scene) -> None:
    fire("gemini", "start", "g", here.root)
    fire("gemini", "end", "g", here.root)
    fire("gemini", "end", "g", here.root)
    assert len(closed_records(here.root)) == 1
    assert len(events(here.root, "session.closed")) == 1
    healthy(here.root)


def test_an_end_closes_its_own_episode_and_no_other(here: Scene) -> None:
    fire("claude-code", "start", "a", here.root)
    fire("claude-code", "start", "b", here.root)
    fire("claude-code", "end", "never-seen", here.root)
    assert [p.stem for p in open_records(here.root)] == ["a", "b"]
    fire("claude-code", "end", "a", here.root)
    assert [p.stem for p in open_records(here.root)] == ["b"]
    healthy(here.root)


def test_a_start_after_an_end_is_an_episode_of_its_own(here: Scene) -> None:
    for kind in ("start", "end", "start"):
        fire("claude-code", kind, "a", here.root)
    started = [line["session"] for line in events(here.root, "session.started")]
    assert len(set(started)) == 2
    healthy(here.root)


@pytest.mark.parametrize(
    ("reason", "outcome"), [("clear", "closed"), ("other", "interrupted"), ("brand new", "interrupted")]
)
def test_the_reason_of_an_end_decides_its_outcome(here: Scene, reason: str, outcome: str) -> None:
    fire("claude-code", "start", "a", here.root)
    fire("claude-code", "end", "a", here.root, reason=reason)
    assert f"outcome: {outcome}\n" in closed_records(here.root)[0].read_text()


def test_a_subagent_neither_starts_nor_ends_an_episode(here: Scene) -> None:
    fire("claude-code", "start", "sub", here.root, agent_id="agent-7")
    assert open_records(here.root) == []
    fire("claude-code", "start", "a", here.root)
    fire("claude-code", "end", "a", here.root, agent_id="agent-7")
    assert len(open_records(here.root)) == 1
    assert len(events(here.root, "provider.event.received")) == 3


def test_an_unknown_event_leaves_its_receipt_alone(here: Scene) -> None:
    fire("claude-code", "start", "a", here.root, hook_event_name="Notification")
    assert [line["event"] for line in events(here.root)] == ["provider.event.received"]


def test_an_event_without_a_session_leaves_its_reason(here: Scene) -> None:
    fire("claude-code", "start", "", here.root)
    assert [line["event"] for line in events(here.root)] == ["provider.event.received", "provider.event.failed"]
    assert events(here.root)[1]["reason"]


def test_a_folder_below_the_checkout_leads_to_it(here: Scene) -> None:
    (here.root / "deep/er").mkdir(parents=True)
    fire("claude-code", "start", "a", here.root / "deep/er")
    assert len(open_records(here.root)) == 1


def test_a_folder_that_was_deleted_starts_nothing_and_still_ends_its_own(here: Scene) -> None:
    gone = here.root / "gone"
    fire("claude-code", "start", "a", here.root)
    fire("claude-code", "end", "a", gone)
    assert len(closed_records(here.root)) == 1
    fire("claude-code", "start", "b", gone)
    assert open_records(here.root) == []
    assert events(here.root, "provider.event.failed")[0]["provider_session"] == "b"


@pytest.mark.parametrize("cwd", ["", "/", "relative", "/nul\0in", "/nowhere/at/all"])
def test_a_folder_outside_any_repository_records_nothing(here: Scene, cwd: str) -> None:
    with pytest.raises(Refused):
        fire("claude-code", "start", "a", cwd)
    assert not (here.root / STATE).exists()


def test_a_repository_without_a_layer_is_left_alone(tmp_path: Path) -> None:
    scene = Scene.create(tmp_path / "bare", layer=False)
    before = scene.picture()
    done = hooked("claude-code", payload("claude-code", "start", "a", scene.root))
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"cockpit init" in done.stderr
    assert scene.picture() == before


ODD: dict[str, bytes] = {
    "nothing": b"",
    "no JSON": b"hello",
    "half": b'{"session_id": "a", "cwd": ',
    "a list": b"[]",
    "null": b"null",
    "two": b"{}{}",
    "deep": b"[" * 200_000,
    "nulls": b'{"session_id": null, "cwd": null, "hook_event_name": null}',
    "numbers": b'{"session_id": 7, "cwd": 7, "hook_event_name": 7}',
    "no UTF-8": b'{"session_id": "\xff", "cwd": "/\xff"}',
    "surrogate": b'{"session_id": "\\ud800", "cwd": "/\\ud800", "hook_event_name": "SessionStart"}',
    "NaN": b'{"a": NaN}',
    "long number": b'{"a": ' + b"9" * 5000 + b"}",
    "byte order mark": b"\xef\xbb\xbf{}",
}


@pytest.mark.parametrize("what", ODD)
def test_whatever_stands_on_the_input_the_hook_ends_with_0(what: str) -> None:
    done = hooked("claude-code", ODD[what])
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr.startswith(b"cockpit: ")


NO_EVENT = {
    "nothing": (b"", "standard input holds no JSON object"),
    "no JSON": (b"hello", "standard input holds no JSON object"),
    "a list": (b"[]", "standard input holds JSON that is no object"),
    "too much": (b" " * ((16 << 20) + 1), "standard input holds more than 16 MiB"),
    "no folder": (b'{"hook_event_name": "SessionStart", "session_id": "a"}', "it names no folder"),
}


@pytest.mark.parametrize("what", NO_EVENT)
def test_what_is_no_event_leaves_its_receipt_and_the_reason_where_the_hook_runs(here: Scene, what: str) -> None:
    data, reason = NO_EVENT[what]
    (here.root / "deep").mkdir()
    done = hooked("codex", data, at=here.root / "deep")
    assert (done.returncode, done.stdout, reason in done.stderr.decode()) == (0, b"", True)
    received, failed = events(here.root)
    assert (received["event"], failed["event"]) == ("provider.event.received", "provider.event.failed")
    assert (received["provider"], failed["reason"]) == ("codex", reason)
    assert open_records(here.root) == []
    healthy(here.root)


def test_what_is_no_event_while_another_writes_is_kept_with_its_reason(here: Scene) -> None:
    state = str(here.root / STATE)
    ledger.prepare(state)
    with ledger.Lock(state, 5):
        hooked("codex", b"hello", at=here.root)
    assert events(here.root) == []
    fire("codex", "start", "a", here.root)
    assert [line["event"] for line in events(here.root)][:2] == ["provider.event.received", "provider.event.failed"]
    healthy(here.root)


def test_no_briefing_is_printed_of_a_start_that_names_no_folder(here: Scene) -> None:
    policy = here.root / ".ai/repo/policy.yaml"
    policy.write_text(policy.read_text().replace("session:\n", "session:\n  briefing_on_start: true\n"))
    assert hooked("codex", {"hook_event_name": "SessionStart", "session_id": "a"}, at=here.root).stdout == b""


def test_an_unknown_provider_is_0_too() -> None:
    done = hooked("nobody", {})
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"no adapter for nobody" in done.stderr


def test_ten_megabytes_are_read_and_not_kept(here: Scene) -> None:
    done = hooked("claude-code", payload("claude-code", "start", "big", here.root, prompt="x" * (10 << 20)))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert len(open_records(here.root)) == 1
    assert (here.root / STATE / "ledger.jsonl").stat().st_size < 4096


def test_an_input_that_is_never_closed_is_not_waited_for(here: Scene) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "cockpit", "hook", "codex"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin
        process.stdin.write(json.dumps(payload("codex", "start", "a", here.root)).encode())
        process.stdin.flush()
        assert process.wait(timeout=10) == 0
    assert len(open_records(here.root)) == 1


HOSTILE = [
    "..",
    ".",
    "../../etc/passwd",
    "a/b",
    "a\nb",
    "-rf",
    " ",
    "\u202e",
    "ü",
    "x" * 5000,
    "%2F",
    "hand",
    '"',
    "#1",
    "a: b",
    "\0",
]


@pytest.mark.parametrize("session", HOSTILE)
def test_whatever_an_id_holds_it_is_a_file_name_and_read_back(here: Scene, session: str) -> None:
    fire("claude-code", "start", session, here.root)
    (record,) = open_records(here.root)
    assert len(record.name.encode()) <= 205
    assert record.name.isascii()
    (episode,) = healthy(here.root)["lifecycle.episodes"]["episodes"]
    assert episode["provider_session"] == session
    assert episode["standing"] == "current"
    fire("claude-code", "end", session, here.root)
    assert open_records(here.root) == []
    healthy(here.root)


def test_an_episode_by_hand_and_a_provider_session_called_hand_are_two(here: Scene) -> None:
    fire("claude-code", "start", "hand", here.root)
    here.open_episode("hand-1", "s-20260911000001-aaaa", provider=None, provider_session=None)
    fire("claude-code", "end", "hand", here.root)
    assert [p.stem for p in open_records(here.root)] == ["hand-1"]


@pytest.mark.parametrize("variable", ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR"])
def test_the_environment_does_not_name_the_checkout(here: Scene, tmp_path: Path, variable: str) -> None:
    other = Scene.create(tmp_path / "other")
    before = other.picture()
    done = hooked(
        "claude-code", payload("claude-code", "start", "a", here.root), **{variable: str(other.root / ".git")}
    )
    assert done.returncode == 0
    assert "start_working_tree: clean\n" in open_records(here.root)[0].read_text()
    assert other.picture() == before


def test_each_worktree_has_its_own_books(here: Scene) -> None:
    side = here.worktree("side", here.root.parent / "side")
    fire("claude-code", "start", "a", here.root)
    fire("claude-code", "start", "b", side)
    assert [p.stem for p in open_records(here.root)] == ["a"]
    assert [p.stem for p in open_records(side)] == ["b"]
    fire("claude-code", "end", "b", here.root)  # the id of another worktree's episode closes nothing here
    assert [p.stem for p in open_records(side)] == ["b"]
    fire("claude-code", "end", "b", side)
    for root in (here.root, side):
        healthy(root)
    assert closed_records(here.root) == []
    assert "branch: side\n" in closed_records(side)[0].read_text()


def test_a_worktree_that_lacks_the_layer_is_recorded_where_the_root_has_it(tmp_path: Path) -> None:
    scene = Scene.create(tmp_path / "repo", layer=False)
    side = scene.worktree("side", tmp_path / "side")
    scene.layer()
    fire("codex", "start", "a", side)
    assert len(open_records(side)) == 1
    assert scene.git("status", "--porcelain", at=side) == ""


def test_the_pointer_follows_the_newest_start_and_falls_back(here: Scene) -> None:
    fire("claude-code", "start", "a", here.root, "2026-11-30T10:00:00Z")
    fire("claude-code", "start", "b", here.root, "2026-11-30T11:00:00Z")
    assert pointed(here.root) == "b.yaml"
    fire("claude-code", "start", "a", here.root, "2026-11-30T11:30:00Z", source="compact")
    assert pointed(here.root) == "b.yaml"
    fire("claude-code", "end", "b", here.root)
    assert pointed(here.root) == "a.yaml"
    fire("claude-code", "end", "a", here.root)
    assert not os.path.lexists(here.root / STATE / "session-current.yaml")


def test_a_clock_that_goes_back_loses_nothing(here: Scene) -> None:
    fire("claude-code", "start", "a", here.root, "2026-11-30T12:00:00Z")
    fire("claude-code", "compact", "a", here.root, "2026-11-30T11:00:00Z")
    fire("claude-code", "start", "b", here.root, "2026-11-30T10:00:00Z")
    assert pointed(here.root) == "b.yaml"
    fire("claude-code", "end", "a", here.root, "2026-11-30T09:00:00Z")
    fire("claude-code", "end", "b", here.root, "2026-11-30T09:00:00Z")
    assert len(closed_records(here.root)) == 2
    healthy(here.root)


def test_what_is_written_is_private(here: Scene) -> None:
    for kind in ("start", "compact"):
        fire("claude-code", kind, "a", here.root)
    for path in (here.root / ".ai/local").rglob("*"):
        if not path.is_symlink():
            assert path.stat().st_mode & 0o777 == (0o700 if path.is_dir() else 0o600), path


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    scene = Scene.create(tmp_path / "repo")
    outside = tmp_path / "outside"
    outside.mkdir()
    (scene.root / ".ai/local").symlink_to(outside)
    with pytest.raises(Refused):
        fire("claude-code", "start", "a", scene.root)
    assert list(outside.iterdir()) == []


def test_the_commits_of_an_episode_are_its_own(here: Scene) -> None:
    fire("claude-code", "start", "a", here.root)
    heads = [here.commit(f"Step {n}") for n in range(3)]
    fire("claude-code", "end", "a", here.root)
    said = closed_records(here.root)[0].read_text()
    assert "commits:\n" + "".join(f"  - {head[:7]}\n" for head in heads) in said
    fire("claude-code", "start", "b", here.root)
    here.git("reset", "--quiet", "--soft", "HEAD~2")
    fire("claude-code", "end", "b", here.root, "2026-11-30T13:00:00Z")
    assert "commits:\n  - diverged\n" in closed_records(here.root)[1].read_text()


@pytest.mark.parametrize(
    ("remote", "said"),
    [
        ("git@example.com:mara/repo.git", "git@example.com:mara/repo.git"),
        ("https://mara:s3cret@example.com/repo.git?x=1", "https://example.com/repo.git"),
        ("/srv/git/repo.git", "local:"),
        ("file:///srv/git/repo.git", "local:"),
        ("../there", "local:"),
    ],
)
def test_a_record_names_the_repository_without_secrets_and_paths(here: Scene, remote: str, said: str) -> None:
    here.git("remote", "add", "origin", remote)
    fire("claude-code", "start", "a", here.root)
    fire("claude-code", "end", "a", here.root)
    text = closed_records(here.root)[0].read_text()
    assert f"repository_id: {said}" in text
    assert "s3cret" not in text
    assert "/srv" not in text
    assert str(here.root) not in text


def test_an_unborn_branch_and_a_detached_head_are_said_as_such(tmp_path: Path) -> None:
    scene = Scene.create(tmp_path / "repo", commit=False)
    fire("claude-code", "start", "a", scene.root)
    assert "start_head: NONE\n" in open_records(scene.root)[0].read_text()
    scene.commit("First")
    scene.git("checkout", "--quiet", "--detach")
    fire("claude-code", "end", "a", scene.root)
    assert "branch: DETACHED\n" in closed_records(scene.root)[0].read_text()
    healthy(scene.root)


def test_a_briefing_is_printed_only_where_the_policy_asks(here: Scene) -> None:
    assert fire("claude-code", "start", "a", here.root) == b""
    policy = here.root / ".ai/repo/policy.yaml"
    policy.write_text(
        policy.read_text().replace("session:\n", "session:\n  briefing_on_start: true\n  briefing_budget_lines: 2\n")
    )
    said = fire("claude-code", "start", "b", here.root).decode()
    assert said.count("\n") == 2
    assert f"Continuity of {here.root}" in said
    context: Any = json.loads(fire("gemini", "start", "c", here.root))
    assert context["hookSpecificOutput"]["hookEventName"] == "SessionStart"


def test_a_repository_of_another_writer_is_left_alone(here: Scene) -> None:
    policy = here.root / ".ai/repo/policy.yaml"
    policy.write_text(
        policy.read_text() + "  - name: sessions\n    path: bin/majordomus\n    wired_by: provider-hook:codex\n"
    )
    with pytest.raises(Refused, match="majordomus writes here"):
        fire("claude-code", "start", "a", here.root)
    assert not (here.root / STATE).exists()


def test_the_time_is_the_hooks_own(here: Scene) -> None:
    fire("gemini", "start", "a", here.root, timestamp="1999-01-01T00:00:00Z")
    assert f"started_at: {NOW}\n" in open_records(here.root)[0].read_text()


@pytest.mark.parametrize(
    ("name", "said"),
    [(".ai/manifest.yaml", "has no layer"), (".ai/repo/policy.yaml", "repo/policy.yaml is not a regular file")],
)
def test_a_file_of_the_layer_that_would_be_waited_for_holds_no_hook(here: Scene, name: str, said: str) -> None:
    path = here.root / name
    path.unlink()
    os.mkfifo(path)
    done = hooked("codex", payload("codex", "start", "0199-abc", here.root))
    assert (done.returncode, done.stdout) == (0, b"")
    assert said in done.stderr.decode()
