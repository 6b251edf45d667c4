"""A stand-in for `agents`: a tool with a schema."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass
class FunctionTool:
    """A tool of the SDK."""

    name: str
    description: str
    params_json_schema: dict[str, Any]
    on_invoke_tool: Any
    strict_json_schema: bool = True
