"""``surfaces.state``: what waits, what is broken, and the command beside each; nothing is rotated by looking."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from cockpit.reads.surfaces_state import SurfacesState
from tests.builders import Scene, paste, picture
from tests.housekeeping import repositories
from tests.housekeeping.documents import LIVE
from tests.looking import ask


def answer(root: Path) -> SurfacesState:
    found = ask(Scene(root), "surfaces.state")
    assert isinstance(found, SurfacesState)
    return found


def test_a_checkout_without_live_documents_is_no_fault(tmp_path: Path) -> None:
    found = answer(repositories.none(tmp_path))
    assert found == SurfacesState(present=False, needing=0, faults=[], surfaces=[], reviews=[], findings=[])


def test_where_everything_is_in_order_there_is_no_command(tmp_path: Path) -> None:
    found = answer(repositories.in_order(tmp_path))
    (surface,) = found.surfaces
    assert (surface.waiting, surface.archived, surface.noted, surface.entries) == (0, 65, 65, 1)
    assert not surface.remedy
    assert not surface.check
    assert found.findings == []


def test_what_waits_is_counted_and_has_its_command(tmp_path: Path) -> None:
    root = repositories.waiting(tmp_path)
    found = answer(root)
    assert [(each.name, each.live, each.waiting) for each in found.surfaces] == [
        ("progress", LIVE, 21), ("sessions", ".bodhi/progress.md", 1), ("assessments", ".bodhi/assessments/latest.md", 0),
    ]  # fmt: skip
    assert [each.remedy for each in found.surfaces[:2]] == [f"cockpit housekeep {root}"] * 2
    assert (found.surfaces[0].latest, found.surfaces[0].oldest_waiting) == ("2026-06-30", "2026-06-01")
    assert (found.reviews[0].concepts, found.reviews[0].retirable) == (201, 201)
    assert found.reviews[0].remedy == f"cockpit housekeep --retire --yes {root}"


def test_what_is_broken_is_named_and_what_cannot_be_read_is_a_finding(tmp_path: Path) -> None:
    root = repositories.broken(tmp_path)
    found = answer(root)
    surface = found.surfaces[0]
    assert (len(surface.broken), len(surface.unreachable), surface.summary_lines) == (28, 60, 286)
    assert surface.check == f"cockpit housekeep --verify {root}"
    assert any("there is no docs/no.md" in each for each in found.findings)


@pytest.mark.parametrize("state", repositories.STATES)
def test_nothing_is_rotated_by_looking(state: str, tmp_path: Path) -> None:
    root = repositories.STATES[state](tmp_path)
    before = picture(root)
    answer(root)
    assert picture(root) == before


def test_the_command_clears_what_waits(tmp_path: Path) -> None:
    root = repositories.waiting(tmp_path)
    remedy = answer(root).surfaces[0].remedy
    assert isinstance(remedy, str)
    program = Path(sys.executable).parent / "cockpit"
    assert paste(remedy.replace("cockpit ", f"{shlex.quote(str(program))} ", 1)).returncode == 0
    assert [each.waiting for each in answer(root).surfaces] == [0, 0, 0]


def test_a_summary_that_cannot_be_collapsed_has_no_command_that_would_do_nothing(tmp_path: Path) -> None:
    root = repositories.in_order(tmp_path)
    live = root / LIVE
    hand = "\n".join(f"- by hand {number}" for number in range(300))
    live.write_text(f"## 2026-06-01 - x\n\n## Summary of earlier progress\n\n{hand}\n\n→ archive/2026-*.md\n")
    (surface,) = answer(root).surfaces
    assert surface.summary_lines == 302
    assert not surface.remedy
    assert "by hand" in surface.note


def test_a_review_that_is_no_json_is_a_finding(tmp_path: Path) -> None:
    root = repositories.waiting(tmp_path)
    (root / ".bodhi/spaced-review.json").write_text("{")
    found = answer(root)
    assert found.reviews == []
    assert "not the JSON" in found.findings[0]
