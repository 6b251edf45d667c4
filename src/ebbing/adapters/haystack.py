"""Haystack over Ebbing: the tools.

agent = Agent(chat_generator=generator, tools=agent_tools(engine))
"""

from __future__ import annotations

from collections.abc import Sequence

from ..engine import Engine
from .missing_framework import MissingFramework
from .tools import USUAL, memory_tools

try:
    from haystack.tools import Tool
except ModuleNotFoundError as error:
    raise MissingFramework("Haystack", "haystack-ai") from error


def agent_tools(engine: Engine, names: Sequence[str] = USUAL) -> list[Tool]:
    """The tools as Haystack has them. They hold a live engine, so a pipeline with them is not written to YAML."""
    return [
        Tool(
            name=tool.name,
            description=tool.description,
            parameters=tool.parameters,
            function=tool.__call__,
            async_function=tool.in_thread,
        )
        for tool in memory_tools(engine, names)
    ]
