"""The open store is the same object while nothing changed in it, and another one as soon as anything did."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from cockpit.store.checkout import Checkout
from cockpit.store.episodes import Store
from tests.builders import Scene
from tests.looking import checkout


def _store(opened: Checkout) -> Store:
    """The store, read as if a minute had gone by, so that every file counts as settled."""
    return opened.look(datetime.now(UTC) + timedelta(minutes=1)).store


def _windows(scene: Scene, elsewhere: Path) -> Checkout:
    elsewhere.mkdir()
    scene.open_episode("a", "s-1")
    scene.open_episode("b", "s-2", worktree=elsewhere)
    scene.point_at("a")
    return checkout(scene)


def test_an_unchanged_store_is_the_same_object(scene: Scene, tmp_path: Path) -> None:
    opened = _windows(scene, tmp_path / "elsewhere")
    assert _store(opened) is _store(opened)


def _edited(scene: Scene, elsewhere: Path) -> None:
    path = scene.open_episode("a", "s-1")
    path.write_bytes(path.read_bytes().replace(b"s-1", b"s-9"))


def _torn(scene: Scene, elsewhere: Path) -> None:
    scene.open_episode("a", "s-1").write_bytes(b"\0")


CHANGES: dict[str, Callable[[Scene, Path], object]] = {
    "a record was edited": _edited,
    "a record was torn": _torn,
    "a record came": lambda scene, elsewhere: scene.open_episode("c", "s-3"),
    "the pointer leads to another record": lambda scene, elsewhere: scene.point_at("b"),
    "the pointer leads to nothing": lambda scene, elsewhere: scene.point_to("sessions-open/none.yaml"),
    "a worktree that a record names is gone": lambda scene, elsewhere: elsewhere.rmdir(),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_store_in_which_something_changed_is_read(scene: Scene, tmp_path: Path, change: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    opened = _windows(scene, elsewhere)
    before = _store(opened)
    CHANGES[change](scene, elsewhere)
    assert _store(opened) == _store(checkout(scene))
    assert _store(opened) != before
