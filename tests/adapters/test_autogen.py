"""AutoGen over Ebbing: the memory and the tools."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from autogen_core import CancellationToken
from autogen_core.memory import MemoryContent, MemoryMimeType

from ebbing.adapters.autogen import EbbingMemory, agent_tools
from ebbing.engine import Engine
from tests.adapters.table import needs_real


class Context:
    """A context that keeps what is added, as AutoGen's do."""

    def __init__(self, *messages: Any) -> None:
        self.messages = list(messages)

    async def get_messages(self) -> list[Any]:
        return list(self.messages)

    async def add_message(self, message: Any) -> None:
        self.messages.append(message)


def user(text: str) -> Any:
    return SimpleNamespace(content=text, type="UserMessage")


def test_a_text_is_placed_once_for_a_question(memory: Engine) -> None:
    """AutoGen keeps the message: three turns must not leave three copies. The question is the user's, not a tool's."""
    memory.remember("Mara lives in Munich")
    ours = EbbingMemory(memory)
    context = Context(
        user("where does Mara live?"), SimpleNamespace(content="42", type="FunctionExecutionResultMessage")
    )
    counts = [len(asyncio.run(ours.update_context(context)).memories.results) for _ in range(3)]
    assert counts == [1, 0, 0]
    assert [message.type for message in context.messages].count("SystemMessage") == 1
    assert "Munich" in context.messages[-1].content


def test_it_learns_and_is_asked(memory: Engine) -> None:
    """Directly, as a program calls it."""
    ours = EbbingMemory(memory, scope="/user/mara")

    async def both() -> Any:
        await ours.add(MemoryContent(content="I live in Munich.", mime_type=MemoryMimeType.TEXT))
        await ours.clear()
        await ours.close()
        return await ours.query("live in Munich?")

    assert "Munich" in asyncio.run(both()).results[0].content
    assert [str(one.scope) for one in memory.list()] == ["/user/mara"]


def test_tools_run_from_json(memory: Engine) -> None:
    """With the declared schema."""
    recall, remember, *_ = agent_tools(memory)
    asyncio.run(remember.run_json({"text": "Mara lives in Munich"}, CancellationToken()))
    assert "Munich" in asyncio.run(recall.run_json({"query": "where does Mara live?"}, CancellationToken()))
    assert recall.schema["parameters"]["required"] == ["query"]


@needs_real
def test_a_context_of_autogen_holds_it(memory: Engine) -> None:
    """With AutoGen's own context."""
    from autogen_core.model_context import UnboundedChatCompletionContext
    from autogen_core.models import UserMessage

    memory.remember("Mara lives in Munich")

    async def turn() -> Any:
        context = UnboundedChatCompletionContext()
        await context.add_message(UserMessage(content="where does Mara live?", source="user"))
        await EbbingMemory(memory).update_context(context)
        return await context.get_messages()

    assert "Munich" in asyncio.run(turn())[-1].content
