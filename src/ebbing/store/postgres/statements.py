"""Statements as the driver takes them and rows as it gives them: what is sent, what is waited for, what is prepared."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector
from pgvector.psycopg.halfvec import register_halfvec_info
from psycopg.types import TypeInfo
from psycopg.types.json import set_json_loads

from ...ports import Vector
from .. import query_loader
from ..row_codec import Json
from .connection import Connection

_PLAIN = frozenset({str, int, float, bool, datetime, list, type(None)})  # most of what is sent, sent as it is


def bound(value: Any) -> Any:
    """A value as psycopg sends it."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, Json):
        # As text, which is kept as written where the column is json, and becomes jsonb where it is that. In the wrapper
        # of the driver it took three times as long.
        return json.dumps(value.value, ensure_ascii=False)
    if isinstance(value, str):
        return str(value)
    return value


@functools.lru_cache(maxsize=1000)
def parameters(statement: str) -> tuple[str, ...]:
    """The names a statement asks for."""
    return tuple(dict.fromkeys(re.findall(r"%\((\w+)\)s", statement)))


def bindings(statement: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """What a statement asks for out of what there is: a memory has many more values than most need."""
    return {name: bound(values[name]) for name in parameters(statement)}


@functools.lru_cache(maxsize=1000)
def answers(statement: str) -> bool:
    """Whether a statement gives rows. What gives none need not be waited for: its error comes with the next answer."""
    return " RETURNING " in statement or bool(re.match(r"SELECT\b|WITH\b(?!.*\nINSERT\b)", statement, re.DOTALL))


# Statements that go straight to the rows they name, so that one plan is as good for every owner. Making it anew took
# longer than carrying it out: a join behind a view behind row-level security.
_ONE_PLAN = (
    *("get_live", "traces", "standing", "same_digest", "tombstones", "last_reinforced", "touch", "save_owner"),
    *("insert_live", "insert_vector", "add_event", "hold", "save_owner_and_hold", "familiar"),
    *("word_frequencies", "rows_with_words"),
)


@functools.lru_cache(maxsize=1000)
def has_one_plan(statement: str) -> bool:
    queries = query_loader.queries("postgres", query_loader.postgres_dialect)
    return any(statement.startswith(queries[name].partition("/*filter*/")[0]) for name in _ONE_PLAN)


def packed(numbers: bytes | None, kind: str) -> NDArray[Any]:
    """A column that the server has put together into one value: int8send and its like write the largest byte first."""
    return np.frombuffer(numbers or b"", dtype=f">{kind}").astype(kind)


def half(vector: Vector) -> HalfVector:
    """A vector as stored."""
    return HalfVector(np.asarray(vector, dtype=np.float16))


def teach(connection: Connection, halfvec: TypeInfo) -> None:
    """How a new connection reads what is stored."""
    register_halfvec_info(connection, halfvec)
    set_json_loads(from_json, connection)


def from_json(text: str | bytes) -> Any:
    """What was stored as JSON. Most of it is empty, and a recall has fifty such values."""
    return [] if text == b"[]" else {} if text == b"{}" else json.loads(text)
