"""Memories and events as rows, and back.

`Json` marks a value that is stored as JSON, so that a list meant for `ANY` is never taken for one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from ..model import Event, EventKind, Memory, Scope, Source, Status, Tier, Visibility
from ..ports import Traces

# The columns of the views `live` and `stored`, in their order; a store may put its own handle in front.
COLUMNS = (
    "owner id agent visibility scope text category tier status importance created_at created_day pinned contested "
    "expires_at valid_from valid_until restored_at source trust subject attribute supersedes superseded_by "
    "derived_from compaction_depth tags metadata tokens digest fingerprint "
    "last_accessed_at used_day recall_count level due_at due_day"
).split()
_SOURCE = tuple(entry.name for entry in dataclasses.fields(Source))
_JSON = ("source", "supersedes", "derived_from", "tags", "metadata")
_INSTANTS = tuple(name for name in COLUMNS if name.endswith("_at") or name.startswith("valid_"))


@dataclass(frozen=True, slots=True)
class Json:
    """A value stored as JSON."""

    value: Any


@dataclass(frozen=True, slots=True)
class Codec:
    """How one engine's column values become ours."""

    instant: Callable[[Any], datetime]
    json: Callable[[Any], Any]

    def memory(self, row: Sequence[Any]) -> Memory:
        """A row of `live` or `stored`; what stands before our columns is the store's own."""
        values = dict(zip(COLUMNS, row[len(row) - len(COLUMNS) :], strict=True))
        for name in _INSTANTS:
            if values[name] is not None:
                values[name] = self.instant(values[name])
        for name in ("supersedes", "derived_from", "tags"):
            values[name] = tuple(self.json(values[name]))
        values["metadata"] = self.json(values["metadata"])
        values["source"] = Source(**self.json(values["source"]))
        # A stored scope is normalised already: making it again would cost more than reading it.
        values["scope"] = str.__new__(Scope, values["scope"])
        values["visibility"] = Visibility(values["visibility"])
        values["tier"] = Tier(values["tier"])
        values["status"] = Status(values["status"])
        values["pinned"] = bool(values["pinned"])
        values["contested"] = bool(values["contested"])
        return Memory(**values)

    def event(self, row: Sequence[Any]) -> Event:
        seq, at, kind, memory, batch, actor, session, reason, detail = row
        return Event(seq, self.instant(at), EventKind(kind), memory, batch, actor, session, reason, self.json(detail))

    def traces(self, rows: Sequence[Sequence[Any]]) -> Traces:
        """Rows of the query `traces` as columns."""
        columns = list(zip(*rows, strict=True)) if rows else [()] * 15
        handles, ids, statuses, categories, tiers, scopes = columns[:6]
        pinned, importance, trust, created_at, created_day, last_accessed_at, used_day, recalls, level = columns[6:]
        return Traces(
            handles=np.array(handles),
            ids=list(ids),
            statuses=[Status(status) for status in statuses],
            categories=list(categories),
            tiers=[Tier(tier) for tier in tiers],
            scopes=list(scopes),
            pinned=np.array(pinned, dtype=bool),
            importance=np.array(importance, dtype=float),
            trust=np.array(trust, dtype=float),
            created_at=[self.instant(at) for at in created_at],
            created_day=np.array(created_day, dtype=np.int64),
            last_accessed_at=[self.instant(at) for at in last_accessed_at],
            used_day=np.array(used_day, dtype=np.int64),
            recalls=np.array(recalls, dtype=np.int64),
            level=np.array(level, dtype=float),
        )


def values_of(memory: Memory) -> dict[str, Any]:
    """A memory as named parameters."""
    values: dict[str, Any] = {name: getattr(memory, name) for name in COLUMNS}
    values["source"] = {name: getattr(memory.source, name) for name in _SOURCE}
    for name in _JSON:
        value = values[name]
        values[name] = Json(list(value) if isinstance(value, tuple) else dict(value))
    return values
