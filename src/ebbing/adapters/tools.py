"""The tools for models as plain functions: a name, a description, a JSON schema and a call, made from the declarations.

Every framework that takes functions takes these; its own file here spells them as it wants them. A call answers text
that a model can read, and a mistake is answered too. What a tool writes has the trust of an agent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..domain.errors import EbbingError, Invalid
from ..engine import Engine
from ..interfaces.access import Caller, ToolDispatcher
from ..interfaces.llm_views import as_json, as_text
from ..interfaces.tools import TOOLS, Tool

OFFERED: Mapping[str, Tool] = {name: tool for name, tool in TOOLS.items() if tool.mcp}
USUAL = ("recall", "remember", "update_memory", "forget", "restore")


@dataclass(frozen=True, slots=True)
class MemoryTool:
    """One tool, for one caller."""

    name: str
    description: str
    parameters: dict[str, Any]  # a JSON schema
    dispatcher: ToolDispatcher
    caller: Caller

    def __call__(self, **arguments: Any) -> str:
        """What the model is to read: the answer, or what was wrong and what would be right."""
        try:
            answer = self.dispatcher.call(self.name, arguments, self.caller)
        except EbbingError as error:
            return f"{error.code}: {error}"
        return as_text(self.name, as_json(self.name, answer))

    async def in_thread(self, **arguments: Any) -> str:
        """The same for an event loop, which an engine would block."""
        return await asyncio.to_thread(self, **arguments)


def memory_tools(engine: Engine, names: Sequence[str] = USUAL) -> list[MemoryTool]:
    """The named tools, in this order; `OFFERED` has all that are for models."""
    unknown = [name for name in names if name not in OFFERED]
    if unknown:
        raise Invalid(f"there is no tool {', '.join(unknown)} for models; choose of {', '.join(OFFERED)}")
    dispatcher, caller = ToolDispatcher(engine), Caller(engine.owner, engine.agent)
    chosen = [OFFERED[name] for name in names]
    return [MemoryTool(one.name, one.about, dict(one.schema), dispatcher, caller) for one in chosen]
