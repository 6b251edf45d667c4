"""What every request passes: the name it calls us by, the page it comes from, what it says it sends, and the limits."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from functools import partial
from pathlib import Path

import pytest

import ebbing
from ebbing.engine import Engine
from ebbing.interfaces.http_api import Settings
from ebbing.interfaces.http_api.idempotency import KEPT_MOST, Answer, IdempotencyStore
from ebbing.interfaces.http_api.openapi import document
from ebbing.interfaces.http_api.problems import HttpError
from ebbing.interfaces.http_api.rate_limit import RateLimiter
from ebbing.testing import FakeEmbedder, FrozenClock
from tests.interfaces.web import PATIENCE_SECONDS, Web, web
from tests.tables import each_row

PATHS = [*(path.format(id="x", label="human") for path in document()["paths"]), "/mcp", "/", "/nothing"]
JSON = {"Content-Type": "application/json"}


@pytest.fixture
def engine(tmp_path: Path, clock: FrozenClock) -> Iterator[Engine]:
    with ebbing.open(tmp_path / "memory.db", clock=clock, embedder=FakeEmbedder(), judge="off") as opened:
        yield opened


@pytest.fixture
def served(engine: Engine) -> Iterator[Web]:
    with web(engine) as running:
        yield running


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """The same for all that only look."""
    path = tmp_path_factory.mktemp("shared") / "memory.db"
    with ebbing.open(path, embedder=FakeEmbedder(), judge="off") as opened, web(opened) as running:
        yield running


def port(served: Web) -> str:
    return served.address.rpartition(":")[2]


# The name it calls us by


@each_row("path", PATHS)
def test_a_name_that_was_made_to_point_here_gets_nowhere(shared: Web, path: str) -> None:
    """DNS rebinding: the page's own name leads to us, and the browser says that name."""
    for name in (
        "evil.example",
        f"evil.example:{port(shared)}",
        "127.0.0.1.evil.example",
        "localhost@evil.example",
        "",
    ):
        for method in ("GET", "POST", "OPTIONS"):
            answer = shared.client().request(method, path, headers={"Host": name, **JSON})
            assert answer.status_code == 421, (name, method, answer.text)
            # The dashboard's refusals are pages.
            assert path == "/" or answer.json()["code"] == "invalid"


@pytest.mark.parametrize("name", ["localhost", "LOCALHOST:1", "127.0.0.1", "[::1]:7373", "localhost.", "127.0.0.1:80"])
def test_the_names_of_this_machine_are_ours(shared: Web, name: str) -> None:
    assert shared.client().get("/v1/status", headers={"Host": name}).status_code == 200


def test_a_name_is_allowed_by_whoever_runs_the_server(engine: Engine) -> None:
    with web(engine, Settings(allow_hosts=("Memory.example",))) as served:
        assert served.client().get("/healthz", headers={"Host": "memory.example:443"}).status_code == 200
        assert served.client().get("/healthz", headers={"Host": "other.example"}).status_code == 421


def test_where_others_reach_it_a_number_is_as_good_as_its_name(engine: Engine) -> None:
    """No page can make a number point elsewhere."""
    with web(engine, Settings(loopback=False, address="memory.example")) as served:
        for name, status in (("192.0.2.7:7373", 200), ("memory.example", 200), ("evil.example", 421)):
            assert served.client().get("/healthz", headers={"Host": name}).status_code == status
        assert served.client().get("/v1/status").status_code == 401


# The page it comes from


@each_row("path", PATHS)
def test_a_page_from_elsewhere_may_not_ask(shared: Web, path: str) -> None:
    for origin in ("https://evil.example", "null", f"http://127.0.0.1:{int(port(shared)) ^ 1}", "http://localhost", ""):
        for method in ("GET", "POST", "OPTIONS"):
            answer = shared.client().request(method, path, headers={"Origin": origin, **JSON})
            assert answer.status_code == 403, (origin, method)
            assert not [name for name in answer.headers if name.startswith("access-control")]


def test_our_own_pages_may_ask(served: Web) -> None:
    assert served.client().get("/v1/status", headers={"Origin": served.address}).status_code == 200


def test_a_page_that_was_allowed_may_ask_and_read(engine: Engine) -> None:
    page = {"Origin": "https://notes.example"}
    with web(engine, Settings(allow_origins=("https://notes.example",))) as served:
        client = served.client()
        asked = {**page, "Access-Control-Request-Method": "PATCH", "Access-Control-Request-Headers": "authorization"}
        before = client.options("/v1/memories/x", headers=asked)
        assert before.status_code == 204
        assert "PATCH" in before.headers["access-control-allow-methods"]
        answer = client.get("/v1/status", headers=page)
        assert answer.headers["access-control-allow-origin"] == "https://notes.example"
        assert "access-control-allow-credentials" not in answer.headers
        assert client.get("/v1/status", headers={"Origin": "https://other.example"}).status_code == 403


def test_without_allowed_pages_nothing_is_said_to_pages(served: Web) -> None:
    answer = served.client().options("/v1/memories", headers={"Access-Control-Request-Method": "POST"})
    assert not [name for name in answer.headers if name == "access-control-allow-origin"]


# What it says it sends


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "",
        "application/jsonx",
        "application/json; charset=latin-1",
        "application/x-ndjson",
    ],
)
def test_what_changes_anything_says_that_it_is_json(served: Web, kind: str) -> None:
    """A form on any page can be sent here without asking; it cannot say this."""
    client = served.client()
    for method, path in (("POST", "/v1/memories"), ("PUT", "/v1/blocks/human"), ("PATCH", "/v1/memories/x"),
                         ("POST", "/v1/memories/x/pin"), ("DELETE", "/v1/memories/x"), ("POST", "/mcp")):  # fmt: skip
        answer = client.request(method, path, content=b'{"text": "x"}', headers={"Content-Type": kind})
        assert answer.status_code == 415, (method, path)
    assert served.engine.list() == []


def test_json_may_say_its_charset(served: Web) -> None:
    kind = {"Content-Type": 'Application/JSON; charset="UTF-8"'}
    assert served.client().post("/v1/memories", content=b'{"text": "tea"}', headers=kind).status_code == 201


def test_an_import_is_lines(served: Web) -> None:
    assert served.client().post("/v1/import", content=b"{}", headers=JSON).status_code == 415


# How long, how slowly, how often


def test_a_body_that_is_too_long_is_not_read(engine: Engine) -> None:
    """Said with its length, before a byte of it; and without, as soon as it is too long."""
    with web(engine, Settings(body_bytes_max=1000, import_bytes_max=2000)) as served:
        client = served.client(served.token("operator"))
        long = b'{"text": "' + b"x" * 1000 + b'"}'
        parts = iter([b'{"text": "', *([b"x" * 100] * 10), b'"}'])
        assert client.post("/v1/memories", content=long, headers=JSON).status_code == 413
        answer = client.post("/v1/memories", content=parts, headers=JSON)
        assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
        assert client.post("/mcp", content=long, headers=JSON).status_code == 413
        lines = {"Content-Type": "application/x-ndjson"}
        assert client.post("/v1/import", content=b"x" * 1999, headers=lines).status_code == 422
        assert client.post("/v1/import", content=b"x" * 2001, headers=lines).status_code == 413
        assert client.post("/v1/import", content=iter([b"x" * 1500] * 2), headers=lines).status_code == 413
    assert engine.list() == []


@pytest.mark.parametrize("path", ["/v1/memories", "/v1/import"])
def test_a_body_that_does_not_arrive_is_not_waited_for(engine: Engine, path: str) -> None:
    kind = "application/x-ndjson" if path == "/v1/import" else "application/json"
    with web(engine, Settings(body_seconds=0.05)) as served:
        head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\nContent-Length: 100\r\n"
        sent = f"{head}Authorization: Bearer {served.token('operator')}\r\n\r\n{{".encode()
        answer, deadline = b"", time.monotonic() + PATIENCE_SECONDS
        while not answer:  # on a busy machine the connection may be closed before there is an answer
            assert time.monotonic() < deadline
            with contextlib.closing(connected(served)) as slow, contextlib.suppress(ConnectionError):
                slow.sendall(sent)
                answer = received(slow)
        assert answer.startswith(b"HTTP/1.1 408 ")


def test_a_body_that_breaks_off_changes_nothing(served: Web) -> None:
    with contextlib.closing(connected(served)) as broken:
        broken.sendall(
            b"POST /v1/memories HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b'Content-Length: 100\r\n\r\n{"text": "half a'
        )
    assert served.client().get("/v1/status").json()["total"] == 0


def connected(served: Web) -> socket.socket:
    made = socket.create_connection(("127.0.0.1", int(port(served))))
    made.settimeout(300)
    return made


def received(connection: socket.socket) -> bytes:
    parts = []
    while part := connection.recv(4096):
        parts.append(part)
        if b"\r\n\r\n" in b"".join(parts):
            break
    return b"".join(parts)


def test_whoever_asks_too_often_is_told_when_to_come_again(engine: Engine) -> None:
    """Each caller has a measure of its own."""
    with web(engine, Settings(requests_per_minute=1)) as served:
        busy, calm = served.client(served.token("busy")), served.client(served.token("calm"))
        assert busy.get("/v1/status").status_code == 200
        late = busy.get("/v1/status")
        assert (late.status_code, late.json()["code"]) == (429, "unavailable")
        assert 1 <= int(late.headers["retry-after"]) <= 60
        assert calm.get("/v1/status").status_code == 200


def test_strangers_are_told_to_wait_and_nobody_waits_for_them(engine: Engine) -> None:
    with web(engine, Settings(strangers_per_minute=1)) as served:
        token = served.token("laptop")
        statuses = [served.client("wrong").get("/v1/status").status_code for _ in range(3)]
        assert statuses == [401, 429, 429]
        assert served.client(token).get("/v1/status").status_code == 200


def test_a_bucket_fills_again() -> None:
    many = RateLimiter(60_000)
    assert [many.wait_seconds("mara") for _ in range(10_000)] == [0] * 10_000
    assert {RateLimiter(0).wait_seconds("mara") for _ in range(100)} == {0}


def test_when_every_thread_is_busy_for_too_long_nothing_is_begun(engine: Engine) -> None:
    held, release = threading.Event(), threading.Event()
    with web(engine, Settings(write_threads=1, queue_seconds=0.05)) as served:
        busy = threading.Thread(target=hold_the_owner, args=(engine, held, release))
        busy.start()
        held.wait()
        with ThreadPoolExecutor(2) as threads:
            tell = [partial(served.client().post, "/v1/memories", json={"text": text}) for text in ("tea", "milk")]
            told = [threads.submit(one) for one in tell]  # either may take the only thread
            [refused], [other] = wait(told, PATIENCE_SECONDS, FIRST_COMPLETED)
            release.set()
            busy.join()
            answer = refused.result()
            assert (answer.status_code, other.result().status_code) == (503, 201)
        assert answer.headers["retry-after"] == "5"
        assert served.client().get("/v1/status").json()["total"] == 1


def hold_the_owner(engine: Engine, held: threading.Event, release: threading.Event) -> None:
    """Be the one who writes, until released."""
    from ebbing.ports import View

    with engine.store.write(View("default")):
        held.set()
        release.wait()


def test_a_websocket_is_turned_away(served: Web) -> None:
    with contextlib.closing(connected(served)) as asking:
        asking.sendall(
            b"GET /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        assert not received(asking).startswith(b"HTTP/1.1 101")


def test_answers_kept_for_repetition_are_bounded() -> None:
    replays = IdempotencyStore()
    answer = Answer(200, (), b"x")
    for number in range(KEPT_MOST + 10):
        replays.keep(replays.begin("mara", "laptop", str(number), b"asked"), answer)
    assert replays.begin("mara", "laptop", "0", b"asked").answer is None
    assert replays.begin("mara", "laptop", str(KEPT_MOST + 9), b"asked").answer == answer
    big = Answer(200, (), b"x" * 20_000_000)
    replays.keep(replays.begin("mara", "laptop", "big", b"asked"), big)
    replays.keep(replays.begin("mara", "laptop", "bigger", b"asked"), big)
    assert replays.begin("mara", "laptop", "big", b"asked").answer is None
    assert replays.begin("mara", "laptop", "bigger", b"asked").answer == big


def test_a_request_repeated_while_the_first_is_being_answered_is_told_to_wait() -> None:
    replays = IdempotencyStore()
    first = replays.begin("mara", "laptop", "key", b"asked")
    with pytest.raises(HttpError, match="still being answered") as caught:
        replays.begin("mara", "laptop", "key", b"asked")
    assert caught.value.status == 409
    replays.drop(first)
    assert replays.begin("mara", "laptop", "key", b"asked").answer is None


def test_a_purge_under_way_keeps_the_answers_of_what_began_before_it_from_being_kept() -> None:
    replays = IdempotencyStore()
    slot = replays.begin("mara", "laptop", "key", b"asked")
    replays.purge("mara")
    replays.keep(slot, Answer(200, (), b"what was purged"))
    assert replays.begin("mara", "laptop", "key", b"asked").answer is None
