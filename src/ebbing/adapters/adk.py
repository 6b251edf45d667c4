"""Google's Agent Development Kit over Ebbing: its memory service, and the tools.

    service = EbbingMemoryService(engine)
    runner = Runner(agent=agent, app_name="helper", session_service=sessions, memory_service=service)

ADK's own tools `load_memory` and `preload_memory` then ask Ebbing. What an app keeps of a user stands in a scope of its
own; nothing of it is seen by another app or user.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from ..domain.errors import NotFound
from ..domain.memory import Memory, Scope
from ..engine import Engine
from .key_values import place_of
from .missing_framework import MissingFramework
from .tools import USUAL, MemoryTool, memory_tools
from .turns import Turns

try:
    from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
    from google.adk.memory.memory_entry import MemoryEntry
    from google.adk.tools import BaseTool
    from google.genai import types
except ModuleNotFoundError as error:
    raise MissingFramework("the Agent Development Kit", "google-adk") from error


class EbbingMemoryService(BaseMemoryService):
    """What was said in sessions, for each user of each app."""

    def __init__(self, engine: Engine, *, scope: str = "/adk", limit: int = 10) -> None:
        self._engine = engine
        self._scope = scope.rstrip("/")
        self._limit = limit  # ADK names none

    async def add_session_to_memory(self, session: Any) -> None:
        """Learn from a session, as often as it is added: an event that was learned before changes nothing, and what was
        deleted since stays deleted."""
        await self.add_events_to_memory(
            app_name=session.app_name, user_id=session.user_id, events=session.events, session_id=session.id
        )

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Any],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Learn from events: what people and models said, not the calls of tools nor thoughts."""
        turns = Turns(self._engine, scope=self._place(app_name, user_id))
        await turns.after_in_thread([said for event in events if (said := _said(event))], session=session_id)

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Remember texts as they are."""
        place = self._place(app_name, user_id)
        texts = [text for one in memories if (text := _text(one.content))]
        await asyncio.to_thread(self._engine.remember_many, [{"text": text, "scope": place} for text in texts])

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        """What answers a question. ADK may ask before each request of a run: within an hour that is one use."""
        place = self._place(app_name, user_id)
        if not query.strip():
            return SearchMemoryResponse(memories=[])
        found = await asyncio.to_thread(
            self._engine.recall, query, limit=self._limit, scope=place, session=f"adk {user_id}"[:100]
        )
        return SearchMemoryResponse(memories=[_entry(one.memory) for one in found])

    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        """Forget one memory of this user. `Engine.restore` brings it back."""
        if memory_id is None:
            raise NotFound("delete_memory needs the id of a memory, as search_memory tells it")
        memory = await asyncio.to_thread(self._engine.get, memory_id)
        if not Scope(self._place(app_name, user_id)).contains(memory.scope):
            raise NotFound(f"user {user_id!r:.60} of app {app_name!r:.60} has no memory {memory_id}")
        await asyncio.to_thread(self._engine.forget, ids=[memory_id], reason="deleted through ADK")

    def _place(self, app_name: str, user_id: str) -> str:
        return place_of(self._scope, (app_name, user_id))


class _EbbingTool(BaseTool):
    def __init__(self, tool: MemoryTool) -> None:
        super().__init__(name=tool.name, description=tool.description)
        self._tool = tool

    def _get_declaration(self) -> types.FunctionDeclaration:
        return types.FunctionDeclaration(
            name=self.name, description=self.description, parameters_json_schema=self._tool.parameters
        )

    async def run_async(self, *, args: dict[str, Any], tool_context: Any) -> Any:
        """What the tool answers."""
        return {"result": await self._tool.in_thread(**args)}


def agent_tools(engine: Engine, names: Sequence[str] = USUAL) -> list[BaseTool]:
    """The tools as ADK has them."""
    return [_EbbingTool(tool) for tool in memory_tools(engine, names)]


def _said(event: Any) -> dict[str, str]:
    """An event as a message; empty where nobody said anything in it."""
    text = _text(event.content)
    if not text or event.partial:
        return {}
    at = datetime.fromtimestamp(event.timestamp, UTC).isoformat()
    role = "user" if event.author == "user" else "assistant"
    return {"role": role, "content": text, "id": event.id, "created_at": at}


def _text(content: Any) -> str:
    parts = getattr(content, "parts", None) or []
    return "\n".join(part.text for part in parts if part.text and not part.thought).strip()


def _entry(memory: Memory) -> MemoryEntry:
    return MemoryEntry(
        content=types.Content(role="user", parts=[types.Part(text=memory.text)]),
        id=memory.id,
        author=memory.source.kind,
        timestamp=memory.created_at.isoformat(),
    )
