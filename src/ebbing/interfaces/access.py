"""The one place where it is decided whether a caller may: whose memories, and which rights, come from the credential.

No argument of a tool names an owner, and a face that has a caller has nothing else to ask. What a caller may not do
is denied before anything is looked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..domain.errors import Denied
from ..engine import Engine
from .tool_calls import call
from .tools import TOOLS, Right, Tool

# Who calls through an interface is an agent, or may be one: to speak for the user is given by name, never by default.
EVERYTHING = frozenset(Right) - {Right.WRITE_AS_USER}
REVERSIBLE = (Right.READ, Right.WRITE, Right.FORGET)  # what a token may do unless it is said: all of it can be undone


class NoCredential(Denied):
    """The caller is unknown: no token, an invalid one, or none where one is needed."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: an owner, perhaps as one of their agents, with rights."""

    owner: str
    agent: str | None = None
    rights: frozenset[Right] = EVERYTHING
    name: str = "local"  # of the credential, for the log
    is_host: bool = False  # whoever started the server, signed in by the link that it printed
    anonymous: bool = False  # served without a credential, because only this machine can connect


class ToolDispatcher:
    """Where tools are called: one store, an engine for each caller that comes by."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def engine(self, caller: Caller) -> Engine:
        """The memories of the caller's owner, as the caller's agent sees them, written with the trust of an agent.

        Made for each call and not kept, however many callers there are; what is to be kept is the store's.
        """
        engine = self._engine
        if (caller.owner, caller.agent) != (engine.owner, engine.agent):
            engine = engine.for_owner(caller.owner, caller.agent)
        source = "user" if Right.WRITE_AS_USER in caller.rights else "agent"
        return engine.limited_to(source, may_forget=Right.FORGET in caller.rights)

    def allow(self, right: Right, caller: Caller) -> None:
        """Denied, unless the caller has the right; who showed no token is told how to get one that has it."""
        if right not in caller.rights:
            if caller.anonymous:
                raise _needs_token("this", right)
            raise Denied(f"{caller.name} may not {right}; it may {', '.join(sorted(caller.rights)) or 'do nothing'}")

    def call(self, tool: str | Tool, arguments: Mapping[str, Any], caller: Caller) -> Any:
        """What the tool answers this caller."""
        asked = TOOLS[tool] if isinstance(tool, str) else tool
        self.allow(asked.right, caller)
        given = dict(arguments)
        if caller.anonymous and asked.name == "forget" and _forgets_everything(given):
            raise _needs_token("forgetting everything", Right.FORGET)
        if asked.name in _STRENGTHENING and Right.WRITE not in caller.rights:
            given |= {"reinforce": False}  # who may only read leaves no trace of having read
        return call(asked, self.engine(caller), given)


def _needs_token(what: str, right: Right) -> NoCredential:
    return NoCredential(
        f"{what} needs a token with the right {right}, also on this machine: make one with "
        f"`ebbing token create NAME --right {right}` and send it as Authorization: Bearer ebb_…; "
        "once a token has been made, every request needs one"
    )


def _forgets_everything(given: Mapping[str, Any]) -> bool:
    """Whether nothing narrows down what is to be forgotten but its age."""
    if given.get("dry_run"):
        return False
    scope = given.get("scope")
    narrowed = any(given.get(name) for name in ("ids", "categories", "tags", "query"))
    narrowed = narrowed or (isinstance(scope, str) and bool(scope.strip("/ \t")))
    return bool(given.get("everything")) or (not narrowed and any(given.get(name) for name in ("scope", "older_than")))


_STRENGTHENING = ("recall", "context")
