"""`ebbing serve`: the HTTP API, with the background worker beside it."""

from __future__ import annotations

import sys
from typing import Any

from ...domain.errors import Unavailable
from ..parameters import count, flag, own, text, texts
from .command_context import Shell
from .typer_app import MAINTENANCE, Program, command

HOST = text("host", "The address to listen on.", default="127.0.0.1", metavar="ADDRESS")
PORT = count("port", "The port to listen on; 0 takes a free one.", 65535, least=0, default=7373, metavar="NUMBER")
ALLOW_HOST = texts("allow_host", "A name by which the server is reached.", default=(), metavar="NAME")
ALLOW_ORIGIN = texts("allow_origin", "A web page elsewhere whose scripts may ask.", default=(), metavar="URL")
WRITE_AS_USER = flag("write_as_user", "Without a token on this machine, write as the user and not as an agent.")


@command(
    Program(
        "serve",
        "Serve memories over HTTP. On loopback, until a token is made, whatever can be undone needs none; elsewhere "
        "every request needs one.",
        own(
            HOST,
            PORT,
            ALLOW_HOST,
            ALLOW_ORIGIN,
            count(
                "per_minute",
                "Requests a minute of one caller; 0: no limit.",
                2**31 - 1,
                least=0,
                default=18_000,
                option="--rate",
            ),
            flag("auth", "Whether a token is needed once there is one; on loopback only.", True),
            WRITE_AS_USER,
            flag("worker", "Sweep every owner at the policy's times.", True),
        ),
    ),
    panel=MAINTENANCE,
    examples=(
        "ebbing serve",
        "ebbing serve --db memory.db --port 8080",
        "ebbing serve --host 0.0.0.0 --allow-host memory.example.org",
    ),
)
def serve(shell: Shell, given: dict[str, Any]) -> None:
    """Runs until it is interrupted."""
    try:
        from .. import http_api
    except ImportError as error:
        raise Unavailable(
            f"serving needs a package that is not installed ({error.name}); run: pip install 'ebbing[server]'"
        ) from error

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
