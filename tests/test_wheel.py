"""The wheel alone serves the page, its styles included, from anywhere."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.builders import Scene, five_windows
from tests.serving import ask, served

PROJECT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The ``bin`` of an environment with the wheel and what the wheel declares that it needs, and nothing else."""
    folder = tmp_path_factory.mktemp("wheel")
    _run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, PROJECT)
    environment = folder / "environment"
    venv.create(environment, symlinks=True)
    python = environment / "bin" / "python"
    (wheel,) = folder.glob("*.whl")
    _run(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-index", "--no-deps", wheel)
    site = Path(_run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    (own,) = metadata.distributions(path=[str(site)])
    for needed in _needed(own):
        _lend(needed, site)
    return python.parent


def test_the_wheel_alone_serves_the_page_with_its_styles(installed: Path, scene: Scene, tmp_path: Path) -> None:
    five_windows(scene)
    command = [installed / "cockpit", "serve", "--repo", scene.root, "--port", "0"]
    with served(command, tmp_path, _plain_environment()) as (address, _):
        page, styles = ask(f"{address}/cockpit/continuity"), ask(f"{address}/static/cockpit.css")
    assert (page.status, page.type) == (200, "text/html")
    assert "s-20260911000001-aaaa" in page.text
    assert "/static/cockpit.css" in page.text
    assert (styles.status, styles.type) == (200, "text/css")
    assert "@media print" in styles.text


def test_the_program_that_runs_is_the_installed_one(installed: Path, tmp_path: Path) -> None:
    where = _run(installed / "python", "-c", "import cockpit; print(cockpit.__file__)", at=tmp_path)
    assert Path(where.strip()).is_relative_to(installed.parent)


def test_every_template_and_style_is_in_the_wheel(installed: Path) -> None:
    (package,) = installed.parent.glob("lib/python*/site-packages/cockpit")
    for folder in ("templates", "static"):
        shipped = {path.relative_to(package / folder) for path in (package / folder).rglob("*") if path.is_file()}
        written = {path.relative_to(PROJECT / folder) for path in (PROJECT / folder).rglob("*") if path.is_file()}
        assert written
        assert shipped == written


def _needed(distribution: metadata.Distribution) -> dict[str, metadata.Distribution]:
    """What the distribution requires, and what that requires, as this environment has it; extras left out."""
    found: dict[str, metadata.Distribution] = {}
    waiting = [distribution]
    while waiting:
        for line in waiting.pop().requires or ():
            requirement = Requirement(line)
            wanted = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
            if wanted and requirement.name not in found:
                found[requirement.name] = metadata.distribution(requirement.name)
                waiting.append(found[requirement.name])
    return found


def _lend(name: str, site: Path) -> None:
    """Make the installed distribution of that name importable in another environment: link what lies in its folder."""
    distribution = metadata.distribution(name)
    for top in {file.parts[0] for file in distribution.files or () if file.parts[0] not in ("..", "__pycache__")}:
        link = site / top
        if not link.exists():
            link.symlink_to(Path(str(distribution.locate_file(top))))


def _plain_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}


def _run(*command: str | Path, at: Path | None = None) -> str:
    done = subprocess.run(
        [*map(str, command)], cwd=at, env=_plain_environment(), capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
