"""A stand-in for `anthropic.tools`: the two abstract memory tools and the error that a tool raises."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any


class ToolError(Exception):
    """What the model is told as a failure."""

    def __init__(self, content: Any) -> None:
        super().__init__(content)
        self.content = content


class BetaAbstractMemoryTool(ABC):
    """Six commands."""

    def __init__(self, *, cache_control: Any = None) -> None:
        self._cache_control = cache_control

    def to_dict(self) -> dict[str, Any]:
        told: dict[str, Any] = {"type": "memory_20250818", "name": "memory"}
        return told if self._cache_control is None else {**told, "cache_control": self._cache_control}

    def call(self, input: object) -> Any:
        raise AssertionError("the adapter answers calls itself")

    @abstractmethod
    def view(self, command: Any) -> Any: ...

    @abstractmethod
    def create(self, command: Any) -> Any: ...

    @abstractmethod
    def str_replace(self, command: Any) -> Any: ...

    @abstractmethod
    def insert(self, command: Any) -> Any: ...

    @abstractmethod
    def delete(self, command: Any) -> Any: ...

    @abstractmethod
    def rename(self, command: Any) -> Any: ...

    def clear_all_memory(self) -> Any:
        raise AssertionError("the adapter has its own")


class BetaAsyncAbstractMemoryTool(BetaAbstractMemoryTool):
    """The same, with coroutines."""
