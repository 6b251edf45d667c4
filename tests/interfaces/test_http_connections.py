"""What clients that send slowly, or open many connections, cost the others: nothing. On a real server."""

from __future__ import annotations

import contextlib
import select
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import ebbing
from ebbing.engine import Engine
from ebbing.interfaces.http_api import Settings
from ebbing.ports import View
from ebbing.testing import FakeEmbedder, FrozenClock
from tests.interfaces.web import PATIENCE_SECONDS, Web, web
from tests.store.making import memory

HALF_HEAD = b"GET /v1/status HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
HALF_BODY = (
    b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n"
    b"Accept: application/json, text/event-stream\r\n\r\n{"
)


@pytest.fixture
def engine(tmp_path: Path, clock: FrozenClock) -> Iterator[Engine]:
    with ebbing.open(tmp_path / "memory.db", clock=clock, embedder=FakeEmbedder(), judge="off") as opened:
        yield opened


@contextlib.contextmanager
def opened(served: Web, sent: bytes, count: int = 1) -> Iterator[list[socket.socket]]:
    """So many connections that have sent this and nothing else."""
    with contextlib.ExitStack() as stack:
        made = []
        for _ in range(count):
            connection = socket.create_connection(("127.0.0.1", int(served.address.rpartition(":")[2])))
            stack.callback(connection.close)
            connection.settimeout(PATIENCE_SECONDS)
            connection.sendall(sent)
            made.append(connection)
        yield made


@contextlib.contextmanager
def in_time(served: Web, sent: bytes, ends: bytes = b'{"status":"ok"}') -> Iterator[socket.socket]:
    """A connection whose request was answered, up to these bytes. On a busy machine one may be closed before it has
    sent anything; then the next is tried."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        assert time.monotonic() < deadline
        with opened(served, sent) as (connection,):
            answer = b""
            with contextlib.suppress(ConnectionResetError):
                while not answer.endswith(ends) and (part := connection.recv(4096)):
                    answer += part
            if answer.endswith(ends):
                yield connection
                return


def closed(connection: socket.socket) -> bool:
    """Whether the server ended it; waits for that."""
    try:
        while connection.recv(4096):
            pass
    except ConnectionResetError:
        return True
    return True


@pytest.mark.parametrize("sent", [b"", HALF_HEAD, HALF_BODY], ids=["nothing", "half a head", "half a body"])
def test_half_sent_requests_do_not_keep_others_from_an_answer(engine: Engine, sent: bytes) -> None:
    """Slowloris: held open for as long as one likes, they used to turn every answer into a 503."""
    with (
        web(engine, Settings(connections_per_address=8, connections_max=16, requests_at_once=4)) as served,
        opened(served, sent, count=100) as slow,
    ):
        assert served.client().get("/healthz").json() == {"status": "ok"}
        assert served.client().post("/v1/memories", json={"text": "tea"}).status_code == 201
        assert all(closed(one) for one in slow[:80]), "those that have waited longest made room"


def test_the_total_is_bounded_as_well(engine: Engine) -> None:
    """Many addresses together are one crowd."""
    with (
        web(engine, Settings(connections_per_address=1000, connections_max=8)) as served,
        opened(served, HALF_HEAD, count=50) as slow,
    ):
        assert served.client().get("/healthz").status_code == 200
        assert all(closed(one) for one in slow[:40])


def test_a_head_that_does_not_arrive_is_not_waited_for(engine: Engine) -> None:
    """Nothing at all, or a part of it."""
    with web(engine, Settings(head_seconds=0.05)) as served:
        for sent in (b"", HALF_HEAD):
            with opened(served, sent) as (slow,):
                assert slow.recv(4096).startswith(b"HTTP/1.1 408 ")
                assert closed(slow)


def test_a_head_that_drips_has_no_more_time(engine: Engine) -> None:
    """One byte now and then is how a connection was held for ever."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    with web(engine, Settings(head_seconds=0.2)) as served, opened(served, HALF_HEAD) as (slow,):
        while not select.select([slow], [], [], 0.01)[0]:
            assert time.monotonic() < deadline
            slow.sendall(b"x")
        assert slow.recv(4096).startswith(b"HTTP/1.1 408 ")


def test_the_head_of_a_later_request_has_the_same_limit(engine: Engine) -> None:
    """The first byte after an answer used to end the time limit of an idle connection, and nothing began another."""
    whole = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with web(engine, Settings(head_seconds=0.05, idle_seconds=3600)) as served, in_time(served, whole) as slow:
        slow.sendall(HALF_HEAD)
        assert slow.recv(4096).startswith(b"HTTP/1.1 408 ")
        assert closed(slow)


def test_a_body_that_nobody_waits_for_does_not_hold_a_connection(engine: Engine) -> None:
    """Also where the answer was given before the body came: a request without a token."""
    head = HALF_BODY.replace(b"/mcp", b"/v1/memories")
    settings = Settings(body_seconds=0.05, head_seconds=0.05)
    with web(engine, settings) as served:
        with opened(served, HALF_BODY) as (slow,):
            assert closed(slow)
        served.token("the first")
        with in_time(served, head, b"}") as stranger:
            stranger.sendall(b"x")
            assert closed(stranger)


def test_an_answer_that_is_not_read_does_not_hold_a_place(engine: Engine) -> None:
    """A client that asks for everything and reads nothing would otherwise keep its connection for ever."""
    # More than the buffers of a connection hold, written to the store itself: it need not be read as sentences.
    long = [memory(f"{number}{'x' * 60_000}", owner="default", fingerprint=None) for number in range(120)]
    with engine.store.write(View("default", every_agent=True)) as tx:
        tx.memories.add(long, {})
    with web(engine, Settings(connections_per_address=1)) as served, contextlib.closing(socket.socket()) as unread:
        unread.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        unread.connect(("127.0.0.1", int(served.address.rpartition(":")[2])))
        head = f"GET /v1/export HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {served.token('operator')}\r\n\r\n"
        unread.sendall(head.encode())
        select.select([unread], [], [], PATIENCE_SECONDS)
        deadline = time.monotonic() + PATIENCE_SECONDS
        statuses = set()
        while 200 not in statuses:  # until what can be sent without being read is sent, it is being answered
            assert time.monotonic() < deadline
            statuses.add(served.client().get("/healthz").status_code)
        assert statuses <= {200, 503}


def test_requests_sent_before_their_answers_do_not_keep_a_connection(engine: Engine) -> None:
    """A hundred connections with two hundred requests each had every place of their address for as long as it took."""
    whole = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with web(engine) as served, opened(served, whole * 200) as (many,), opened(served, whole) as (one,):
        answer = b""
        with contextlib.suppress(ConnectionResetError):
            while part := many.recv(65536):
                answer += part
        assert answer.count(b"HTTP/1.1 200 ") <= 1
        while b'{"status":"ok"}' not in (told := one.recv(4096)):
            assert told
        one.sendall(whole)
        assert one.recv(4096).startswith(b"HTTP/1.1 200 "), "who waits for the answer goes on"
