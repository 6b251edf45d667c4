"""Pydantic AI over Ebbing: a capability that gives an agent its memory, and the tools.

agent = Agent(model, capabilities=[EbbingCapability(engine, scope="/user/mara")])
agent = Agent(model, tools=agent_tools(engine))
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from ..engine import Engine
from .missing_framework import MissingFramework
from .tools import USUAL, memory_tools
from .turns import Turns

try:
    from pydantic_ai import Tool
    from pydantic_ai.capabilities import AbstractCapability
except ModuleNotFoundError as error:
    raise MissingFramework("Pydantic AI", "pydantic-ai") from error


class EbbingCapability(AbstractCapability[Any]):
    """What is remembered stands in the instructions of a run, and what was said is learned after it."""

    def __init__(self, engine: Engine, *, scope: str = "/", budget_tokens: int = 1000) -> None:
        self._turns = Turns(engine, scope=scope, budget_tokens=budget_tokens)

    def get_instructions(self) -> Callable[[Any], Awaitable[str]]:
        """Asked before each request of a run: one use of what is found."""

        async def remembered(ctx: Any) -> str:
            question = ctx.prompt if isinstance(ctx.prompt, str) else _texts(ctx.prompt or ())
            return await self._turns.before_in_thread(question, run=ctx.run_id)

        return remembered

    async def after_run(self, ctx: Any, *, result: Any) -> Any:
        """Learn what was said in the run."""
        messages = [words for message in result.new_messages() for words in _said(message)]
        await self._turns.after_in_thread(messages, session=ctx.conversation_id)
        return result


def agent_tools(engine: Engine, names: Sequence[str] = USUAL) -> list[Tool[Any]]:
    """The tools as Pydantic AI has them."""
    return [
        Tool.from_schema(tool.in_thread, tool.name, tool.description, tool.parameters)
        for tool in memory_tools(engine, names)
    ]


def _said(message: Any) -> list[dict[str, str]]:
    """What the user and the model said in a message; calls of tools, their answers and instructions are left out."""
    told = []
    for part in message.parts:
        if part.part_kind == "user-prompt":
            content = part.content if isinstance(part.content, str) else _texts(part.content)
            told.append({"role": "user", "content": content, "created_at": part.timestamp.isoformat()})
        elif part.part_kind == "text":
            told.append({"role": "assistant", "content": part.content, "created_at": message.timestamp.isoformat()})
    return [words for words in told if words["content"].strip()]


def _texts(parts: Sequence[Any]) -> str:
    return "\n".join(part if isinstance(part, str) else getattr(part, "content", "") for part in parts)
