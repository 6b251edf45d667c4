"""MCP over streamable HTTP on a real port: the caller from the credential of each request, rights tool by tool."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types.version import LATEST_HANDSHAKE_VERSION, LATEST_MODERN_VERSION
from starlette.types import Scope
from typer.testing import Result

import ebbing
from ebbing.domain.errors import Denied
from ebbing.interfaces import api_tokens, mcp_server
from ebbing.interfaces.access import Caller, ToolDispatcher
from ebbing.interfaces.tools import Right
from ebbing.testing import in_memory
from tests.interfaces.mcp_client import life, text_of, told

PROGRAM = str(Path(sys.executable).with_name("ebbing"))
Story = Callable[[Client], Awaitable[None]]
OPENING = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": LATEST_HANDSHAKE_VERSION,
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    },
}
ACCEPT = {"Accept": "application/json, text/event-stream"}


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[[], str]]:
    """Start the program on memory.db; tells its URL."""
    started: list[subprocess.Popen[str]] = []

    def start() -> str:
        command = [PROGRAM, "mcp", "--transport", "http", "--port", "0", "--db", str(tmp_path / "memory.db")]
        program = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8")
        started.append(program)
        assert program.stderr is not None
        said = program.stderr.readline()
        url = re.search(r"http://\S+", said)
        assert url, said
        return url[0]

    yield start
    for program in started:
        program.terminate()
        program.wait(timeout=300)
        assert program.stderr is not None
        program.stderr.close()


def token(tmp_path: Path, name: str, *rights: Right, owner: str = "default", agent: str | None = None) -> str:
    with ebbing.open(tmp_path / "memory.db") as engine:
        made = api_tokens.create(engine.store, name, owner=owner, agent=agent, rights=rights, now=engine.clock.now())
        return made.text


def ask(url: str, story: Story, *, shown: str | None = None, mode: str = "auto") -> None:
    headers = {} if shown is None else {"Authorization": f"Bearer {shown}"}

    async def run() -> None:
        async with AsyncExitStack() as stack:
            http = await stack.enter_async_context(httpx2.AsyncClient(headers=headers, timeout=300))
            client = Client(streamable_http_client(url, http_client=http), mode=mode)
            await story(await stack.enter_async_context(client))

    anyio.run(run)


@pytest.mark.parametrize(("mode", "revision"), [("auto", LATEST_MODERN_VERSION), ("legacy", LATEST_HANDSHAKE_VERSION)])
def test_a_memory_lives_its_life_over_http(serve: Callable[[], str], mode: str, revision: str) -> None:
    """On this machine and without any token its user is let in."""

    async def story(client: Client) -> None:
        assert client.protocol_version == revision
        await life(client)

    ask(serve(), story, mode=mode)


def test_a_read_token_reads_and_stores_nothing(serve: Callable[[], str], tmp_path: Path) -> None:
    """The endpoint as a whole asks for no right: each tool does."""
    reader = token(tmp_path, "reader", Right.READ)
    writer = token(tmp_path, "writer", Right.READ, Right.WRITE)
    url = serve()

    async def write(client: Client) -> None:
        await told(client, "remember", text="Mara prefers tea")
        assert text_of(await client.call_tool("forget", {"scope": "/"})).startswith("denied: writer may not forget")

    async def read(client: Client) -> None:
        assert [tool.name for tool in (await client.list_tools()).tools if tool.name == "remember"] == []
        for tool, arguments in (("remember", {"text": "x"}), ("pin", {"id": "x"}), ("forget", {"scope": "/"})):
            result = await client.call_tool(tool, arguments)
            assert result.is_error
            assert text_of(result).startswith("denied: ")
        assert len((await told(client, "list_memories"))["memories"]) == 1

    ask(url, write, shown=writer)
    for mode in ("auto", "legacy"):
        ask(url, read, shown=reader, mode=mode)


def test_the_owner_comes_from_the_token_alone(serve: Callable[[], str], tmp_path: Path) -> None:
    """Two owners at one endpoint at once: neither sees, gets or forgets what is the other's."""
    rights = (Right.READ, Right.WRITE, Right.FORGET)
    hers = token(tmp_path, "hers", *rights, owner="mara")
    his = token(tmp_path, "his", *rights, owner="otto")
    url = serve()
    ids: list[str] = []

    async def keep(client: Client) -> None:
        ids.append((await told(client, "remember", text="Mara prefers tea"))["memories"][0]["id"])

    async def pry(client: Client) -> None:
        assert (await told(client, "recall", query="Mara prefers tea"))["recollections"] == []
        assert (await told(client, "list_memories"))["memories"] == []
        for tool, arguments in (
            ("get_memory", {"id": ids[0]}),
            ("explain", {"id": ids[0]}),
            ("pin", {"id": ids[0]}),
            ("forget", {"ids": ids}),
            ("restore", {"ids": ids}),
        ):
            result = await client.call_tool(tool, arguments)
            assert result.is_error, tool
            assert text_of(result).startswith("not_found: ")
        assert text_of(await client.call_tool("recall", {"query": "x", "owner": "mara"})).startswith("invalid: ")

    ask(url, keep, shown=hers)
    ask(url, pry, shown=his)


def test_without_a_valid_token_nobody_is_let_in_once_there_is_one(serve: Callable[[], str], tmp_path: Path) -> None:
    good = token(tmp_path, "good", Right.READ)
    url = serve()
    for shown in (None, "Bearer", "Bearer ebb_0_0", f"Bearer {good}x", f"Basic {good}", good):
        headers = ACCEPT | ({} if shown is None else {"Authorization": shown})
        answer = httpx2.post(url, json=OPENING, headers=headers)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"].startswith("Bearer")
    assert httpx2.post(url, json=OPENING, headers=ACCEPT | {"Authorization": f"Bearer {good}"}).status_code == 200
    with ebbing.open(tmp_path / "memory.db") as engine:
        api_tokens.revoke(engine.store, "good")
    assert httpx2.post(url, json=OPENING, headers=ACCEPT | {"Authorization": f"Bearer {good}"}).status_code == 401


STRANGE = {
    "another name that points here": {"Host": "evil.example"},
    "a name that begins like ours": {"Host": "127.0.0.1.evil.example"},
    "a page from elsewhere": {"Origin": "http://evil.example"},
    "a page from nowhere": {"Origin": "null"},
    "a plain form": {"Content-Type": "text/plain"},
}
REVISIONS: tuple[dict[str, str], ...] = ({}, {"MCP-Protocol-Version": LATEST_MODERN_VERSION})


def test_a_page_from_elsewhere_cannot_reach_in(serve: Callable[[], str]) -> None:
    """Neither by a name that points here (DNS rebinding) nor with a form (CSRF), in either revision."""
    url = serve()
    for revision in REVISIONS:
        for who, headers in STRANGE.items():
            answer = httpx2.post(url, json=OPENING, headers=ACCEPT | revision | headers)
            assert answer.status_code in (403, 415, 421), who
    ours = url.removesuffix("/mcp")
    assert httpx2.post(url, json=OPENING, headers=ACCEPT | {"Origin": ours}).status_code == 200


def test_a_body_that_is_too_long_is_not_read(serve: Callable[[], str]) -> None:
    headers = ACCEPT | {"Content-Type": "application/json"}
    assert httpx2.post(serve(), content=b"x" * 5_000_000, headers=headers).status_code == 413


def test_an_endpoint_in_an_application_of_ones_own_is_guarded_too() -> None:
    """By itself it lets in this machine's own names alone, and nobody whom the application does not know."""
    statuses: dict[str, int] = {}

    def known(scope: Scope) -> Caller:
        if (b"x-key", b"right") not in scope["headers"]:
            raise Denied("nobody we know")
        return Caller("mara")

    async def run() -> None:
        with in_memory() as engine:
            endpoint = mcp_server.asgi(ToolDispatcher(engine), known)
            http = httpx2.AsyncClient(transport=httpx2.ASGITransport(endpoint), base_url="http://127.0.0.1:8000")
            async with endpoint.running(), http:
                for who, headers in {**STRANGE, "a friend": {}, "a stranger": {"X-Key": "wrong"}}.items():
                    answer = await http.post("/mcp", json=OPENING, headers=ACCEPT | {"X-Key": "right"} | headers)
                    statuses[who] = answer.status_code

    anyio.run(run)
    assert list(statuses.values()) == [421, 421, 403, 403, 400, 200, 401]


def test_beyond_this_machine_it_does_not_start_without_a_token(run: Callable[..., Result]) -> None:
    for host in ("0.0.0.0", "::"):
        result = run("mcp", "--transport", "http", "--host", host, "--port", "0")
        assert result.exit_code == 5
        assert "there is no token" in result.stderr


def test_an_unknown_transport_is_refused(run: Callable[..., Result]) -> None:
    assert run("mcp", "--transport", "pigeon").exit_code == 2
