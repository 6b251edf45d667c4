"""The paths of mem0's hosted API below `/compat/mem0`: an unmodified client of mem0 that has this address as its host
is answered by `ebbing.compat.mem0`, with the tokens and rights of every other route.

They belong to another API, so the document of this one does not list them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from ...compat.mem0 import Memory, MissingMemory
from ...domain.errors import Invalid
from ..access import Caller
from ..tools import Pool, Right
from .idempotency import Answer
from .middleware import caller_of
from .request_parsing import read_object
from .routes import AppState, Endpoint, sent, written

PREFIX = "/compat/mem0"
_ONE = "/v1/memories/{id}/"
_OWNERS = ("user_id", "agent_id", "run_id", "filters")
_PAGE_SIZE = 100
_PAGE_SIZE_MAX = 1000
_PAGES_MAX = 1000
_Given = Mapping[str, Any]  # of the path, the query and the body
_Call = Callable[[Memory, dict[str, Any]], Any]


def mem0_endpoints(state: AppState) -> dict[tuple[str, str], Endpoint]:
    """Those of mem0's client by method and path."""

    def endpoint(right: Right, pool: Pool, call: _Call) -> Endpoint:
        async def answer(request: Request) -> Response:
            caller = caller_of(request.scope)
            state.dispatcher.allow(right, caller)
            body = read_object(b"" if request.method == "GET" else await request.body())
            given = {**request.query_params, **body, **request.path_params}
            made = await state.threads.run(lambda: written(call(_memory(caller, state), given)), pool)
            return sent(Answer(200, (), made))

        return answer

    async def ping(request: Request) -> Response:
        caller = caller_of(request.scope)
        state.dispatcher.allow(Right.READ, caller)
        # Without an organization and a project the client refuses to begin.
        told = {"status": "ok", "org_id": "ebbing", "project_id": caller.owner, "user_email": caller.owner}
        return sent(Answer(200, (), written(told)))

    routes: dict[tuple[str, str], Endpoint] = {
        ("POST", "/v3/memories/add/"): endpoint(Right.WRITE, Pool.SLOW, _add),
        ("POST", "/v3/memories/search/"): endpoint(Right.READ, Pool.SEARCH, _search),
        ("POST", "/v3/memories/"): endpoint(Right.READ, Pool.SEARCH, _page),
        ("GET", _ONE): endpoint(Right.READ, Pool.SEARCH, _get),
        ("PUT", _ONE): endpoint(Right.WRITE, Pool.WRITE, _update),
        ("DELETE", _ONE): endpoint(Right.FORGET, Pool.WRITE, lambda memory, given: memory.delete(given["id"])),
        ("GET", f"{_ONE}history/"): endpoint(
            Right.READ, Pool.SEARCH, lambda memory, given: memory.history(given["id"])
        ),
        ("DELETE", "/v1/memories/"): endpoint(Right.FORGET, Pool.WRITE, _delete_all),
        ("GET", "/v1/ping/"): ping,
    }
    return {(method, PREFIX + path): one for (method, path), one in routes.items()}


def _memory(caller: Caller, state: AppState) -> Memory:
    """mem0's memory for a caller; who may only read leaves no trace of having read."""
    return Memory(state.dispatcher.engine(caller), reinforce=Right.WRITE in caller.rights)


def _add(memory: Memory, given: dict[str, Any]) -> Any:
    messages = given.pop("messages", None)
    if messages is None:
        raise Invalid("add needs messages: a list of messages with role and content")
    return memory.add(messages, **_named(given, *_OWNERS, "metadata", "timestamp", "expiration_date", "infer"))


def _search(memory: Memory, given: dict[str, Any]) -> Any:
    query = given.pop("query", None)
    if not isinstance(query, str):
        raise Invalid("search needs a query, which is text")
    return memory.search(query, **_named(given, *_OWNERS, "limit", "top_k", "threshold", "show_expired"))


def _page(memory: Memory, given: dict[str, Any]) -> Any:
    """A page of what belongs to somebody."""
    page, size = (_number(given.pop(name, None), name, default) for name, default in _PAGING)
    found = memory.get_all(**_named(given, *_OWNERS, "show_expired"), top_k=page * size + 1)["results"]
    results = found[(page - 1) * size : page * size]
    more = f"{PREFIX}/v3/memories/?page={page + 1}&page_size={size}" if len(found) > page * size else None
    before = f"{PREFIX}/v3/memories/?page={page - 1}&page_size={size}" if page > 1 else None
    return {"count": len(found), "next": more, "previous": before, "results": results}


_PAGING = (("page", 1), ("page_size", _PAGE_SIZE))
_MOST = {"page": _PAGES_MAX, "page_size": _PAGE_SIZE_MAX}


def _number(given: Any, name: str, default: int) -> int:
    if given is None:
        return default
    text = str(given)
    if not (
        text.isascii() and text.isdigit() and len(text) < len(str(_MOST[name])) + 1 and 1 <= int(text) <= _MOST[name]
    ):
        raise Invalid(f"{name} is a whole number from 1 to {_MOST[name]}")
    return int(text)


def _get(memory: Memory, given: dict[str, Any]) -> Any:
    found = memory.get(given["id"])
    if found is None:
        raise MissingMemory(f"there is no memory {given['id']!r:.80}")
    return found


def _update(memory: Memory, given: dict[str, Any]) -> Any:
    memory.update(given["id"], **_named(given, "text", "metadata", "expiration_date", "data"))
    return memory.get(given["id"])


def _delete_all(memory: Memory, given: dict[str, Any]) -> Any:
    return memory.delete_all(**_named(given, *_OWNERS))


def _named(given: _Given, *names: str) -> dict[str, Any]:
    """Those of the arguments that mean something here; mem0's client sends others."""
    return {name: given[name] for name in names if given.get(name) is not None}
