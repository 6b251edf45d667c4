"""A stand-in for `autogen_core.memory`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any


class MemoryMimeType(Enum):
    """What a content is."""

    TEXT = "text/plain"


@dataclass
class MemoryContent:
    """One thing that is remembered."""

    content: Any
    mime_type: Any
    metadata: Any = None


@dataclass
class MemoryQueryResult:
    """What was found."""

    results: list[MemoryContent]


@dataclass(kw_only=True)
class UpdateContextResult:
    """What was placed."""

    memories: MemoryQueryResult


class Memory:
    """A memory of an agent."""

    async def update_context(self, model_context: Any) -> UpdateContextResult:
        raise AssertionError("the adapter has its own")

    async def query(self, query: Any, cancellation_token: Any = None, **kwargs: Any) -> MemoryQueryResult:
        raise AssertionError("the adapter has its own")

    async def add(self, content: Any, cancellation_token: Any = None) -> None:
        raise AssertionError("the adapter has its own")

    async def clear(self) -> None:
        raise AssertionError("the adapter has its own")

    async def close(self) -> None:
        raise AssertionError("the adapter has its own")
