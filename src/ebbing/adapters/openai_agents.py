"""OpenAI's Agents SDK over Ebbing: a session that learns, a filter that gives context, and the tools.

    session = EbbingSession(SQLiteSession("mara"), engine, scope="/user/mara")
    config = RunConfig(call_model_input_filter=recall_filter(engine, scope="/user/mara"))
    result = await Runner.run(agent, "where do I live?", session=session, run_config=config)

A session of the SDK is a verbatim history, which a memory is not: so the session here keeps another one and learns from
what goes into it, late enough that what the SDK takes back was not learned.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from ..domain.results import Remembered
from ..engine import Engine
from .missing_framework import MissingFramework
from .tools import USUAL, MemoryTool, memory_tools
from .turns import Turns, last_question, said

try:
    from agents import FunctionTool
    from agents.run import CallModelData, ModelInputData
except ModuleNotFoundError as error:
    raise MissingFramework("OpenAI's Agents SDK", "openai-agents") from error


class EbbingSession:
    """A session that hands everything on to another, and learns what was said in it."""

    def __init__(self, inner: Any, engine: Engine, *, scope: str = "/") -> None:
        self._inner = inner
        self._turns = Turns(engine, scope=scope)
        self._waiting: list[dict[str, str]] = []
        self._order = asyncio.Lock()

    @property
    def session_id(self) -> str:
        """Of the history."""
        return str(self._inner.session_id)

    @property
    def session_settings(self) -> Any:
        """Of the history."""
        return getattr(self._inner, "session_settings", None)

    @session_settings.setter
    def session_settings(self, settings: Any) -> None:
        self._inner.session_settings = settings

    async def get_items(self, limit: int | None = None) -> list[Any]:
        """The latest items, in their order."""
        found: list[Any] = await self._inner.get_items(limit)
        return found

    async def add_items(self, items: list[Any]) -> None:
        """Keep items. What was said before the last answer is learned when the answer has come."""
        await self._inner.add_items(items)
        self._waiting += _said(items)
        if self._waiting and self._waiting[-1]["role"] == "assistant":
            await self.learn()

    async def pop_item(self) -> Any:
        """Take back the last item; it is not learned if it was not yet."""
        item = await self._inner.pop_item()
        if self._waiting and _said([item]) == self._waiting[-1:]:
            self._waiting.pop()
        return item

    async def clear_session(self) -> None:
        """Empty the history. What was learned stays; `Engine.forget` is for that."""
        self._waiting.clear()
        await self._inner.clear_session()

    async def learn(self) -> Remembered:
        """Learn what waits now; an answer does that by itself."""
        async with self._order:
            waiting, self._waiting = self._waiting, []
            return await self._turns.after_in_thread(waiting, session=self.session_id) if waiting else Remembered()

    def __getattr__(self, name: str) -> Any:
        """Whatever else the history can do, such as compaction."""
        if name.startswith("__") or name == "_inner":
            raise AttributeError(name)
        return getattr(self._inner, name)


def recall_filter(
    engine: Engine, *, scope: str = "/", budget_tokens: int = 1000
) -> Callable[[CallModelData[Any]], Awaitable[ModelInputData]]:
    """A `call_model_input_filter` that adds what is remembered to the instructions: the model sees it, and no session
    keeps it."""
    turns = Turns(engine, scope=scope, budget_tokens=budget_tokens)

    async def with_context(data: CallModelData[Any]) -> ModelInputData:
        given = data.model_data
        messages = _said(given.input)
        asked = len([one for one in messages if one["role"] == "user"])
        text = await turns.before_in_thread(last_question(messages), run=f"{id(data.context)}:{asked}")
        parts = [part for part in (given.instructions, text) if part]
        return ModelInputData(input=given.input, instructions="\n\n".join(parts) or None)

    return with_context


def agent_tools(engine: Engine, names: Sequence[str] = USUAL) -> list[FunctionTool]:
    """The tools as the SDK has them. Not strict: most of their parameters may be left out."""
    return [
        FunctionTool(
            name=tool.name,
            description=tool.description,
            params_json_schema=tool.parameters,
            on_invoke_tool=_invoking(tool),
            strict_json_schema=False,
        )
        for tool in memory_tools(engine, names)
    ]


def _invoking(tool: MemoryTool) -> Callable[[Any, str], Awaitable[str]]:
    async def invoke(context: Any, arguments: str) -> str:
        try:
            given = json.loads(arguments or "{}")
        except ValueError:
            given = None
        if not isinstance(given, dict):
            return f"invalid: the arguments of {tool.name} are not a JSON object"
        return await tool.in_thread(**given)

    return invoke


def _said(items: Sequence[Any]) -> list[dict[str, str]]:
    """What users and models said, of items of the Responses API: calls of tools and reasoning are left out."""
    told = []
    for item in items:
        if isinstance(item, Mapping) and item.get("type", "message") == "message" and item.get("role") in _ROLES:
            text = _text(item.get("content"))
            if text.strip():
                told.append(said(item["role"], text))
    return told


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(str(part["text"]) for part in parts if isinstance(part, Mapping) and part.get("text"))


_ROLES = ("user", "assistant")
