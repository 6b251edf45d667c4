"""What a tool is: one operation of the engine with its names, texts, parameters and rights. tools/ declares them all.

Declarations only: tool_calls.py checks arguments and calls the engine.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from .parameters import REQUIRED, Parameter, Schema

__all__ = ["REQUIRED", "Pool", "Right", "Tool"]


class Right(StrEnum):
    """What a caller may do. None includes another."""

    READ = "read"
    WRITE = "write"
    FORGET = "forget"  # put away and bring back
    PURGE = "purge"  # erase
    ADMIN = "admin"  # everybody's: maintenance, export and import
    WRITE_AS_USER = "write-as-user"  # with write: what it writes counts as the user's own word


class Pool(StrEnum):
    """In which threads of a server a call runs: each kind has its own, and none waits for another."""

    SEARCH = "search"  # reads, and is soon done
    WRITE = "write"
    SLOW = "slow"  # may take long, whatever for


@dataclass(frozen=True)
class Tool:
    """One operation, on every interface that offers it."""

    name: str  # as an MCP tool, and in messages
    title: str
    summary: str  # what it does: for the help of a command, for HTTP, and for models
    verb: str  # the engine's method
    right: Right
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    advice: str = ""  # when to use it and what to make of the answer: for models only
    command: str = ""  # on the command line; empty: it has none
    action: str | None = None  # of the agent tool; None: it is not for agents
    mcp: bool = False  # offered to models by the MCP server: few, and each of daily use
    route: tuple[str, str] | None = None  # HTTP method and path; None: it has no route, or one of its own kind
    read_only: bool = False
    destructive: bool = False
    idempotent: bool = True
    slow: bool = False  # takes as long as the text or the log it is about

    @property
    def about(self) -> str:
        """What a model is told of it."""
        return f"{self.summary} {self.advice}".rstrip()

    @property
    def names(self) -> frozenset[str]:
        """What it is called on any interface."""
        return frozenset(name for name in (self.name, self.verb, self.command, self.action) if name)

    @functools.cached_property
    def schema(self) -> Schema:
        """The parameters as a JSON schema."""
        return {
            "type": "object",
            "properties": {name: one.schema for name, one in self.parameters.items()},
            "required": [name for name, one in self.parameters.items() if one.required],
            "additionalProperties": False,
        }

    def default(self, name: str) -> Any:
        """The default of a parameter."""
        return self.parameters[name].default

    def pool(self, arguments: Mapping[str, Any]) -> Pool:
        """In which threads a server runs a call with these arguments."""
        if self.slow or arguments.get("extract"):
            return Pool.SLOW
        return Pool.SEARCH if self.read_only else Pool.WRITE
