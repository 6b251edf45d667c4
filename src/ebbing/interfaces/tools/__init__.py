"""Every tool, declared once: what it is called on each interface, what it takes, what it may do, which method it calls.

The command line, the agent tool, the MCP server and the HTTP API are made from these declarations, as are help texts,
completion and the reference. The engine's methods have the same parameters and defaults; a test compares them.

    writing.py      remember, update, review and core memory
    searching.py    recall and looking at what is stored
    forgetting.py   forget, restore, purge, pin, sweep
    maintenance.py  counts, the log, export and import, policies tried on the past
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from ..parameters import REQUIRED
from ..tool_declaration import Pool, Right, Tool
from . import forgetting, maintenance, searching, writing

__all__ = ["REQUIRED", "TOOLS", "Pool", "Right", "Tool", "known_as"]

TOOLS: Mapping[str, Tool] = MappingProxyType(
    {tool.name: tool for part in (writing, searching, forgetting, maintenance) for tool in part.TOOLS}
)


def known_as(name: str, called: Callable[[Tool], str | None]) -> str:
    """For a refusal: what this interface calls the tool that another interface knows by this name; "" if none does."""
    asked = name.replace("-", "_").lower()
    words = (called(tool) for tool in TOOLS.values() if asked in tool.names)
    word = next((word for word in words if word and word != name), None)
    return "" if word is None else f" (here it is called {word})"
