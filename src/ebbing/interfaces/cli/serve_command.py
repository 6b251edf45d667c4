"""`ebbing serve`: the HTTP API, with the background worker beside it; and MCP alone over HTTP."""

from __future__ import annotations

import sys
from typing import Any

from ...engine import Engine
from .. import http_api, mcp_server
from .command_context import Shell


def serve_mcp(engine: Engine, given: dict[str, Any]) -> None:
    """Runs until it is interrupted."""
    http_api.serve(
        engine,
        http_api.Binding(given["host"], given["port"]),
        http_api.Settings(
            allow_hosts=tuple(given["allow_host"]),
            allow_origins=tuple(given["allow_origin"]),
            write_as_user=given["write_as_user"],
        ),
        worker=False,
        ready=lambda address, _: print(f"serving MCP at {address}{mcp_server.PATH}", file=sys.stderr, flush=True),
    )


def serve(shell: Shell, given: dict[str, Any]) -> None:
    """Runs until it is interrupted."""

    def ready(address: str, guarded: bool) -> None:
        who = "with a token" if guarded else f"as {shell.settings.owner}, without a token"
        print(f"listening on {address} ({who}); Ctrl-C ends it", file=sys.stderr, flush=True)

    with shell.engine(creates=True) as engine:
        http_api.serve(
            engine,
            http_api.Binding(given["host"], given["port"]),
            http_api.Settings(
                allow_hosts=tuple(given["allow_host"]),
                allow_origins=tuple(given["allow_origin"]),
                requests_per_minute=given["per_minute"],
                write_as_user=given["write_as_user"],
            ),
            trusting=not given["auth"],
            worker=given["worker"],
            ready=ready,
        )
