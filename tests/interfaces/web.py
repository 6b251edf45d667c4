"""A real server for the tests of the HTTP API: uvicorn in a thread on a free port of loopback, and who may ask it."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx2
import uvicorn

from ebbing.engine import Engine
from ebbing.interfaces import api_tokens
from ebbing.interfaces.http_api import Binding, Settings, application
from ebbing.interfaces.http_api.server import configured, listening

EVERY_RIGHT = ("read", "write", "forget", "purge", "admin")
PATIENCE_SECONDS = 300


class Prompt(uvicorn.Server):
    """Ends when told to. Uvicorn looks ten times a second whether it shall, and then waits another tenth; most tests
    of the API take less."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._told = threading.Event()
        self._wake: Callable[[], object] = self._told.set

    def stop(self) -> None:
        """From any thread; also before it has begun."""
        self.should_exit = True
        self._told.set()
        self._wake()

    async def main_loop(self) -> None:
        loop, ending = asyncio.get_running_loop(), asyncio.Event()
        self._wake = lambda: loop.call_soon_threadsafe(ending.set)
        await self.on_tick(0)
        if not self._told.is_set():
            await ending.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self.server_state.tasks:  # they have the time that the settings give them
            await super().shutdown(sockets)
            return
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        await self.lifespan.shutdown()


@contextlib.contextmanager
def running(engine: Engine, settings: Settings | None = None, **options: Any) -> Iterator[str]:
    """The address of a server for this engine. It listens before this begins, so nobody has to wait for it."""
    listener = listening(Binding(port=0))
    settings = settings or Settings()
    server = Prompt(configured(application(engine, settings, **options), settings))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.stop()
        thread.join(PATIENCE_SECONDS)
        listener.close()


@dataclass
class Web:
    """A server, its engine, and clients of it."""

    engine: Engine
    address: str
    clients: list[httpx2.Client] = field(default_factory=list)

    def client(self, token: str | None = None, **headers: str) -> httpx2.Client:
        shown = {"Authorization": f"Bearer {token}"} if token else {}
        # Nothing is encrypted here, and reading the certificates of this machine took most of a test's time.
        made = httpx2.Client(
            base_url=self.address, headers={**shown, **headers}, timeout=PATIENCE_SECONDS, verify=False
        )
        self.clients.append(made)
        return made

    def token(self, name: str, owner: str = "default", **given: Any) -> str:
        """A new token with every right, unless told otherwise."""
        given.setdefault("rights", EVERY_RIGHT)
        return api_tokens.create(self.engine.store, name, owner=owner, now=self.engine.clock.now(), **given).text

    def close(self) -> None:
        for client in self.clients:
            client.close()


@contextlib.contextmanager
def web(engine: Engine, settings: Settings | None = None, **options: Any) -> Iterator[Web]:
    with running(engine, settings, **options) as address:
        served = Web(engine, address)
        try:
            yield served
        finally:
            served.close()
