"""Values as SQLite stores them, and back: instants as microseconds, lists as JSON, vectors in half precision."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any

import numpy as np

from ...domain.clock import micros
from ...domain.memory import Source
from ...ports import Vector
from ..row_codec import Json


def from_json(text: str) -> Any:
    """What was stored as JSON. Most of it is empty, and a fifth of a memory's reading went into parsing nothing."""
    return [] if text == "[]" else {} if text == "{}" else json.loads(text)


@functools.lru_cache(maxsize=1024)
def source_from_json(text: str) -> Source:
    """Where a memory came from. Kept, because whole conversations have the same and each memory names it."""
    return Source(**json.loads(text))


_as_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_EMPTY: dict[type, str] = {list: "[]", dict: "{}"}
_AS_THEY_ARE = frozenset((int, float, str, bytes, type(None)))  # exactly these: an enumeration is stored as plain text
_HOW: dict[type, Callable[[Any], Any]] = {
    datetime: micros,
    Json: lambda marked: _as_json(marked.value) if marked.value else _EMPTY[type(marked.value)],
    list: json.dumps,
    date: date.isoformat,
    bool: int,
    str: str,
}


def bound_all(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values as SQLite stores them; nearly all need nothing, and a memory has forty."""
    return {name: value if type(value) in _AS_THEY_ARE else bound(value) for name, value in values.items()}


def bound(value: Any) -> Any:
    """A value as SQLite stores it."""
    how = _HOW.get(type(value)) or _how(type(value))
    return how(value)


def _how(kind: type) -> Callable[[Any], Any]:
    """The same as for what a type is made from; known from then on."""
    _HOW[kind] = how = next((_HOW[base] for base in kind.__mro__ if base in _HOW), lambda value: value)
    return how


def half(vector: Vector) -> bytes:
    """A vector as stored."""
    return np.asarray(vector, dtype=np.float16).tobytes()


def whole(stored: bytes) -> Vector:
    """A stored vector."""
    return np.frombuffer(stored, dtype=np.float16).astype(np.float32)
