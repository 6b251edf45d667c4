"""mem0's hosted API, as its client speaks to it, served below /compat/mem0 with Ebbing's own tokens and rights."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

import ebbing
from ebbing.testing import FakeEmbedder, FrozenClock
from tests.interfaces.web import Web, web

UNKNOWN = "00000000-0000-0000-0000-000000000000"


@pytest.fixture
def served(tmp_path: Path, clock: FrozenClock) -> Iterator[Web]:
    with (
        ebbing.open(tmp_path / "memory.db", embedder=FakeEmbedder(), judge="off", clock=clock) as engine,
        web(engine) as running,
    ):
        yield running


def client(served: Web, *rights: str, owner: str = "anna") -> httpx2.Client:
    """As mem0's client sends its key: not as a bearer."""
    name = f"{owner} {len(served.clients)}"
    key = served.token(name, owner, rights=rights or ("read", "write", "forget"))
    asking = served.client(Authorization=f"Token {key}")
    asking.base_url = httpx2.URL(f"{served.address}/compat/mem0")
    return asking


def added(asking: httpx2.Client, text: str, **more: Any) -> str:
    body = {"messages": [{"role": "user", "content": text}], "user_id": "mara", "infer": False, **more}
    answer = asking.post("/v3/memories/add/", json=body)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["results"][0]["id"])


def test_a_client_of_mem0_finds_its_paths(served: Web) -> None:
    """Ping, add, search, list by page, get, update, history, delete: as the client calls them."""
    with client(served) as asking:
        pong = asking.get("/v1/ping/").json()
        assert (pong["status"], bool(pong["org_id"]), pong["project_id"]) == ("ok", True, "anna")
        id_ = added(asking, "Mara lives in Berlin", metadata={"topic": "home"})
        added(asking, "Mara plays the cello")
        found = asking.post("/v3/memories/search/", json={"query": "Mara Berlin", "filters": {"user_id": "mara"}})
        assert [one["memory"] for one in found.json()["results"]][:1] == ["Mara lives in Berlin"]
        page = asking.post("/v3/memories/?page=2&page_size=1", json={"filters": {"user_id": "mara"}}).json()
        assert [one["id"] for one in page["results"]] == [id_]
        assert (page["next"], page["previous"]) == (None, "/compat/mem0/v3/memories/?page=1&page_size=1")
        assert asking.put(f"/v1/memories/{id_}/", json={"text": "Mara lives in Munich"}).json()["id"] == id_
        assert asking.get(f"/v1/memories/{id_}/").json()["memory"] == "Mara lives in Munich"
        events = [one["event"] for one in asking.get(f"/v1/memories/{id_}/history/").json()]
        assert events == ["ADD", "UPDATE"]
        assert asking.delete(f"/v1/memories/{id_}/").status_code == 200
        assert asking.get(f"/v1/memories/{id_}/").status_code == 404
        assert asking.delete("/v1/memories/", params={"user_id": "mara"}).status_code == 200
        left = asking.post("/v3/memories/", json={"filters": {"user_id": "mara"}}).json()
        assert left["results"] == []


def test_rights_and_owners_hold_here_too(served: Web) -> None:
    """A token for reading writes, deletes and strengthens nothing, and nobody sees another owner's memories."""
    with client(served) as asking:
        id_ = added(asking, "Mara lives in Berlin")
        with client(served, "read") as reading:
            assert reading.get(f"/v1/memories/{id_}/").status_code == 200
            body = {"query": "Mara lives in Berlin", "user_id": "mara"}
            assert reading.post("/v3/memories/search/", json=body).json()["results"]
            refused = [
                reading.post("/v3/memories/add/", json={"messages": "x", "user_id": "mara"}),
                reading.put(f"/v1/memories/{id_}/", json={"text": "x"}),
                reading.delete(f"/v1/memories/{id_}/"),
                reading.delete("/v1/memories/", params={"user_id": "mara"}),
            ]
            assert [answer.status_code for answer in refused] == [403] * 4
        with client(served, "read", "write") as writing:
            assert writing.delete(f"/v1/memories/{id_}/").status_code == 403
        with client(served, owner="ben") as other:
            assert other.get(f"/v1/memories/{id_}/").status_code == 404
            assert other.post("/v3/memories/", json={"user_id": "mara"}).json()["results"] == []
        assert asking.get(f"/v1/memories/{id_}/history/").json()[0]["new_memory"] == "Mara lives in Berlin"


def test_what_cannot_be_meant_is_a_clear_refusal(served: Web) -> None:
    """Never a fault of the server."""
    with client(served) as asking:
        for path, body in (
            ("/v3/memories/add/", {"user_id": "mara"}),
            ("/v3/memories/add/", {"messages": [3], "user_id": "mara"}),
            ("/v3/memories/add/", {"messages": "x"}),
            ("/v3/memories/search/", {"filters": {"user_id": "mara"}}),
            ("/v3/memories/search/", {"query": "x", "filters": 3}),
            ("/v3/memories/", {"user_id": 3}),
            ("/v3/memories/?page=0", {"user_id": "mara"}),
            ("/v3/memories/add/", {"messages": "x", "user_id": "mara", "timestamp": 1e300}),
            ("/v3/memories/add/", {"messages": "x", "user_id": "mara", "timestamp": -(10**15)}),
            ("/v3/memories/add/", {"messages": "x", "user_id": "mara", "expiration_date": 253402214400}),
            ("/v3/memories/", {"user_id": "\ud800"}),
        ):
            answer = asking.post(path, content=json.dumps(body), headers={"Content-Type": "application/json"})
            assert answer.status_code in (400, 422), (path, answer.text)
        assert asking.put(f"/v1/memories/{UNKNOWN}/", json={"text": "x"}).status_code == 404
        assert asking.delete(f"/v1/memories/{UNKNOWN}/").status_code == 404
