"""Agno over Ebbing: the tools.

agent = Agent(model=model, tools=agent_tools(engine))
"""

from __future__ import annotations

from collections.abc import Sequence

from ..engine import Engine
from .missing_framework import MissingFramework
from .tools import USUAL, memory_tools

try:
    from agno.tools.function import Function
except ModuleNotFoundError as error:
    raise MissingFramework("Agno", "agno") from error


def agent_tools(engine: Engine, names: Sequence[str] = USUAL) -> list[Function]:
    """The tools as Agno has them; it makes no schema of its own."""
    return [
        Function(
            name=tool.name,
            description=tool.description,
            parameters=tool.parameters,
            entrypoint=tool.__call__,
            skip_entrypoint_processing=True,
        )
        for tool in memory_tools(engine, names)
    ]
