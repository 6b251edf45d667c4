"""A server of ours: where it listens, who may reach it, and how it ends."""

from __future__ import annotations

import contextlib
import ipaddress
import signal
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import uvicorn
from starlette.types import ASGIApp

from ...domain.errors import Denied, Invalid, Unavailable
from ...engine import Engine
from .app import application
from .connections import protocol
from .settings import PORT, Settings

_BACKLOG = 1024
_ENDING_SECONDS = 20  # for what is being answered when the server is told to end
_HEAD_BYTES_MAX = 1 << 15


@dataclass(frozen=True, slots=True)
class Binding:
    """Where to listen."""

    host: str = "127.0.0.1"
    port: int = PORT


def serve(
    engine: Engine,
    binding: Binding | None = None,
    settings: Settings | None = None,
    *,
    trusting: bool = False,
    worker: bool = True,
    sign_in_link: str | None = None,
    ready: Callable[[str, bool], None] | None = None,
) -> None:
    """Answer until a TERM or INT signal; what is being answered then is answered.

    `ready` is told the address, and whether a token is needed, once connections are taken.
    """
    binding = binding or Binding()
    with contextlib.closing(listening(binding)) as listener:
        address, port = listener.getsockname()[:2]
        loopback = ipaddress.ip_address(address.partition("%")[0]).is_loopback
        guarded = engine.store.tokens.ever()
        _check(binding, loopback=loopback, usable=engine.store.tokens.any(), trusting=trusting)
        settings = replace(settings or Settings(), loopback=loopback, address=binding.host)
        app = application(engine, settings, trusting=trusting, worker=worker, sign_in_link=sign_in_link)
        if ready is not None:
            shown = f"[{address}]" if ":" in address else address
            ready(f"http://{shown}:{port}", guarded and not trusting)
        with _ending_quietly():
            uvicorn.Server(configured(app, settings)).run(sockets=[listener])


def configured(app: ASGIApp, settings: Settings) -> uvicorn.Config:
    """How uvicorn serves the application."""
    return uvicorn.Config(
        app,
        http=protocol(settings),
        access_log=False,  # it would tell ids and scopes; /metrics counts
        log_level="warning",
        lifespan="on",
        ws="none",
        proxy_headers=False,  # who asks is who is connected
        server_header=False,
        timeout_keep_alive=settings.idle_seconds,
        timeout_graceful_shutdown=_ENDING_SECONDS,
        h11_max_incomplete_event_size=_HEAD_BYTES_MAX,
    )


def _check(binding: Binding, *, loopback: bool, usable: bool, trusting: bool) -> None:
    """Refuse to serve other machines by accident."""
    if loopback:
        return
    if trusting:
        raise Denied(f"{binding.host} can be reached by others: there a token is always needed; leave out --no-auth")
    if not usable:
        raise Denied(
            f"{binding.host} can be reached by others, and there is no token: make one with "
            "`ebbing token create NAME`, or listen on 127.0.0.1"
        )


def listening(binding: Binding) -> socket.socket:
    """A socket that takes connections from now on; answered once there is a server."""
    if not 0 <= binding.port <= 65535:
        raise Invalid(f"port {binding.port} is not between 0 and 65535")
    try:
        found = socket.getaddrinfo(binding.host, binding.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, address = found[0]
        listener = socket.create_server(address[:2], family=family, backlog=_BACKLOG)
        # What is accepted inherits it. An answer goes out in two pieces, and without this the second waits 40 ms for
        # the first to be acknowledged.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listener
    except (OSError, UnicodeError) as error:
        cause = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise Unavailable(
            f"cannot listen on {binding.host} port {binding.port}: {cause}; choose another with --host and --port"
        ) from error


@contextlib.contextmanager
def _ending_quietly() -> Iterator[None]:
    """The server passes a signal on once it has ended: that it ended is what was asked for."""
    before = {one: signal.signal(one, lambda *_: None) for one in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for one, action in before.items():
            signal.signal(one, action)
