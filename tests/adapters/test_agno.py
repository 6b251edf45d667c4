"""Agno over Ebbing: the tools."""

from __future__ import annotations

from typing import Any

from ebbing.adapters.agno import agent_tools
from ebbing.engine import Engine
from tests.adapters.table import needs_real


def called(tool: Any, **given: Any) -> str:
    return tool.entrypoint(**given)


def test_the_tools_are_declared_and_answer(memory: Engine) -> None:
    """A model remembers and recalls with them; a mistake is answered."""
    recall, remember, *_ = agent_tools(memory)
    called(remember, text="Mara lives in Munich")
    assert "Munich" in called(recall, query="where does Mara live?")
    assert called(recall, query="x", limit="many").startswith("invalid: ")
    tool = recall
    assert tool.parameters["required"] == ["query"]


@needs_real
def test_agno_executes_a_call(memory: Engine) -> None:
    """As it does for a model."""
    from agno.tools.function import FunctionCall

    memory.remember("Mara lives in Munich")
    recall = agent_tools(memory)[0]
    done = FunctionCall(function=recall, arguments={"query": "where does Mara live?"}).execute()
    assert "Munich" in done.result
    assert recall.to_dict()["parameters"]["required"] == ["query"]
