"""A stand-in for `agent.memory_provider` of hermes-agent."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any


class MemoryProvider(ABC):
    """A memory of the agent."""

    @property
    @abstractmethod
    def name(self) -> str: ...

    @abstractmethod
    def is_available(self) -> bool: ...

    @abstractmethod
    def initialize(self, session_id: str, **kwargs: Any) -> None: ...

    def prefetch(self, query: str, *, session_id: str = "") -> str:
        return ""

    def sync_turn(
        self, user_content: str, assistant_content: str, *, session_id: str = "", messages: Any = None
    ) -> None:
        raise AssertionError("the adapter has its own")

    @abstractmethod
    def get_tool_schemas(self) -> list[dict[str, Any]]: ...

    def handle_tool_call(self, tool_name: str, args: Any, **kwargs: Any) -> str:
        raise AssertionError("the adapter has its own")

    def shutdown(self) -> None:
        raise AssertionError("the adapter has its own")

    def on_session_switch(
        self,
        new_session_id: str,
        *,
        parent_session_id: str = "",
        reset: bool = False,
        rewound: bool = False,
        **kwargs: Any,
    ) -> None:
        raise AssertionError("the adapter has its own")

    def on_pre_compress(self, messages: Any) -> str:
        return ""
