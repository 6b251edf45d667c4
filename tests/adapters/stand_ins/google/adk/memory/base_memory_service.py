"""A stand-in for `google.adk.memory.base_memory_service`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(kw_only=True)
class SearchMemoryResponse:
    """What was found."""

    memories: list[Any] = field(default_factory=list)


class BaseMemoryService:
    """A memory of sessions."""

    async def add_session_to_memory(self, session: Any) -> None:
        raise AssertionError("the adapter has its own")

    async def add_events_to_memory(
        self, *, app_name: str, user_id: str, events: Any, session_id: Any = None, custom_metadata: Any = None
    ) -> None:
        raise AssertionError("the adapter has its own")

    async def add_memory(self, *, app_name: str, user_id: str, memories: Any, custom_metadata: Any = None) -> None:
        raise AssertionError("the adapter has its own")

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        raise AssertionError("the adapter has its own")

    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        raise AssertionError("the adapter has its own")
