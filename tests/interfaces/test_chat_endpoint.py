"""Language models are asked over HTTP: a real one answers, and whatever goes wrong is one error with a remedy.

The real one is SmolLM2 with 135 million parameters: it speaks, and what it says is not to be relied on.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import logging
import socket
import sys
import threading
from collections.abc import Iterator
from types import MappingProxyType
from typing import Any

import pytest

import ebbing
from ebbing import Invalid, Malformed, Unavailable
from ebbing.ports import Llm
from ebbing.ports.llm_reply import Answer, Usage, faults
from ebbing.providers import make_llm
from ebbing.providers.chat import ANSWER_BYTES_MAX, Chat
from ebbing.providers.http_client import WAIT_SECONDS_MAX, WORDS_MAX
from ebbing.testing import FakeEmbedder
from tests import llm
from tests.interfaces import stub_endpoint
from tests.interfaces.stub_endpoint import (
    Reply,
    Stub,
    completion,
    dawdling,
    dripping,
    endless,
    failing,
    promising_more,
    saying,
)

KEY = "sk-Th3-key-nobody-may-see"
FACTS = {
    "type": "object",
    "properties": {
        "facts": {
            "type": "array",
            "maxItems": 2,
            "items": {
                "type": "object",
                "properties": {
                    "text": {"type": "string"},
                    "category": {"type": "string", "enum": ["fact", "preference"]},
                },
                "required": ["text", "category"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["facts"],
    "additionalProperties": False,
}
GOOD = {"facts": [{"text": "Ada lives in Porto", "category": "fact"}]}


@pytest.fixture(autouse=True)
def _environment_without_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("EBBING_LLM_MODEL", "EBBING_LLM_BASE_URL", "EBBING_LLM_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def stub() -> Iterator[Stub]:
    """An endpoint that behaves until it is told otherwise."""
    with stub_endpoint.listening() as listening:
        yield listening


class Waits(list[float]):
    """Takes note of how long it should wait, and does not."""

    def __call__(self, seconds: float) -> None:
        self.append(seconds)


def chat(stub: Stub, *replies: Reply, **given: Any) -> tuple[Chat, Waits]:
    """A client of the stub that never sleeps, and its waits."""
    stub.replies = list(replies) or stub.replies
    waits = Waits()
    return Chat("tide-1", stub.base_url, wait=waits, **given), waits


def ask(model: Llm, prompt: str = "What does the sea do?", schema: Any = None, tokens_max: int = 50) -> Answer:
    return model.answer(prompt, system="Be brief.", schema=schema, tokens_max=tokens_max)


def trouble(model: Llm, **given: Any) -> str:
    """The sentence with which it gives up."""
    with pytest.raises(Unavailable) as caught:
        ask(model, **given)
    sentence = str(caught.value)
    assert sentence.startswith("language model tide-1 at http://127.0.0.1:")
    assert "; " in sentence  # what is wrong; what to do
    return sentence


def test_a_real_model_answers_in_words_and_says_what_they_cost(llm_address: str) -> None:
    """In the tokens that its server counted."""
    model = Chat(llm.MODEL, llm_address, timeout_seconds=llm.PATIENCE_SECONDS)
    answer = ask(model, "Ada moved from Lisbon to Porto.", tokens_max=12)
    assert answer.text
    assert answer.value is None
    assert answer.usage.calls == 1
    assert answer.usage.prompt_tokens > 5
    assert 1 <= answer.usage.answer_tokens <= 12
    assert model.usage == answer.usage
    ask(model, tokens_max=8)
    assert model.usage.calls == 2
    assert model.usage.answer_tokens > answer.usage.answer_tokens


def test_a_real_model_says_when_it_broke_off(llm_address: str) -> None:
    """A summary that stops in mid-sentence must not pass for one."""
    assert not ask(
        Chat(llm.MODEL, llm_address, timeout_seconds=llm.PATIENCE_SECONDS),
        "Count from one to one hundred.",
        tokens_max=3,
    ).complete


@pytest.mark.parametrize("tokens_max", [6, 80])
def test_a_real_model_answers_in_the_shape_asked_for_or_says_that_it_did_not(llm_address: str, tokens_max: int) -> None:
    """Nothing between the two."""
    model = Chat(llm.MODEL, llm_address, timeout_seconds=llm.PATIENCE_SECONDS)
    wrong: list[str] = []
    with contextlib.suppress(Malformed):
        wrong = list(faults(ask(model, "Ada moved to Porto. She likes tea.", FACTS, tokens_max).value, FACTS))
    assert wrong == []
    assert model.usage.calls == 1


def test_a_real_model_refuses_a_wrong_key_and_takes_the_right_one() -> None:
    """The error says where the key is to be put, and shows none."""
    with llm.running(key=KEY) as address:
        assert ask(Chat(llm.MODEL, address, key=KEY), tokens_max=8).text
        for wrong in ("", "sk-wrong-wrong-wrong"):
            with pytest.raises(Unavailable, match="check EBBING_LLM_API_KEY") as caught:
                ask(Chat(llm.MODEL, address, key=wrong), tokens_max=2)
            assert "status 401" in str(caught.value)
            assert "sk-" not in str(caught.value)


def test_a_real_model_refuses_more_than_it_can_read(llm_address: str) -> None:
    """In its server's own words."""
    with pytest.raises(Unavailable, match=r"status 400.*exceeds the available context size"):
        ask(Chat(llm.MODEL, llm_address, timeout_seconds=llm.PATIENCE_SECONDS), "tide " * 2 * llm.CONTEXT_TOKENS)


def test_a_real_model_answers_several_threads_at_once(llm_address: str) -> None:
    """They share nothing but the count."""
    model = Chat(llm.MODEL, llm_address, timeout_seconds=llm.PATIENCE_SECONDS)
    threads = [threading.Thread(target=ask, args=(model,), kwargs={"tokens_max": 8}) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert model.usage.calls == 4


def test_a_real_model_serves_an_engine(llm_address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its address, or out of the environment when that is asked for, and only then."""
    monkeypatch.setenv("EBBING_LLM_MODEL", llm.MODEL)
    monkeypatch.setenv("EBBING_LLM_BASE_URL", llm_address)
    for given in ("auto", f"{llm.MODEL}@{llm_address}"):
        with ebbing.open(":memory:", embedder=FakeEmbedder(), judge="off", llm=given) as engine:
            assert engine.models.answer("Say hello.", system="Be brief.", tokens_max=8).text
    with ebbing.open(":memory:", embedder=FakeEmbedder(), judge="off") as engine:
        assert engine.models.llm is None


def test_a_question_is_sent_as_chat_endpoints_expect_it(stub: Stub) -> None:
    """Model, messages, limit and key; nothing streamed, nothing left to chance."""
    model, waits = chat(stub, key=KEY)
    answer = ask(model, schema=None)
    assert answer == Answer("The tide turns.", None, True, Usage(1, 7, 5))
    [request] = stub.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers["Authorization"] == f"Bearer {KEY}"
    assert request.body == {
        "model": "tide-1",
        "stream": False,
        "max_tokens": 50,
        "temperature": 0,
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "What does the sea do?"},
        ],
    }
    assert waits == []


def test_without_a_key_none_is_sent(stub: Stub) -> None:
    """Local servers mostly want none."""
    ask(chat(stub)[0])
    assert "Authorization" not in stub.requests[0].headers


def test_a_schema_is_sent_and_its_answer_read(stub: Stub) -> None:
    """Strictly, where the schema is one that strict servers take."""
    model, _ = chat(stub, completion(json.dumps(GOOD)))
    assert ask(model, schema=FACTS).value == GOOD
    sent = stub.requests[0].body["response_format"]
    assert sent == {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": FACTS}}
    open_ended = MappingProxyType({"type": "object", "properties": {"facts": {"type": "array"}}})
    ask(model, schema=open_ended)
    assert stub.requests[1].body["response_format"]["json_schema"]["strict"] is False


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(f"```json\n{json.dumps(GOOD)}\n```", id="fenced"),
        pytest.param(f"<think>\nPorto, {{then}}.\n</think>\n\n{json.dumps(GOOD)}", id="thought about"),
        pytest.param(f"\n\n{json.dumps(GOOD, indent=2)}\n", id="spaced"),
    ],
)
def test_what_is_around_the_json_is_forgiven(stub: Stub, said: str) -> None:
    """Servers that do not hold a model to a schema let such things through."""
    assert ask(chat(stub, completion(said))[0], schema=FACTS).value == GOOD


def test_thoughts_are_no_part_of_an_answer(stub: Stub) -> None:
    """Nor is half a character, which no store could keep."""
    assert ask(chat(stub, completion("<think>Hm.</think> Low tide.\ud83d"))[0]).text == "Low tide.?"


def test_half_a_character_in_a_question_does_not_break_it(stub: Stub) -> None:
    """Text cut in the middle of an emoji still reaches the model."""
    ask(chat(stub)[0], "low \ud83d tide")
    assert stub.requests[0].body["messages"][1]["content"] == "low ? tide"


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        pytest.param('{"facts": [{"text": "Ada li', "this is no JSON", id="broken off"),
        pytest.param("Sure! Here are the facts:", "this is no JSON", id="prose"),
        pytest.param('{"facts": 5}', "the answer.facts is not of type array", id="wrong type"),
        pytest.param('{"facts": [{"text": "x"}]}', "the answer.facts[0] has no 'category'", id="missing"),
        pytest.param("[" * 100_000, "this is no JSON: it is nested too deeply", id="deep"),
        pytest.param("", "answered nothing", id="empty"),
        pytest.param('<think>Porto? {"facts": []}', "answered nothing", id="thoughts alone"),
        pytest.param(None, "answered nothing", id="none"),
        pytest.param([{"type": "text"}], "answered nothing", id="parts"),
    ],
)
def test_an_answer_of_another_shape_is_malformed_and_counted(stub: Stub, said: Any, sentence: str) -> None:
    """It cost tokens all the same; and it is not asked for again, because the answer would be the same."""
    model, _ = chat(stub, completion(said))
    with pytest.raises(Malformed) as caught:
        ask(model, schema=FACTS)
    assert sentence in str(caught.value)
    assert "a larger model" in str(caught.value)
    assert model.usage == Usage(1, 7, 5)
    assert len(stub.requests) == 1


def test_an_answer_that_broke_off_says_what_helps(stub: Stub) -> None:
    """More tokens do, not a larger model."""
    with pytest.raises(Malformed, match="limit of tokens: allow more"):
        ask(chat(stub, completion('{"facts": [', ending="length"))[0], schema=FACTS)


@pytest.mark.parametrize("reply", [completion(None, refusal="I cannot."), completion("…", ending="content_filter")])
def test_a_refusal_is_told(stub: Stub, reply: Reply) -> None:
    """By the model, or by a filter before it."""
    assert "refused to answer" in trouble(chat(stub, reply)[0])


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(saying(200, "<!doctype html><title>Log in</title>", Content_Type="text/html"), id="html"),
        pytest.param(saying(200, '{"choices": [{"message": {"conte'), id="truncated"),
        pytest.param(saying(200, b"\xff\xfe\x00"), id="no text"),
        pytest.param(saying(200, ""), id="empty"),
        pytest.param(saying(200, "null"), id="null"),
        pytest.param(saying(200, "[" * 100_000), id="deep"),
        pytest.param(saying(200, {"choices": []}), id="no choice"),
        pytest.param(saying(200, {"choices": [{"message": None}]}), id="no message"),
        pytest.param(saying(200, {"choices": {"0": "x"}}), id="odd choices"),
        pytest.param(saying(204, ""), id="no content"),
    ],
)
def test_what_is_no_chat_completion_is_told(stub: Stub, reply: Reply) -> None:
    """Most often the address is wrong."""
    assert "is no chat completion; check the base URL" in trouble(chat(stub, reply)[0])
    assert len(stub.requests) == 1


def test_a_passing_trouble_is_waited_out(stub: Stub) -> None:
    """Twice as long each time, within bounds, and without anybody noticing."""
    model, waits = chat(stub, failing(500, "oops"), promising_more, completion())
    assert ask(model).text == "The tide turns."
    assert len(stub.requests) == 3
    assert 0.25 <= waits[0] <= 0.5 <= waits[1] <= 1.0


@pytest.mark.parametrize("code", [408, 429, 500, 502, 503, 504])
def test_a_trouble_that_does_not_pass_ends_after_a_few_attempts(stub: Stub, code: int) -> None:
    """The sentence has the status, the server's words and the number of attempts."""
    model, waits = chat(stub, failing(code, "Loading\nmodel"))
    sentence = trouble(model)
    assert f"answers with status {code}: Loading model, tried 3 times; see that its server runs" in sentence
    assert len(stub.requests) == 3
    assert len(waits) == 2


def test_attempts_can_be_bounded_further(stub: Stub) -> None:
    """Whoever cannot wait asks once."""
    model, waits = chat(stub, failing(503, "busy"), attempts_max=1)
    assert "tried once" in trouble(model)
    assert (len(stub.requests), waits) == (1, [])


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry_After": "7"}, 7.0),
        ({"Retry_After": "0"}, 0.0),
        ({"Retry_After": "86400"}, WAIT_SECONDS_MAX),
        ({"Retry_After": "9" * 400}, WAIT_SECONDS_MAX),
        ({"Retry_After": "soon"}, None),
        ({"Retry_After": "-5"}, None),
        ({"Retry_After": "Thu, 32 Jan 2026 09:00:00 GMT"}, None),
    ],
)
def test_a_server_says_how_long_to_wait(stub: Stub, headers: dict[str, str], seconds: float | None) -> None:
    """It is believed up to a limit; what cannot be read is as if it were not there."""
    model, waits = chat(stub, failing(429, "slow down", **headers), completion())
    ask(model)
    [waited] = waits
    assert waited == seconds if seconds is not None else 0 <= waited <= 0.5


def test_a_date_to_wait_for_is_read_by_the_clock_of_the_server(stub: Stub) -> None:
    """Ours may be wrong, and is not asked."""

    def busy(handler: stub_endpoint.Handler) -> None:
        handler.send_response_only(429)
        handler.send_header("Date", "Thu, 01 Jan 2026 09:00:00 GMT")
        handler.send_header("Retry-After", "Thu, 01 Jan 2026 09:00:03 GMT")
        handler.end_headers()

    model, waits = chat(stub, busy, completion())
    ask(model)
    assert waits == [3.0]


def test_a_port_where_nobody_listens_is_told() -> None:
    """After as many attempts as a busy server gets: it may be starting."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        waits = Waits()
        model = Chat("tide-1", f"http://127.0.0.1:{unused.getsockname()[1]}/v1", wait=waits)
        sentence = trouble(model)
    assert "cannot be reached" in sentence
    assert "tried 3 times; see that its server runs" in sentence
    assert len(waits) == 2


@pytest.mark.parametrize("host", ["a..b", "a" * 70 + ".example"])
def test_a_host_that_nobody_can_look_up_is_told(host: str) -> None:
    """At once: it will not be there later."""
    waits = Waits()
    with pytest.raises(Unavailable, match=r"cannot be asked \(.*\); check the base URL"):
        ask(Chat("tide-1", f"http://{host}/v1", wait=waits))
    assert waits == []


@pytest.mark.parametrize("reply", [dawdling, dripping])
def test_a_slow_server_is_left_alone(stub: Stub, reply: Reply) -> None:
    """Be it silent, or one byte at a time; the same question would take as long again, so it is not repeated."""
    model, waits = chat(stub, reply, timeout_seconds=0.2)
    assert "gives no answer within 0.2 s; allow more timeout_seconds" in trouble(model)
    assert (len(stub.requests), waits) == (1, [])


def test_an_answer_without_end_is_cut_short(stub: Stub) -> None:
    """No endpoint fills our memory."""
    model, _ = chat(stub, endless)
    assert f"more than {ANSWER_BYTES_MAX:,} bytes" in trouble(model)
    assert len(stub.requests) == 1


def test_a_compressed_answer_is_not_unpacked(stub: Stub) -> None:
    """It may be a thousand times as large as it looks, and nobody asked for it."""
    packed = gzip.compress(b" " * 1_000_000)
    model, _ = chat(stub, saying(200, packed, Content_Encoding="gzip"))
    assert "sends compressed answers unasked" in trouble(model)
    assert stub.requests[0].headers["Accept-Encoding"] == "identity"


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_a_redirect_is_told_and_not_followed(stub: Stub, code: int) -> None:
    """Neither key nor question goes to an address that nobody gave."""
    with stub_endpoint.listening() as other:
        model, _ = chat(stub, saying(code, "", Location=f"{other.base_url}/chat/completions"), key=KEY)
        assert f"redirects to {other.base_url}/chat/completions, which is not followed" in trouble(model)
        assert other.requests == []


@pytest.mark.parametrize(
    ("reply", "sentence"),
    [
        (
            failing(404, "The model `tide-1` does not exist"),
            "knows no such path or model (status 404): The model `tide",
        ),
        (saying(404, "<html>"), "(status 404); check the model's name and the base URL"),
        (saying(400, {"error": "bad things"}), "refuses the request (status 400): bad things; see"),
        (saying(400, {"message": "odd \x1b[31m\n things"}), "(status 400): odd [31m things; see"),
        (saying(413, {"detail": ["x"]}), "refuses the request (status 413); see"),
        (saying(418, "[1]"), "refuses the request (status 418); see"),
        (failing(402, "pay " * 1000), "pay pay…; see"),
        (failing(403, "nothing here"), "refuses to answer without a key (status 403); check EBBING_LLM_API_KEY"),
    ],
)
def test_a_refused_request_is_told_in_the_servers_words(stub: Stub, reply: Reply, sentence: str) -> None:
    """Shortened, in one line, and without anything that a terminal would obey. It is not repeated."""
    told = trouble(chat(stub, reply)[0])
    assert sentence in told
    assert len(told) < WORDS_MAX + 200
    assert told.isprintable()
    assert len(stub.requests) == 1


def test_what_a_server_does_not_take_is_left_out_from_then_on(stub: Stub) -> None:
    """Reasoning models refuse a temperature and name the limit otherwise; older servers know no schema."""
    model, waits = chat(
        stub,
        failing(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
        failing(400, "'temperature' does not support 0 with this model."),
        failing(422, "response_format: json_schema is unknown"),
        completion(json.dumps(GOOD)),
    )
    assert ask(model, schema=FACTS).value == GOOD
    assert ask(model, schema=FACTS).value == GOOD
    assert len(stub.requests) == 5
    assert waits == []
    for request in stub.requests[3:]:
        assert request.body.keys() == {"model", "stream", "messages", "max_completion_tokens"}
        assert json.dumps(FACTS) in request.body["messages"][0]["content"]


def test_a_server_that_takes_nothing_is_given_up(stub: Stub) -> None:
    """Each thing is left out once."""
    model, _ = chat(stub, failing(400, "no max_tokens, no temperature, no response_format"))
    assert "status 400" in trouble(model, schema=FACTS)
    assert len(stub.requests) == 4


@pytest.mark.parametrize(
    ("told", "counted"),
    [
        ({"prompt_tokens": 3}, Usage(1, 3, 0)),
        ({"prompt_tokens": "3", "completion_tokens": True}, Usage(1, 0, 0)),
        ({"prompt_tokens": -3, "completion_tokens": 1.5}, Usage(1, 0, 0)),
        ([], Usage(1, 0, 0)),
        ("many", Usage(1, 0, 0)),
    ],
)
def test_what_a_server_does_not_count_counts_nothing(stub: Stub, told: Any, counted: Usage) -> None:
    """And breaks nothing."""
    assert ask(chat(stub, completion(usage=told))[0]).usage == counted


@pytest.mark.parametrize(
    "reply",
    [
        failing(401, f"Incorrect API key provided: {KEY}"),
        failing(400, f"what is {KEY}?"),
        failing(500, f"cannot use {KEY}"),
        completion(),
    ],
)
def test_the_key_is_nowhere_to_be_read(stub: Stub, reply: Reply, caplog: pytest.LogCaptureFixture) -> None:
    """Not in an error, even where the server repeats it, not in a log however wordy, not in a repr."""
    caplog.set_level(logging.DEBUG)
    model, _ = chat(stub, reply, key=KEY)
    shown = [repr(model), str(model.endpoint), repr(model.endpoint)]
    try:
        ask(model)
    except Unavailable as error:
        shown += [str(error), repr(error), repr(error.__cause__)]
    assert KEY not in "\n".join(shown)
    assert KEY not in caplog.text
    assert stub.requests[0].headers["Authorization"] == f"Bearer {KEY}"


def test_an_address_that_repeats_the_key_is_shown_without_it(stub: Stub) -> None:
    """A redirect may carry anything."""
    model, _ = chat(stub, saying(302, "", Location=f"http://elsewhere.example/?key={KEY}"), key=KEY)
    assert "redirects to http://elsewhere.example/?key=…, which" in trouble(model)


def test_this_machine_is_reached_without_a_proxy(stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy would look for the model on its own machine."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert ask(chat(stub)[0]).text


def test_a_proxy_that_cannot_be_used_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is sent."""
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "gopher://127.0.0.1:9")
    with pytest.raises(Unavailable, match="behind proxy settings that do not work"):
        ask(Chat("tide-1", "https://llm.example/v1"))


def test_without_the_extra_the_error_says_what_to_install(stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    """When it is opened, not when it is first needed."""
    monkeypatch.setitem(sys.modules, "httpx2", None)
    with pytest.raises(Unavailable, match=r"pip install 'ebbing\[llm\]'"):
        make_llm(f"tide-1@{stub.base_url}")


@pytest.mark.parametrize(
    "given",
    [
        {"timeout_seconds": 0},
        {"timeout_seconds": -1},
        {"timeout_seconds": True},
        {"timeout_seconds": float("nan")},
        {"timeout_seconds": float("inf")},
        {"timeout_seconds": "soon"},
        {"attempts_max": 0},
        {"attempts_max": 1.5},
        {"attempts_max": 1000},
    ],
)
def test_limits_that_cannot_be_meant_are_refused(given: dict[str, Any]) -> None:
    """A client without a limit in time would wait for ever."""
    with pytest.raises(Invalid, match=next(iter(given))):
        Chat("tide-1", "http://127.0.0.1:1/v1", **given)
