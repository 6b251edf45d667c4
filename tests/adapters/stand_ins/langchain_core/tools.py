"""A stand-in for `langchain_core.tools`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass
class StructuredTool:
    """A tool with a schema."""

    name: str
    description: str
    args_schema: Any
    func: Any = None
    coroutine: Any = None

    def invoke(self, input: dict[str, Any]) -> Any:
        return self.func(**input)
