"""`ebbing mcp`: serve memories to agents over MCP."""

from __future__ import annotations

import sys
from typing import Any

from ...domain.errors import Invalid
from .. import mcp_server
from ..access import EVERYTHING, Caller, ToolDispatcher
from ..tools import Right
from .command_context import Shell
from .loading import loaded


def mcp(shell: Shell, given: dict[str, Any]) -> None:
    """Runs until the client goes, or until it is interrupted."""
    transport, write_as_user = given["transport"], given["write_as_user"]
    if transport not in ("stdio", "http"):
        raise Invalid(f"transport {transport!r:.40} is neither stdio nor http")
    with shell.engine(creates=True) as engine:
        if transport == "http":
            loaded(".serve_command:serve_mcp", extra="server")(engine, given)
            return
        if sys.stdin.isatty():
            print("this speaks MCP with a program; `ebbing setup` tells one about it", file=sys.stderr)
        rights = EVERYTHING | {Right.WRITE_AS_USER} if write_as_user else EVERYTHING
        mcp_server.run_stdio(ToolDispatcher(engine), Caller(engine.owner, engine.agent, rights))
