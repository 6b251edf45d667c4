"""In which order a request is refused: no token before too many, and no right before an answer that was given."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import ebbing
from ebbing.engine import Engine
from ebbing.interfaces import api_tokens
from ebbing.interfaces.http_api import Settings
from ebbing.testing import FakeEmbedder, FrozenClock
from tests.interfaces.web import web

KEY = {"Idempotency-Key": "5f3c"}


@pytest.fixture
def engine(tmp_path: Path, clock: FrozenClock) -> Iterator[Engine]:
    with ebbing.open(tmp_path / "memory.db", clock=clock, embedder=FakeEmbedder(), judge="off") as opened:
        yield opened


def test_rights_are_checked_before_an_answer_is_repeated(engine: Engine) -> None:
    """A token of the same name with fewer rights does not see what the one before it was answered."""
    with web(engine) as served:
        body = {"text": "the vault opens with blue cheese"}
        writer = served.client(served.token("laptop", rights=["write"]))
        assert writer.post("/v1/memories", json=body, headers=KEY).status_code == 201
        api_tokens.revoke(engine.store, "laptop")
        reader = served.client(served.token("laptop", rights=["forget"]))
        again = reader.post("/v1/memories", json=body, headers=KEY)
        assert again.status_code == 403
        assert "cheese" not in again.text


def test_whoever_is_let_in_without_a_token_has_answers_of_its_own(engine: Engine) -> None:
    """A token called like the local user is somebody else."""
    with web(engine, trusting=True) as served:
        body = {"text": "the vault opens with blue cheese"}
        assert served.client().post("/v1/memories", json=body, headers=KEY).status_code == 201
        named_alike = served.client(served.token("local"))
        again = named_alike.post("/v1/memories", json=body, headers=KEY)
        assert "idempotency-replayed" not in again.headers


def test_without_a_token_the_answer_is_always_that_one_is_needed(engine: Engine) -> None:
    """429 told a client to wait and try again, and however long it waited nothing would have changed."""
    with web(engine, Settings(strangers_per_minute=6)) as served:
        served.token("laptop")
        answers = [served.client().get("/v1/status") for _ in range(5)]
        assert [answer.status_code for answer in answers] == [401] * 5
        assert {answer.headers["www-authenticate"] for answer in answers} == {'Bearer realm="ebbing"'}


def test_wrong_tokens_are_limited_and_say_so_after_the_first_refusal(engine: Engine) -> None:
    """Trying tokens out is what the limit is for."""
    with web(engine, Settings(strangers_per_minute=6)) as served:
        served.token("laptop")
        answers = [served.client("ebb_0_0").get("/v1/status") for _ in range(3)]
        assert [answer.status_code for answer in answers] == [401, 429, 429]
        assert int(answers[1].headers["retry-after"]) >= 1
        assert served.client().get("/v1/status").status_code == 401
