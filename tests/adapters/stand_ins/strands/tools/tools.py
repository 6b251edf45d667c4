"""A stand-in for `strands.tools.tools`."""

from __future__ import annotations

from typing import Any


class PythonAgentTool:
    """A tool of an agent."""

    def __init__(self, tool_name: str, tool_spec: Any, tool_func: Any) -> None:
        self.tool_name, self.tool_spec, self._tool_func = tool_name, tool_spec, tool_func
