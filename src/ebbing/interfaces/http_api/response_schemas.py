"""The answers of the verbs as JSON schemas, made from their types: they describe what `plain` writes."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from datetime import date, datetime
from enum import StrEnum
from typing import Any, Union

from ...domain.memory import Memory
from ...domain.results import Fact, Facts, Recollection, Recollections, Remembered
from ...engine import Engine
from ..tools import Tool

Schema = dict[str, Any]
_NOTES: Schema = {"type": "array", "items": {"type": "string"}, "description": "What was not as it should be."}
_PLAIN: dict[Any, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    datetime: {"type": "string", "format": "date-time"},
    date: {"type": "string", "format": "date"},
    Any: {},
    object: {},
}
# An answer that is a list is given a name of its own: an object can gain a field, a list cannot.
LISTS = {"list_memories": "memories", "review": "unsettled", "history": "events", "blocks": "blocks"}
PAGED = ("list_memories", "review")


class SchemaCollector:
    """Schemas of types, those that have a name collected under it."""

    def __init__(self) -> None:
        self.named: dict[str, Schema] = {}

    def of_tool(self, tool: Tool) -> Schema | None:
        """What a tool answers; None when it answers nothing."""
        kind = typing.get_type_hints(getattr(Engine, tool.verb))["return"]
        if kind is type(None):
            return None
        if tool.name in LISTS:
            return page(LISTS[tool.name], self.of(typing.get_args(kind)[0]), paged=tool.name in PAGED)
        return self.of(kind)

    def of(self, kind: Any) -> Schema:
        """The schema of a type."""
        if kind in _PLAIN:
            return dict(_PLAIN[kind])
        origin, inner = typing.get_origin(kind), typing.get_args(kind)
        if origin in (Union, types.UnionType):
            return {"anyOf": [self.of(one) for one in inner]}
        if origin in (list, set, frozenset) or (origin is tuple and inner[1:] == (...,)):
            return {"type": "array", "items": self.of(inner[0])}
        if origin is tuple:
            several = {"anyOf": [self.of(one) for one in inner]}
            return {"type": "array", "items": several, "minItems": len(inner), "maxItems": len(inner)}
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return {"type": "object", "additionalProperties": self.of(inner[1])}
        return self._named(kind)

    def _named(self, kind: type) -> Schema:
        if issubclass(kind, StrEnum):
            return {"type": "string", "enum": [member.value for member in kind]}
        if issubclass(kind, str):
            return {"type": "string"}
        if kind.__name__ not in self.named:
            self.named[kind.__name__] = {}  # begun: a type may speak of itself
            self.named[kind.__name__] = self._object(kind)
        return {"$ref": f"#/components/schemas/{kind.__name__}"}

    def _object(self, kind: type) -> Schema:
        about = (kind.__doc__ or "").partition("\n")[0]
        if kind is Recollections:
            parts = {"recollections": {"type": "array", "items": self.of(Recollection)}, "notes": _NOTES}
        elif kind is Facts:
            parts = {"facts": {"type": "array", "items": self.of(Fact)}, "by": {"type": "string"}, "notes": _NOTES}
        elif dataclasses.is_dataclass(kind):
            hints = typing.get_type_hints(kind)
            parts = {entry.name: self.of(hints[entry.name]) for entry in dataclasses.fields(kind)}
            if kind is Remembered:
                parts = {"id": self.of(str | None), **parts}
        else:
            raise TypeError(f"{kind.__name__} has no shape")
        if kind is Memory:
            parts["metadata"] = {"type": "object"}
        return closed(parts, about)


def page(name: str, of: Schema, *, paged: bool) -> Schema:
    """A list under its name, and where there may be more the address of the next part."""
    parts: Schema = {name: {"type": "array", "items": of}}
    if paged:
        parts["next"] = {"type": ["string", "null"], "description": "Where the next page is; null: this is the last."}
    return closed(parts)


def closed(parts: Mapping[str, Schema], about: str = "") -> Schema:
    """An object with exactly these parts."""
    described = {"description": about} if about else {}
    return {"type": "object", **described, "properties": dict(parts), "required": list(parts)}
