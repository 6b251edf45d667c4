"""Strands over Ebbing: a store for its memory manager, and the tools.

    agent = Agent(memory_manager=MemoryManager([EbbingStore(engine, scope="/user/mara")], add_tool_config=True))

The manager places what the store finds before the model, and hands over the messages of the conversation every few
turns. Ebbing takes facts out of them itself, so Strands asks no model for that.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from ..engine import Engine
from .missing_framework import MissingFramework
from .tools import USUAL, MemoryTool, memory_tools
from .turns import Turns

try:
    from strands.memory import MemoryEntry, MemoryStore
    from strands.tools.tools import PythonAgentTool
except ModuleNotFoundError as error:
    raise MissingFramework("Strands", "strands-agents") from error


class EbbingStore(MemoryStore):
    """One store of a manager."""

    def __init__(
        self,
        engine: Engine,
        *,
        scope: str = "/",
        name: str = "ebbing",
        description: str = "What is remembered of earlier conversations.",
        max_search_results: int = 5,
        writable: bool = True,
        extraction: Any = True,
    ) -> None:
        self.name, self.description, self.max_search_results = name, description, max_search_results
        self.writable, self.extraction = writable, extraction if writable else None
        self._engine = engine
        self._scope = scope
        self._turns = Turns(engine, scope=scope)
        self._session = uuid.uuid4().hex  # numbers of messages begin anew in each run

    async def search(self, query: str, options: Any = None) -> list[MemoryEntry]:
        """What answers a question. It may be asked before each call of a model: within an hour that is one use."""
        if not query.strip():
            return []
        limit = (options or {}).get("max_search_results") or self.max_search_results
        found = await asyncio.to_thread(
            self._engine.recall, query, limit=limit, scope=self._scope, session=self._session
        )
        return [MemoryEntry(content=one.memory.text, metadata={"id": one.memory.id}) for one in found]

    async def add(self, content: str, metadata: Any = None) -> None:
        """Remember a text, as an agent's word."""
        await asyncio.to_thread(self._engine.remember, content, scope=self._scope, source="agent")

    async def add_messages(self, messages: Sequence[Mapping[str, Any]], context: Any = None) -> None:
        """Learn from messages. They may come more than once, and are known again."""
        told = [(message["role"], _text(message)) for message in messages]
        spoken = [{"role": role, "content": text} for role, text in told if text]
        await self._turns.after_in_thread(spoken, session=self._session)


def agent_tools(engine: Engine, names: Sequence[str] = USUAL) -> list[PythonAgentTool]:
    """The tools as Strands has them."""
    return [
        PythonAgentTool(
            tool.name,
            {"name": tool.name, "description": tool.description, "inputSchema": {"json": tool.parameters}},
            _answering(tool),
        )
        for tool in memory_tools(engine, names)
    ]


def _answering(tool: MemoryTool) -> Any:
    async def answer(tool_use: Any, **given: Any) -> dict[str, Any]:
        text = await tool.in_thread(**tool_use["input"])
        return {"toolUseId": tool_use["toolUseId"], "status": "success", "content": [{"text": text}]}

    return answer


def _text(message: Mapping[str, Any]) -> str:
    """What was said in a message; calls of tools and their answers are other blocks."""
    return "\n".join(block["text"] for block in message["content"] if block.get("text")).strip()
