"""A chat endpoint that answers as badly as it is told to, on a free port of this machine."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = Callable[["Handler"], None]


@dataclass(frozen=True)
class Request:
    """What the client sent."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


class Stub(ThreadingHTTPServer):
    """Gives one reply after the other, the last one again and again, and keeps what it was sent."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.replies: list[Reply] = [completion()]
        self.requests: list[Request] = []
        self.over = threading.Event()  # set at the end of the test: whoever dawdles may stop

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up on a bad answer does what it should."""


class Handler(BaseHTTPRequestHandler):
    """One request."""

    server: Stub

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append(Request(self.path, dict(self.headers.items()), body))
        number = min(len(self.server.requests), len(self.server.replies))
        self.server.replies[number - 1](self)

    def give(self, code: int, body: bytes, **headers: str) -> None:
        self.send_response(code)
        for name, value in {"Content_Length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing to say."""


@contextlib.contextmanager
def listening() -> Iterator[Stub]:
    """A stub that answers for as long as the block lasts."""
    with Stub() as stub:
        thread = threading.Thread(target=stub.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield stub
        finally:
            stub.over.set()
            stub.shutdown()
            thread.join()


def completion(content: Any = "The tide turns.", *, ending: str = "stop", usage: Any = None, **message: Any) -> Reply:
    """What a well-behaved server says."""
    choice = {"index": 0, "finish_reason": ending, "message": {"role": "assistant", "content": content, **message}}
    counted = {"prompt_tokens": 7, "completion_tokens": 5} if usage is None else usage
    return saying(200, {"object": "chat.completion", "choices": [choice], "usage": counted})


def saying(code: int, said: Any, **headers: str) -> Reply:
    """Any status with any body: a value as JSON, text as it is."""
    body = said if isinstance(said, bytes) else said.encode() if isinstance(said, str) else json.dumps(said).encode()
    return lambda handler: handler.give(code, body, **headers)


def failing(code: int, message: str, **headers: str) -> Reply:
    """A refusal as OpenAI words it."""
    return saying(code, {"error": {"message": message, "type": "some_error", "code": code}}, **headers)


def promising_more(handler: Handler) -> None:
    """A connection that breaks in the middle of the answer."""
    handler.give(200, b'{"choices": [', Content_Length="100000")


def endless(handler: Handler) -> None:
    """An answer that never ends."""
    handler.send_response(200)
    handler.end_headers()
    while not handler.server.over.is_set():
        handler.wfile.write(b" " * 65536)


def dawdling(handler: Handler) -> None:
    """No answer at all until the test is over."""
    handler.server.over.wait(10)


def dripping(handler: Handler) -> None:
    """One byte after the other, each in time, all of them never."""
    handler.send_response(200)
    handler.end_headers()
    while not handler.server.over.wait(0.02):
        handler.wfile.write(b" ")
        handler.wfile.flush()
