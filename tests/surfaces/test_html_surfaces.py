"""The page of live documents, and the same read on HTTP and as a tool."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from cockpit.reads.answers import UNSET
from cockpit.reads.catalog import CATALOG
from cockpit.reads.surfaces_state import LiveSurface, SurfacesState
from cockpit.surfaces import html_surfaces, mcp
from tests.builders import Scene
from tests.housekeeping import repositories
from tests.looking import BASE, client

PAGE = "/cockpit/surfaces"


def page(root: Path) -> str:
    reply = client(Scene(root)).get(PAGE, base_url=BASE)
    assert reply.status_code == 200
    assert reply.headers["Cache-Control"] == "no-store"
    return reply.text


def test_each_condition_has_its_words(tmp_path: Path) -> None:
    assert "No such document is known here" in page(repositories.none(tmp_path))
    calm = page(repositories.in_order(tmp_path))
    assert "in order</b>" in calm
    assert "<title>(0) " in calm
    assert "(3) Surfaces" in page(repositories.waiting(tmp_path))


def test_every_command_of_the_read_stands_on_the_page(tmp_path: Path) -> None:
    root = repositories.broken(tmp_path)
    text = page(root)
    assert f">cockpit housekeep {root}<" in text
    assert f">cockpit housekeep --verify {root}<" in text
    assert 'aria-label="286 of 200 lines"' in text
    assert "and 10 more, 60 in all" in text
    assert "<img" not in text


def test_the_read_is_an_answer_on_http_and_a_tool(tmp_path: Path) -> None:
    root = repositories.waiting(tmp_path)
    reply = client(Scene(root)).get("/api/v1/surfaces", base_url=BASE)
    assert msgspec.json.decode(reply.data, type=SurfacesState).surfaces[0].waiting == 21
    listed = client(Scene(root)).get("/api/v1", base_url=BASE).json
    assert listed
    assert "/api/v1/surfaces" in [each["route"] for each in listed["reads"]]
    assert "surfaces_state" in [read.tool for read in CATALOG]
    schema = mcp.output_schema(next(read for read in CATALOG if read.id == "surfaces.state"))
    assert schema["type"] == "object"


def test_the_continuity_page_asks_for_its_six_alone(tmp_path: Path) -> None:
    text = client(Scene(repositories.waiting(tmp_path))).get("/cockpit/continuity", base_url=BASE).text
    assert "6 reads in" in text
    assert "cockpit housekeep" not in text


@pytest.mark.parametrize(("lines", "expected"), [(0, (0, 100)), (50, (25, 100)), (200, (100, 100)), (400, (100, 50))])
def test_the_bar_is_as_long_as_the_summary_of_its_limit(lines: int, expected: tuple[float, float]) -> None:
    surface = LiveSurface(
        name="x", project=".", live="a", archive="b", bytes=0, entries=0, latest=UNSET, waiting=0, summary="s",
        summary_lines=lines, summary_limit=200, archived=0, noted=0, broken=[], unreachable=[], states=["in order"], note="n",
    )  # fmt: skip
    assert html_surfaces.bar(surface) == expected
