"""A language model behind an OpenAI-compatible chat endpoint.

One question, one answer, nothing streamed. How a server is asked, and what becomes of its troubles, stands in
http_client.py; here stands what a chat sends and how its answer is read.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from ..domain.errors import Malformed
from ..ports import llm_reply
from ..ports.llm_reply import Answer, Usage
from .endpoint import Endpoint, endpoint
from .http_client import ATTEMPTS_MAX, TIMEOUT_SECONDS, Reply, Server, as_json, refused_part, whole

ANSWER_BYTES_MAX = 4 << 20  # some servers send the model's thoughts along

_THOUGHTS = re.compile(r"\A\s*<think>.*?(?:</think>|\Z)", re.DOTALL)

# What some servers do not take, by the words with which they say so. It is then left out, or said otherwise.
_QUIRKS: Mapping[str, tuple[str, ...]] = {
    "max_tokens": ("max_tokens",),
    "temperature": ("temperature",),
    "response_format": ("response_format", "json_schema", "schema", "grammar"),
}


class Chat:
    """Asks one model at one address. `usage` adds up what all its answers cost, the useless ones too."""

    def __init__(
        self,
        model: str | None = None,
        base_url: str | None = None,
        *,
        key: str | None = None,
        timeout_seconds: float = TIMEOUT_SECONDS,
        attempts_max: int = ATTEMPTS_MAX,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        """What is not given is read from EBBING_LLM_MODEL, EBBING_LLM_BASE_URL and EBBING_LLM_API_KEY."""
        self.endpoint = endpoint(model, base_url, key)
        self.name = self.endpoint.model
        self._server = Server(
            self.endpoint,
            answer_bytes_max=ANSWER_BYTES_MAX,
            timeout_seconds=timeout_seconds,
            attempts_max=attempts_max,
            wait=wait,
        )
        self._quirks: frozenset[str] = frozenset()
        self._usage = Usage()
        self._counting = threading.Lock()

    @classmethod
    def at(cls, place: Endpoint) -> Chat:
        return cls(place.model, place.base_url, key=place.key or "")

    def __repr__(self) -> str:
        return f"Chat({self.endpoint.model!r}, {self.endpoint.base_url!r})"

    @property
    def usage(self) -> Usage:
        return self._usage

    def answer(self, prompt: str, *, system: str, schema: Mapping[str, Any] | None = None, tokens_max: int) -> Answer:
        """Ask, and read what comes back; Unavailable or Malformed when nothing does that can be used."""
        with self._server.connected() as line:
            while True:
                body = self._body(prompt, system, schema, tokens_max)
                reply = line.ask(body)
                quirk = refused_part(reply, body, _QUIRKS)
                if quirk is None:
                    break
                self._quirks |= {quirk}  # the next question does without
        return self._read(reply, schema)

    def _body(self, prompt: str, system: str, schema: Mapping[str, Any] | None, tokens_max: int) -> dict[str, Any]:
        limit = "max_completion_tokens" if "max_tokens" in self._quirks else "max_tokens"
        body: dict[str, Any] = {"model": self.name, "stream": False, limit: tokens_max}
        if "temperature" not in self._quirks:
            body["temperature"] = 0
        if schema is not None and "response_format" in self._quirks:
            system = f"{system}\n\nAnswer with JSON alone, of this JSON schema:\n{as_json(schema)}"
        elif schema is not None:
            asked = {"name": "answer", "strict": llm_reply.is_closed(schema), "schema": schema}
            body["response_format"] = {"type": "json_schema", "json_schema": asked}
        messages = [{"role": "system", "content": system}] if system else []
        messages.append({"role": "user", "content": prompt})
        body["messages"] = [{**message, "content": whole(message["content"])} for message in messages]
        return body

    def _read(self, reply: Reply, schema: Mapping[str, Any] | None) -> Answer:
        if not reply.is_good:
            raise self._server.refusal(reply)
        try:
            answer = json.loads(reply.body)
            choice = answer["choices"][0]
            message, ending = choice["message"], choice.get("finish_reason")
            content, refused = message.get("content"), message.get("refusal")
            usage = _usage(answer.get("usage"))
        except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
            raise self._server.unavailable(
                "answers with something that is no chat completion", "check the base URL, which mostly ends in /v1"
            ) from None
        with self._counting:
            self._usage += usage
        if refused or ending == "content_filter":
            raise self._server.unavailable("refused to answer", "ask otherwise, or choose another model")
        text = _THOUGHTS.sub("", whole(content)).strip() if isinstance(content, str) else ""
        complete = ending != "length"
        if not text:
            raise Malformed(f"language model {self.endpoint} answered nothing; {_remedy(complete)}")
        try:
            value = None if schema is None else llm_reply.read(text, schema)
        except Malformed as error:
            raise Malformed(
                f"language model {self.endpoint} did not answer in the shape asked for: {error}; {_remedy(complete)}"
            ) from None
        return Answer(text, value, complete, usage)


def _usage(usage: Any) -> Usage:
    counts = usage if isinstance(usage, dict) else {}

    def tokens(name: str) -> int:
        count = counts.get(name)
        return count if isinstance(count, int) and not isinstance(count, bool) and count > 0 else 0

    return Usage(1, tokens("prompt_tokens"), tokens("completion_tokens"))


def _remedy(complete: bool) -> str:
    if not complete:
        return "it broke off at its limit of tokens: allow more, or ask for less at once"
    return "a larger model, or a server that holds answers to a JSON schema, does better"
