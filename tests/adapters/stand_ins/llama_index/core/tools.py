"""A stand-in for `llama_index.core.tools`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass
class ToolMetadata:
    """What a model is told of a tool."""

    description: str
    name: str | None = None
    fn_schema: Any = None

    def get_parameters_dict(self) -> dict[str, Any]:
        return dict(self.fn_schema.model_json_schema())


@dataclass
class FunctionTool:
    """A tool made of functions."""

    fn: Any
    metadata: ToolMetadata | None = None
    async_fn: Any = None

    def call(self, **given: Any) -> Any:
        return self.fn(**given)
