"""audit: what does it cost to audit 50,000 files, against listing them with git and looking at each?"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from bench.pairs import Figure, alternate, seconds
from cockpit.demo.scene import Scene
from cockpit.hygiene import audit
from cockpit.store.checkout import Checkout

TARGET = 3.0
ROUNDS = 9
FOLDERS, FILES = 500, 100
_LOOK = "import os, sys\nfor path in sys.stdin.buffer.read().split(b'\\0')[:-1]: os.lstat(path)"


def measure(folder: Path) -> Iterator[Figure]:
    """One file in twenty is a document; the shell counts them all, and a program looks at each, as an audit must."""
    scene = Scene.create(folder / "repository")
    _fill(scene.root)
    scene.commit("Fifty thousand files")
    listing = f'git ls-files | wc -l && git ls-files -z | {sys.executable} -ISc "{_LOOK}"'

    def looked() -> float:
        return seconds(
            lambda: subprocess.run(["sh", "-c", listing], cwd=scene.root, stdout=subprocess.DEVNULL, check=True)
        )

    def audited() -> float:
        return seconds(lambda: audit.audit(Checkout.open(str(scene.root))))

    def whole() -> float:
        command = [sys.executable, "-m", "cockpit", "audit", "--json", "--repo", scene.root]
        return seconds(lambda: subprocess.run(command, stdout=subprocess.DEVNULL, check=True))

    against = "git ls-files | wc -l, and lstat of each"
    yield alternate(f"an audit of {FOLDERS * FILES:,} files", audited, against, looked, ROUNDS, TARGET)
    yield alternate("the same as a command", whole, against, looked, ROUNDS, TARGET)


def _fill(root: Path) -> None:
    for number in range(FOLDERS):
        inner = root / f"part-{number // 25}" / f"module-{number % 25}"
        inner.mkdir(parents=True)
        for file in range(FILES):
            name = f"note-{file}.md" if file % 20 == 0 else f"source_{file}.py"
            (inner / name).write_text(f"# {number} {file}\n" * 20)
