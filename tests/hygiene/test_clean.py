"""Only what a run's own manifest lets go is removed, and only where every part of the proof holds."""

from __future__ import annotations

import json
import os
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cockpit.cli import main
from cockpit.housekeeping.writing import alone
from cockpit.hygiene import cleaning, proving
from cockpit.hygiene.cleaning import Done
from cockpit.hygiene.searching import Unproven
from cockpit.store.checkout import Checkout
from tests.builders import Scene
from tests.hygiene.runs import EXPIRED, LATER, NOW, RUN, dated, run
from tests.store.test_files import without_power

PLAN = f"{RUN}/scratch/plan.txt"


def clean(scene: Scene, *, really: bool = True, at: timedelta = timedelta()) -> Done:
    return cleaning.clean(Checkout.open(str(scene.root)), really=really, now=NOW + at)


def removed(done: Done) -> list[str]:
    return [each.path for each in done.removed]


def reason(scene: Scene, path: str = PLAN, at: timedelta = timedelta()) -> str:
    """Why a file is kept; the file is still there."""
    done = clean(scene, at=at)
    assert os.path.lexists(scene.root / path)
    return next(each.reason for each in done.kept if each.path == path)


# ---------------------------------------------------------------------- what goes
def test_an_expired_ephemeral_file_goes_and_everything_else_stays(scene: Scene) -> None:
    run(scene, files={"scratch/plan.txt": EXPIRED, "scratch/new.txt": LATER, "synthesis.md": None})
    scene.write(f"{RUN}/unknown.txt", "x")
    before = scene.picture()
    assert removed(clean(scene)) == [PLAN]
    after = scene.picture()
    assert {path for path in before if before[path] != after.get(path)} == {PLAN}


def test_without_a_word_of_consent_nothing_changes_and_the_same_is_said(scene: Scene) -> None:
    run(scene, files={"a.txt": EXPIRED, "b.txt": LATER})
    before = scene.picture()
    plan = clean(scene, really=False)
    assert scene.picture() == before
    assert plan == clean(scene)


def test_a_second_run_has_nothing_to_do(scene: Scene) -> None:
    run(scene)
    assert removed(clean(scene)) == [PLAN]
    assert removed(clean(scene)) == []


# ---------------------------------------------------------------------- what the manifest says
def test_the_manifest_keeps_what_it_retains_what_never_expires_and_what_is_a_receipt(scene: Scene) -> None:
    listed = [
        {"path": "a", "class": "retained", "expires_at": EXPIRED},
        {"path": "b", "class": "ephemeral"},
        {"path": "c", "class": "ephemeral", "expires_at": LATER},
        {"path": "d", "class": "ephemeral", "expires_at": EXPIRED},
        {"path": "e", "class": "ephemeral", "expires_at": "2024-09-01T00:00:00Z"},
    ]
    _listed(scene, listed)
    for name in "abcde":
        dated(scene.write(f"{RUN}/{name}", "x"))
    done = clean(scene)
    assert (removed(done), len([each for each in done.kept if each.path[-2] == "/"])) == ([], 5)


def _listed(scene: Scene, listed: list[dict[str, str]]) -> None:
    path = run(scene, files={}, receipts=["d"])
    manifest = json.loads((path / "manifest.json").read_text())
    (path / "manifest.json").write_text(json.dumps(manifest | {"files": listed}))


@pytest.mark.parametrize(
    "stated", ["../../precious.txt", "scratch/../../../precious.txt", "{root}/precious.txt", "../r-2/x"]
)
def test_a_manifest_that_names_a_path_outside_owns_nothing(scene: Scene, stated: str) -> None:
    for path in ("precious.txt", ".agent-run/r-2/x"):
        dated(scene.write(path, "x"))
    run(scene)
    _listed(
        scene,
        [
            {"path": stated.format(root=scene.root), "class": "ephemeral", "expires_at": EXPIRED},
            {"path": "scratch/plan.txt", "class": "ephemeral", "expires_at": EXPIRED},
        ],
    )
    before = scene.picture()
    assert removed(clean(scene)) == []
    assert scene.picture() == before


def test_a_folder_is_never_removed(scene: Scene) -> None:
    run(scene, files={"scratch/plan.txt": None})
    _listed(scene, [{"path": "scratch/", "class": "ephemeral", "expires_at": EXPIRED}])
    assert reason(scene, f"{RUN}/scratch") == "it is a folder"


def test_a_run_without_a_manifest_and_one_with_a_damaged_one_keep_everything_and_it_is_said_why(scene: Scene) -> None:
    run(scene)
    run(scene, at=".work/wf/r-2", created="once")
    run(scene, at=".work/wf/r-3")
    (scene.root / RUN / "manifest.json").unlink()
    (scene.root / ".work/wf/r-3/manifest.json").write_bytes(b" " * ((1 << 20) + 1))
    done = clean(scene)
    assert removed(done) == []
    assert {each.path: each.reason.removesuffix(", so nothing in it has an owner") for each in done.kept} == {
        RUN: "this folder of a run has no manifest.json",
        ".work/wf/r-2": "its manifest.json states “once” as created, which is no RFC 3339 time",
        ".work/wf/r-3": "its manifest.json is larger than 1 MiB (1,048,577 bytes) and was not read",
    }


@pytest.mark.parametrize(("manifest", "code"), [("{}", 1), (None, 0)])
def test_a_manifest_that_is_wrong_ends_with_one_and_the_other_runs_are_cleaned(
    scene: Scene, manifest: str | None, code: int
) -> None:
    run(scene)
    wrong = run(scene, at=".agent-run/r-2") / "manifest.json"
    wrong.write_text(manifest) if manifest else wrong.unlink()
    ran = _cockpit(scene, "--yes")
    assert (ran.exit_code, "kept  .agent-run/r-2: " in ran.stdout) == (code, True)
    assert not (scene.root / PLAN).exists()


def test_a_name_that_is_misspelt_in_the_manifest_is_said_to_name_nothing(scene: Scene) -> None:
    run(scene)
    (scene.root / PLAN).rename(scene.root / f"{RUN}/scratch/plan2.txt")
    done = clean(scene, really=False)
    assert [each.path for each in done.absent] == [PLAN]
    assert done.absent == clean(scene).absent
    assert f"not there  {PLAN}: its manifest.json lists it" in _cockpit(scene).stdout


# ---------------------------------------------------------------------- whose file it is
def test_what_git_tracks_stays(scene: Scene) -> None:
    run(scene)
    scene.git("add", "-f", PLAN)
    assert reason(scene) == "git tracks it"


def test_what_is_older_than_the_run_stays(scene: Scene) -> None:
    run(scene)
    dated(scene.root / PLAN, NOW - timedelta(days=30))
    assert reason(scene) == "it is older than the run"


def test_what_has_another_name_stays(scene: Scene) -> None:
    run(scene)
    os.link(scene.root / PLAN, scene.root / "other")
    assert "2 names" in reason(scene)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a file away")
def test_what_belongs_to_another_user_stays(scene: Scene) -> None:
    run(scene)
    os.chown(scene.root / PLAN, 12345, 12345)
    assert "another user" in reason(scene)


def test_what_lies_in_a_repository_of_its_own_stays(scene: Scene) -> None:
    run(scene)
    Scene.create(scene.root / RUN / "scratch", layer=False)
    assert "repository of its own" in reason(scene)


# ---------------------------------------------------------------------- links
def test_a_link_stays_and_so_does_what_it_leads_to(scene: Scene) -> None:
    run(scene)
    precious = scene.write("precious.txt", "x")
    (scene.root / PLAN).unlink()
    (scene.root / PLAN).symlink_to(precious)
    assert reason(scene) == "it is a link"
    assert precious.read_text() == "x"


@pytest.mark.parametrize("part", [".agent-run", RUN, f"{RUN}/scratch"])
def test_nothing_behind_a_linked_folder_goes(scene: Scene, tmp_path: Path, part: str) -> None:
    run(scene)
    elsewhere = tmp_path / "elsewhere"
    (scene.root / part).rename(elsewhere)
    (scene.root / part).symlink_to(elsewhere)
    assert removed(clean(scene)) == []
    assert (scene.root / PLAN).is_file()


# ---------------------------------------------------------------------- what cannot be removed
@pytest.fixture
def theirs() -> Iterator[Scene]:
    """A repository of a user to whom permissions apply, where every user may go."""
    with tempfile.TemporaryDirectory() as at:
        Path(at).chmod(0o755)
        yield Scene.create(Path(at) / "repo")


def test_a_folder_that_may_not_be_written_costs_only_its_own_files(theirs: Scene) -> None:
    run(theirs, files={"a/1.txt": EXPIRED, "b/2.txt": EXPIRED, "c/3.txt": EXPIRED})
    if os.geteuid() == 0:
        for path in (theirs.root, *theirs.root.rglob("*")):
            os.chown(path, 65534, 65534, follow_symlinks=False)
    (theirs.root / RUN / "b").chmod(0o555)
    with without_power():
        done = clean(theirs)
    assert removed(done) == [f"{RUN}/a/1.txt", f"{RUN}/c/3.txt"]
    assert done.failed == (f"{RUN}/b/2.txt cannot be removed (this user may not write in its folder).",)
    assert (theirs.root / RUN / "b/2.txt").is_file()


# ---------------------------------------------------------------------- clocks
def test_a_clock_that_was_set_back_removes_nothing(scene: Scene) -> None:
    run(scene)
    back = reason(scene, at=timedelta(days=-3))
    assert "clock" in back
    dated(scene.root / PLAN, NOW + timedelta(hours=1))
    assert "clock" in reason(scene)


# ---------------------------------------------------------------------- what points at it
@pytest.mark.parametrize(
    "path", ["AGENTS.md", "docs/deep/notes.md", f"{RUN}/synthesis.md", ".ai/local/state/handovers/h.md", "STATE.md"]
)
def test_what_a_live_document_names_stays(scene: Scene, path: str) -> None:
    run(scene)
    scene.write(path, "Read plan.txt first.\n")
    assert reason(scene) == f"{path} names it"


def test_what_an_active_letter_names_stays_until_it_is_consumed(scene: Scene) -> None:
    run(scene)
    letter = scene.write("docs/handoffs/HANDOFF-2026-09-19-plan.md", f"Status: active\n\n## Progress\n\n- {PLAN}\n")
    assert reason(scene) == "docs/handoffs/HANDOFF-2026-09-19-plan.md names it"
    (scene.root / "docs/archive").mkdir()
    letter.rename(scene.root / "docs/archive" / letter.name)
    assert removed(clean(scene)) == [PLAN]


def test_what_expired_itself_holds_nothing_unless_git_tracks_it(scene: Scene) -> None:
    run(scene, files={"scratch/plan.txt": EXPIRED, "notes.md": EXPIRED})
    dated(scene.write(f"{RUN}/notes.md", "plan.txt"))
    assert removed(clean(scene, really=False)) == [f"{RUN}/notes.md", PLAN]
    scene.git("add", "-f", f"{RUN}/notes.md")
    assert removed(clean(scene)) == []


@pytest.mark.parametrize("spoil", [os.mkfifo, lambda path: Path(path).write_bytes(b"x" * ((1 << 20) + 1))])
def test_where_a_document_cannot_be_read_nothing_is_proven(scene: Scene, spoil: Callable[[Path], object]) -> None:
    run(scene)
    spoil(scene.root / "NOTES.md")
    with pytest.raises(Unproven, match=r"NOTES\.md"):
        clean(scene)
    assert (scene.root / PLAN).is_file()


def test_where_git_cannot_answer_nothing_is_removed(scene: Scene) -> None:
    run(scene)
    (scene.root / ".git/index").write_bytes(b"DIRCgarbage")
    assert _cockpit(scene, "--yes").exit_code == 1
    assert (scene.root / PLAN).is_file()


# ---------------------------------------------------------------------- between proof and removal
def _between(scene: Scene, exchange: Callable[[Path], None]) -> bool:
    """Whether a file is removed that is exchanged after it was proven."""
    run(scene)
    (proven,) = clean(scene, really=False).removed
    exchange(scene.root / PLAN)
    return cleaning.removed(str(scene.root), proven)


def test_a_file_that_was_written_or_replaced_meanwhile_stays(scene: Scene) -> None:
    def replace(path: Path) -> None:
        path.with_name("new").write_text("x")
        path.with_name("new").rename(path)

    assert not _between(scene, lambda path: path.write_text("more"))
    assert not _between(scene, replace)
    assert (scene.root / PLAN).read_text() == "x"


def test_a_file_that_became_a_link_or_got_a_second_name_stays(scene: Scene) -> None:
    precious = scene.write("precious.txt", "x")

    def link(path: Path) -> None:
        path.unlink()
        path.symlink_to(precious)

    assert not _between(scene, link)
    (scene.root / PLAN).unlink()
    assert not _between(scene, lambda path: os.link(path, path.with_name("again")))
    assert precious.read_text() == "x"


def test_a_folder_that_became_a_link_leads_nowhere(scene: Scene, tmp_path: Path) -> None:
    def redirect(path: Path) -> None:
        path.parent.rename(tmp_path / "elsewhere")
        path.parent.symlink_to(tmp_path / "elsewhere")

    assert not _between(scene, redirect)
    assert (tmp_path / "elsewhere/plan.txt").is_file()


def test_a_file_that_changes_while_it_is_proven_is_kept_with_that_reason(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(scene)
    real = proving.verdicts

    def slow(bench: proving.Bench, one: object) -> list[proving.Verdict]:
        found = real(bench, one)  # type: ignore[arg-type]
        (scene.root / PLAN).write_text("more")
        return found

    monkeypatch.setattr(cleaning, "verdicts", slow)
    assert reason(scene) == "it changed between proof and removal"


def test_a_manifest_that_changes_its_mind_before_the_lock_is_believed(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(scene)

    def late(root: str, path: str) -> AbstractContextManager[int]:
        run(scene, files={"scratch/plan.txt": None})
        return alone(root, path)

    monkeypatch.setattr(cleaning, "alone", late)
    assert reason(scene) == "its manifest retains it"


@pytest.mark.parametrize(
    ("late", "said"),
    [
        (lambda scene: scene.git("add", "-f", PLAN), "git tracks it"),
        (lambda scene: scene.write("NEW.md", "see plan.txt"), "NEW.md names it"),
        (lambda scene: scene.write("AGENTS.md", "see plan.txt"), "AGENTS.md names it"),
        (lambda scene: scene.write(f"{RUN}/b.txt", "see plan.txt"), f"{RUN}/b.txt names it"),
        (
            lambda scene: scene.write("docs/handoffs/HANDOFF-2026-09-19-a.md", "Status: active\n\nplan.txt\n"),
            "docs/handoffs/HANDOFF-2026-09-19-a.md names it",
        ),
    ],
)
def test_what_comes_to_hold_a_file_after_the_search_keeps_it(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, late: Callable[[Scene], object], said: str
) -> None:
    run(scene, files={"scratch/plan.txt": EXPIRED, "b.txt": None})
    scene.write("AGENTS.md", "")

    def locked(root: str, path: str) -> AbstractContextManager[int]:
        late(scene)
        return alone(root, path)

    monkeypatch.setattr(cleaning, "alone", locked)
    assert reason(scene) == said


def test_what_can_no_longer_be_read_before_the_removal_keeps_the_files_and_is_said(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(scene)

    def locked(root: str, path: str) -> AbstractContextManager[int]:
        scene.write("NOTES.md", "x" * ((1 << 20) + 1))
        return alone(root, path)

    monkeypatch.setattr(cleaning, "alone", locked)
    done = clean(scene)
    assert (removed(done), (scene.root / PLAN).is_file()) == ([], True)
    assert "NOTES.md is larger than 1 MiB" in done.failed[0]


def test_two_at_once_do_not_meet(scene: Scene) -> None:
    run(scene)
    with alone(str(scene.root), RUN):
        done = clean(scene)
    assert (removed(done), len(done.failed), (scene.root / PLAN).is_file()) == ([], 1, True)


def test_two_at_once_remove_each_file_once(scene: Scene) -> None:
    run(scene, files={f"{number}.txt": EXPIRED for number in range(50)})
    done: list[Done] = []
    threads = [threading.Thread(target=lambda: done.append(clean(scene))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    gone = [path for each in done for path in removed(each)]
    assert (len(gone), len(set(gone))) == (50, 50)


# ---------------------------------------------------------------------- the command
def test_the_command_prints_each_proof_and_each_reason_on_one_line(scene: Scene) -> None:
    run(scene, files={"a\nb.txt": EXPIRED, "c.txt": "2999-09-21T08:00:00Z"})
    dry = _cockpit(scene)
    assert dry.exit_code == 0
    assert dry.stdout.splitlines()[0].startswith(
        f"would remove  {RUN}/a\\nb.txt: ephemeral by the manifest of run r-1 (mara), expired"
    )
    assert any(line.startswith("kept  ") and ": it expires at 2" in line for line in dry.stdout.splitlines())
    assert (scene.root / RUN / "a\nb.txt").is_file()
    assert _cockpit(scene, "--yes").stdout.startswith("removed  ")
    assert not (scene.root / RUN / "a\nb.txt").exists()


def test_where_nothing_is_there_it_says_so(scene: Scene) -> None:
    assert _cockpit(scene, "--yes").stdout == "There is no run here that owns anything.\n"


def _cockpit(scene: Scene, *words: str) -> Result:
    return CliRunner().invoke(main, ["clean", "--repo", str(scene.root), *words], catch_exceptions=False)
