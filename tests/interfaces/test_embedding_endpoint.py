"""Embedders are asked over HTTP: a real server answers, and whatever goes wrong is one error with a remedy.

What they share with language models (retries, limits, redirects, proxies) is tested in test_chat_endpoint.py; here
stands what is their own. The real server makes vectors of a chat model: poor ones, and real ones all the same.
"""

from __future__ import annotations

import base64
import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ebbing
from ebbing import Invalid, Unavailable
from ebbing.providers import make_embedder
from ebbing.providers.embeddings import ANSWER_BYTES_MAX, BATCH_CHARACTERS, BATCH_TEXTS, Embeddings
from ebbing.testing import FrozenClock
from tests import llm
from tests.interfaces import stub_endpoint
from tests.interfaces.stub_endpoint import Handler, Reply, Stub, dawdling, endless, failing, promising_more, saying

KEY = "sk-Th3-key-nobody-may-see"
VARIABLES = ("EBBING_LLM_MODEL", "EBBING_LLM_BASE_URL", "EBBING_LLM_API_KEY", "EBBING_EMBEDDER_API_KEY")


@pytest.fixture(autouse=True)
def _environment_without_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The base URL of a real server that embeds."""
    with llm.running(key=KEY, embeds=True) as running:
        yield running


@pytest.fixture
def stub() -> Iterator[Stub]:
    """An endpoint that behaves until it is told otherwise."""
    with stub_endpoint.listening() as listening:
        listening.replies = [vectors()]
        yield listening


def vectors(*, as_numbers: bool = False, dimensions: int = 3, order: Callable[[list[Any]], Any] = list) -> Reply:
    """What a well-behaved server says: of each text, a vector that begins with its length."""

    def reply(handler: Handler) -> None:
        asked = handler.server.requests[-1].body
        rows = []
        for index, text in enumerate(asked["input"]):
            row = np.array([len(text), index, *[1] * (dimensions - 2)], dtype="<f4")
            given = row.tolist() if as_numbers else base64.b64encode(row.tobytes()).decode()
            rows.append({"object": "embedding", "index": index, "embedding": given})
        handler.give(200, json.dumps({"object": "list", "model": asked["model"], "data": order(rows)}).encode())

    return reply


def limited(characters: int, code: int, message: str) -> Reply:
    """A server whose model reads no more than so many characters."""

    def reply(handler: Handler) -> None:
        longest = max(len(text) for text in handler.server.requests[-1].body["input"])
        (failing(code, message) if longest > characters else vectors())(handler)

    return reply


def embedder(stub: Stub, *replies: Reply, **given: Any) -> Embeddings:
    """A client of the stub that never sleeps."""
    stub.replies = list(replies) or stub.replies
    return Embeddings("tide-1", stub.base_url, wait=lambda _: None, **given)


def trouble(model: Embeddings, *texts: str) -> str:
    """The sentence with which it gives up."""
    with pytest.raises(Unavailable) as caught:
        model.embed(texts or ["low tide"])
    sentence = str(caught.value)
    assert sentence.startswith("embedder tide-1 at http://127.0.0.1:")
    assert "; " in sentence  # what is wrong; what to do
    return sentence


# A real server


def test_a_real_server_embeds(address: str) -> None:
    """One row per text, the same text alike, its width learnt."""
    model = Embeddings(llm.MODEL, address, key=KEY, timeout_seconds=llm.PATIENCE_SECONDS)
    rows = model.embed(["low tide", "high tide", "low tide"])
    assert rows.shape == (3, model.dimensions)
    assert rows.dtype == np.float32
    assert rows[0] == pytest.approx(rows[2], abs=1e-3)
    assert rows[0] @ rows[2] > rows[0] @ rows[1]


def test_a_real_server_is_given_no_more_than_it_can_read(address: str) -> None:
    """It says so with a status that elsewhere means to try again; a text that was cut has a vector too."""
    rows = Embeddings(llm.MODEL, address, key=KEY, timeout_seconds=llm.PATIENCE_SECONDS).embed(
        ["low tide", "tide " * 520, "high tide"]
    )
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1, 1, 1], abs=0.01)


def test_a_real_server_refuses_a_wrong_key(address: str) -> None:
    """The error says where the key is to be put, and shows none."""
    with pytest.raises(Unavailable, match="check EBBING_EMBEDDER_API_KEY") as caught:
        Embeddings(llm.MODEL, address, key="sk-wrong-wrong").embed(["low tide"])
    assert "sk-" not in str(caught.value)


def test_a_real_server_serves_an_engine(
    address: str, tmp_path: Path, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Named in one text; when it is gone, what is said is kept, words still find it, and reembed makes up for it."""
    monkeypatch.setenv("EBBING_EMBEDDER_API_KEY", KEY)
    db = tmp_path / "memory.db"
    with ebbing.open(db, embedder=f"{llm.MODEL}@{address}", clock=clock) as engine:
        engine.remember("The tide is low at noon")
        [found] = engine.recall("The tide is low at noon")
        assert found.parts["semantic"] > 0.9
    with ebbing.open(db, embedder=_gone(llm.MODEL), clock=clock) as engine:
        assert engine.remember("The harbour closes at night").notes
        answer = engine.recall("harbour tide")
        assert {found.memory.text[:8] for found in answer} == {"The tide", "The harb"}
        assert answer.notes
    with ebbing.open(db, embedder=f"{llm.MODEL}@{address}", clock=clock) as engine:
        assert engine.reembed() == 1


def _gone(model: str) -> Embeddings:
    return Embeddings(model, "http://127.0.0.1:9/v1", attempts_max=1)


# What is sent and how it is read


def test_texts_are_sent_as_embedding_endpoints_expect_them(stub: Stub) -> None:
    """Model, texts and key; in the shortest encoding that is not compressed."""
    assert embedder(stub, key=KEY).embed(["low", "high"]).tolist() == [[3, 0, 1], [4, 1, 1]]
    [request] = stub.requests
    assert request.path == "/v1/embeddings"
    assert request.headers["Authorization"] == f"Bearer {KEY}"
    assert request.body == {"model": "tide-1", "input": ["low", "high"], "encoding_format": "base64"}


@pytest.mark.parametrize("order", [list, lambda rows: rows[::-1], lambda rows: [_without_index(row) for row in rows]])
@pytest.mark.parametrize("as_numbers", [True, False])
def test_vectors_are_read_however_they_are_written(stub: Stub, as_numbers: bool, order: Callable[[Any], Any]) -> None:
    """As numbers or as base64, in any order that is told, or in the order of the texts."""
    model = embedder(stub, vectors(as_numbers=as_numbers, order=order))
    assert model.embed(["low", "high"]).tolist() == [[3, 0, 1], [4, 1, 1]]


def _without_index(row: dict[str, Any]) -> dict[str, Any]:
    return {"embedding": row["embedding"]}


def test_a_server_that_knows_one_encoding_alone_is_asked_for_no_other(stub: Stub) -> None:
    """From then on."""
    model = embedder(stub, failing(400, "encoding_format: base64 is not supported"), vectors(as_numbers=True))
    assert model.embed(["low"]).tolist() == model.embed(["low"]).tolist() == [[3, 0, 1]]
    assert ["encoding_format" in request.body for request in stub.requests] == [True, False, False]


def test_prefixes_stand_before_texts_and_questions(stub: Stub) -> None:
    """Each its own; half a character, which no request can carry, becomes a question mark."""
    model = embedder(stub, query_prefix="ask: ", text_prefix="say: ")
    model.embed(["low \ud83d tide"])
    model.embed(["low"], query=True)
    assert [request.body["input"] for request in stub.requests] == [["say: low ? tide"], ["ask: low"]]


def test_many_texts_go_in_batches(stub: Stub) -> None:
    """Bounded in number and in characters; the answers stand in the order of the texts."""
    model = embedder(stub)
    texts = ["x" * (number + 1) for number in range(BATCH_TEXTS + 6)]
    assert model.embed(texts)[:, 0].tolist() == [len(text) for text in texts]
    assert [len(request.body["input"]) for request in stub.requests] == [BATCH_TEXTS, 6]
    stub.requests.clear()
    model.embed(["x" * BATCH_CHARACTERS, "y", "z"])
    assert [len(request.body["input"]) for request in stub.requests] == [1, 2]


def test_no_texts_ask_nobody(stub: Stub) -> None:
    """Nothing to embed costs nothing."""
    assert len(embedder(stub).embed([])) == 0
    assert stub.requests == []


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (400, "This model's maximum context length is 8192 tokens"),
        (413, "`inputs` must have less than 512 tokens. Given: 1002"),
        (500, "input (1002 tokens) is too large to process. increase the physical batch size"),
    ],
)
def test_a_text_that_is_too_long_is_cut_and_the_others_are_not(stub: Stub, code: int, message: str) -> None:
    """However a server says so; a vector of its beginning finds more than none."""
    rows = embedder(stub, limited(1000, code, message)).embed(["low", "x" * 3000, "high", "y" * 900])
    assert rows[:, 0].tolist() == [3, 750, 4, 900]


def test_a_text_that_is_short_and_still_too_long_is_told(stub: Stub) -> None:
    """Whatever is wrong, it is not its length."""
    assert "is too long" in trouble(embedder(stub, failing(400, "input is too long")), "low tide")
    assert len(stub.requests) == 1


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(saying(200, "<!doctype html>"), id="html"),
        pytest.param(saying(200, "null"), id="null"),
        pytest.param(saying(200, "[" * 100_000), id="deep"),
        pytest.param(saying(200, {"data": [{"index": 0}]}), id="no vector"),
        pytest.param(saying(200, {"data": [{"index": 0, "embedding": "!!"}]}), id="no base64"),
        pytest.param(saying(200, {"data": [{"index": 0, "embedding": "AAA="}]}), id="half a number"),
        pytest.param(saying(200, {"data": [{"index": 0, "embedding": ["a"]}]}), id="words"),
        pytest.param(saying(200, {"data": [{"index": "x", "embedding": [1]}]}), id="odd index"),
        pytest.param(saying(200, {"choices": []}), id="chat"),
    ],
)
def test_what_is_no_list_of_embeddings_is_told(stub: Stub, reply: Reply) -> None:
    """Most often the address is wrong."""
    assert "is no list of embeddings; check the base URL" in trouble(embedder(stub, reply))
    assert len(stub.requests) == 1


@pytest.mark.parametrize("order", [lambda rows: rows[:1], lambda rows: [rows[0], rows[0]], lambda rows: []])
def test_vectors_that_do_not_belong_to_the_texts_are_refused(stub: Stub, order: Callable[[Any], Any]) -> None:
    """No memory is given another's vector."""
    assert "vectors that do not belong to them" in trouble(embedder(stub, vectors(order=order)), "low", "high")


def test_dimensions_are_learnt_from_the_first_answer_and_then_hold(stub: Stub) -> None:
    """A server that changes its model under the same name is told."""
    model = embedder(stub, vectors(), vectors(dimensions=4))
    assert model.dimensions is None
    model.embed(["low"])
    assert model.dimensions == 3
    with pytest.raises(Invalid, match=r"gives vectors of shape \(4,\), not of 3 dimensions"):
        model.embed(["low"])


def test_dimensions_are_asked_for_where_a_model_can_give_fewer(stub: Stub) -> None:
    """And one that does not heed it is told."""
    assert embedder(stub, dimensions=3).embed(["low"]).shape == (1, 3)
    assert stub.requests[0].body["dimensions"] == 3
    with pytest.raises(Invalid, match="leave dimensions= out"):
        embedder(stub, dimensions=2).embed(["low"])


def test_a_fingerprint_is_the_models_wherever_it_is_served(stub: Stub) -> None:
    """It is known before the first answer; what changes the vectors of memories changes it."""
    known = embedder(stub).fingerprint
    assert known == Embeddings("tide-1", "https://elsewhere.example/v1").fingerprint == "tide-1"
    assert embedder(stub, query_prefix="ask: ").fingerprint == known
    others = {embedder(stub, text_prefix="say: ").fingerprint, embedder(stub, dimensions=3).fingerprint}
    assert len(others | {known, Embeddings("moon-2", stub.base_url).fingerprint}) == 4


# Trouble


@pytest.mark.parametrize(
    ("reply", "sentence"),
    [
        (failing(503, "Loading model"), "answers with status 503: Loading model, tried 3 times; see that its server"),
        (promising_more, "cannot be reached"),
        (failing(404, "no such model"), "knows no such path or model (status 404): no such model; check the model's"),
        (failing(401, KEY), "refuses to answer without a key (status 401); check EBBING_EMBEDDER_API_KEY"),
        (endless, f"answers with more than {ANSWER_BYTES_MAX:,} bytes; that is no answer of an embeddings endpoint"),
    ],
)
def test_trouble_is_told_with_a_remedy(stub: Stub, reply: Reply, sentence: str) -> None:
    """As of a language model, under its own name."""
    assert sentence in trouble(embedder(stub, reply))


def test_a_passing_trouble_is_waited_out(stub: Stub) -> None:
    """Without anybody noticing."""
    assert embedder(stub, failing(500, "oops"), vectors()).embed(["low"]).shape == (1, 3)


def test_a_slow_server_is_left_alone(stub: Stub) -> None:
    """The question is then answered by words."""
    assert "gives no answer within 0.2 s" in trouble(embedder(stub, dawdling, timeout_seconds=0.2))


# Its key and its address


def test_the_key_is_the_embedders_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """A language model's key goes to the host it belongs to, and nowhere else."""
    monkeypatch.setenv("EBBING_LLM_API_KEY", "sk-of-the-llm")
    assert Embeddings("tide-1", "https://llm.example/v1").endpoint.key is None
    monkeypatch.setenv("EBBING_LLM_BASE_URL", "https://llm.example/v1")
    assert Embeddings("tide-1", "https://llm.example/v1").endpoint.key == "sk-of-the-llm"
    assert Embeddings("tide-1", "https://other.example/v1").endpoint.key is None
    monkeypatch.setenv("EBBING_EMBEDDER_API_KEY", f"{KEY}\n")
    assert Embeddings("tide-1", "https://llm.example/v1").endpoint.key == KEY
    assert Embeddings("tide-1", "https://other.example/v1", key="").endpoint.key is None


def test_the_key_is_nowhere_to_be_read(stub: Stub, caplog: pytest.LogCaptureFixture) -> None:
    """Not in an error, even where the server repeats it, not in a log, not in a repr."""
    caplog.set_level(logging.DEBUG)
    model = embedder(stub, failing(400, f"what is {KEY}?"), key=KEY)
    assert KEY not in f"{trouble(model)} {model!r} {model.endpoint} {caplog.text}"
    assert stub.requests[0].headers["Authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("tide@ftp://host/v1", "the embedder's base URL is none"),
        ("tide@http://ada:secret@host/v1", "holds a user or a password; put the key into EBBING_EMBEDDER_API_KEY"),
        ("tide@http://host/v1?key=secret", "goes on after its path"),
    ],
)
def test_an_address_that_cannot_be_meant_is_refused_and_not_repeated(spec: str, sentence: str) -> None:
    """Addresses are logged; keys are not."""
    with pytest.raises(Invalid) as caught:
        make_embedder(spec)
    assert sentence in str(caught.value)
    assert "secret" not in str(caught.value)


def test_an_address_copied_a_little_too_long_is_taken_for_what_is_meant() -> None:
    """Down to the path that is asked."""
    model = make_embedder("nomic:v1.5@https://llm.example/v1/embeddings")
    assert isinstance(model, Embeddings)
    assert (model.endpoint.model, model.endpoint.base_url) == ("nomic:v1.5", "https://llm.example/v1")


@pytest.mark.parametrize("given", [{"dimensions": 0}, {"dimensions": "3"}, {"timeout_seconds": 0}, {"text_prefix": 5}])
def test_limits_that_cannot_be_meant_are_refused(given: dict[str, Any]) -> None:
    """When they are given."""
    with pytest.raises(Invalid, match=next(iter(given))):
        Embeddings("tide-1", "http://127.0.0.1:1/v1", **given)
