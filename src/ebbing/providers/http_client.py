"""A model behind an OpenAI-compatible endpoint, asked over HTTP: what all kinds of question have in common.

What can pass by itself (a busy or restarting server, a broken connection) is tried again a few times; every
other trouble becomes one `Unavailable` with a sentence that says what to do. The endpoint is not trusted: an
answer has a limit in bytes and in time, redirects are not followed, and what it says about its troubles is
shortened and cleaned before it is repeated.

A connection lives for one question, so there is nothing to close, and nothing for threads or forks to share.
"""

from __future__ import annotations

import functools
import importlib.util
import json
import math
import random
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from ..domain import validation
from ..domain.errors import Invalid, Unavailable
from .endpoint import Endpoint

if TYPE_CHECKING:
    import ssl

    import httpx2

TIMEOUT_SECONDS = 60.0  # a small model on a slow machine writes a summary in less
CONNECT_SECONDS = 5.0
ATTEMPTS_MAX = 3
WAIT_SECONDS_MAX = 20.0  # longer than that, going on without a model is better
WORDS_MAX = 200  # how much of a server's own words an error repeats

_FIRST_WAIT_SECONDS = 0.5
_PASSING = frozenset({408, 425, 429, 500, 502, 503, 504, 529})
_REFUSED = frozenset({400, 422})


class Reply(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def is_good(self) -> bool:
        return 200 <= self.status < 300

    @property
    def said(self) -> str:
        """All of it, in small letters, to look for words in."""
        return self.body.decode(errors="replace").lower()


class Server:
    """Where one model is asked one kind of question."""

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        answer_bytes_max: int,
        timeout_seconds: float = TIMEOUT_SECONDS,
        attempts_max: int = ATTEMPTS_MAX,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        if importlib.util.find_spec("httpx2") is None:
            what = f"{endpoint.kind.article} {endpoint.kind.name}"
            raise Unavailable(f"{what} needs the extra 'llm'; run: pip install 'ebbing[llm]'")
        self.endpoint = endpoint
        self.answer_bytes_max = answer_bytes_max
        self.timeout_seconds = _positive(timeout_seconds)
        self.attempts_max = validation.count(attempts_max, "attempts_max", 10)
        self._wait = wait

    @contextmanager
    def connected(self) -> Iterator[Line]:
        """A line to the server, for as many requests as one question needs."""
        with self._client() as client:
            yield Line(self, client)

    def refusal(self, reply: Reply) -> Unavailable:
        """What a status other than success means, and what to do about it."""
        if 300 <= reply.status < 400:
            to = self.quoted(reply.headers.get("location", "")) or "nowhere"
            return self.unavailable(
                f"redirects to {to}, which is not followed", "if you trust that address, make it the base URL"
            )
        if reply.status in (401, 403):
            # Not in the server's words, which like to repeat a part of the key.
            key = "the key" if self.endpoint.key else "to answer without a key"
            return self.unavailable(f"refuses {key} (status {reply.status})", f"check {self.endpoint.kind.key}")
        if reply.status == 404:
            problem = f"knows no such path or model (status 404){self.words(reply)}"
            return self.unavailable(problem, "check the model's name and the base URL, which mostly ends in /v1")
        problem = f"refuses the request (status {reply.status}){self.words(reply)}"
        return self.unavailable(problem, "see what its server's log says")

    def unavailable(self, trouble: str, remedy: str) -> Unavailable:
        return Unavailable(f"{self.endpoint.kind.name} {self.endpoint} {trouble}; {remedy}")

    def too_slow(self) -> Unavailable:
        return self.unavailable(
            f"gives no answer within {self.timeout_seconds:g} s",
            "allow more timeout_seconds, or choose a smaller model",
        )

    def words(self, reply: Reply) -> str:
        """The sentence in an error of the server, to stand behind ours."""
        try:
            message = json.loads(reply.body)
            message = message.get("error", message)
            message = message if isinstance(message, str) else message.get("message", "")
        except (ValueError, RecursionError, AttributeError):
            return ""
        return f": {quoted}" if (quoted := self.quoted(message)) else ""

    def quoted(self, message: Any) -> str:
        """Words that are not ours, made fit for our sentence: short, in one line, without the key."""
        if not isinstance(message, str):
            return ""
        if self.endpoint.key:
            message = message.replace(self.endpoint.key, "…")
        line = " ".join("".join(letter if letter.isprintable() else " " for letter in message).split())
        return line if len(line) <= WORDS_MAX else f"{line[: WORDS_MAX - 1]}…"

    def pause(self, seconds: float) -> None:
        self._wait(seconds)

    @functools.cached_property
    def _authorities(self) -> ssl.SSLContext:
        """Whom we believe who they are; reading them takes longer than most questions, so it is done once."""
        import httpx2

        return httpx2.create_ssl_context(trust_env=not self.endpoint.is_local)

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
                verify=self._authorities,
                trust_env=not self.endpoint.is_local,  # proxies, that is: none can reach this machine for us
            )
        except (ImportError, ValueError, httpx2.InvalidURL) as error:
            # Only the environment's proxies are read here; a SOCKS proxy needs a package of its own.
            problem = f"is behind proxy settings that do not work ({self.quoted(str(error))})"
            raise self.unavailable(problem, "mend HTTPS_PROXY, HTTP_PROXY or ALL_PROXY") from None


class Line:
    """An open connection to a server."""

    def __init__(self, server: Server, client: httpx2.Client) -> None:
        self._server = server
        self._client = client

    def ask(self, body: Mapping[str, Any], lasts: Callable[[Reply], bool] = lambda _: False) -> Reply:
        """Send until something other than a passing trouble comes back; `lasts` knows one that will not pass."""
        import httpx2

        server = self._server
        trouble = ""
        content = as_json(body).encode()
        for attempt in range(1, server.attempts_max + 1):
            pause = None
            try:
                reply = self._send(content)
                if reply.status not in _PASSING or lasts(reply):
                    return reply
                trouble = f"answers with status {reply.status}{server.words(reply)}"
                pause = _asked_to_wait(reply.headers)
            except httpx2.ConnectTimeout:
                trouble = f"accepts no connection within {self._client.timeout.connect} s"
            except httpx2.TimeoutException:
                # The same question would take as long again.
                raise server.too_slow() from None
            except (httpx2.NetworkError, httpx2.RemoteProtocolError, httpx2.ProxyError) as error:
                trouble = f"cannot be reached ({server.quoted(str(error)) or type(error).__name__})"
            except (httpx2.HTTPError, httpx2.InvalidURL, UnicodeError) as error:  # the last: a host nobody can look up
                problem = f"cannot be asked ({server.quoted(str(error))})"
                raise server.unavailable(problem, "check the base URL") from None
            if attempt < server.attempts_max:
                server.pause(_pause(attempt) if pause is None else min(pause, WAIT_SECONDS_MAX))
        times = "once" if server.attempts_max == 1 else f"{server.attempts_max} times"
        raise server.unavailable(f"{trouble}, tried {times}", "see that its server runs and has room, or try later")

    def _send(self, content: bytes) -> Reply:
        """One request. Each read has its own time limit, and so have all of them together."""
        server = self._server
        late = time.monotonic() + server.timeout_seconds
        body = bytearray()
        with self._client.stream("POST", server.endpoint.url, content=content) as response:
            headers = {name.lower(): value for name, value in response.headers.items()}
            if headers.get("content-encoding", "identity") != "identity":
                # Small on the wire, it may be anything when unpacked.
                raise server.unavailable("sends compressed answers unasked", "switch that off in its server")
            for chunk in response.iter_raw():
                body += chunk
                if len(body) > server.answer_bytes_max:
                    limit = f"{server.answer_bytes_max:,} bytes"
                    raise server.unavailable(
                        f"answers with more than {limit}", f"that is no answer of {server.endpoint.kind.answers}"
                    )
                if time.monotonic() > late:
                    raise server.too_slow()
            return Reply(response.status_code, headers, bytes(body))


def refused_part(reply: Reply, body: Mapping[str, Any], parts: Mapping[str, tuple[str, ...]]) -> str | None:
    """What we sent that the server refuses by name: of `parts`, by the words with which servers say so."""
    if reply.status not in _REFUSED:
        return None
    for part, words in parts.items():
        if part in body and any(word in reply.said for word in words):
            return part
    return None


def as_json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, default=dict)  # a mapping that cannot be changed is one all the same


def whole(text: str) -> str:
    """Half a character, which no request can carry and no store keep, becomes a question mark."""
    return text.encode(errors="replace").decode()


def _positive(seconds: Any) -> float:
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds < math.inf:
        raise Invalid(f"timeout_seconds {seconds!r} is not a number above 0")
    return float(seconds)


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
