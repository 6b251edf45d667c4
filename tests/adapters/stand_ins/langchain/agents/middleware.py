"""A stand-in for `langchain.agents.middleware`."""

from __future__ import annotations

from typing import Any


class AgentMiddleware:
    """Hooks of an agent."""

    tools = ()

    def wrap_model_call(self, request: Any, handler: Any) -> Any:
        raise AssertionError("the adapter has its own")

    async def awrap_model_call(self, request: Any, handler: Any) -> Any:
        raise AssertionError("the adapter has its own")

    def after_agent(self, state: Any, runtime: Any) -> Any:
        return None

    async def aafter_agent(self, state: Any, runtime: Any) -> Any:
        return None
