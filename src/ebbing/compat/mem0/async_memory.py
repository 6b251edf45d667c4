"""`AsyncMemory` of mem0: the methods of `Memory`, each run in a thread."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Self

from ...engine import Engine
from .memory import Memory, engine_of


class AsyncMemory:
    """The same as coroutines, each run in a thread."""

    def __init__(self, engine: Engine | None = None, *, scope: str = "/mem0") -> None:
        self._memory = Memory(engine, scope=scope)

    @classmethod
    async def from_config(cls, config: Mapping[str, Any]) -> Self:
        """As that of `Memory`."""
        return cls(await asyncio.to_thread(engine_of, config))

    async def add(self, messages: Any, **given: Any) -> dict[str, Any]:
        """As that of `Memory`; so are the others."""
        return await asyncio.to_thread(self._memory.add, messages, **given)

    async def search(self, query: str, **given: Any) -> dict[str, Any]:
        """What answers a question."""
        return await asyncio.to_thread(self._memory.search, query, **given)

    async def get_all(self, **given: Any) -> dict[str, Any]:
        """Everything that belongs to somebody."""
        return await asyncio.to_thread(self._memory.get_all, **given)

    async def get(self, memory_id: str) -> dict[str, Any] | None:
        """One memory."""
        return await asyncio.to_thread(self._memory.get, memory_id)

    async def update(self, memory_id: str, *args: Any, **given: Any) -> dict[str, str]:
        """Another text or other metadata."""
        return await asyncio.to_thread(self._memory.update, memory_id, *args, **given)

    async def delete(self, memory_id: str) -> dict[str, str]:
        """Put one memory away."""
        return await asyncio.to_thread(self._memory.delete, memory_id)

    async def delete_all(self, *args: Any, **given: Any) -> dict[str, str]:
        """Put away everything that belongs to somebody."""
        return await asyncio.to_thread(self._memory.delete_all, *args, **given)

    async def history(self, memory_id: str) -> list[dict[str, Any]]:
        """What a memory said."""
        return await asyncio.to_thread(self._memory.history, memory_id)

    async def reset(self) -> dict[str, str]:
        """Put away everything that was added here."""
        return await asyncio.to_thread(self._memory.reset)

    async def close(self) -> None:
        """Close the engine."""
        await asyncio.to_thread(self._memory.close)
