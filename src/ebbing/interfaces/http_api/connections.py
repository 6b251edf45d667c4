"""Connections of our server: how long one may take over its request, and how many there may be.

uvicorn waits for a request for as long as the client likes and answers 503 to everybody once there are too many
connections, so a thousand half-sent requests close a server (Slowloris). Here a connection is *waiting* while there is
nothing for us to do: its request has not arrived in full, it is idle, or it does not read its answer. What waits too
long is closed; and when there are too many, the one that has waited longest makes room for the new one. So a new
client is let in unless every place is taken by a request that is being answered, and middleware.py bounds those.

Whoever sends the next request before the answer is there (pipelining) never waits, so its connection ends with that
answer: a few hundred of them with two hundred requests each would keep every place of an address for minutes.
"""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from .settings import Settings

_TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
_TOO_MANY = b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\nretry-after: 5\r\ncontent-length: 0\r\n\r\n"
_HEAD, _BODY = "head", "body"  # the parts of a request that may be missing


class Connection(H11Protocol):
    """One connection, with a time limit on what the client has to do."""

    registry: ClassVar[Connections]
    settings: ClassVar[Settings]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._missing: str | None = None  # what the running timer is for
        self._timer: asyncio.TimerHandle | None = None
        self._unread_timer: asyncio.TimerHandle | None = None

    @property
    def waiting(self) -> bool:
        """Whether only the client can go on."""
        return self._part_missing() is not None or self._unread_timer is not None

    @property
    def address(self) -> str:
        return self.client[0] if self.client else ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as in H11Protocol
        super().connection_made(transport)
        if not self.registry.admit(self):
            transport.write(_TOO_MANY)
            transport.close()
            return
        self._await(_HEAD)

    def connection_lost(self, exc: Exception | None) -> None:
        self._await(None)
        self._stop_unread_timer()
        self.registry.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        missing = self._part_missing()
        # A head has one time limit, however it drips. A body may be long: its limit is for the next part of it.
        if missing != self._missing or missing == _BODY:
            self._await(missing)

    def on_response_complete(self) -> None:
        self._await(None)  # an idle connection has uvicorn's own time limit, until its next byte
        self.registry.begin_waiting(self)
        if self.conn.trailing_data[0].strip():
            self.transport.close()  # what was answered is sent; the rest a client sends again (RFC 9112, 9.3.2)
        super().on_response_complete()

    def timeout_keep_alive_handler(self) -> None:
        if self.transport.get_write_buffer_size():
            self.transport.abort()  # the last answer was not read: closing would wait for that
        else:
            super().timeout_keep_alive_handler()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stop_unread_timer()
        self._unread_timer = self.loop.call_later(self.settings.body_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        self._stop_unread_timer()
        super().resume_writing()

    def _part_missing(self) -> str | None:
        """Which part of a request has not arrived; None while a whole one is being answered."""
        cycle: RequestResponseCycle | None = self.cycle  # None until the first request
        if cycle is None or cycle.response_complete:
            return _HEAD
        return _BODY if cycle.more_body else None

    def _await(self, missing: str | None) -> None:
        """Start the timer for what is missing, in place of the one that runs."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._missing = missing
        if missing is not None and not self.transport.is_closing():
            # The application gives a body its time and answers 408; this is for what it does not wait for.
            seconds = self.settings.head_seconds if missing == _HEAD else 2 * self.settings.body_seconds
            self._timer = self.loop.call_later(seconds, self._too_slow)

    def _too_slow(self) -> None:
        if self._missing == _BODY and self.flow.read_paused:
            self._await(_BODY)  # it is we who do not read
            return
        if self._missing == _HEAD and not self.transport.get_write_buffer_size():
            self.transport.write(_TOO_SLOW)
            self.transport.close()
        else:
            self.transport.abort()

    def _stop_unread_timer(self) -> None:
        if self._unread_timer is not None:
            self._unread_timer.cancel()
            self._unread_timer = None


class Connections:
    """The open connections of a server, in all and by address, those that have waited longest first."""

    def __init__(self, settings: Settings) -> None:
        self._most = settings.connections_max
        self._most_of_one = settings.connections_per_address
        self._open: dict[Connection, None] = {}  # a dictionary keeps the order and finds its keys
        self._by_address: dict[str, dict[Connection, None]] = {}

    def admit(self, new: Connection) -> bool:
        """Find a place for a new connection; False when every place is taken by one that is being answered."""
        same = self._by_address.get(new.address, {})
        if len(same) >= self._most_of_one and not self._close_one(same):
            return False
        if len(self._open) >= self._most and not self._close_one(self._open):
            return False
        self._open[new] = None
        self._by_address.setdefault(new.address, {})[new] = None
        return True

    def begin_waiting(self, connection: Connection) -> None:
        """Its answer is sent: among those that wait it is the last."""
        if connection in self._open:
            self.leave(connection)
            self._open[connection] = None
            self._by_address.setdefault(connection.address, {})[connection] = None

    def leave(self, connection: Connection) -> None:
        """It is closed."""
        self._open.pop(connection, None)
        same = self._by_address.get(connection.address, {})
        same.pop(connection, None)
        if not same:
            self._by_address.pop(connection.address, None)

    def _close_one(self, among: dict[Connection, None]) -> bool:
        for connection in among:
            if connection.waiting:
                self.leave(connection)
                connection.transport.abort()
                return True
        return False


def protocol(limits: Settings) -> type[Connection]:
    """The protocol of one server, with its limits and its connections."""

    class Limited(Connection):
        registry = Connections(limits)
        settings = limits

    return Limited
