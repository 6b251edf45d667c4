"""What every request passes before a route sees it, whatever its path: the walls, the credential, the limits.

Host      a name we are reached by: a page that had its own name point here (DNS rebinding) says another
Origin    ourselves, or a page that was allowed: no other page's script may ask (CSRF)
media     what changes anything says that it is JSON, which no plain form can; the dashboard's forms show a key instead
token     without a valid one, only /healthz and the page to sign in at are answered; the dashboard also takes a session
limits    how many at once, how often, how long; connections.py has those on time
"""

from __future__ import annotations

import contextlib
import ipaddress
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from urllib.parse import urlsplit

import anyio
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...domain.errors import EbbingError, TooLarge
from ..access import Caller, NoCredential
from ..api_tokens import Authenticator
from ..dashboard.routes import FORM, Dashboard
from .metrics import Metrics
from .problems import RETRY_SECONDS, HttpError, of_error, told
from .rate_limit import RateLimiter
from .settings import Settings
from .thread_pool import Threads

REQUEST_STATE = "ebbing.request"  # where in the scope of a request its state is found
HEALTH = "/healthz"
IMPORT = "/v1/import"
NDJSON = ("application/x-ndjson", "application/ndjson", "application/jsonl")
_JSON = ("application/json",)
_CHANGING = ("POST", "PUT", "PATCH", "DELETE")
_METHODS = ("GET", "HEAD", "OPTIONS", *_CHANGING)
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match",
    "Access-Control-Max-Age": "600",
}
_ALWAYS = ((b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff"))


@dataclass(slots=True)
class RequestState:
    """One request: who asks, and which route answers."""

    caller: Caller | None = None
    route: str = "other"


def caller_of(scope: Scope) -> Caller:
    """The caller, whom the middleware has identified."""
    caller: Caller = scope[REQUEST_STATE].caller
    return caller


class GuardMiddleware:
    """The ASGI application around all others."""

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        authority: Authenticator,
        threads: Threads,
        metrics: Metrics,
        private: str,
        dashboard: Dashboard,
    ) -> None:
        self._app = app
        self._settings = settings
        self._authority = authority
        self._threads = threads
        self._metrics = metrics
        self._private = private
        self._dashboard = dashboard
        self._answering = 0
        self._callers = RateLimiter(settings.requests_per_minute)
        self._strangers = RateLimiter(settings.strangers_per_minute)
        self._hosts = {*_names(settings), *(host.lower() for host in settings.allow_hosts)}
        self._origins = {origin.lower().rstrip("/") for origin in settings.allow_origins}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        state = scope[REQUEST_STATE] = RequestState()
        shared = self._shared_with(Headers(scope=scope))
        began = time.monotonic()
        status = 500
        started = False

        async def sending(message: Message) -> None:
            nonlocal status, started
            if message["type"] == "http.response.start":
                status, started = message["status"], True
                given = {name for name, _ in message.get("headers", ())}
                headers = [*message.get("headers", ()), *(one for one in _ALWAYS if one[0] not in given), *shared]
                message = {**message, "headers": headers}
            await send(message)

        self._metrics.in_flight += 1
        try:
            await self._handle(scope, receive, sending, state)
        except (EbbingError, HttpError) as error:
            if started:
                raise
            await refusal(error, scope, self._private, self._dashboard)(scope, receive, sending)
        finally:
            self._metrics.in_flight -= 1
            method = scope["method"] if scope["method"] in _METHODS else "other"
            self._metrics.count(state.route, method, status, time.monotonic() - began)

    async def _handle(self, scope: Scope, receive: Receive, send: Send, state: RequestState) -> None:
        headers = Headers(scope=scope)
        self._check_host(headers)
        self._check_origin(headers)
        if scope["method"] == "OPTIONS" and "access-control-request-method" in headers:
            # A browser asks for a page whether that page may ask. Who it is, it tells later.
            await Response(status_code=204, headers=_PREFLIGHT)(scope, receive, send)
            return
        if scope["path"] != HEALTH:
            is_page = self._dashboard.owns(scope["path"])
            if not (is_page and self._dashboard.is_open(scope["path"])):
                state.caller = await self._identified(scope, headers, is_page=is_page)
            _check_media(scope, headers, is_page=is_page)
            receive = _bounded(headers, receive, self._longest(scope["path"]))
            if scope["path"] != IMPORT:  # which goes into a file as it comes
                receive = await _whole(receive, self._settings.body_seconds)
            async with self._room():
                await self._app(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    @contextlib.asynccontextmanager
    async def _room(self) -> AsyncIterator[None]:
        """A place among the requests that are answered at once. Those whose body has not arrived need none yet."""
        if self._answering >= self._settings.requests_at_once:
            detail = "too many requests are being answered; nothing was begun: try again in a while"
            raise HttpError(503, detail, {"Retry-After": str(RETRY_SECONDS)})
        self._answering += 1
        try:
            yield
        finally:
            self._answering -= 1

    def _longest(self, path: str) -> int:
        return self._settings.import_bytes_max if path == IMPORT else self._settings.body_bytes_max

    def _check_host(self, headers: Headers) -> None:
        given = headers.getlist("host")
        name = _hostname(given[0]) if len(given) == 1 else ""
        if name in self._hosts or (not self._settings.loopback and _is_address(name)):
            return
        raise HttpError(421, "this server is not reached by that name; start it with --allow-host to allow one")

    def _check_origin(self, headers: Headers) -> None:
        given = headers.getlist("origin")
        if not given:
            return
        origin = given[0].lower() if len(given) == 1 else ""
        # A page that we served ourselves names the very host, and the port, that it asks.
        ours = {f"{scheme}://{headers['host'].lower()}" for scheme in ("http", "https")}
        if origin in ours or origin in self._origins:
            return
        raise HttpError(403, "pages from elsewhere may not ask; start the server with --allow-origin to allow one")

    def _shared_with(self, headers: Headers) -> list[tuple[bytes, bytes]]:
        """What lets the scripts of an allowed page read the answer; without such pages nothing is said of it."""
        origin = headers.get("origin", "")
        if origin.lower() not in self._origins:
            return []
        return [
            (b"access-control-allow-origin", origin.encode()),
            (b"access-control-expose-headers", b"ETag, Location, Content-Location, Retry-After"),
            (b"vary", b"Origin"),
        ]

    async def _identified(self, scope: Scope, headers: Headers, *, is_page: bool) -> Caller:
        """The caller. Without a token it is refused each time; with wrong ones again and again it has to wait.

        Callers with a token never wait for them, though they may well come from the same address: that of a proxy.
        """
        given = headers.getlist("authorization")
        try:
            if len(given) > 1:
                raise NoCredential("send exactly one token")
            shown = given[0] if given else None
            caller = await self._threads.run(lambda: self._known(shown, headers, is_page=is_page))
        except NoCredential:
            if given:
                _expect_patience(self._strangers.wait_seconds(scope["client"][0] if scope.get("client") else ""))
            raise
        _expect_patience(self._callers.wait_seconds(repr((caller.owner, caller.agent, caller.name))))
        return caller

    def _known(self, shown: str | None, headers: Headers, *, is_page: bool) -> Caller:
        """Who shows this token; on a page without one, who is signed in."""
        session = self._dashboard.caller(headers) if is_page and shown is None else None
        return self._authority.caller(shown) if session is None else session


def _expect_patience(seconds: int) -> None:
    if seconds:
        raise HttpError(429, f"too many requests; wait {seconds} s", {"Retry-After": str(seconds)})


def refusal(error: EbbingError | HttpError, scope: Scope, private: str, dashboard: Dashboard) -> Response:
    """An error as whoever asks can read it: a page for a page, else a problem."""
    if dashboard.owns(scope["path"]) and not scope["path"].endswith(".json"):
        return dashboard.refused(scope, *told(error, private))
    return of_error(error, private)


def _check_media(scope: Scope, headers: Headers, *, is_page: bool) -> None:
    """A form or a plain text from a page can be sent anywhere without asking; JSON cannot. The dashboard takes forms
    alone, and each shows a key that no page from elsewhere can read."""
    given = headers.get("content-type")
    has_body = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
    if scope["method"] not in _CHANGING or (given is None and not has_body):
        return
    kind, _, more = (given or "").partition(";")
    allowed = NDJSON if scope["path"] == IMPORT else _JSON
    if is_page:
        allowed = (FORM,)
    charset = more.strip().lower().removeprefix("charset=").strip('"')
    if kind.strip().lower() not in allowed or charset not in ("", "utf-8"):
        raise HttpError(415, f"say what is sent: Content-Type: {allowed[0]}", {"Accept-Post": ", ".join(allowed)})


def _bounded(headers: Headers, receive: Receive, most: int) -> Receive:
    """The body as it comes, unless it is too long: said before it is read, where its length is told."""
    announced = headers.get("content-length", "0")
    if not (announced.isascii() and announced.isdigit()) or int(announced[:20]) > most:
        raise TooLarge(f"the body has more than {most:,} bytes, and that is the limit")
    seen = 0

    async def receiving() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > most:
            raise TooLarge(f"the body has more than {most:,} bytes, and that is the limit")
        return message

    return receiving


async def _whole(receive: Receive, seconds: float) -> Receive:
    """Receive the whole body first; a client that sends it too slowly is refused."""
    parts: list[bytes] = []
    try:
        with anyio.fail_after(seconds):
            more = True
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise HttpError(400, "the request body is incomplete")
                parts.append(message.get("body", b""))
                more = message.get("more_body", False)
    except TimeoutError:
        raise HttpError(408, f"the body did not arrive within {seconds:g} s", {"Connection": "close"}) from None
    first: list[Message] = [{"type": "http.request", "body": b"".join(parts), "more_body": False}]

    async def receiving() -> Message:
        return first.pop() if first else await receive()

    return receiving


def _names(settings: Settings) -> tuple[str, ...]:
    return _LOOPBACK if settings.loopback else (*_LOOPBACK, settings.address.lower())


def _hostname(given: str) -> str:
    """The name in a Host header, without its port; empty when it is none."""
    try:
        parts = urlsplit(f"//{given}")
        _ = parts.port  # raises where it is no number
    except ValueError:
        return ""
    if parts.username is not None or parts.path or parts.query or parts.fragment:
        return ""
    return (parts.hostname or "").rstrip(".")


def _is_address(name: str) -> bool:
    """Whether it is a number: a name can be made to point here, a number cannot."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
