"""Asking the MCP server as a client does, and what the tests of MCP share."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import anyio
from mcp import Client
from mcp_types import CallToolResult

from ebbing.engine import Engine
from ebbing.interfaces import mcp_server
from ebbing.interfaces.access import Caller, ToolDispatcher


def mcp_asked(engine: Engine, question: Callable[[Client], Awaitable[Any]]) -> Any:
    async def asked() -> Any:
        face = mcp_server.server(ToolDispatcher(engine), lambda _: Caller(engine.owner))
        async with Client(face) as client:
            return await question(client)

    return anyio.run(asked)


def text_of(result: CallToolResult) -> str:
    [block] = result.content
    assert block.type == "text"
    return block.text


async def told(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """The structured answer of a tool, which the client has checked against the tool's own schema."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, text_of(result)
    assert isinstance(result.structured_content, dict)
    return result.structured_content


async def life(client: Client) -> None:
    """What a memory goes through: remembered, recalled, forgotten after a look, restored, explained, pinned."""
    kept = await told(client, "remember", text="Mara prefers tea", category="preference")
    id_ = kept["memories"][0]["id"]
    found = await told(client, "recall", query="what does Mara prefer?")
    assert [one["memory"]["id"] for one in found["recollections"]] == [id_]
    looked = await told(client, "forget", query="Mara prefers tea")
    assert (looked["dry_run"], looked["count"]) == (True, 1)
    assert (await told(client, "get_memory", id=id_))["memory"]["status"] == "active"
    gone = await told(client, "forget", ids=[id_], reason="she asked")
    assert (gone["dry_run"], gone["count"]) == (False, 1)
    assert (await told(client, "recall", query="Mara"))["recollections"] == []
    back = await told(client, "restore", batch=gone["id"])
    assert back["count"] == 1
    assert (await told(client, "list_memories", categories=["preference"]))["last"] == id_
    assert (await told(client, "pin", id=id_))["memory"]["pinned"] is True
    assert "it is pinned" in " ".join((await told(client, "explain", id=id_))["explanation"])
    assert "Mara prefers tea" in (await told(client, "context", query="tea"))["text"]
    assert (await told(client, "extract", text="Anna moved to Porto."))["facts"][0]["text"] == "Anna moved to Porto"
    assert (await told(client, "memory_status"))["total"] == 1
