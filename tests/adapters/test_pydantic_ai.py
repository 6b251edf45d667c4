"""Pydantic AI over Ebbing: the capability and the tools."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

from ebbing.adapters.pydantic_ai import EbbingCapability, agent_tools
from ebbing.engine import Engine
from tests.adapters.table import needs_real

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def test_instructions_hold_what_is_remembered_once_per_run(memory: Engine) -> None:
    """They are asked for before every request of a run."""
    memory.remember("Mara lives in Munich")
    instructions = EbbingCapability(memory).get_instructions()
    ctx = SimpleNamespace(prompt="where does Mara live?", run_id="r1", conversation_id="c")
    assert len({asyncio.run(instructions(ctx)) for _ in range(3)}) == 1
    assert [one.recall_count for one in memory.list()] == [1]
    assert "Munich" in asyncio.run(instructions(ctx))
    assert asyncio.run(instructions(SimpleNamespace(prompt=None, run_id="r2"))) == ""


def test_a_run_is_learned_without_its_tools(memory: Engine) -> None:
    """What the user and the model said; the result is handed on as it was."""
    parts = [
        SimpleNamespace(part_kind="system-prompt", content="I live in Rome."),
        SimpleNamespace(part_kind="user-prompt", content=["I live in Munich.", object()], timestamp=NOON),
        SimpleNamespace(part_kind="tool-return", content="I live in Paris."),
    ]
    result = SimpleNamespace(new_messages=lambda: [SimpleNamespace(parts=parts, timestamp=NOON)])
    ctx = SimpleNamespace(conversation_id="c")
    assert asyncio.run(EbbingCapability(memory, scope="/user/mara").after_run(ctx, result=result)) is result
    [learned] = memory.list()
    assert ("Munich" in learned.text, str(learned.scope), learned.source.session) == (True, "/user/mara", "c")


@needs_real
def test_an_agent_recalls_and_learns(memory: Engine) -> None:
    """With Pydantic AI's agent and its function model: a round with a tool, then the answer."""
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import FunctionModel

    seen: list[Any] = []

    def model(messages: Any, info: Any) -> ModelResponse:
        seen.append((messages, info))
        first = len(seen) == 1
        return ModelResponse([ToolCallPart("recall", {"query": "Munich"}) if first else TextPart("In Munich.")])

    memory.remember("Mara lives in Munich")
    capability = EbbingCapability(memory)
    agent = Agent(FunctionModel(model), capabilities=[capability], tools=agent_tools(memory), instructions="Be brief.")
    result = agent.run_sync("where does Mara live? My dog is called Rex.")
    assert result.output == "In Munich."
    assert "<ebbing-memory" in seen[0][0][-1].instructions
    assert seen[0][1].function_tools[0].parameters_json_schema["required"] == ["query"]
    assert "Munich" in str(seen[1][0][-1].parts)
    assert any("Rex" in one.text for one in memory.list())
