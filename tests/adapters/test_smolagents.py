"""smolagents over Ebbing: the tools."""

from __future__ import annotations

from typing import Any

from ebbing.adapters.smolagents import agent_tools
from ebbing.engine import Engine
from tests.adapters.table import needs_real


def called(tool: Any, **given: Any) -> str:
    return tool(**given)


def test_the_tools_are_declared_and_answer(memory: Engine) -> None:
    """A model remembers and recalls with them; a mistake is answered."""
    recall, remember, *_ = agent_tools(memory)
    called(remember, text="Mara lives in Munich")
    assert "Munich" in called(recall, query="where does Mara live?")
    assert called(recall, query="x", limit="many").startswith("invalid: ")
    tool = recall
    assert {"required": [name for name, one in tool.inputs.items() if not one.get("nullable")]}["required"] == ["query"]


@needs_real
def test_smolagents_tells_a_model_the_schema(memory: Engine) -> None:
    """What it sends to a model is what is declared."""
    from smolagents.models import get_tool_json_schema

    told = get_tool_json_schema(agent_tools(memory)[0])["function"]
    assert (told["name"], told["parameters"]["required"]) == ("recall", ["query"])
