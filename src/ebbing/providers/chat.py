"""A language model behind an OpenAI-compatible chat endpoint.

One question, one answer, nothing streamed. What can pass by itself (a busy or restarting server, a broken
connection) is tried again a few times; every other trouble becomes one `Unavailable` with a sentence that
says what to do. The endpoint is not trusted: an answer has a limit in bytes and in time, redirects are not
followed, and what it says about its troubles is shortened and cleaned before it is repeated.

A connection lives for one answer, so there is nothing to close, and nothing for threads or forks to share.
"""

from __future__ import annotations

import importlib.util
import json
import math
import random
import re
import threading
import time
from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import arguments, shape
from ..errors import Invalid, Malformed, Unavailable
from ..shape import Answer, Usage
from .endpoint import KEY, Endpoint, endpoint

if TYPE_CHECKING:
    import httpx2

TIMEOUT_SECONDS = 60.0  # a small model on a slow machine writes a summary in less
CONNECT_SECONDS = 5.0
ATTEMPTS_MAX = 3
WAIT_SECONDS_MAX = 20.0  # longer than that, going on without a model is better
ANSWER_BYTES_MAX = 4 << 20  # some servers send the model's thoughts along
WORDS_MAX = 200  # how much of a server's own words an error repeats

_FIRST_WAIT_SECONDS = 0.5
_PASSING = frozenset({408, 425, 429, 500, 502, 503, 504, 529})
_REFUSED = frozenset({400, 422})
_THOUGHTS = re.compile(r"\A\s*<think>.*?(?:</think>|\Z)", re.DOTALL)

# What some servers do not take, by the words with which they say so. It is then left out, or said otherwise.
_QUIRKS: Mapping[str, tuple[str, ...]] = {
    "max_tokens": ("max_tokens",),
    "temperature": ("temperature",),
    "response_format": ("response_format", "json_schema", "schema", "grammar"),
}


class _Reply(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: bytes


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
        if importlib.util.find_spec("httpx2") is None:
            raise Unavailable("a language model needs the extra 'llm'; run: pip install 'ebbing[llm]'")
        self.name = self.endpoint.model
        self.timeout_seconds = _positive(timeout_seconds)
        self.attempts_max = arguments.count(attempts_max, "attempts_max", 10)
        self._wait = wait
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
        with self._client() as client:
            while True:
                body = self._body(prompt, system, schema, tokens_max)
                reply = self._persist(client, body)
                quirk = self._new_quirk(reply, body)
                if quirk is None:
                    break
                self._quirks |= {quirk}
        return self._read(reply, schema)

    def _body(self, prompt: str, system: str, schema: Mapping[str, Any] | None, tokens_max: int) -> dict[str, Any]:
        limit = "max_completion_tokens" if "max_tokens" in self._quirks else "max_tokens"
        body: dict[str, Any] = {"model": self.name, "stream": False, limit: tokens_max}
        if "temperature" not in self._quirks:
            body["temperature"] = 0
        if schema is not None and "response_format" in self._quirks:
            system = f"{system}\n\nAnswer with JSON alone, of this JSON schema:\n{_json(schema)}"
        elif schema is not None:
            asked = {"name": "answer", "strict": shape.is_closed(schema), "schema": schema}
            body["response_format"] = {"type": "json_schema", "json_schema": asked}
        messages = [{"role": "system", "content": system}] if system else []
        messages.append({"role": "user", "content": prompt})
        body["messages"] = [{**message, "content": _whole(message["content"])} for message in messages]
        return body

    def _client(self) -> httpx2.Client:
        import httpx2

        headers = {"Accept": "application/json", "Accept-Encoding": "identity", "Content-Type": "application/json"}
        if self.endpoint.key:
            headers["Authorization"] = f"Bearer {self.endpoint.key}"
        try:
            return httpx2.Client(
                headers=headers,
                follow_redirects=False,
                timeout=httpx2.Timeout(self.timeout_seconds, connect=min(CONNECT_SECONDS, self.timeout_seconds)),
                trust_env=not self.endpoint.is_local,  # proxies, that is: none can reach this machine for us
            )
        except (ImportError, ValueError, httpx2.InvalidURL) as error:
            # Only the environment's proxies are read here; a SOCKS proxy needs a package of its own.
            told = f"is behind proxy settings that do not work ({self._quoted(str(error))})"
            raise self._unavailable(told, "mend HTTPS_PROXY, HTTP_PROXY or ALL_PROXY") from None

    def _persist(self, client: httpx2.Client, body: Mapping[str, Any]) -> _Reply:
        """Send until something other than a passing trouble comes back."""
        import httpx2

        trouble = ""
        content = _json(body).encode()
        for attempt in range(1, self.attempts_max + 1):
            pause = None
            try:
                reply = self._send(client, content)
                if reply.status not in _PASSING:
                    return reply
                trouble = f"answers with status {reply.status}{self._words(reply)}"
                pause = _asked_to_wait(reply.headers)
            except httpx2.ConnectTimeout:
                trouble = f"accepts no connection within {client.timeout.connect} s"
            except httpx2.TimeoutException:
                # The same question would take as long again.
                raise self._too_slow() from None
            except (httpx2.NetworkError, httpx2.RemoteProtocolError, httpx2.ProxyError) as error:
                trouble = f"cannot be reached ({self._quoted(str(error)) or type(error).__name__})"
            except (httpx2.HTTPError, httpx2.InvalidURL, UnicodeError) as error:  # the last: a host nobody can look up
                told = f"cannot be asked ({self._quoted(str(error))})"
                raise self._unavailable(told, "check the base URL") from None
            if attempt < self.attempts_max:
                self._wait(_pause(attempt) if pause is None else min(pause, WAIT_SECONDS_MAX))
        times = "once" if self.attempts_max == 1 else f"{self.attempts_max} times"
        raise self._unavailable(f"{trouble}, tried {times}", "see that its server runs and has room, or try later")

    def _send(self, client: httpx2.Client, content: bytes) -> _Reply:
        """One request. Each read has its own time limit, and so have all of them together."""
        late = time.monotonic() + self.timeout_seconds
        body = bytearray()
        url = f"{self.endpoint.base_url}/chat/completions"
        with client.stream("POST", url, content=content) as response:
            headers = {name.lower(): value for name, value in response.headers.items()}
            if headers.get("content-encoding", "identity") != "identity":
                # Small on the wire, it may be anything when unpacked.
                raise self._unavailable("sends compressed answers unasked", "switch that off in its server")
            for chunk in response.iter_raw():
                body += chunk
                if len(body) > ANSWER_BYTES_MAX:
                    limit = f"{ANSWER_BYTES_MAX:,} bytes"
                    raise self._unavailable(f"answers with more than {limit}", "that is no answer of a chat endpoint")
                if time.monotonic() > late:
                    raise self._too_slow()
            return _Reply(response.status_code, headers, bytes(body))

    def _new_quirk(self, reply: _Reply, body: Mapping[str, Any]) -> str | None:
        """What we sent that the server refuses by name; the next question does without."""
        if reply.status not in _REFUSED:
            return None
        said = reply.body.decode(errors="replace").lower()
        for quirk, words in _QUIRKS.items():
            if quirk in body and any(word in said for word in words):
                return quirk
        return None

    def _read(self, reply: _Reply, schema: Mapping[str, Any] | None) -> Answer:
        if not 200 <= reply.status < 300:
            raise self._refusal(reply)
        try:
            whole = json.loads(reply.body)
            choice = whole["choices"][0]
            message, ending = choice["message"], choice.get("finish_reason")
            said, refused = message.get("content"), message.get("refusal")
            usage = _usage(whole.get("usage"))
        except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
            raise self._unavailable(
                "answers with something that is no chat completion", "check the base URL, which mostly ends in /v1"
            ) from None
        with self._counting:
            self._usage += usage
        if refused or ending == "content_filter":
            raise self._unavailable("refused to answer", "ask otherwise, or choose another model")
        text = _THOUGHTS.sub("", _whole(said)).strip() if isinstance(said, str) else ""
        complete = ending != "length"
        if not text:
            raise Malformed(f"language model {self.endpoint} answered nothing; {_remedy(complete)}")
        try:
            value = None if schema is None else shape.read(text, schema)
        except Malformed as error:
            raise Malformed(
                f"language model {self.endpoint} did not answer in the shape asked for: {error}; {_remedy(complete)}"
            ) from None
        return Answer(text, value, complete, usage)

    def _refusal(self, reply: _Reply) -> Unavailable:
        """What a status other than success means, and what to do about it."""
        if 300 <= reply.status < 400:
            to = self._quoted(reply.headers.get("location", "")) or "nowhere"
            return self._unavailable(
                f"redirects to {to}, which is not followed", "if you trust that address, make it the base URL"
            )
        if reply.status in (401, 403):
            # Not in the server's words, which like to repeat a part of the key.
            key = "the key" if self.endpoint.key else "to answer without a key"
            return self._unavailable(f"refuses {key} (status {reply.status})", f"check {KEY}")
        if reply.status == 404:
            told = f"knows no such path or model (status 404){self._words(reply)}"
            return self._unavailable(told, "check the model's name and the base URL, which mostly ends in /v1")
        told = f"refuses the request (status {reply.status}){self._words(reply)}"
        return self._unavailable(told, "see what its server's log says")

    def _unavailable(self, trouble: str, remedy: str) -> Unavailable:
        return Unavailable(f"language model {self.endpoint} {trouble}; {remedy}")

    def _too_slow(self) -> Unavailable:
        return self._unavailable(
            f"gives no answer within {self.timeout_seconds:g} s",
            "allow more timeout_seconds, or choose a smaller model",
        )

    def _words(self, reply: _Reply) -> str:
        """The sentence in an error of the server, to stand behind ours."""
        try:
            said = json.loads(reply.body)
            said = said.get("error", said)
            said = said if isinstance(said, str) else said.get("message", "")
        except (ValueError, RecursionError, AttributeError):
            return ""
        return f": {quoted}" if (quoted := self._quoted(said)) else ""

    def _quoted(self, said: Any) -> str:
        """Words that are not ours, made fit for our sentence: short, in one line, without the key."""
        if not isinstance(said, str):
            return ""
        if self.endpoint.key:
            said = said.replace(self.endpoint.key, "…")
        line = " ".join("".join(letter if letter.isprintable() else " " for letter in said).split())
        return line if len(line) <= WORDS_MAX else f"{line[: WORDS_MAX - 1]}…"


def _positive(seconds: Any) -> float:
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds < math.inf:
        raise Invalid(f"timeout_seconds {seconds!r} is not a number above 0")
    return float(seconds)


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, default=dict)  # a mapping that cannot be changed is one all the same


def _whole(text: str) -> str:
    """Half a character, which no request can carry and no store keep, becomes a question mark."""
    return text.encode(errors="replace").decode()


def _pause(attempt: int) -> float:
    """Twice as long each time, and never quite the same, so that many who were refused do not return together."""
    return float(min(_FIRST_WAIT_SECONDS * 2 ** (attempt - 1), WAIT_SECONDS_MAX) * random.uniform(0.5, 1.0))


def _asked_to_wait(headers: Mapping[str, str]) -> float | None:
    """The seconds of Retry-After, be it a number or a date; a date is read by the server's own clock."""
    asked = headers.get("retry-after", "")
    try:
        if asked.strip().isdecimal():
            return float(asked)
        until, now = parsedate_to_datetime(asked), parsedate_to_datetime(headers.get("date", ""))
        return max(0.0, (until - now).total_seconds())
    except (TypeError, ValueError, OverflowError):
        return None


def _usage(told: Any) -> Usage:
    counts = told if isinstance(told, dict) else {}

    def tokens(name: str) -> int:
        count = counts.get(name)
        return count if isinstance(count, int) and not isinstance(count, bool) and count > 0 else 0

    return Usage(1, tokens("prompt_tokens"), tokens("completion_tokens"))


def _remedy(complete: bool) -> str:
    if not complete:
        return "it broke off at its limit of tokens: allow more, or ask for less at once"
    return "a larger model, or a server that holds answers to a JSON schema, does better"
