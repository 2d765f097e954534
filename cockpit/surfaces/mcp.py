"""The reads over the Model Context Protocol: each a tool, and those that have an address a resource.

https://modelcontextprotocol.io/specification: a tool answers with structured content that fits its output schema, and
with the same as text for clients that know no structure; a tool that fails says so in its result; a tool or a resource
that does not exist is a protocol error.
"""

from __future__ import annotations

import logging
from typing import Any

import anyio
import anyio.to_thread
import mcp_types as types
import msgspec
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from cockpit import __version__
from cockpit.reads.catalog import CATALOG, Read
from cockpit.store.checkout import Checkout

_JSON = "application/json"
_NOTHING = {"type": "object", "properties": {}, "additionalProperties": False}
_READ_ONLY = types.ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
_log = logging.getLogger(__name__)


def serve(checkout: Checkout) -> None:
    """Answer on standard input and output until the client closes them."""
    anyio.run(_serve, server(checkout))


async def _serve(answering: Server[Any]) -> None:
    async with stdio_server() as (reading, writing):
        await answering.run(reading, writing, answering.create_initialization_options())


def server(checkout: Checkout) -> Server[Any]:
    """The server of one checkout."""
    tools = {read.tool: read for read in CATALOG}
    resources = {read.resource: read for read in CATALOG if read.resource}

    async def list_tools(_: Any, __: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_tool(read) for read in CATALOG])

    async def call_tool(_: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        read = tools.get(params.name)
        if read is None:
            raise MCPError(types.INVALID_PARAMS, f"There is no tool {params.name!r}; there are {', '.join(tools)}.")
        if params.arguments:
            return _failed(f"{read.tool} takes no arguments.")
        return await _called(read, checkout)

    async def list_resources(_: Any, __: Any) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=[_resource(read) for read in resources.values()])

    async def read_resource(_: Any, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        read = resources.get(str(params.uri))
        if read is None:
            there = ", ".join(resources)
            raise MCPError(types.INVALID_PARAMS, f"There is no resource {str(params.uri)!r}; there are {there}.")
        try:
            text = msgspec.json.encode(await _asked(read, checkout)).decode()
        except Exception as error:
            raise MCPError(types.INTERNAL_ERROR, _told(read, error)) from error
        content = types.TextResourceContents(uri=read.resource, mime_type=_JSON, text=text)
        return types.ReadResourceResult(contents=[content])

    return Server(
        "cockpit",
        version=__version__,
        title="Cockpit",
        instructions="Read-only questions about the checkout this server was started in. Nothing is ever written.",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
    )


async def _asked(read: Read, checkout: Checkout) -> Any:
    return await anyio.to_thread.run_sync(lambda: read.ask(checkout.look()))


async def _called(read: Read, checkout: Checkout) -> types.CallToolResult:
    try:
        answer = await _asked(read, checkout)
    except Exception as error:
        return _failed(_told(read, error))
    text = msgspec.json.encode(answer).decode()
    return types.CallToolResult(content=[types.TextContent(text=text)], structured_content=msgspec.json.decode(text))


def _told(read: Read, error: Exception) -> str:
    """The sentence about a read that failed; the whole goes to the log."""
    _log.error("%s failed", read.id, exc_info=error)
    return f"{read.id} failed ({type(error).__name__}); the server's standard error has the details."


def _failed(sentence: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=sentence)], is_error=True)


def _tool(read: Read) -> types.Tool:
    return types.Tool(
        name=read.tool,
        title=read.title,
        description=read.description,
        input_schema=_NOTHING,
        output_schema=output_schema(read),
        annotations=_READ_ONLY,
    )


def output_schema(read: Read) -> dict[str, Any]:
    """The JSON Schema of a read's answer, with the answer itself at its root (the protocol wants an object there)."""
    (_,), definitions = msgspec.json.schema_components([read.answer], ref_template="#/$defs/{name}")
    root = definitions.pop(read.answer.__name__)
    return {**root, "$defs": definitions} if definitions else root


def _resource(read: Read) -> types.Resource:
    return types.Resource(
        uri=read.resource, name=read.id, title=read.title, description=read.description, mime_type=_JSON
    )
