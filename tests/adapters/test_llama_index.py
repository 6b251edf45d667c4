"""LlamaIndex over Ebbing: the block and the tools."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from ebbing.adapters.llama_index import EbbingBlock, agent_tools
from ebbing.engine import Engine
from tests.adapters.table import needs_real


def message(role: str, text: str) -> Any:
    return SimpleNamespace(role=role, content=text, additional_kwargs={})


def test_a_block_answers_the_question_across_sessions(memory: Engine) -> None:
    """What was learned in one session is there in the next; a second look learns nothing twice."""
    block = EbbingBlock(engine=memory, scope="/user/mara")
    said = [message("user", "I live in Munich."), message("assistant", "Noted.")]
    asyncio.run(block.learn(said, session="one"))
    asyncio.run(block.aput(said))
    [learned] = memory.list()
    assert str(learned.scope) == "/user/mara"
    assert "Munich" in asyncio.run(block.aget([message("user", "where do I live, in Munich?")], session_id="two"))
    assert asyncio.run(block.aget([])) == ""
    assert asyncio.run(block.atruncate("text", 10)) is None


def test_tools_tell_their_schema(memory: Engine) -> None:
    """Descriptions fit the limit of OpenAI's tools, which LlamaIndex checks."""
    for tool in agent_tools(memory):
        assert set(tool.metadata.get_parameters_dict()) >= {"type", "properties", "required"}
        assert len(tool.metadata.description) <= 1024
    remember = agent_tools(memory)[1]
    remember.call(text="Mara lives in Munich")
    assert [one.text for one in memory.list()] == ["Mara lives in Munich"]


@needs_real
def test_a_memory_of_llama_index_holds_the_block(memory: Engine) -> None:
    """It stands in the system message that the memory makes."""
    from llama_index.core.llms import ChatMessage
    from llama_index.core.memory import Memory

    memory.remember("Mara lives in Munich")

    async def turn() -> Any:
        whole = Memory.from_defaults(session_id="s", token_limit=3000, memory_blocks=[EbbingBlock(engine=memory)])
        await whole.aput(ChatMessage(role="user", content="where does Mara live?"))
        return await whole.aget()

    system, question = asyncio.run(turn())
    assert "Mara lives in Munich" in system.content
    assert question.content == "where does Mara live?"
