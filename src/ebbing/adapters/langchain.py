"""LangChain over Ebbing: a middleware that gives an agent its memory, a retriever, and the tools.

agent = create_agent(model, tools=[...], middleware=[EbbingMiddleware(engine, scope="/user/mara")])
chain = EbbingRetriever(engine=engine, k=4) | prompt | model
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..engine import Engine
from .missing_framework import MissingFramework
from .tools import USUAL, memory_tools
from .turns import Turns, last_question, said

try:
    from langchain_core.documents import Document
    from langchain_core.messages import SystemMessage
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.tools import StructuredTool
except ModuleNotFoundError as error:
    raise MissingFramework("LangChain", "langchain") from error
try:
    from langchain.agents.middleware import AgentMiddleware
except ModuleNotFoundError as error:
    raise MissingFramework("LangChain", "langchain") from error


class EbbingRetriever(BaseRetriever):
    """Memories as documents, the best first; `k` may also be given to `invoke`."""

    engine: Any
    k: int = 4
    scope: str | None = None
    reinforce: bool = True  # being found is a use

    def _get_relevant_documents(self, query: str, *, run_manager: Any, **given: Any) -> list[Document]:
        found = self.engine.recall(query, limit=given.get("k", self.k), scope=self.scope, reinforce=self.reinforce)
        return [
            Document(
                id=one.memory.id,
                page_content=one.memory.text,
                metadata={
                    "score": one.score,
                    "strength": one.strength,
                    "category": one.memory.category,
                    "scope": str(one.memory.scope),
                    "tags": list(one.memory.tags),
                    "created_at": one.memory.created_at.isoformat(),
                },
            )
            for one in found
        ]


class EbbingMiddleware(AgentMiddleware):
    """What is remembered is placed before the model of an agent, and what was said is learned when it is done.

    The context is added to the system message of the request alone: no state and no checkpoint holds it.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        scope: str = "/",
        read_scope: str | None = None,
        budget_tokens: int = 1000,
        tools: Sequence[str] = (),
    ) -> None:
        super().__init__()
        self.tools = langchain_tools(engine, tools)
        self._turns = Turns(engine, scope=scope, read_scope=read_scope, budget_tokens=budget_tokens)

    def wrap_model_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        """Ask the model with what is remembered."""
        question, run = _question(request)
        return handler(_with(request, self._turns.before(question, run=run)))

    async def awrap_model_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        """The same on an event loop."""
        question, run = _question(request)
        return await handler(_with(request, await self._turns.before_in_thread(question, run=run)))

    def after_agent(self, state: Any, runtime: Any) -> None:
        """Learn from the conversation."""
        self._turns.after(_said(state["messages"]))

    async def aafter_agent(self, state: Any, runtime: Any) -> None:
        """The same on an event loop."""
        await self._turns.after_in_thread(_said(state["messages"]))


def langchain_tools(engine: Engine, names: Sequence[str] = USUAL) -> list[StructuredTool]:
    """The tools as LangChain has them."""
    return [
        StructuredTool(
            name=tool.name,
            description=tool.description,
            args_schema=tool.parameters,
            func=tool.__call__,
            coroutine=tool.in_thread,
        )
        for tool in memory_tools(engine, names)
    ]


def _said(messages: Sequence[Any]) -> list[dict[str, str]]:
    """What people and models said, with the ids by which it is known again."""
    roles = {"human": "user", "ai": "assistant"}
    spoken = [one for one in messages if one.type in roles and str(one.text).strip()]
    told = [said(roles[one.type], str(one.text)) for one in spoken]
    return [{**words, "id": one.id} if one.id else words for one, words in zip(spoken, told, strict=True)]


def _question(request: Any) -> tuple[str, str]:
    """What the user asked last, and a name for the run that answers it: the messages up to the question."""
    messages = list(request.messages)
    upto = max((place for place, one in enumerate(messages) if one.type == "human"), default=-1) + 1
    return last_question(_said(messages)), f"{id(request.runtime)}:{upto}:{messages[upto - 1].id if upto else ''}"


def _with(request: Any, text: str) -> Any:
    if not text:
        return request
    before = request.system_message
    parts = [] if before is None else [before.text]
    return request.override(system_message=SystemMessage(content="\n\n".join([*parts, text])))
