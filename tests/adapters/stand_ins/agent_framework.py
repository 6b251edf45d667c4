"""A stand-in for `agent_framework`."""

from __future__ import annotations

from typing import Any


class ContextProvider:
    """What adds context to a run."""

    def __init__(self, source_id: str) -> None:
        self.source_id = source_id

    async def before_run(self, *, agent: Any, session: Any, context: Any, state: dict[str, Any]) -> None:
        raise AssertionError("the adapter has its own")

    async def after_run(self, *, agent: Any, session: Any, context: Any, state: dict[str, Any]) -> None:
        raise AssertionError("the adapter has its own")


class FunctionTool:
    """A tool of an agent."""

    def __init__(self, *, name: str, description: str = "", func: Any = None, input_model: Any = None) -> None:
        self.name, self.description, self.func, self.input_model = name, description, func, input_model

    def parameters(self) -> dict[str, Any]:
        return dict(self.input_model)
