"""AutoGen over Ebbing: a memory of its agents, and the tools.

agent = AssistantAgent("helper", model_client=client, memory=[EbbingMemory(engine)], tools=agent_tools(engine))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..engine import Engine
from .missing_framework import MissingFramework
from .tools import USUAL, MemoryTool, memory_tools
from .turns import Turns

try:
    from autogen_core import CancellationToken
    from autogen_core.memory import Memory, MemoryContent, MemoryMimeType, MemoryQueryResult, UpdateContextResult
    from autogen_core.models import SystemMessage
    from autogen_core.tools import BaseTool, ToolSchema
    from pydantic import BaseModel, ConfigDict
except ModuleNotFoundError as error:
    raise MissingFramework("AutoGen", "autogen-agentchat") from error


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="allow")


class EbbingMemory(Memory):
    """What is remembered is added to the context of an agent when the user has asked something new."""

    component_type = "memory"

    def __init__(self, engine: Engine, *, scope: str = "/", budget_tokens: int = 1000) -> None:
        self._turns = Turns(engine, scope=scope, budget_tokens=budget_tokens)

    async def update_context(self, model_context: Any) -> UpdateContextResult:
        """Place what answers the last question of the user. AutoGen keeps the message, so a text stands there once."""
        messages = await model_context.get_messages()
        asked = [one.content for one in messages if one.type == "UserMessage" and isinstance(one.content, str)]
        text = await self._turns.before_in_thread(asked[-1]) if asked else ""
        placed = {one.content for one in messages if one.type == "SystemMessage"}
        if not text or text in placed:
            return UpdateContextResult(memories=MemoryQueryResult(results=[]))
        await model_context.add_message(SystemMessage(content=text))
        return UpdateContextResult(memories=MemoryQueryResult(results=[_content(text)]))

    async def query(
        self, query: str | MemoryContent, cancellation_token: CancellationToken | None = None, **given: Any
    ) -> MemoryQueryResult:
        """What answers a question."""
        question = query if isinstance(query, str) else str(query.content)
        text = await self._turns.before_in_thread(question)
        return MemoryQueryResult(results=[_content(text)] if text else [])

    async def add(self, content: MemoryContent, cancellation_token: CancellationToken | None = None) -> None:
        """Learn a text, as the user's word."""
        await self._turns.after_in_thread([{"role": "user", "content": str(content.content)}])

    async def clear(self) -> None:
        """Nothing is kept for a conversation; what is remembered is forgotten with `Engine.forget`."""

    async def close(self) -> None:
        """The engine belongs to whoever opened it."""


class _EbbingTool(BaseTool[_Arguments, str]):
    def __init__(self, tool: MemoryTool) -> None:
        super().__init__(_Arguments, str, tool.name, tool.description)
        self._tool = tool

    @property
    def schema(self) -> ToolSchema:
        """As it is declared."""
        parameters: Any = self._tool.parameters
        return ToolSchema(name=self.name, description=self.description, parameters=parameters, strict=False)

    async def run(self, args: _Arguments, cancellation_token: CancellationToken) -> str:
        """What the tool answers."""
        given: Mapping[str, Any] = args.model_dump()
        return await self._tool.in_thread(**given)


def agent_tools(engine: Engine, names: Sequence[str] = USUAL) -> list[BaseTool[Any, Any]]:
    """The tools as AutoGen has them."""
    return [_EbbingTool(tool) for tool in memory_tools(engine, names)]


def _content(text: str) -> MemoryContent:
    return MemoryContent(content=text, mime_type=MemoryMimeType.TEXT)
