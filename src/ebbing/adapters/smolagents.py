"""smolagents over Ebbing: the tools.

agent = ToolCallingAgent(model=model, tools=agent_tools(engine))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..engine import Engine
from .missing_framework import MissingFramework
from .tools import USUAL, MemoryTool, memory_tools

try:
    from smolagents import Tool
except ModuleNotFoundError as error:
    raise MissingFramework("smolagents", "smolagents") from error


class _EbbingTool(Tool):
    """One tool, whose parameters stand in its schema and in no signature."""

    name = "ebbing"
    description = "Long-term memory."
    inputs: dict[str, Any] = {}  # noqa: RUF012 - as smolagents wants it
    output_type = "string"
    skip_forward_signature_validation = True

    def __init__(self, tool: MemoryTool) -> None:
        required = tool.parameters["required"]
        self.name, self.description = tool.name, tool.description
        self.inputs = {
            name: {"type": "any", **entry} if name in required else {"type": "any", "nullable": True, **entry}
            for name, entry in tool.parameters["properties"].items()
        }
        self._tool = tool
        super().__init__()

    def forward(self, **arguments: Any) -> str:
        """What the tool answers."""
        return self._tool(**arguments)


def agent_tools(engine: Engine, names: Sequence[str] = USUAL) -> list[Tool]:
    """The tools as smolagents has them."""
    return [_EbbingTool(tool) for tool in memory_tools(engine, names)]
