"""A stand-in for `pydantic_ai`: a tool that is made of a function and a schema."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

Deps = TypeVar("Deps")


@dataclass
class Tool(Generic[Deps]):
    """A tool of an agent."""

    function: Any
    name: str
    description: str | None
    json_schema: dict[str, Any]

    @classmethod
    def from_schema(
        cls,
        function: Any,
        name: str,
        description: str | None,
        json_schema: dict[str, Any],
        takes_ctx: bool = False,
        sequential: bool = False,
        args_validator: Any = None,
    ) -> Tool[Deps]:
        return cls(function, name, description, json_schema)
