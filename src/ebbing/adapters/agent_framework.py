"""Microsoft's Agent Framework over Ebbing: a context provider, and the tools.

agent = Agent(client=client, context_providers=[EbbingProvider(engine, scope="/user/mara")])
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..engine import Engine
from .missing_framework import MissingFramework
from .tools import USUAL, memory_tools
from .turns import Turns, last_question

try:
    from agent_framework import ContextProvider, FunctionTool
except ModuleNotFoundError as error:
    raise MissingFramework("Microsoft's Agent Framework", "agent-framework-core") from error


class EbbingProvider(ContextProvider):
    """What is remembered stands in the instructions of a run, which no history keeps; what was said is learned after.

    `scope` is where it is written and `read_scope` where it is read from.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        scope: str = "/",
        read_scope: str | None = None,
        budget_tokens: int = 1000,
        source_id: str = "ebbing",
    ) -> None:
        super().__init__(source_id)
        self._turns = Turns(engine, scope=scope, read_scope=read_scope, budget_tokens=budget_tokens)

    async def before_run(self, *, agent: Any, session: Any, context: Any, state: dict[str, Any]) -> None:
        """Add what answers the question of this run."""
        question = last_question(_said(context.input_messages))
        if text := await self._turns.before_in_thread(question):
            context.extend_instructions(self.source_id, text)

    async def after_run(self, *, agent: Any, session: Any, context: Any, state: dict[str, Any]) -> None:
        """Learn from the run."""
        answered = context.response.messages if context.response is not None else []
        messages = _said([*context.input_messages, *answered])
        await self._turns.after_in_thread(messages, session=context.session_id)


def agent_tools(engine: Engine, names: Sequence[str] = USUAL) -> list[FunctionTool]:
    """The tools as the framework has them."""
    return [
        FunctionTool(name=tool.name, description=tool.description, func=tool.in_thread, input_model=tool.parameters)
        for tool in memory_tools(engine, names)
    ]


def _said(messages: Iterable[Any]) -> list[dict[str, str]]:
    """What people and models said, with the ids by which it is known again."""
    told = []
    for one in messages:
        role, text = str(getattr(one.role, "value", one.role)), one.text
        if role in ("user", "assistant") and text.strip():
            named = {"id": one.message_id} if one.message_id else {}
            told.append({"role": role, "content": text, **named})
    return told
