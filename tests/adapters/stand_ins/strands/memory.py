"""A stand-in for `strands.memory`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol


@dataclass
class MemoryEntry:
    """One memory."""

    content: str
    store_name: str | None = None
    metadata: Any = None


class MemoryStore(Protocol):
    """A store of a manager."""

    async def search(self, query: str, options: Any = None) -> list[MemoryEntry]: ...

    async def add(self, content: str, metadata: Any = None) -> Any: ...

    async def add_messages(self, messages: Any, context: Any = None) -> Any: ...
