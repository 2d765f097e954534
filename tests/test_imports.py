"""The house stands: who imports whom, who touches the disk, what a template may not hold, what lies at the top."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

PROJECT = Path(__file__).parents[1]
PACKAGE = PROJECT / "cockpit"


class May(NamedTuple):
    """What the modules of a part may import: parts of cockpit, and packages that are not the standard library."""

    parts: set[str]
    packages: set[str]


EVERYTHING_BELOW = {"formats", "store", "reads", "surfaces", "settings"}

HOUSE = {
    "formats": May({"formats"}, {"msgspec", "yaml"}),
    "formats.credential_kinds": May({"formats"}, {"detect_secrets"}),
    "store": May({"formats", "store"}, {"git", "gitdb", "msgspec"}),
    "reads": May({"formats", "store", "reads"}, {"msgspec"}),
    "surfaces": May(EVERYTHING_BELOW, {"flask", "jinja2", "js_lib_htmx", "markupsafe", "msgspec", "werkzeug"}),
    "surfaces.mcp": May(EVERYTHING_BELOW, {"anyio", "mcp", "mcp_types", "msgspec"}),
    "settings": May({"formats", "store"}, {"msgspec"}),
    "app": May(EVERYTHING_BELOW, {"flask", "jinja2", "js_lib_htmx", "markupsafe", "msgspec", "werkzeug"}),
    "server": May({"surfaces"}, {"waitress"}),
    "recorder": May({"formats", "store", "recorder"}, {"msgspec"}),
    "recorder.commands": May({"formats", "store", "recorder"}, {"click"}),
    "recorder.briefing": May({"formats", "store", "reads"}, set()),
    "recorder.recovery": May({"formats", "store", "reads", "recorder"}, {"msgspec"}),
    "housekeeping": May({"formats", "store", "recorder", "housekeeping"}, {"msgspec"}),
    "handoffs": May({"formats", "store", "reads", "recorder", "housekeeping", "handoffs"}, {"msgspec"}),
    "handoffs.commands": May(
        {"formats", "store", "reads", "recorder", "housekeeping", "handoffs"}, {"click", "msgspec"}
    ),
    "hygiene": May({"formats", "store", "reads", "recorder", "housekeeping", "hygiene"}, {"msgspec"}),
    "hygiene.commands": May({"formats", "store", "recorder", "hygiene"}, {"click", "msgspec"}),
    "demo": May({"demo"}, set()),
    "demo.documents": May({"formats", "housekeeping", "demo"}, set()),
    "cli": May(
        EVERYTHING_BELOW | {"app", "server", "demo", "recorder", "housekeeping", "handoffs", "hygiene"}, {"click"}
    ),
    "entry": May({"recorder", "cli"}, set()),
    "__main__": May({"entry"}, set()),
    "__init__": May(set(), set()),
}
"""Every part of cockpit, and a module where it may import something else than its part.

A part that is not named here has no place in the house yet.
"""


class Import(NamedTuple):
    """An import: the module it stands in, and what it names."""

    module: str
    names: str

    @property
    def part(self) -> str:
        return self.module.split(".")[1]

    @property
    def may(self) -> May:
        module = self.module.removeprefix("cockpit.")
        return HOUSE.get(module) or HOUSE[self.part]

    @property
    def package(self) -> str:
        return self.names.split(".")[0]

    @property
    def target(self) -> str | None:
        """The part of cockpit that is imported; None for the package itself (its version)."""
        path = self.names.split(".")
        return path[1] if len(path) > 1 and _is_part(path[1]) else None

    def __str__(self) -> str:
        return f"{self.module} imports {self.names}"


def _modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        yield ".".join(path.relative_to(PROJECT).with_suffix("").parts), ast.parse(path.read_bytes(), str(path))


def _imports() -> Iterator[Import]:
    for module, tree in _modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                yield from (Import(module, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                base = _absolute(module, node)
                yield from (Import(module, f"{base}.{alias.name}") for alias in node.names)


def _absolute(module: str, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    above = module.split(".")[: -node.level]
    return ".".join((*above, node.module) if node.module else above)


def _is_part(name: str) -> bool:
    return (PACKAGE / name).is_dir() or (PACKAGE / f"{name}.py").is_file()


# ---------------------------------------------------------------------- who imports whom
def test_every_part_of_the_package_has_its_place() -> None:
    parts = {module.split(".")[1] for module, _ in _modules()}
    assert parts - HOUSE.keys() == set()


def test_imports_point_one_way() -> None:
    inner = (each for each in _imports() if each.package == "cockpit" and each.target is not None)
    assert [str(each) for each in inner if each.target not in each.may.parts] == []


def test_other_packages_are_imported_where_they_belong() -> None:
    outer = (each for each in _imports() if each.package not in sys.stdlib_module_names | {"cockpit", "__future__"})
    assert [str(each) for each in outer if each.package not in each.may.packages] == []


@pytest.mark.parametrize("part", ["recorder", "housekeeping", "handoffs", "hygiene", "demo"])
def test_only_the_command_line_imports_what_writes(part: str) -> None:
    writers = {
        "recorder": ("housekeeping", "handoffs", "hygiene"),
        "housekeeping": ("handoffs", "hygiene", "demo"),
    }.get(part, ())
    from_elsewhere = (
        each for each in _imports() if each.target == part and each.part not in ("cli", "entry", part, *writers)
    )
    assert [str(each) for each in from_elsewhere] == []


# ---------------------------------------------------------------------- who touches the disk
PURE = ("formats", "reads", "surfaces", "settings")
"""The parts that take values and answer values; ``importlib.resources`` may read what the package itself ships."""

TOUCHING_MODULES = {
    "fcntl",
    "glob",
    "io",
    "mmap",
    "multiprocessing",
    "pty",
    "shutil",
    "socket",
    "subprocess",
    "tempfile",
}
HARMLESS_OF_OS = {"environ", "fsdecode", "fsencode", "fspath", "path", "sep"}
HARMLESS_OF_OS_PATH = {"basename", "commonpath", "dirname", "isabs", "join", "normpath", "relpath", "split", "splitext"}
TOUCHING_CALLS = {
    "chmod", "exists", "is_dir", "is_file", "is_symlink", "iterdir", "lstat", "mkdir", "open", "read_bytes", "read_text",
    "readlink", "rename", "resolve", "rglob", "rmdir", "stat", "symlink_to", "touch", "unlink", "write_bytes", "write_text",
}  # fmt: skip


def test_only_the_store_opens_files_and_runs_programs() -> None:
    found = [
        f"{module}:{line} {what}"
        for module, tree in _modules()
        if module.split(".")[1] in PURE
        for line, what in _touches(tree)
    ]
    assert found == []


def _touches(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Every place where a module reaches for the disk or for another process, as line and words."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            name = ast.unparse(node)
            if re.fullmatch(r"os\.\w+", name) and node.attr not in HARMLESS_OF_OS:
                yield node.lineno, f"uses {name}"
            if re.fullmatch(r"os\.path\.\w+", name) and node.attr not in HARMLESS_OF_OS_PATH:
                yield node.lineno, f"uses {name}"
        elif isinstance(node, ast.Call):
            called = node.func
            if isinstance(called, ast.Name) and called.id == "open":
                yield node.lineno, "calls open()"
            if isinstance(called, ast.Attribute) and called.attr in TOUCHING_CALLS and not _packaged(called):
                yield node.lineno, f"calls {ast.unparse(called)}()"
        elif isinstance(node, ast.ImportFrom) and node.module in ("os", "os.path"):
            harmless = HARMLESS_OF_OS if node.module == "os" else HARMLESS_OF_OS_PATH
            yield from ((node.lineno, f"imports {node.module}.{n.name}") for n in node.names if n.name not in harmless)
    for name in _plain_imports(tree):
        if name.split(".")[0] in TOUCHING_MODULES:
            yield 1, f"imports {name}"


def _packaged(called: ast.Attribute) -> bool:
    """Whether a call reads what is part of the package: ``resources.files("cockpit").joinpath("name").read_bytes()``."""
    return ast.unparse(called).startswith(("resources.files('cockpit", "importlib.resources.files('cockpit"))


@pytest.mark.parametrize(
    "code",
    [
        "open('x')",
        "import os\nos.stat('x')",
        "import os\nos.path.exists('x')",
        "from os import listdir",
        "import subprocess",
        "from shutil import rmtree",
        "from pathlib import Path\nPath('x').read_text()",
        "from pathlib import Path\nPath('x').open()",
        "from importlib import resources\nfrom pathlib import Path\nPath('x').read_text()",
    ],
)
def test_a_reach_for_the_disk_is_seen(code: str) -> None:
    assert list(_touches(ast.parse(code)))


def _plain_imports(tree: ast.Module) -> set[str]:
    plain = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    return plain | {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}


# ---------------------------------------------------------------------- what a template may not hold
FORBIDDEN = {
    "a filter that turns escaping off": r"\|\s*safe\b",
    "a block without escaping": r"{%-?\s*autoescape\s+false",
    "a style attribute": r"<[^>]*\sstyle\s*=",
    "a style element": r"<style\b",
    "a script without a source": r"<script\b(?![^>]*\ssrc=)",
    "a handler attribute": r"<[^>]*\son[a-z]+\s*=",
    "a javascript: address": r"javascript:",
}


@pytest.mark.parametrize(
    "text",
    [
        "{{ x|safe }}",
        "{% autoescape false %}",
        '<p class="a"\n   style="b">',
        "<style>",
        "<script>go()</script>",
        "<a onclick='go()'>",
        '<a href="javascript:go()">',
    ],
)
def test_each_forbidden_thing_is_seen(text: str) -> None:
    assert sum(bool(re.search(pattern, text)) for pattern in FORBIDDEN.values()) == 1


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_template_holds(what: str) -> None:
    texts = {path.relative_to(PROJECT): path.read_text("utf-8") for path in (PROJECT / "templates").rglob("*.*")}
    assert texts
    found = {str(path): re.findall(FORBIDDEN[what], text, re.IGNORECASE) for path, text in texts.items()}
    assert {path: hits for path, hits in found.items() if hits} == {}


# ---------------------------------------------------------------------- what lies at the top
TOP = {
    ".ci", ".gitignore", "CHANGELOG.md", "Makefile", "README.md", "bench", "cockpit", "pyproject.toml", "static",
    "templates", "tests",
}  # fmt: skip


def test_nothing_else_lies_at_the_top() -> None:
    done = subprocess.run(["git", "-C", PROJECT, "ls-files", "-z"], capture_output=True, text=True, check=True)
    assert {path.split("/")[0] for path in done.stdout.split("\0") if path} - TOP == set()
