"""The same six questions over the Model Context Protocol: a real client against a real ``cockpit mcp`` process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio
import jsonschema
import pytest
from flask.testing import FlaskClient
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError
from msgspec import structs

from cockpit.demo import build
from cockpit.reads.catalog import CATALOG, Read
from cockpit.store.checkout import Checkout
from cockpit.surfaces import mcp as surface
from tests.builders import Scene, five_windows
from tests.looking import BASE, client
from tests.patterns import hostile

PROJECT = Path(__file__).parents[2]
CALLS = 1000
READS = pytest.mark.parametrize("read", CATALOG, ids=lambda read: read.name)


@asynccontextmanager
async def connected(root: Path) -> AsyncIterator[Client]:
    """A client of a process of its own that answers about the checkout at ``root``."""
    arguments = ["-m", "cockpit", "mcp", "--repo", str(root)]
    async with Client(StdioServerParameters(command=sys.executable, args=arguments, cwd=PROJECT)) as connection:
        yield connection


def in_a_thread(action: Callable[[], Awaitable[Any]]) -> Any:
    """Run to its end in a thread of its own: a browser test may have left an event loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(anyio.run, action).result()


def over_mcp(root: Path, ask: Callable[[Client], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        async with connected(root) as connection:
            return await ask(connection)

    return in_a_thread(run)


@pytest.fixture(scope="module")
def roots(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("mcp")
    return {
        "demo": build(folder / "demo", datetime(2026, 11, 30, 9, 12, 44, tzinfo=UTC)),
        "hostile": hostile(folder / "hostile").root,
    }


# ---------------------------------------------------------------------- the same answers
def comparable(answer: Any) -> Any:
    """An answer without the moment at which its process built its index."""
    return {name: value for name, value in answer.items() if name != "served_at"}


def over_http(web: FlaskClient) -> dict[str, Any]:
    return {read.tool: comparable(web.get(read.route, base_url=BASE).get_json()) for read in CATALOG}


@pytest.mark.parametrize("name", ["demo", "hostile"])
def test_every_tool_answers_what_http_answers(name: str, roots: dict[str, Path]) -> None:
    async def all_of(connection: Client) -> dict[str, Any]:
        return {read.tool: await connection.call_tool(read.tool, {}) for read in CATALOG}

    web = client(Checkout.open(str(roots[name])))
    before, results, after = over_http(web), over_mcp(roots[name], all_of), over_http(web)
    for tool, result in results.items():
        (text,) = result.content
        assert json.loads(text.text) == result.structured_content
        assert comparable(result.structured_content) in (before[tool], after[tool])  # a minute may begin in between


@pytest.mark.parametrize("name", ["demo", "hostile"])
def test_every_resource_holds_what_its_tool_answers(name: str, roots: dict[str, Path]) -> None:
    addressed = [read for read in CATALOG if read.resource]

    async def both(connection: Client) -> list[tuple[Any, Any]]:
        return [
            (await connection.read_resource(read.resource), await connection.call_tool(read.tool, {}))
            for read in addressed
        ]

    for resource, tool in over_mcp(roots[name], both):
        (content,) = resource.contents
        assert content.mime_type == "application/json"
        assert json.loads(content.text).keys() == tool.structured_content.keys()


@READS
@pytest.mark.parametrize("name", ["demo", "hostile"])
def test_every_answer_fits_the_schema_its_tool_declares(name: str, read: Read, roots: dict[str, Path]) -> None:
    answer = client(Checkout.open(str(roots[name]))).get(read.route, base_url=BASE).get_json()
    schema = surface.output_schema(read)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(answer, schema)


# ---------------------------------------------------------------------- what is there
def test_the_tools_are_the_catalog_and_each_is_read_only(scene: Scene) -> None:
    tools = over_mcp(scene.root, lambda connection: connection.list_tools()).tools
    assert [(tool.name, tool.title, tool.description) for tool in tools] == [
        (read.tool, read.title, read.description) for read in CATALOG
    ]
    hints = {(tool.annotations.read_only_hint, tool.annotations.destructive_hint) for tool in tools}
    assert hints == {(True, False)}
    assert [tool.output_schema for tool in tools] == [surface.output_schema(read) for read in CATALOG]


def test_the_resources_are_those_of_the_catalog(scene: Scene) -> None:
    resources = over_mcp(scene.root, lambda connection: connection.list_resources()).resources
    assert [str(resource.uri) for resource in resources] == [read.resource for read in CATALOG if read.resource]


# ---------------------------------------------------------------------- errors are errors
@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda connection: connection.call_tool("lifecycle_nothing", {}), "There is no tool 'lifecycle_nothing'"),
        (lambda connection: connection.read_resource("majordomus://nothing"), "There is no resource"),
    ],
)
def test_what_does_not_exist_is_a_protocol_error(ask: Any, said: str, scene: Scene) -> None:
    async def refused(connection: Client) -> str:
        with pytest.raises(MCPError) as error:
            await ask(connection)
        return str(error.value)

    assert said in over_mcp(scene.root, refused)


def test_a_tool_that_is_given_arguments_says_that_it_takes_none(scene: Scene) -> None:
    result = over_mcp(scene.root, lambda connection: connection.call_tool("lifecycle_closed", {"limit": 3}))
    assert (result.is_error, result.content[0].text) == (True, "lifecycle_closed takes no arguments.")


def test_a_read_that_fails_is_an_error_without_a_word_of_the_inside(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: Any) -> Any:
        raise RuntimeError("in /usr/lib/secret")

    monkeypatch.setattr(surface, "CATALOG", tuple(structs.replace(read, ask=broken) for read in CATALOG))

    async def asked() -> tuple[Any, str]:
        async with Client(surface.server(Checkout.open(str(scene.root)))) as connection:
            result = await connection.call_tool("continuity_state", {})
            with pytest.raises(MCPError) as error:
                await connection.read_resource("majordomus://continuity")
            return result, str(error.value)

    result, said = in_a_thread(asked)
    assert (result.is_error, result.structured_content) == (True, None)
    assert "continuity.state failed (RuntimeError)" in result.content[0].text
    assert "continuity.state failed (RuntimeError)" in said
    assert "secret" not in said + result.content[0].text


def test_a_folder_without_a_repository_ends_the_program_with_a_sentence(tmp_path: Path) -> None:
    done = _started("--repo", str(tmp_path))
    assert done.returncode == 2
    assert b"is not inside a git repository" in done.stderr
    assert done.stdout == b""


# ---------------------------------------------------------------------- a process that can stay
def test_starting_it_imports_no_web_server(scene: Scene) -> None:
    done = _started("--repo", str(scene.root), options=("-X", "importtime"))
    imported = {line.rpartition(b"|")[2].strip().split(b".")[0] for line in done.stderr.splitlines()}
    assert b"mcp" in imported
    assert imported & {b"flask", b"waitress", b"werkzeug", b"jinja2"} == set()


def test_a_thousand_calls_leave_no_file_handle_and_no_child(scene: Scene) -> None:
    five_windows(scene)

    async def counted(connection: Client) -> tuple[Any, Any]:
        process = _mine(scene.root)
        await _call(connection, 2 * len(CATALOG))
        before = await _held(process)
        await _call(connection, CALLS)
        return before, await _held(process)

    before, after = over_mcp(scene.root, counted)
    assert before[0] > 2
    assert after == before


async def _call(connection: Client, times: int) -> None:
    for number in range(times):
        result = await connection.call_tool(CATALOG[number % len(CATALOG)].tool, {})
        assert not result.is_error


async def _held(process: int) -> tuple[int, list[int]]:
    """How many file handles a process holds and which children it has, once it has had a moment of rest."""
    await anyio.sleep(0.3)
    return len(list(Path(f"/proc/{process}/fd").iterdir())), _children(process)


def _children(process: int) -> list[int]:
    tasks = Path(f"/proc/{process}/task").iterdir()
    return sorted(int(child) for task in tasks for child in (task / "children").read_text().split())


def _mine(root: Path) -> int:
    """The child of this process that answers about ``root``."""
    (found,) = [
        child
        for child in _children(os.getpid())
        if str(root).encode() in Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
    ]
    return found


def _started(*arguments: str, options: tuple[str, ...] = ()) -> subprocess.CompletedProcess[bytes]:
    """``cockpit mcp`` with a client that says nothing and goes."""
    command = [sys.executable, *options, "-m", "cockpit", "mcp", *arguments]
    return subprocess.run(command, cwd=PROJECT, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)
