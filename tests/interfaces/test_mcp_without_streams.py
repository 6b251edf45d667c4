"""The MCP endpoint opens no stream: whoever asks for many keeps nobody out."""

from __future__ import annotations

import socket
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import ebbing
from ebbing.interfaces.http_api import Settings
from ebbing.testing import FakeEmbedder, FrozenClock
from tests.interfaces.web import PATIENCE_SECONDS, web

ASKS_FOR_A_STREAM = (
    "GET /mcp HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nAccept: text/event-stream\r\n\r\n"
)


def test_streams_that_a_reader_asks_for_leave_every_place_to_others(tmp_path: Path, clock: FrozenClock) -> None:
    """A stream of server messages stays open for as long as its client likes, and nothing is ever sent on it: as many
    as there are places for requests would close the server to everybody."""
    settings = Settings(requests_at_once=2)
    with (
        ebbing.open(tmp_path / "memory.db", clock=clock, embedder=FakeEmbedder(), judge="off") as engine,
        web(engine, settings) as served,
    ):
        reader = served.token("reader", rights=("read",))
        host = urlsplit(served.address).netloc
        asked = ASKS_FOR_A_STREAM.format(host=host, token=reader).encode()
        name, port = host.split(":")
        held = [socket.create_connection((name, int(port)), timeout=PATIENCE_SECONDS) for _ in range(4)]
        try:
            for connection in held:
                connection.sendall(asked)
                assert connection.recv(64).startswith(b"HTTP/1.1 405 ")
            searched = served.client(reader).post("/v1/memories/search", json={"query": "tea"})
        finally:
            for connection in held:
                connection.close()
    assert searched.status_code == 200


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_what_is_no_message_is_told_how_messages_are_sent(tmp_path: Path, clock: FrozenClock, method: str) -> None:
    """405 with `Allow` is what the protocol has for a server that opens no stream and keeps no session."""
    with (
        ebbing.open(tmp_path / "memory.db", clock=clock, embedder=FakeEmbedder(), judge="off") as engine,
        web(engine) as served,
    ):
        answer = served.client().request(
            method, "/mcp", headers={"Accept": "text/event-stream", "Content-Type": "application/json"}
        )
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
