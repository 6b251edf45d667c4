"""The OpenAPI document, made from the declarations of the tools and the types of their answers."""

from __future__ import annotations

import functools
from importlib.metadata import version
from typing import Any

from ...domain.events import Event
from ...domain.import_results import Imported
from ..tools import TOOLS, Tool
from .metrics import MEDIA_TYPE as METRICS_TYPE
from .middleware import HEALTH, IMPORT, NDJSON
from .problems import MEDIA_TYPE as PROBLEM_TYPE
from .response_schemas import Schema, SchemaCollector, closed, page
from .routes import JSON, ONE_MEMORY, ROUTED, path_parameters
from .streams import EVENTS, EXPORT, IMPORTING, LISTING

METRICS = "/metrics"
DOCUMENT = "/openapi.json"
_ABOUT = (
    "Memory for LLM agents that knows how to forget. Whose memories a request reaches, and what it may do with them, "
    "comes from its token and from nothing else."
)
_TEXT: Schema = {"type": "string"}
_PROBLEM = closed(
    {"type": _TEXT, "title": _TEXT, "status": {"type": "integer"}, "detail": _TEXT, "code": _TEXT},
    "What was wrong, and what would be right.",
)
_REFUSALS = {
    400: "The request itself is broken.",
    401: "No token, or not one that is valid.",
    403: "The token does not have the right, or a page from elsewhere asks.",
    404: "There is no such thing for this owner.",
    408: "The body did not arrive in time.",
    409: "The world is not as the call assumed.",
    412: "The memory has changed since it was read.",
    413: "More than is allowed.",
    415: "The body does not say that it is what it must be.",
    421: "The server is not reached by that name.",
    422: "An argument that cannot be meant.",
    429: "Too many requests.",
    503: "The store or a model does not answer; nothing was written.",
}
_READING: tuple[int, ...] = (400, 401, 403, 404, 421, 422, 429, 503)
_CHANGING = (408, 409, 413, 415)


@functools.cache
def document() -> dict[str, Any]:
    """The whole of it."""
    shapes = SchemaCollector()
    paths: dict[str, dict[str, Any]] = {}
    for (method, path), tool in ROUTED.items():
        paths.setdefault(path, {})[method.lower()] = _operation(tool, method, path, shapes)
    paths[ONE_MEMORY]["delete"] = _forgetting(shapes)
    for path, methods in _others(shapes).items():
        paths.setdefault(path, {}).update(methods)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Ebbing", "version": version("ebbing"), "description": _ABOUT},
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": {**shapes.named, "Problem": _PROBLEM},
            "responses": {str(status): _problem(about) for status, about in _REFUSALS.items()},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "bearerFormat": "ebb_…"}},
        },
    }


def _operation(tool: Tool, method: str, path: str, shapes: SchemaCollector) -> dict[str, Any]:
    within = path_parameters(tool, path)
    others = [name for name in tool.parameters if name not in within]
    parameters = [_path_parameter(name, tool.schema["properties"][name]) for name in within]
    operation: dict[str, Any] = {
        "operationId": tool.name,
        "summary": tool.title,
        "description": f"{tool.about}\n\nNeeds the right `{tool.right}`.",
    }
    statuses = _READING
    if method == "GET":
        parameters += [_query_parameter(name, tool.schema["properties"][name]) for name in others]
    else:
        operation["requestBody"] = _body(tool, others)
        statuses += _CHANGING
    if method == "POST":
        about = "Asked again with the same key within a day, the request is done once and answered the same."
        key = {**_TEXT, "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"}
        parameters.append({"name": "Idempotency-Key", "in": "header", "description": about, "schema": key})
    if tool.verb == "update":
        about = "The ETag of the memory as it was read: changed since, nothing is done."
        tag = {**_TEXT, "pattern": '^"[0-9a-f]{1,32}"$'}
        parameters.append({"name": "If-Match", "in": "header", "description": about, "schema": tag})
        statuses += (412,)
    return {
        **operation,
        "parameters": parameters,
        "responses": {**_answers(tool, shapes), **_refusals(statuses)},
    }


def _answers(tool: Tool, shapes: SchemaCollector) -> dict[str, Any]:
    shape = shapes.of_tool(tool)
    if shape is None:
        return {"204": {"description": "Done."}}
    answer: dict[str, Any] = {"description": "The answer.", "content": {JSON: {"schema": shape}}}
    if shape.get("$ref", "").endswith("/Memory"):
        answer["headers"] = {"ETag": {"description": "The version of the memory.", "schema": _TEXT}}
    if tool.name == "remember":
        return {"200": {**answer, "description": "Nothing new was stored."}, "201": answer}
    if tool.name == "get_memory":
        return {"200": answer, "304": {"description": "It is as If-None-Match says."}}
    return {"200": answer}


def _body(tool: Tool, names: list[str]) -> dict[str, Any]:
    entries = {name: _optional(tool, name) for name in names}
    required = [name for name in names if tool.parameters[name].required]
    schema = {"type": "object", "properties": entries, "required": required, "additionalProperties": False}
    return {"required": bool(required), "content": {JSON: {"schema": schema}}}


def _optional(tool: Tool, name: str) -> Schema:
    """Where nothing need be given, a null is as good as nothing."""
    entry: Schema = dict(tool.schema["properties"][name])
    if tool.parameters[name].required:
        return entry
    about: Schema = {key: entry.pop(key) for key in ("description", "default") if key in entry}
    return {**about, "anyOf": [entry, {"type": "null"}]}


def _path_parameter(name: str, entry: Schema) -> Schema:
    schema = {key: part for key, part in entry.items() if key != "description"}
    # A slash would be another path.
    limited = {**schema, "minLength": 1, "pattern": "^[^/]+$"}
    return {"name": name, "in": "path", "required": True, "description": entry["description"], "schema": limited}


def _query_parameter(name: str, entry: Schema) -> Schema:
    schema = {key: part for key, part in entry.items() if key != "description"}
    entry_fields = {"name": name, "in": "query", "description": entry["description"]}
    if schema.get("type") == "object":
        return {**entry_fields, "content": {JSON: {"schema": schema}}}
    return {**entry_fields, "schema": schema}


def _forgetting(shapes: SchemaCollector) -> dict[str, Any]:
    tool = TOOLS["forget"]
    return {
        "operationId": "forget_memory",
        "summary": "Forget one memory",
        "description": f"Puts it away; `restore` with the batch brings it back.\n\nNeeds the right `{tool.right}`.",
        "parameters": [
            _path_parameter("id", TOOLS["get_memory"].schema["properties"]["id"]),
            _query_parameter("reason", tool.schema["properties"]["reason"]),
        ],
        "responses": {**_answers(tool, shapes), **_refusals((*_READING, *_CHANGING))},
    }


_TRUSTED = "Needs the right `admin`; `trusted` needs `write-as-user` besides."


def _others(shapes: SchemaCollector) -> dict[str, dict[str, Any]]:
    """Operations that are no tools: streams, the log, and what operators look at."""
    sending = {"required": True, "content": {NDJSON[0]: {"schema": {"type": "string"}}}}
    return {
        EXPORT: {"get": _plainly("export", "Export", "Everything, as JSON lines. Needs the right `admin`.", NDJSON[0])},
        IMPORT: {
            "post": {
                **_plainly("import", "Import", f"{TOOLS['import'].about}\n\n{_TRUSTED}", JSON, shapes.of(Imported)),
                "parameters": [_query_parameter(name, dict(one.schema)) for name, one in IMPORTING.items()],
                "requestBody": sending,
                "responses": {
                    "200": {"description": "The answer.", "content": {JSON: {"schema": shapes.of(Imported)}}},
                    **_refusals((*_READING, *_CHANGING)),
                },
            }
        },
        EVENTS: {
            "get": {
                **_plainly(
                    "events",
                    TOOLS["events"].title,
                    f"{TOOLS['events'].about}\n\nNeeds the right `admin`.",
                    JSON,
                    page("events", shapes.of(Event), paged=True),
                ),
                "parameters": [_query_parameter(name, dict(one.schema)) for name, one in LISTING.items()],
            }
        },
        METRICS: {"get": _plainly("metrics", "Metrics", "For Prometheus. Needs `read`.", METRICS_TYPE)},
        DOCUMENT: {"get": _plainly("openapi", "This document", "For every token.", JSON, {"type": "object"})},
        HEALTH: {
            "get": {
                **_plainly("health", "Health", "Whether the server answers.", JSON, closed({"status": _TEXT})),
                "security": [],
            }
        },
    }


def _plainly(name: str, title: str, about: str, media: str, schema: Schema | None = None) -> dict[str, Any]:
    content = {media.partition(";")[0]: {"schema": schema or _TEXT}}
    answers = {"200": {"description": "The answer.", "content": content}}
    return {
        "operationId": name,
        "summary": title,
        "description": about,
        "responses": {**answers, **_refusals(_READING)},
    }


def _refusals(statuses: tuple[int, ...]) -> dict[str, Any]:
    return {str(status): {"$ref": f"#/components/responses/{status}"} for status in sorted(statuses)}


def _problem(about: str) -> dict[str, Any]:
    return {"description": about, "content": {PROBLEM_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
