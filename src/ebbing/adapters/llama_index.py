"""LlamaIndex over Ebbing: a block of its `Memory`, and the tools.

    memory = Memory.from_defaults(session_id="mara", memory_blocks=[EbbingBlock(engine=engine, scope="/user/mara")])
    agent = FunctionAgent(llm=llm, tools=agent_tools(engine))

LlamaIndex hands messages to a block only when they leave its short-term queue, which short conversations never do: call
`await block.learn(messages)` at the end of a run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..engine import Engine
from .missing_framework import MissingFramework
from .tools import USUAL, MemoryTool, memory_tools
from .turns import Turns, last_question, said

try:
    from llama_index.core.bridge.pydantic import BaseModel, ConfigDict, PrivateAttr
    from llama_index.core.memory import BaseMemoryBlock
    from llama_index.core.tools import FunctionTool, ToolMetadata
except ModuleNotFoundError as error:
    raise MissingFramework("LlamaIndex", "llama-index-core") from error


class EbbingBlock(BaseMemoryBlock[str]):
    """What is remembered of all conversations, for the question of this one."""

    name: str = "ebbing"
    engine: Any
    scope: str = "/"
    budget_tokens: int = 1000
    _turns: Any = PrivateAttr(default=None)

    def model_post_init(self, context: Any) -> None:
        """The turns of this block."""
        super().model_post_init(context)
        self._turns = Turns(self.engine, scope=self.scope, budget_tokens=self.budget_tokens)

    async def learn(self, messages: Sequence[Any], session: str | None = None) -> None:
        """Learn from messages; those that were learned before change nothing."""
        await self._turns.after_in_thread(_said(messages), session=session)

    async def _aget(self, messages: Sequence[Any] | None = None, **given: Any) -> str:
        text: str = await self._turns.before_in_thread(last_question(_said(messages or ())))
        return text

    async def _aput(self, messages: Sequence[Any]) -> None:
        await self.learn(messages)

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """Where there is no room the block goes as a whole: half of a block is not marked as data any more."""
        return None


def agent_tools(engine: Engine, names: Sequence[str] = USUAL) -> list[FunctionTool]:
    """The tools as LlamaIndex has them."""
    return [
        FunctionTool(
            tool.__call__,
            metadata=ToolMetadata(name=tool.name, description=tool.description, fn_schema=_schema(tool)),
            async_fn=tool.in_thread,
        )
        for tool in memory_tools(engine, names)
    ]


def _schema(tool: MemoryTool) -> type[BaseModel]:
    """A model that takes whatever is given and tells the schema of the tool: the call itself checks."""

    class Arguments(BaseModel):
        model_config = ConfigDict(extra="allow")

        @classmethod
        def model_json_schema(cls, *given: Any, **more: Any) -> dict[str, Any]:
            return tool.parameters

    return Arguments


def _said(messages: Sequence[Any]) -> list[dict[str, str]]:
    roles = {"user": "user", "assistant": "assistant"}
    told = [(getattr(one.role, "value", one.role), one.content or "") for one in messages]
    return [said(roles[role], text) for role, text in told if role in roles and text.strip()]
