"""The one place where it is decided whether a caller may: whose memories, and which rights, come from the credential.

No argument of a tool names an owner, and a face that has a caller has nothing else to ask. What a caller may not do
is denied before anything is looked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..engine import Engine
from ..errors import Denied
from .tools import TOOLS, Right, Tool

EVERYTHING = frozenset(Right)


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: an owner, perhaps as one of their agents, with rights."""

    owner: str
    agent: str | None = None
    rights: frozenset[Right] = EVERYTHING
    name: str = "local"  # of the credential, for the log


class Desk:
    """Where tools are called: one store, an engine for each caller that comes by."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def engine(self, caller: Caller) -> Engine:
        """The memories of the caller's owner, as the caller's agent sees them.

        Made for each call and not kept, however many callers there are; what is to be kept is the store's.
        """
        if (caller.owner, caller.agent) == (self._engine.owner, self._engine.agent):
            return self._engine
        return self._engine.for_owner(caller.owner, caller.agent)

    def allow(self, right: Right, caller: Caller) -> None:
        """Denied, unless the caller has the right."""
        if right not in caller.rights:
            raise Denied(f"{caller.name} may not {right}; it may {', '.join(sorted(caller.rights)) or 'do nothing'}")

    def call(self, tool: str | Tool, arguments: Mapping[str, Any], caller: Caller) -> Any:
        """What the tool answers this caller."""
        asked = TOOLS[tool] if isinstance(tool, str) else tool
        self.allow(asked.right, caller)
        given = dict(arguments)
        if asked.name in _STRENGTHENING and Right.WRITE not in caller.rights:
            given |= {"reinforce": False}  # who may only read leaves no trace of having read
        return asked.call(self.engine(caller), given)


_STRENGTHENING = ("recall", "context")
