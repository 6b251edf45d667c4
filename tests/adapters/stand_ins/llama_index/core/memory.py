"""A stand-in for `llama_index.core.memory`."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict

Content = TypeVar("Content")


class BaseMemoryBlock(BaseModel, Generic[Content]):
    """One block of a memory."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    name: str
    description: str | None = None
    priority: int = 0
    accept_short_term_memory: bool = True

    async def aget(self, messages: Any = None, **block_kwargs: Any) -> Content:
        found: Content = await self._aget(messages, **block_kwargs)
        return found

    async def aput(self, messages: Any, from_short_term_memory: bool = False, session_id: Any = None) -> None:
        await self._aput(messages)
