"""A route for each tool, made from its declaration: arguments in, one call at the dispatcher, its answer out."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...domain.errors import Conflict
from ...domain.memory import Memory
from ...domain.results import Remembered, plain
from ..access import Caller, ToolDispatcher
from ..tools import TOOLS, Tool
from .idempotency import Answer, IdempotencyStore
from .metrics import Metrics
from .middleware import REQUEST_STATE, caller_of
from .problems import HttpError
from .request_parsing import arguments, read_object, read_query
from .response_schemas import LISTS, PAGED
from .settings import Settings
from .thread_pool import Threads

JSON = "application/json"
REPLAYED = "Idempotency-Replayed"


@dataclass(frozen=True, slots=True)
class AppState:
    """What the routes share."""

    dispatcher: ToolDispatcher
    settings: Settings
    threads: Threads
    replays: IdempotencyStore
    metrics: Metrics


Endpoint = Callable[[Request], Awaitable[Response]]
ONE_MEMORY = "/v1/memories/{id}"
ROUTED: Mapping[tuple[str, str], Tool] = {tool.route: tool for tool in TOOLS.values() if tool.route is not None}


def tool_endpoints(state: AppState) -> dict[tuple[str, str], Endpoint]:
    """Those of the tools by method and path, and forgetting one memory by its address."""
    endpoints = {where: _endpoint(tool, *where, state) for where, tool in ROUTED.items()}
    return {**endpoints, ("DELETE", ONE_MEMORY): _forgetting(state)}


def routed(endpoints: Mapping[tuple[str, str], Endpoint]) -> list[Route]:
    """One route for each path, whatever methods it has: what a path has none of is told with all it has."""
    paths: dict[str, dict[str, Endpoint]] = {}
    for (method, path), endpoint in endpoints.items():
        paths.setdefault(path, {})[method] = endpoint

    def route(path: str, methods: Mapping[str, Endpoint]) -> Route:
        async def answer(request: Request) -> Response:
            request.scope[REQUEST_STATE].route = path
            return await methods["GET" if request.method == "HEAD" else request.method](request)

        return Route(path, answer, methods=list(methods))

    # Literal paths go before paths with parameters.
    return [route(path, methods) for path, methods in sorted(paths.items(), key=lambda entry: "{" in entry[0])]


def path_parameters(tool: Tool, path: str) -> tuple[str, ...]:
    """The parameters that are part of its path."""
    return tuple(name for name in tool.parameters if f"{{{name}}}" in path)


def _endpoint(tool: Tool, method: str, path: str, state: AppState) -> Endpoint:
    within = path_parameters(tool, path)
    queried = {name: one for name, one in tool.parameters.items() if name not in within and method == "GET"}

    async def answer(request: Request) -> Response:
        caller = caller_of(request.scope)
        state.dispatcher.allow(
            tool.right, caller
        )  # before an answer that was given to somebody with more rights is repeated
        query = read_query(request, queried, tool.name)
        body = b"" if method == "GET" else await request.body()
        given = arguments(tool, request.path_params, query, read_object(body))
        key = request.headers.get("idempotency-key") if method == "POST" else None
        if key is None:
            return sent(await _called(tool, given, request, caller, state))
        asked = b"\0".join((path.encode(), repr(sorted(request.path_params.items())).encode(), body))
        who = repr((caller.owner, caller.agent, caller.name, caller.anonymous))
        slot = state.replays.begin(caller.owner, who, key, asked)
        if slot.answer is not None:
            return sent(slot.answer, {REPLAYED: "true"})
        try:
            made = await _called(tool, given, request, caller, state)
        except BaseException:
            state.replays.drop(slot)
            raise
        state.replays.keep(slot, made)
        return sent(made)

    return answer


async def _called(tool: Tool, given: dict[str, Any], request: Request, caller: Caller, state: AppState) -> Answer:
    """The tool's answer, made in a thread to the last byte."""
    if tool.verb == "update":
        call = _update(tool, given, request, caller, state)
    else:
        unless = request.headers.get("if-none-match")

        def call() -> Answer:
            return _answer_of(tool, given, state.dispatcher.call(tool, given, caller), unless)

    answer = await state.threads.run(call, tool.pool(given))
    if tool.verb == "purge":
        state.replays.purge(caller.owner)
    return answer


def _update(
    tool: Tool, given: dict[str, Any], request: Request, caller: Caller, state: AppState
) -> Callable[[], Answer]:
    """A change that holds only if the memory is still as its ETag says."""
    wanted = _tags(request.headers.get("if-match", "*"))
    if wanted and "version" in given:
        raise HttpError(400, "say the version once: as If-Match, or as version in the body")

    def current() -> str:
        read: Memory = state.dispatcher.call("get_memory", {"id": given["id"]}, caller)
        return read.version

    def change() -> Answer:
        if not wanted:
            return _answer_of(tool, given, state.dispatcher.call(tool, given, caller))
        version = wanted[0] if len(wanted) == 1 else next((one for one in wanted if one == current()), wanted[0])
        try:
            return _answer_of(tool, given, state.dispatcher.call(tool, {**given, "version": version}, caller))
        except Conflict as error:
            if current() == version:
                raise
            raise HttpError(412, str(error)) from error

    return change


def _forgetting(state: AppState) -> Endpoint:
    tool = TOOLS["forget"]

    async def forget_one(request: Request) -> Response:
        caller = caller_of(request.scope)
        query = read_query(request, {"reason": tool.parameters["reason"]}, "forget")
        given = {"ids": [request.path_params["id"]], **query}
        answer = await state.threads.run(
            lambda: _answer_of(tool, given, state.dispatcher.call(tool, given, caller)), tool.pool(given)
        )
        return sent(answer)

    return forget_one


def sent(answer: Answer, more: Mapping[str, str] | None = None) -> Response:
    """An answer on its way."""
    kind = {"Content-Type": JSON} if answer.body else {}
    return Response(answer.body, answer.status, {**dict(answer.headers), **kind, **(more or {})})


def _answer_of(tool: Tool, given: Mapping[str, Any], answer: Any, unless: str | None = None) -> Answer:
    if answer is None:
        return Answer(204, (), b"")
    if isinstance(answer, Memory):
        tag = f'"{answer.version}"'
        headers = (("ETag", tag), ("Content-Location", _address(answer)))
        if unless is not None and tool.read_only and (unless.strip() == "*" or answer.version in _tags(unless)):
            return Answer(304, headers[:1], b"")
        return Answer(200, headers, written(answer))
    if isinstance(answer, Remembered) and answer.memories:
        alone = len(answer.memories) == 1
        where = (("Location", _address(answer.memories[0])),) if alone else ()
        return Answer(201, where, written(answer))
    if tool.name in LISTS:
        content: dict[str, Any] = {LISTS[tool.name]: plain(answer)}
        if tool.name in PAGED:
            content["next"] = _next(tool, given, answer)
        return Answer(200, (), written(content))
    return Answer(200, (), written(answer))


def _next(tool: Tool, given: Mapping[str, Any], answer: list[Any]) -> str | None:
    """Where the page behind this one is; None when this one was not full."""
    if len(answer) < given.get("limit", tool.default("limit")):
        return None
    last = answer[-1] if isinstance(answer[-1], Memory) else answer[-1].memory
    asked = {**{name: _queried(value) for name, value in given.items()}, "before": last.id}
    path = tool.route[1] if tool.route is not None else ""
    return f"{path}?{urlencode(asked, doseq=True)}"


def _address(memory: Memory) -> str:
    return f"/v1/memories/{memory.id}"


def _queried(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def _tags(header: str) -> list[str]:
    """The versions in a list of ETags; a `*` is none in particular."""
    parts = (part.strip().removeprefix("W/") for part in header.split(","))
    return [part.strip('"') for part in parts if part and part != "*"]


def written(answer: Any) -> bytes:
    """Any answer as JSON."""
    return json.dumps(plain(answer), ensure_ascii=False, allow_nan=False).encode()
