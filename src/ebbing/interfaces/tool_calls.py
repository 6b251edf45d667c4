"""A call of a tool: its arguments checked against the declaration, then one method of the engine."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from ..domain.errors import Invalid
from ..engine import Engine
from ..ports.llm_reply import faults
from .parameters import Schema
from .tool_declaration import Tool
from .tools import TOOLS


def call(tool: Tool, engine: Engine, arguments: Mapping[str, Any], **more: Any) -> Any:
    """What the engine answers. `more` is what only a program can give, such as `progress`; it is not checked here."""
    given = checked(tool, arguments)
    if tool.name == "forget":
        # A query only describes what is meant, so by default the caller sees what it would select.
        given.setdefault("dry_run", "query" in given)
    return getattr(engine, tool.verb)(**given, **more)


def checked(tool: Tool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments, if they are what the tool takes; null means not given. Raises `Invalid`."""
    if not isinstance(arguments, Mapping):
        raise Invalid(f"{tool.name} takes an object of arguments, not {type(arguments).__name__}")
    given = {name: value for name, value in arguments.items() if value is not None}
    unknown = sorted(str(name) for name in given if name not in tool.parameters)
    if unknown:
        takes = ", ".join(tool.parameters) or "nothing"
        raise Invalid(f"{tool.name} has no parameter {', '.join(unknown)}; it takes {takes}")
    for name, parameter in tool.parameters.items():
        if parameter.required and name not in given:
            raise Invalid(f"{tool.name} needs {name}: {parameter.about}")
    for name, value in given.items():
        parameter = tool.parameters[name]
        if wrong := next(faults(value, _value_schema(tool.name, name), name), None):
            raise Invalid(f"{wrong} ({parameter.about.rstrip('.')})")
    return given


@functools.cache
def _value_schema(tool: str, name: str) -> Schema:
    """Resolved once: the choices of some parameters lie in files."""
    return TOOLS[tool].parameters[name].value_schema
