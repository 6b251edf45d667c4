"""docs/reference.md: every tool, out of its declaration."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ..parameters import Parameter
from ..tools import TOOLS, Tool

_OPENING = """# Reference of the tools

Why: a program, a person and a model should be able to ask for the same thing in the same words. This page lists every
tool with its parameters and defaults, and what it is called on each interface: the [library](api.md), the
[command line](commands.md), the [agent tool](agents.md), [MCP](mcp.md) and [HTTP](http.md). It is made from the
declarations in `interfaces/tools/` by `python -m ebbing.interfaces.documentation`.
"""


def page() -> str:
    """The whole page."""
    return "\n".join([_OPENING, *(line for tool in TOOLS.values() for line in _section(tool))]).rstrip() + "\n"


def _section(tool: Tool) -> Iterator[str]:
    faces = [f"`engine.{tool.verb}()`", f"`ebbing {tool.command}`"]
    if tool.action is not None:
        faces.append(f'`memory(action="{tool.action}")`')
    if tool.mcp:
        faces.append(f"MCP `{tool.name}`")
    if tool.route is not None:
        faces.append(f"`{tool.route[0]} {tool.route[1]}`")
    yield f"## {tool.name}"
    yield ""
    yield tool.about
    yield ""
    yield f"{' · '.join(faces)} · needs the right to {tool.right}"
    yield ""
    if tool.parameters:
        yield "| parameter | what | default |"
        yield "|---|---|---|"
        yield from (f"| `{name}` | {about(one)} | {default(one)} |" for name, one in tool.parameters.items())
        yield ""


def about(parameter: Parameter) -> str:
    schema = parameter.value_schema
    choices = schema.get("enum") or schema.get("items", {}).get("enum")
    if not choices:
        return parameter.about
    return f"{parameter.about} One of {', '.join(f'`{_json(choice)}`' for choice in choices)}."


def default(parameter: Parameter) -> str:
    if parameter.required:
        return "*required*"
    return "" if parameter.default in (None, ()) else f"`{_json(parameter.default)}`"


def _json(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
