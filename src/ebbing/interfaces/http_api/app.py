"""The application: routes behind the middleware, and what runs as long as it does."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import AsyncIterator
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from ...domain.errors import EbbingError
from ...engine import Engine
from ...jobs.worker import Worker
from .. import mcp_server
from ..access import REVERSIBLE, Caller, ToolDispatcher
from ..api_tokens import Authenticator
from ..dashboard.routes import Dashboard
from ..dashboard.sessions import Sessions
from ..tools import Right
from . import problems
from .idempotency import IdempotencyStore
from .mem0_routes import mem0_endpoints
from .metrics import MEDIA_TYPE as METRICS_TYPE
from .metrics import Metrics
from .middleware import HEALTH, REQUEST_STATE, GuardMiddleware, caller_of, refusal
from .openapi import DOCUMENT, METRICS, document
from .rate_limit import RateLimiter
from .routes import AppState, Endpoint, routed, tool_endpoints
from .settings import Settings
from .streams import stream_endpoints
from .thread_pool import Threads


def application(
    engine: Engine,
    settings: Settings | None = None,
    *,
    trusting: bool = False,
    worker: bool = False,
    sign_in_link: str | None = None,
) -> ASGIApp:
    """The API of a store and its dashboard, as an ASGI application.

    A token gives access to the memories it was made for. Without one, on loopback and as long as there never was
    a token, the caller is the engine's own owner and agent and may do what can be undone; `trusting` keeps it so when
    there are tokens. With `worker` every owner is swept at the times of the policy. With `sign_in_link` the dashboard
    lets whoever knows that secret in, once and with every right, and nobody comes in without a token. The engine stays
    the caller's to close.
    """
    settings = settings or Settings()
    local = _local(engine, settings) if settings.loopback and sign_in_link is None else None
    store = engine.store
    authority = Authenticator(store, engine.clock, local, trusting=trusting)
    threads = Threads(settings)
    metrics = Metrics()
    state = AppState(ToolDispatcher(engine), settings, threads, IdempotencyStore(), metrics)

    by_link = Caller(engine.owner, engine.agent, frozenset(Right), "dashboard", is_host=True)
    dashboard = Dashboard(
        state.dispatcher,
        Sessions(store, engine.clock, link=sign_in_link, link_caller=by_link),
        threads,
        RateLimiter(settings.strangers_per_minute),
        engine.clock,
        caller_of,
        purged=state.replays.purge,
        worker=worker,
    )

    def error_response(request: Request, error: Any) -> Response:
        return refusal(error, request.scope, store.url, dashboard)

    endpoints = {**tool_endpoints(state), **stream_endpoints(state), **mem0_endpoints(state), **_for_operators(state)}
    # The middleware has checked Host, Origin and token already, for every path.
    for_agents = mcp_server.asgi(state.dispatcher, caller_of, hosts=None, threads=threads.run)
    app = Starlette(
        routes=[*routed(endpoints), Route(mcp_server.PATH, _Named(for_agents)), *dashboard.routes()],
        exception_handlers={
            EbbingError: error_response,
            problems.HttpError: error_response,
            HTTPException: problems.of_starlette,
            Exception: problems.of_fault,
        },
        lifespan=lambda _: _lifetime(for_agents, engine if worker else None),
    )
    # A proxy that guards paths must not be passed by a second spelling of one.
    app.router.redirect_slashes = False
    return GuardMiddleware(app, settings, authority, threads, metrics, store.url, dashboard)


def _local(engine: Engine, settings: Settings) -> Caller:
    """The user of this machine, without a token."""
    rights = frozenset((*REVERSIBLE, Right.WRITE_AS_USER) if settings.write_as_user else REVERSIBLE)
    return Caller(engine.owner, engine.agent, rights, anonymous=True)


def _for_operators(state: AppState) -> dict[tuple[str, str], Endpoint]:
    async def health(_: Request) -> Response:
        return JSONResponse({"status": "ok"})

    async def metrics(request: Request) -> Response:
        caller = caller_of(request.scope)
        stats = await state.threads.run(lambda: state.dispatcher.call("memory_status", {}, caller))
        return Response(state.metrics.text(stats.by_status), headers={"Content-Type": METRICS_TYPE})

    async def openapi(_: Request) -> Response:
        return JSONResponse(document())

    return {("GET", HEALTH): health, ("GET", METRICS): metrics, ("GET", DOCUMENT): openapi}


class _Named:
    """The MCP endpoint, counted under its path."""

    def __init__(self, endpoint: mcp_server.Endpoint) -> None:
        self._endpoint = endpoint

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope[REQUEST_STATE].route = mcp_server.PATH
        await self._endpoint(scope, receive, send)


@contextlib.asynccontextmanager
async def _lifetime(for_agents: mcp_server.Endpoint, swept: Engine | None) -> AsyncIterator[None]:
    """What runs as long as the application does; the sweeper for the engine that is to be swept."""
    stop = threading.Event()
    async with for_agents.running():
        if swept is None:
            yield
            return
        loop = threading.Thread(target=Worker(swept).run, args=(stop,), name="ebbing-worker", daemon=True)
        loop.start()
        try:
            yield
        finally:
            stop.set()
            loop.join()
