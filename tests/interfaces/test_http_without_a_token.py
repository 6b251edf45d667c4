"""What a request without a token may do: what can be undone, on loopback, in a store that never had a token."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

import ebbing
from ebbing.domain.errors import Denied
from ebbing.engine import Engine
from ebbing.interfaces import api_tokens
from ebbing.interfaces.http_api import Binding, Settings, serve
from ebbing.testing import FakeEmbedder, FrozenClock
from tests.conftest import OpenEngine
from tests.interfaces.web import Web, web

NDJSON = {"Content-Type": "application/x-ndjson"}


@pytest.fixture
def engine(tmp_path: Path, clock: FrozenClock) -> Iterator[Engine]:
    with ebbing.open(tmp_path / "memory.db", clock=clock, embedder=FakeEmbedder(), judge="off") as opened:
        yield opened


@pytest.fixture
def served(engine: Engine) -> Iterator[Web]:
    with web(engine) as running:
        yield running


def revoke_last_token(served: Web) -> None:
    served.token("one")
    api_tokens.revoke(served.engine.store, "one")


def test_revoking_the_last_token_does_not_open_the_server(open_engine: OpenEngine) -> None:
    """Whoever revokes a stolen token must not let everybody in by that; the same on SQLite and PostgreSQL."""
    with web(open_engine()) as served:
        kept = served.engine.remember("Deploys happen on Tuesdays").memories[0]
        assert served.client().get("/v1/status").status_code == 200
        revoke_last_token(served)
        assert served.client().get("/v1/status").status_code == 401
        assert served.client().post("/v1/memories/purge", json={"ids": [kept.id]}).status_code == 401
        assert served.client().get("/healthz").status_code == 200
        assert served.engine.get(kept.id) == kept


def test_a_store_that_had_a_token_stays_closed_after_a_restart(engine: Engine) -> None:
    """That there was a token is kept in the store and not in the server's memory."""
    with web(engine) as first:
        revoke_last_token(first)
    with web(engine) as again:
        assert again.client().get("/v1/status").status_code == 401


def test_after_the_last_token_was_revoked_a_new_one_lets_its_bearer_in(served: Web) -> None:
    """Closed is not locked out: `ebbing token create` is the way back, also under the name of a revoked one."""
    revoke_last_token(served)
    assert served.client(served.token("one")).get("/v1/status").status_code == 200
    assert served.client().get("/v1/status").status_code == 401


def test_revoking_a_token_that_does_not_exist_closes_nothing(served: Web) -> None:
    """A typing mistake in a name must not take the local user's access away."""
    with pytest.raises(ebbing.NotFound):
        api_tokens.revoke(served.engine.store, "no such token")
    assert served.client().get("/v1/status").status_code == 200


def test_beyond_this_machine_a_revoked_token_is_none_to_start_with(engine: Engine) -> None:
    """A server nobody can use is not started: there must be a token that is valid."""
    api_tokens.create(engine.store, "one", owner="mara", now=engine.clock.now())
    api_tokens.revoke(engine.store, "one")
    with pytest.raises(Denied, match="there is no token"):
        serve(engine, Binding("0.0.0.0", 0))


def test_beyond_this_machine_nothing_opens_without_a_token(engine: Engine) -> None:
    """Whether there never was a token, or no longer is one."""
    with web(engine, Settings(loopback=False, address="0.0.0.0")) as served:
        assert served.client().get("/v1/status").status_code == 401
        revoke_last_token(served)
        assert served.client().get("/v1/status").status_code == 401


DESTRUCTIVE = {
    "purge by id": ("POST", "/v1/memories/purge", {"ids": ["{id}"]}),
    "purge a scope": ("POST", "/v1/memories/purge", {"scope": "/home"}),
    "purge everything": ("POST", "/v1/memories/purge", {"everything": True}),
    "forget everything": ("POST", "/v1/memories/forget", {"everything": True}),
    "forget the root": ("POST", "/v1/memories/forget", {"scope": "/", "everything": True}),
    "forget by age alone": ("POST", "/v1/memories/forget", {"older_than": "1min"}),
    "read the log": ("GET", "/v1/events", None),
    "export": ("GET", "/v1/export", None),
}


@pytest.mark.parametrize("what", DESTRUCTIVE)
@pytest.mark.parametrize("trusting", [False, True])
def test_what_destroys_needs_a_token_on_this_machine_too(engine: Engine, what: str, trusting: bool) -> None:
    """Any program of this machine, and any page that gets past a browser, can connect to loopback."""
    kept = engine.remember("Deploys happen on Tuesdays", scope="/home").memories[0]
    method, path, body = DESTRUCTIVE[what]
    if body == {"ids": ["{id}"]}:
        body = {"ids": [kept.id]}
    with web(engine, trusting=trusting) as served:
        answer = served.client().request(method, path, json=body)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == 'Bearer realm="ebbing"'
        assert "`ebbing token create NAME --right " in answer.json()["detail"]
        assert engine.get(kept.id) == kept
        assert served.client(served.token("operator")).request(method, path, json=body).status_code == 200


def test_importing_needs_a_token_on_this_machine_too(served: Web) -> None:
    """An import brings memories in with the trust the file claims."""
    assert served.client().post("/v1/import", content=b"", headers=NDJSON).status_code == 401


def test_an_agent_without_a_token_forgets_what_it_names_but_not_everything(served: Web) -> None:
    """Through /mcp the same holds, and the answer says why."""
    kept = served.engine.remember("Deploys happen on Tuesdays").memories[0]

    def call(**arguments: object) -> httpx2.Response:
        params = {"name": "forget", "arguments": arguments}
        asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        return served.client(Accept="application/json, text/event-stream").post("/mcp", json=asked)

    assert "needs a token" in call(scope="/").text
    assert served.engine.get(kept.id).status == "active"
    assert call(ids=[kept.id]).status_code == 200
    assert served.engine.get(kept.id).status == "forgotten"


def test_what_can_be_undone_needs_no_token_on_this_machine(served: Web) -> None:
    """The first minutes need no set-up: remember, recall, forget a memory, restore it."""
    client = served.client()
    id_ = client.post("/v1/memories", json={"text": "Deploys happen on Tuesdays"}).json()["memories"][0]["id"]
    assert client.post("/v1/memories/search", json={"query": "deploys"}).status_code == 200
    assert client.post("/v1/memories/forget", json={"everything": True, "dry_run": True}).status_code == 200
    assert client.delete(f"/v1/memories/{id_}").status_code == 200
    assert client.post("/v1/memories/restore", json={"ids": [id_]}).status_code == 200
