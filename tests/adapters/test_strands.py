"""Strands over Ebbing: the store of its memory manager and the tools."""

from __future__ import annotations

import asyncio
from typing import Any

from ebbing.adapters.strands import EbbingStore, agent_tools
from ebbing.engine import Engine
from tests.adapters.table import needs_real


def message(role: str, text: str) -> Any:
    return {"role": role, "content": [{"text": text}, {"toolUse": {"name": "f"}}]}


def test_a_store_is_searched_and_one_run_is_one_use(memory: Engine) -> None:
    """The manager searches before each call of a model."""
    store = EbbingStore(memory, scope="/user/mara")
    asyncio.run(store.add("Mara lives in Munich"))
    asyncio.run(store.add("Mara lived in Munich for ten years with her cats"))
    for _ in range(3):
        entries = asyncio.run(store.search("where does Mara live in Munich?", {"max_search_results": 1}))
    assert len(entries) == 1
    assert memory.get(entries[0].metadata["id"]).recall_count == 1
    assert asyncio.run(store.search(" ")) == []


def test_messages_that_come_twice_are_learned_once(memory: Engine) -> None:
    """Strands delivers at least once; calls of tools are left out."""
    store = EbbingStore(memory, scope="/user/mara")
    said = [message("user", "I live in Munich."), message("assistant", "Noted."), {"role": "user", "content": []}]
    for _ in range(3):
        asyncio.run(store.add_messages(said))
    [learned] = memory.list()
    assert ("Munich" in learned.text, learned.recall_count, str(learned.scope)) == (True, 0, "/user/mara")


def test_a_store_that_is_only_read_extracts_nothing(memory: Engine) -> None:
    """The manager refuses an extraction for a store that is not writable."""
    store = EbbingStore(memory, writable=False)
    assert (store.writable, store.extraction) == (False, None)


def test_the_tools_answer_with_their_call(memory: Engine) -> None:
    """A result names the call it answers."""
    recall = agent_tools(memory)[0]
    memory.remember("Mara lives in Munich")
    answer = asyncio.run(recall._tool_func({"toolUseId": "1", "input": {"query": "where does Mara live?"}}))
    assert (answer["toolUseId"], "Munich" in answer["content"][0]["text"]) == ("1", True)
    assert recall.tool_spec["inputSchema"]["json"]["required"] == ["query"]


@needs_real
def test_an_agent_recalls_with_its_manager(memory: Engine) -> None:
    """With the agent and the manager of Strands and a fake model, which calls a tool of ours first."""
    from strands import Agent
    from strands.memory import MemoryManager
    from strands.models import Model

    seen: list[Any] = []

    class Fake(Model):
        def update_config(self, **given: Any) -> None:
            pass

        def get_config(self) -> Any:
            return {}

        async def structured_output(self, *given: Any, **more: Any) -> Any:
            yield {}

        async def stream(self, messages: Any, tool_specs: Any = None, *given: Any, **more: Any) -> Any:
            seen.append(str(messages))
            yield {"messageStart": {"role": "assistant"}}
            if len(seen) == 1:
                yield {"contentBlockStart": {"start": {"toolUse": {"name": "recall", "toolUseId": "1"}}}}
                yield {"contentBlockDelta": {"delta": {"toolUse": {"input": '{"query": "Munich"}'}}}}
            else:
                yield {"contentBlockStart": {"start": {}}}
                yield {"contentBlockDelta": {"delta": {"text": "In Munich."}}}
            yield {"contentBlockStop": {}}
            yield {"messageStop": {"stopReason": "tool_use" if len(seen) == 1 else "end_turn"}}

    memory.remember("Mara lives in Munich")
    manager = MemoryManager([EbbingStore(memory)], add_tool_config=True)
    agent = Agent(model=Fake(), memory_manager=manager, tools=agent_tools(memory), callback_handler=None)
    assert str(agent("where does Mara live?")).strip() == "In Munich."
    assert "Mara lives in Munich" in seen[0]
    assert "<ebbing-memory" in seen[1]
