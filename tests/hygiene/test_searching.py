"""A file of a run is held by every text that counts, whatever its ending; by history, lists of the ignored it is not."""

from __future__ import annotations

import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from cockpit.hygiene import searching
from cockpit.hygiene.searching import Unproven
from cockpit.store.text_files import LARGEST, text
from tests.builders import Scene
from tests.hygiene.runs import EXPIRED, RUN, dated, run
from tests.hygiene.test_clean import PLAN, clean, reason, removed

NAMES_IT = "cat scratch/plan.txt\n"


def tracked(scene: Scene, path: str, content: str | bytes = NAMES_IT) -> Path:
    """A file that git tracks, also where an ignore rule names it."""
    written = scene.write(path, content)
    scene.git("add", "-f", path)
    return written


@pytest.mark.parametrize(
    "path", ["notes.txt", "docs/a.rst", "tools/go.sh", "Makefile", "src/a.py", ".github/x.yml", "LICENSE", f"{RUN}/log"]
)
def test_any_text_that_git_tracks_holds_what_it_names(scene: Scene, path: str) -> None:
    run(scene)
    tracked(scene, path)
    assert reason(scene) == f"{path} names it"


@pytest.mark.parametrize(
    "path",
    ["notes.md", "notes.txt", "state/handovers/h.txt", "state/x.rst", "state/sessions-open/k.yaml", "state/a/b/c.md"],
)
def test_a_note_of_the_local_layer_holds_what_it_names(scene: Scene, path: str) -> None:
    run(scene)
    scene.write(f".ai/local/{path}", NAMES_IT)
    assert reason(scene) == f".ai/local/{path} names it"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("path", ["AGENTS.md", ".ai/local/notes.md", "tracked.sh"])
def test_a_document_in_another_encoding_holds_what_it_names(scene: Scene, path: str, encoding: str) -> None:
    run(scene)
    tracked(scene, path, NAMES_IT.encode(encoding))
    assert reason(scene) == f"{path} names it"


@pytest.mark.parametrize(
    ("link", "target"),
    [(".agent-run/current", "r-1"), (f"{RUN}/latest", "scratch"), (".agent-run/plan", "./r-1/scratch/plan.txt")],
)
def test_a_link_among_the_runs_holds_what_it_leads_to(scene: Scene, link: str, target: str) -> None:
    run(scene)
    (scene.root / link).symlink_to(target)
    assert reason(scene) == f"{link} names it"


def test_a_folder_of_notes_that_cannot_be_listed_keeps_everything(scene: Scene, tmp_path: Path) -> None:
    run(scene)
    (scene.root / ".ai/local").symlink_to(tmp_path)
    with pytest.raises(Unproven, match=r"\.ai/local is a link"):
        clean(scene)


def test_a_text_in_another_encoding_and_a_link_hold_what_they_name(scene: Scene) -> None:
    run(scene, files={"a.txt": "2024-09-19T08:00:00Z", "b.txt": "2024-09-19T08:00:00Z", "c": "2024-09-19T08:00:00Z"})
    tracked(scene, "wide.txt", "see a.txt".encode("utf-16"))
    tracked(scene, "latin", b"\xe4\xf6 b.txt")
    (scene.root / "link").symlink_to(f"{RUN}/c")
    scene.git("add", "link")
    assert {each.path: each.reason for each in clean(scene).kept} == {
        f"{RUN}/a.txt": "wide.txt names it",
        f"{RUN}/b.txt": "latin names it",
        f"{RUN}/c": "link names it",
    }


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("docs/archive/old.txt", NAMES_IT),
        (".gitignore", ".agent-run/*\n"),
        ("web/.dockerignore", ".agent-run/*\n"),
        ("src/a.c", "/* a */ /** b **/\n"),
        ("picture.png", b"\x89PNG\0 plan.txt"),
        ("untracked.sh", ""),
    ],
)
def test_history_lists_of_the_ignored_and_data_hold_nothing(scene: Scene, path: str, content: str | bytes) -> None:
    run(scene)
    tracked(scene, path, content)
    tracked(scene, f"{RUN}/manifest.json", (scene.root / RUN / "manifest.json").read_bytes())
    assert removed(clean(scene)) == [PLAN]


def test_what_git_tracks_and_is_gone_and_a_submodule_stop_nothing(scene: Scene, tmp_path: Path) -> None:
    run(scene)
    tracked(scene, "gone.txt").unlink()
    other = Scene.create(tmp_path / "other", layer=False)
    scene.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other.root), "vendor")
    assert removed(clean(scene)) == [PLAN]


def _larger(path: Path) -> None:
    path.write_bytes(b"x" * (LARGEST + 1))


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize("spoil", [_larger, _pipe])
def test_a_tracked_text_that_cannot_be_read_keeps_everything(scene: Scene, spoil: Callable[[Path], None]) -> None:
    run(scene)
    spoil(tracked(scene, "deps.lock", ""))
    with pytest.raises(Unproven, match=r"deps\.lock"):
        clean(scene)
    assert (scene.root / PLAN).is_file()


def test_a_large_text_is_searched_to_its_end_and_large_data_is_no_text(scene: Scene) -> None:
    run(scene)
    with tracked(scene, "film.mp4", b"\0").open("r+b") as film:
        film.truncate(LARGEST + 1)
    tracked(scene, "deps.lock", "x\n" * (1 << 20) + "plan.txt")
    assert reason(scene) == "deps.lock names it"


def test_nothing_is_searched_where_nothing_could_go(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def counting(root: str, path: str) -> object:
        read.append(path)
        return text(root, path)

    monkeypatch.setattr(searching, "text", counting)
    run(scene, files={"a": None})
    clean(scene)
    assert read == []
    run(scene)
    clean(scene)
    assert read != []


def test_one_text_is_held_at_a_time(scene: Scene) -> None:
    run(scene)
    for number in range(12):
        tracked(scene, f"{number}.lock", b"x\n" * (1 << 20))
    tracemalloc.start()
    try:
        assert removed(clean(scene)) == [PLAN]
        assert tracemalloc.get_traced_memory()[1] < 12 << 20
    finally:
        tracemalloc.stop()


def test_nothing_more_is_read_once_every_file_is_held(scene: Scene) -> None:
    run(scene)
    scene.write("AGENTS.md", NAMES_IT)
    _pipe(tracked(scene, "deps.lock"))
    assert reason(scene) == "AGENTS.md names it"


# ---------------------------------------------------------------------- what stays counts
def expiring(*paths: str) -> dict[str, str | None]:
    return dict.fromkeys(paths, EXPIRED)


def test_what_is_held_holds_what_it_names_in_turn(scene: Scene) -> None:
    run(scene, files=expiring("plan.md", "steps.txt", "data-7.csv", "alone.csv"))
    dated(scene.write(f"{RUN}/plan.md", "first steps.txt"))
    dated(scene.write(f"{RUN}/steps.txt", "read data-7.csv"))
    scene.write("docs/handoffs/HANDOFF-2026-09-19-plan.md", "Status: active\n\n## Progress\n\n- plan.md\n")
    done = clean(scene)
    reasons = {each.path: each.reason for each in done.kept}
    assert reasons[f"{RUN}/plan.md"] == "docs/handoffs/HANDOFF-2026-09-19-plan.md names it"
    assert reasons[f"{RUN}/steps.txt"] == f"{RUN}/plan.md names it"
    assert reasons[f"{RUN}/data-7.csv"] == f"{RUN}/steps.txt names it"
    assert removed(done) == [f"{RUN}/alone.csv"]


def test_files_that_name_one_another_and_that_nothing_else_names_go_together(scene: Scene) -> None:
    run(scene, files=expiring("a.md", "b.csv"))
    dated(scene.write(f"{RUN}/a.md", "b.csv"))
    dated(scene.write(f"{RUN}/b.csv", "a.md"))
    assert removed(clean(scene)) == [f"{RUN}/a.md", f"{RUN}/b.csv"]


@pytest.mark.parametrize("path", [f"{RUN}/receipts/verification.json", f"{RUN}/unknown", ".agent-run/stray"])
def test_a_file_of_a_run_that_stays_holds_what_it_names(scene: Scene, path: str) -> None:
    run(scene)
    scene.write(path, NAMES_IT)
    assert reason(scene) == f"{path} names it"


def test_what_expired_and_stays_for_another_reason_holds_what_it_names(scene: Scene) -> None:
    run(scene, files=expiring("scratch/plan.txt", "log"))
    scene.write(f"{RUN}/log", NAMES_IT)
    os.link(scene.root / RUN / "log", scene.root / "second-name")
    assert reason(scene) == f"{RUN}/log names it"


def test_a_pipe_in_a_run_is_no_text(scene: Scene) -> None:
    run(scene)
    os.mkfifo(scene.root / RUN / "pipe")
    assert removed(clean(scene)) == [PLAN]
