"""`ebbing dashboard`: the pages of `ebbing serve` on this machine alone, opened by a link that signs in once."""

from __future__ import annotations

import contextlib
import secrets
import sys
import webbrowser
from typing import Any

from ...domain.errors import Unavailable
from .. import http_api
from ..http_api.server import listening
from .command_context import Shell

PORT = http_api.PORT + 1
_BYTES = 32


def dashboard(shell: Shell, given: dict[str, Any]) -> None:
    """Runs until it is interrupted. Whoever can start it can read the file, so the link has every right."""
    secret = secrets.token_urlsafe(_BYTES)

    def ready(address: str, _: bool) -> None:
        link = f"{address}/sign-in/{secret}"
        print(
            f"the dashboard of {shell.settings.owner}, by a link that works once:\n{link}", file=sys.stderr, flush=True
        )
        if given["browser"]:
            webbrowser.open(link)

    with shell.engine(creates=True) as engine:
        http_api.serve(
            engine,
            http_api.Binding(port=_free(PORT) if given["port"] is None else given["port"]),
            worker=given["worker"],
            sign_in_link=secret,
            ready=ready,
        )


def _free(port: int) -> int:
    """This port; 0, which takes a free one, where another program listens on it."""
    try:
        with contextlib.closing(listening(http_api.Binding(port=port))):
            return port
    except Unavailable:
        return 0
