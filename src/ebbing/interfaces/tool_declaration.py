"""What a tool is: its declaration, its schema, and how a call of it is checked and made. tools.py declares them all."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from ..domain.errors import Invalid
from ..engine import Engine
from ..ports.llm_reply import faults
from .parameters import PARAMETERS, Schema

REQUIRED = inspect.Parameter.empty
# What a value of each parameter must be; the description is for whoever gives it.
_SCHEMAS: Mapping[str, Schema] = {
    name: {key: part for key, part in schema.items() if key != "description"} for name, schema in PARAMETERS.items()
}


@functools.cache
def _signature(verb: str) -> Mapping[str, inspect.Parameter]:
    """The parameters of a method of the engine: read once, since reading them takes longer than most calls."""
    return inspect.signature(getattr(Engine, verb)).parameters


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


@dataclass(frozen=True, slots=True)
class Tool:
    """One thing that can be asked of Ebbing."""

    name: str  # as an MCP tool, and in messages
    title: str
    about: str  # when to use it and what comes back: written for a model, read by people
    verb: str  # the engine's method
    right: Right
    parameters: tuple[str, ...] = ()
    command: str = ""  # on the command line
    action: str | None = None  # of the agent tool; None: it is not for agents
    mcp: bool = True  # offered to models by the MCP server: few, and each of daily use
    route: tuple[str, str] | None = None  # HTTP method and path; None: it has a route of its own kind
    read_only: bool = False
    destructive: bool = False
    idempotent: bool = True
    slow: bool = False  # takes as long as the text or the log it is about
    defaults: Mapping[str, Any] = field(default_factory=dict)  # where a model needs another default than a program

    @property
    def schema(self) -> Schema:
        """The parameters as a JSON schema."""
        entries = {name: self._entry(name) for name in self.parameters}
        required = [name for name in self.parameters if self.default(name) is REQUIRED]
        return {"type": "object", "properties": entries, "required": required, "additionalProperties": False}

    def default(self, name: str) -> Any:
        """What a parameter is when nobody gives it."""
        if name in self.defaults:
            return self.defaults[name]
        return _signature(self.verb)[name].default

    def _entry(self, name: str) -> Schema:
        default = self.default(name)
        said = dict(PARAMETERS[name])
        if default in (REQUIRED, None, ()):
            return said
        return {**said, "default": list(default) if isinstance(default, tuple) else default}

    def checked(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """What was given, if that is what the tool takes; a null is as good as nothing."""
        if not isinstance(arguments, Mapping):
            raise Invalid(f"{self.name} takes an object of arguments, not {type(arguments).__name__}")
        given = {name: value for name, value in arguments.items() if value is not None}
        unknown = sorted(str(name) for name in given if name not in self.parameters)
        if unknown:
            takes = ", ".join(self.parameters) or "nothing"
            raise Invalid(f"{self.name} has no parameter {', '.join(unknown)}; it takes {takes}")
        for name in self.parameters:
            if name not in given and self.default(name) is REQUIRED:
                raise Invalid(f"{self.name} needs {name}: {PARAMETERS[name]['description']}")
        for name, value in given.items():
            if wrong := next(faults(value, _SCHEMAS[name], name), None):
                raise Invalid(f"{wrong}; {PARAMETERS[name]['description']}")
        return {**self.defaults, **given}

    def pool(self, arguments: Mapping[str, Any]) -> Pool:
        """In which threads a server runs a call with these arguments."""
        if self.slow or arguments.get("extract"):
            return Pool.SLOW
        return Pool.SEARCH if self.read_only else Pool.WRITE

    def call(self, engine: Engine, arguments: Mapping[str, Any]) -> Any:
        """Check, call, answer."""
        given = self.checked(arguments)
        return _CALLS.get(self.name, _verb)(engine, self.verb, given)


def _verb(engine: Engine, verb: str, given: dict[str, Any]) -> Any:
    named = _signature(verb).items()
    placed = [given.pop(name) for name, one in named if one.kind is one.POSITIONAL_OR_KEYWORD and name in given]
    return getattr(engine, verb)(*placed, **given)


def _forget(engine: Engine, verb: str, given: dict[str, Any]) -> Any:
    # A question is only a description: whoever forgets by one looks first.
    given.setdefault("dry_run", "query" in given)
    return _verb(engine, verb, given)


_CALLS: Mapping[str, Callable[[Engine, str, dict[str, Any]], Any]] = {"forget": _forget}
