"""`ebbing serve`: the HTTP API, with the sweeper beside it."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from ...domain.errors import Unavailable
from .command_context import Shell
from .typer_app import CARE, command


@command(
    "serve",
    panel=CARE,
    examples=(
        "ebbing serve",
        "ebbing serve --db memory.db --port 8080",
        "ebbing serve --host 0.0.0.0 --allow-host memory.example.org",
    ),
)
def serve(
    shell: Shell,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Where to listen.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="NUMBER", help="At which port; 0 takes a free one.")] = 7373,
    allow_host: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A name the server is reached by; may be given again.")
    ] = None,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option(metavar="URL", help="A page elsewhere whose scripts may ask; may be given again."),
    ] = None,
    per_minute: Annotated[
        int, typer.Option("--rate", metavar="COUNT", min=0, help="Requests a minute of one caller; 0: no limit.")
    ] = 18_000,
    auth: Annotated[
        bool, typer.Option("--auth/--no-auth", help="Whether a token is needed once there is one; on loopback only.")
    ] = True,
    write_as_user: Annotated[
        bool,
        typer.Option("--write-as-user", help="Without a token on loopback, write as the user and not as an agent."),
    ] = False,
    worker: Annotated[
        bool, typer.Option(help="Sweep every owner at the policy's times, or leave it to others.")
    ] = True,
) -> None:
    """Serve memories over HTTP. On loopback, until a token is made, what can be undone needs none; elsewhere all do."""
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
            http_api.Binding(host, port),
            http_api.Settings(
                allow_hosts=tuple(allow_host or ()),
                allow_origins=tuple(allow_origin or ()),
                requests_per_minute=per_minute,
                write_as_user=write_as_user,
            ),
            trusting=not auth,
            worker=worker,
            ready=ready,
        )
