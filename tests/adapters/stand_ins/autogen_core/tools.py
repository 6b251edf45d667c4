"""A stand-in for `autogen_core.tools`."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

Arguments = TypeVar("Arguments")
Answer = TypeVar("Answer")

ToolSchema = dict


class BaseTool(Generic[Arguments, Answer]):
    """A tool of an agent."""

    def __init__(self, args_type: Any, return_type: Any, name: str, description: str, strict: bool = False) -> None:
        self.name, self.description, self._args_type = name, description, args_type

    async def run_json(self, args: Any, cancellation_token: Any, call_id: Any = None) -> Any:
        return await self.run(self._args_type.model_validate(args), cancellation_token)
