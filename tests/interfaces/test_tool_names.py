"""A word of one interface, said on another: refused, with the word that holds there."""

from __future__ import annotations

import httpx2
import pytest
from mcp import Client, MCPError

import ebbing
from ebbing.interfaces.agent_tool import AgentTool
from ebbing.testing import FakeEmbedder, in_memory
from tests import shell
from tests.interfaces.mcp_client import mcp_asked
from tests.interfaces.web import web
from tests.tables import each_row


@each_row(
    ("typed", "here"),
    [
        ("get", "show"),
        ("get_memory", "show"),
        ("status", "stats"),
        ("memory-status", "stats"),
        ("set_block", "block set"),
    ],
)
def test_a_command_is_named_for_a_word_of_another_interface(typed: str, here: str) -> None:
    """Whoever knows the library or the MCP tools finds the command without reading the help."""
    result = shell.ebbing([typed])
    assert result.exit_code == 2
    assert f"here it is called {here}" in result.stderr


@each_row(("action", "here"), [("stats", "status"), ("remember", "add"), ("show", "get"), ("get_memory", "get")])
def test_an_action_is_named_for_a_word_of_another_interface(action: str, here: str) -> None:
    """A model is told the right word, not only that this one is wrong."""
    with in_memory() as engine:
        answer = AgentTool(engine).call({"action": action})
    assert f"(here it is called {here})" in answer["error"]["message"]


def test_an_mcp_tool_is_named_for_a_word_of_another_interface() -> None:
    """The same for a model that calls tools by the names of the library."""

    async def refusal(client: Client) -> str:
        with pytest.raises(MCPError) as refused:
            await client.call_tool("stats", {})
        return str(refused.value)

    with in_memory() as engine:
        assert "(here it is called memory_status)" in mcp_asked(engine, refusal)


def test_the_old_path_of_the_events_names_the_new_one() -> None:
    """/v1/audit was another word for what every other interface calls events."""
    with ebbing.open(":memory:", embedder=FakeEmbedder(), judge="off") as engine, web(engine) as served:
        answer = httpx2.get(
            f"{served.address}/v1/audit", headers={"Authorization": f"Bearer {served.token('all', rights=['admin'])}"}
        )
    assert answer.status_code == 404
    assert "/v1/events" in answer.json()["detail"]
