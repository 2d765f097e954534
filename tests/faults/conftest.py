"""The repository that most faults are injected into: each test leaves it as it found it."""

from __future__ import annotations

import pytest

from tests.builders import Scene
from tests.faults.matrix import Pages, crowded


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """A repository with something for every read, one for the tests of a module."""
    return crowded(tmp_path_factory.mktemp("faults") / "repo")


@pytest.fixture(scope="module")
def pages(scene: Scene) -> Pages:
    """Its pages."""
    return Pages(scene)
