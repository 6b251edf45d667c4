"""Slow calls have threads of their own and a time limit: no search waits for them, and what is given up writes nothing.

A language model that does not answer stands for whatever is slow.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import pytest

import ebbing
from ebbing.engine import Engine
from ebbing.interfaces.http_api import Settings
from ebbing.testing import FakeEmbedder, FakeLlm, FrozenClock
from tests.interfaces.web import PATIENCE_SECONDS, Web, web

NOTES = "The office is in Leiden. Deploys happen on Tuesdays. Mara drinks green tea in the morning."


class Stuck:
    """A language model that answers once it is released, and tells how many calls have reached it."""

    def __init__(self) -> None:
        self.released = threading.Event()
        self.reached = threading.Semaphore(0)
        self.llm = FakeLlm(self._answer)

    def _answer(self, _: Any) -> dict[str, Any]:
        self.reached.release()
        assert self.released.wait(PATIENCE_SECONDS)
        return {"facts": []}


@pytest.fixture
def stuck() -> Iterator[Stuck]:
    made = Stuck()
    yield made
    made.released.set()


@pytest.fixture
def engine(tmp_path: Path, clock: FrozenClock, stuck: Stuck) -> Iterator[Engine]:
    with ebbing.open(
        tmp_path / "memory.db", clock=clock, embedder=FakeEmbedder(), judge="off", llm=stuck.llm
    ) as opened:
        yield opened


@pytest.fixture
def beside() -> Iterator[ThreadPoolExecutor]:
    """Threads to ask from, while the test goes on."""
    with ThreadPoolExecutor(8) as threads:
        yield threads


def in_background(beside: ThreadPoolExecutor, served: Web, path: str, **body: Any) -> Future[httpx2.Response]:
    client = served.client()
    return beside.submit(lambda: client.post(path, json=body))


SLOW: dict[str, tuple[str, dict[str, Any]]] = {
    "extract": ("/v1/extract", {"text": NOTES}),
    "remember each fact": ("/v1/memories", {"text": NOTES, "extract": True}),
}


@pytest.mark.parametrize("what", SLOW)
def test_search_and_health_are_answered_while_every_slow_thread_is_taken(
    engine: Engine, stuck: Stuck, beside: ThreadPoolExecutor, what: str
) -> None:
    """Fourteen extractions stopped the whole server for a minute."""
    path, body = SLOW[what]
    with web(engine, Settings(slow_threads=2, queue_seconds=PATIENCE_SECONDS)) as served:
        waiting = [in_background(beside, served, path, **body) for _ in range(4)]
        for _ in range(2):
            assert stuck.reached.acquire(timeout=PATIENCE_SECONDS)
        client = served.client()
        assert client.get("/healthz").status_code == 200
        assert client.post("/v1/memories/search", json={"query": "tea"}).status_code == 200
        assert client.post("/v1/context", json={"query": "tea"}).status_code == 200
        assert client.get("/v1/status").status_code == 200
        assert not any(one.done() for one in waiting)
        stuck.released.set()
        assert {one.result(PATIENCE_SECONDS).status_code for one in waiting} <= {200, 201}


def test_an_agent_searches_while_every_slow_thread_is_taken(
    engine: Engine, stuck: Stuck, beside: ThreadPoolExecutor
) -> None:
    """At /mcp the same threads serve."""
    with web(engine, Settings(slow_threads=1, queue_seconds=PATIENCE_SECONDS)) as served:
        waiting = in_background(beside, served, "/v1/extract", text=NOTES)
        assert stuck.reached.acquire(timeout=PATIENCE_SECONDS)
        params = {"name": "recall", "arguments": {"query": "tea"}}
        asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        agent = served.client(Accept="application/json, text/event-stream")
        assert not agent.post("/mcp", json=asked).json()["result"].get("isError")
        stuck.released.set()
        assert waiting.result(PATIENCE_SECONDS).status_code == 200


@pytest.mark.parametrize("what", SLOW)
def test_a_slow_call_is_given_up_and_writes_nothing_afterwards(engine: Engine, stuck: Stuck, what: str) -> None:
    """The caller was told that nothing was written: that must stay true once the model answers after all."""
    path, body = SLOW[what]
    with web(engine, Settings(slow_threads=1, call_seconds=0.05)) as served:
        client = served.client()
        answer = client.post(path, json=body)
        assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
        assert answer.headers["retry-after"] == "5"
        assert "nothing was written" in answer.json()["detail"]
        stuck.released.set()
        until_answered(client)
    assert engine.list() == []
    assert engine.events() == []


def until_answered(client: httpx2.Client) -> None:
    """Until the only slow thread is free again: then the call that was given up has ended."""
    until(client, lambda answer: answer.status_code == 200)


def until(client: httpx2.Client, right: Callable[[httpx2.Response], bool]) -> None:
    """Ask again until the answer is right."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not right(client.post("/v1/extract", json={"text": NOTES})):
        assert time.monotonic() < deadline


def test_the_place_of_a_call_that_was_given_up_is_free_once_it_ends(engine: Engine, stuck: Stuck) -> None:
    """Threads that were given up count as taken: there are never more than the store has connections for."""
    with web(engine, Settings(slow_threads=1, call_seconds=0.05, queue_seconds=0.05)) as served:
        client = served.client()
        first = client.post("/v1/extract", json={"text": NOTES})
        while not stuck.reached.acquire(blocking=False):  # on a busy machine it may be given up before it has begun
            first = client.post("/v1/extract", json={"text": NOTES})
        assert "given up" in first.json()["detail"]
        until(client, lambda answer: "every thread has been busy" in answer.text)
        stuck.released.set()
        until_answered(client)
