"""`ebbing serve`: where it listens and for whom, how it ends, the sweeper beside it, and many clients at once."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

import ebbing
from ebbing.domain.errors import Denied, Invalid, Unavailable
from ebbing.domain.policy.loader import load
from ebbing.interfaces.http_api import Binding, Settings, serve
from ebbing.testing import FakeEmbedder, FrozenClock
from tests.conftest import OpenEngine
from tests.interfaces.web import PATIENCE_SECONDS, Web, web

EBBING = Path(sys.executable).with_name("ebbing")
CLIENTS = 200
REQUESTS = 4  # of each


@contextlib.contextmanager
def program(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`ebbing serve …` on a free port, and the address it says it listens on."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("EBBING_")}
    command = [str(EBBING), "serve", "--db", str(folder / "memory.db"), "--port", "0", *words]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as running:
        assert running.stderr is not None
        try:
            said = running.stderr.readline()
            found = re.search(r"listening on (\S+)", said)
            assert found, said + running.stderr.read()
            yield running, found[1]
        finally:
            running.kill()


def ended(running: subprocess.Popen[str]) -> int:
    return running.wait(PATIENCE_SECONDS)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_it_serves_one_local_user_without_a_token_and_ends_when_told(tmp_path: Path, how: signal.Signals) -> None:
    with program(tmp_path, "--owner", "mara") as (running, address):
        assert address.startswith("http://127.0.0.1:")
        made = httpx2.post(f"{address}/v1/memories", json={"text": "Mara drinks tea"}, timeout=PATIENCE_SECONDS)
        assert made.json()["memories"][0]["owner"] == "mara"
        assert "server" not in made.headers
        running.send_signal(how)
        assert ended(running) == 0


def test_beyond_this_machine_it_does_not_start_without_a_token(tmp_path: Path) -> None:
    db = str(tmp_path / "memory.db")
    refused = subprocess.run(
        [str(EBBING), "serve", "--db", db, "--host", "0.0.0.0", "--port", "0", "--json"],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_SECONDS,
    )
    assert refused.returncode == 5
    assert "there is no token" in refused.stderr
    assert "ebbing token create" in refused.stderr


def test_beyond_this_machine_everybody_needs_a_token(tmp_path: Path) -> None:
    created = subprocess.run(
        [str(EBBING), "token", "create", "laptop", "--owner", "mara", "--db", str(tmp_path / "memory.db")],
        capture_output=True,
        text=True,
        check=True,
    )
    token = created.stdout.splitlines()[0].split("\t")[1]
    with program(tmp_path, "--host", "0.0.0.0") as (_, address):
        reached = address.replace("0.0.0.0", "127.0.0.1")
        assert httpx2.get(f"{reached}/v1/status").status_code == 401
        shown = {"Authorization": f"Bearer {token}"}
        assert httpx2.get(f"{reached}/v1/status", headers=shown).status_code == 200
        assert httpx2.get(f"{reached}/healthz").json() == {"status": "ok"}


def test_where_and_how_it_cannot_listen_is_said(tmp_path: Path) -> None:
    with ebbing.open(tmp_path / "memory.db", embedder=None) as engine:
        with pytest.raises(Denied, match="leave out --no-auth"):
            serve(engine, Binding("0.0.0.0", 0), trusting=True)
        with pytest.raises(Denied, match="no token"):
            serve(engine, Binding("::", 0))
        with pytest.raises(Unavailable, match=r"cannot listen on no\.such\.host\.invalid"):
            serve(engine, Binding("no.such.host.invalid", 0))
        with pytest.raises(Invalid, match="65536"):
            serve(engine, Binding(port=65536))
        with web(engine) as taken, pytest.raises(Unavailable, match="in use"):
            serve(engine, Binding(port=int(taken.address.rpartition(":")[2])))


def test_a_local_user_may_be_trusted_although_there_are_tokens(tmp_path: Path) -> None:
    with (
        ebbing.open(tmp_path / "memory.db", owner="mara", embedder=FakeEmbedder(), judge="off") as engine,
        web(engine, trusting=True) as served,
    ):
        other = served.token("laptop", owner="ben")
        engine.remember("Mara drinks tea")
        assert served.client().get("/v1/status").json()["total"] == 1
        assert served.client(other).get("/v1/status").json()["total"] == 0
        assert served.client("ebb_wrong_wrong").get("/v1/status").status_code == 401


class Leaping(FrozenClock):
    """A clock on which two days pass whenever the sweeper's loop looks at it; it tells when an owner is visited."""

    def __init__(self) -> None:
        super().__init__()
        self.visited = threading.Event()

    def now(self) -> datetime:
        name = threading.current_thread().name
        if name == "ebbing-worker":
            self.advance(days=2)
        if name.startswith("ebbing-round"):
            self.visited.set()
        return super().now()


def test_the_sweeper_runs_beside_it(tmp_path: Path) -> None:
    """What has expired is archived by itself, whoever's it is; ending waits for the round under way."""
    clock = Leaping()
    with ebbing.open(tmp_path / "memory.db", clock=clock, embedder=FakeEmbedder(), judge="off") as engine:
        mara = engine.for_owner("mara")
        id_ = mara.remember("the password of the day is tea", expires_in="1d").memories[0].id
        with web(engine):
            assert "ebbing-worker" not in {thread.name for thread in threading.enumerate()}
        assert mara.get(id_).status == "active"
        with web(engine, worker=True):
            assert clock.visited.wait(PATIENCE_SECONDS)
        assert mara.get(id_).status == "archived"
        assert "ebbing-worker" not in {thread.name for thread in threading.enumerate()}


def test_a_full_scope_is_swept_beside_whoever_has_a_token(tmp_path: Path, clock: FrozenClock) -> None:
    """After something was said over HTTP and after something was asked over MCP, whoever's it is."""
    policy = load()
    policy = dataclasses.replace(policy, sweep=dataclasses.replace(policy.sweep, soft_limit=5))
    store = tmp_path / "memory.db"
    with (
        ebbing.open(store, clock=clock, embedder=FakeEmbedder(), judge="off", policy=policy) as engine,
        web(engine) as served,
    ):
        assert engine.sweeper is not None
        token = served.token("mara's bot", owner="mara", agent="bot")
        mara = served.client(token)

        def said(text: str, **given: Any) -> str:
            made = mara.post("/v1/memories", json={"text": text, "importance": 0.9, **given})
            engine.sweeper.wait("mara")
            id_: str = made.json()["memories"][0]["id"]
            return id_

        def status(id_: str) -> str:
            return str(mara.get(f"/v1/memories/{id_}").json()["status"])

        first, second = said("for an hour", expires_in="1h"), said("for a day", expires_in="1d")
        clock.advance(hours=2)
        for number in range(3):
            assert status(first) == "active"
            said(f"note {number}")
        assert (status(first), status(second)) == ("archived", "active")
        said("note 3")
        clock.advance(days=1)
        asyncio.run(as_agent(served, token, [("recall", {"query": "note"})]))
        engine.sweeper.wait("mara")
        assert status(second) == "archived"


def test_it_is_the_same_on_every_store(open_engine: OpenEngine) -> None:
    """Tokens, owners, words, the log and the streams, on SQLite and on PostgreSQL."""
    engine = open_engine()
    with web(engine) as served:
        mara, ben = (served.client(served.token(name, owner=name)) for name in ("mara", "ben"))
        assert served.client().get("/v1/status").status_code == 401
        made = mara.post("/v1/memories", json={"text": "Mara drinks tea"})
        id_ = made.json()["memories"][0]["id"]
        assert len(mara.post("/v1/memories/search", json={"query": "tea"}).json()["recollections"]) == 1
        assert ben.post("/v1/memories/search", json={"query": "tea"}).json()["recollections"] == []
        assert ben.get(f"/v1/memories/{id_}").status_code == 404
        assert [event["kind"] for event in mara.get("/v1/events").json()["events"]] == ["remembered", "reinforced"]
        lines = {"Content-Type": "application/x-ndjson"}
        came = ben.post("/v1/import", content=mara.get("/v1/export").content, headers=lines)
        assert came.json()["added"] == 1
        assert mara.post("/v1/memories/purge", json={"everything": True}).json()["verified"] is True
        assert mara.get("/v1/status").json()["total"] == 0
        assert ben.get("/v1/status").json()["total"] == 1


# Agents, at /mcp


def test_an_agent_remembers_and_recalls_at_mcp_with_its_own_token(tmp_path: Path, clock: FrozenClock) -> None:
    with (
        ebbing.open(tmp_path / "memory.db", clock=clock, embedder=FakeEmbedder(), judge="off") as engine,
        web(engine) as served,
    ):
        writer = served.token("writer", owner="mara")
        reader = served.token("reader", owner="ben", rights=["read"])
        told = asyncio.run(as_agent(served, writer, [("remember", {"text": "Mara drinks tea"})]))
        assert not told[0].is_error
        found = asyncio.run(as_agent(served, writer, [("recall", {"query": "tea"})]))
        assert "Mara drinks tea" in str(found[0].content)
        denied, nothing = asyncio.run(
            as_agent(served, reader, [("remember", {"text": "more"}), ("recall", {"query": "tea"})])
        )
        assert denied.is_error
        assert "Mara" not in str(nothing.content)
        assert served.client().post("/mcp", json={}).status_code == 401
        text = served.client(writer).get("/metrics").text
        assert 'route="/mcp",method="POST",status="401"' not in text  # whoever is not let in reaches no route
        assert 'route="/mcp",method="POST",status="200"' in text


async def as_agent(served: Web, token: str, calls: Sequence[tuple[str, dict[str, Any]]]) -> list[Any]:
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, verify=False) as http,
        Client(streamable_http_client(f"{served.address}/mcp", http_client=http)) as client,
    ):
        return [await client.call_tool(name, arguments) for name, arguments in calls]


# Many at once


@pytest.mark.slow
def test_two_hundred_clients_at_once_lose_nothing(tmp_path: Path) -> None:
    """Every use is counted, every memory is there, and nobody meets an error."""
    with (
        ebbing.open(tmp_path / "memory.db", embedder=FakeEmbedder(), judge="off") as engine,
        web(engine, Settings(requests_per_minute=0)) as served,
    ):
        shared = engine.remember("everybody knows this").memories[0]
        statuses = asyncio.run(all_at_once(served, shared.id))
        assert {*statuses} == {"GET 200", "POST 200", "POST 201", "POST 204"}
        assert len(statuses) == CLIENTS * REQUESTS
        assert engine.get(shared.id).recall_count == CLIENTS
        assert engine.stats().total == CLIENTS + 1


async def all_at_once(served: Web, shared: str) -> list[str]:
    limits = httpx2.Limits(max_connections=CLIENTS, max_keepalive_connections=CLIENTS)
    together = asyncio.Barrier(CLIENTS)
    async with httpx2.AsyncClient(
        base_url=served.address, limits=limits, timeout=PATIENCE_SECONDS, verify=False
    ) as client:

        async def one(number: int) -> list[str]:
            await together.wait()
            session = f"session {number}"
            answers = [
                await client.post("/v1/memories", json={"text": f"client {number} was here", "scope": f"/{number}"}),
                await client.post("/v1/memories/used", json={"ids": [shared], "session": session}),
                await client.post("/v1/memories/search", json={"query": f"client {number}", "reinforce": False}),
                await client.get(f"/v1/memories/{shared}"),
            ]
            return [f"{answer.request.method} {answer.status_code}" for answer in answers]

        told = await asyncio.gather(*(one(number) for number in range(CLIENTS)))
    return [status for several in told for status in several]
