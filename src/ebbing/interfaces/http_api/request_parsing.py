"""What a request asks: the arguments of a tool out of its path, its query and its body."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NoReturn

from starlette.requests import Request

from ...domain.errors import Invalid
from ..parameters import Parameter
from ..tools import Tool
from .problems import HttpError

_DEEPEST = 64  # nesting; more is never meant, and each level costs a stack frame
_TRUTH = {"true": True, "false": False}


def read_object(body: bytes) -> dict[str, Any]:
    """The JSON object in a body; nothing at all is an empty one."""
    if not body:
        return {}
    try:
        value = json.loads(body.decode("utf-8"), parse_constant=_no_number, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        raise HttpError(400, "the body is not JSON in UTF-8") from None
    if not isinstance(value, dict):
        raise Invalid('the body is not an object; write the arguments by their names, as in {"query": "…"}')
    if _deeper(value, _DEEPEST):
        raise Invalid(f"the body is nested deeper than {_DEEPEST} levels")
    return value


def arguments(tool: Tool, path: Mapping[str, str], query: Mapping[str, Any], body: Mapping[str, Any]) -> dict[str, Any]:
    """All three together. A parameter may be given in one of them only; an unknown one is refused even if null."""
    for name in (*query, *body):
        if name in path:
            raise Invalid(f"{name} is a path parameter; do not repeat it in the query or the body")
        if name not in tool.parameters:
            raise Invalid(f"{tool.name} has no parameter {name!r:.40}; it takes {', '.join(tool.parameters)}")
    return {**path, **body, **query}


def read_query(request: Request, takes: Mapping[str, Parameter], what: str) -> dict[str, Any]:
    """The parameters of a query, each as what its declaration says it is."""
    given: dict[str, Any] = {}
    for name in request.query_params:
        if name not in takes:
            names = ", ".join(takes) or "nothing"
            raise Invalid(f"{what} has no parameter {name!r:.40} in its query; it takes {names}")
        given[name] = _read(takes[name], request.query_params.getlist(name))
    return given


def _read(parameter: Parameter, several: list[str]) -> Any:
    name, kind = parameter.name, parameter.kind["type"]
    if kind == "array":
        return several
    if len(several) > 1:
        raise Invalid(f"{name} is given more than once")
    (text,) = several
    if kind == "integer":
        if not (text.isascii() and text.isdigit() and len(text) < 20):
            raise Invalid(f"{name} is not a whole number")
        return int(text)
    if kind == "object":
        return _read_json(name, text)
    if kind == "boolean":
        if text not in _TRUTH:
            raise Invalid(f"{name} is neither true nor false")
        return _TRUTH[text]
    return text


def _read_json(name: str, text: str) -> Any:
    try:
        return read_object(text.encode())
    except HttpError:
        raise Invalid(f"{name} is not a JSON object") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse a repeated name: another parser before us may have taken the other value."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice")
    return found


def _deeper(value: Any, most: int) -> bool:
    level = [value]
    for _ in range(most):
        level = [part for one in level for part in _parts(one)]
        if not level:
            return False
    return True


def _parts(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
