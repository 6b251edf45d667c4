"""Memories and events as rows, and back.

`Json` marks a value that is stored as JSON, so that a list meant for `ANY` is never taken for one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import numpy as np

from ..domain.events import Event, EventKind
from ..domain.memory import Lifetime, Memory, Scope, Source, Status, Tier, Visibility
from ..domain.retention import Traces
from ..ports import Vector

# The columns of the views `live` and `stored`, in their order; a store may put its own handle in front.
COLUMNS = (
    "owner id agent visibility scope text category tier status importance created_at created_day pinned contested "
    "expires_at valid_from valid_until restored_at source trust subject attribute supersedes superseded_by "
    "derived_from compaction_depth tags metadata tokens digest fingerprint lifetime harm held_at "
    "last_accessed_at used_day recall_count level due_at due_day"
).split()
_SOURCE = tuple(entry.name for entry in dataclasses.fields(Source))
_JSON = ("source", "supersedes", "derived_from", "tags", "metadata")
# Looked up here, an enumeration's member costs a fifth of what calling the enumeration does.
_VISIBILITIES = {member.value: member for member in Visibility}
LIFETIMES = {None: None} | {member.value: member for member in Lifetime}
TIERS = {member.value: member for member in Tier}
STATUSES = {member.value: member for member in Status}


@dataclass(frozen=True, slots=True)
class Json:
    """A value stored as JSON."""

    value: Any


@dataclass(frozen=True, slots=True)
class Codec:
    """How one engine's column values become ours."""

    instant: Callable[[Any], datetime]
    json: Callable[[Any], Any]
    source: Callable[[Any], Source]
    vector: Callable[[Any], Vector]
    length: Callable[[Any], int]  # how many words a row has

    def optional_instant(self, stored: Any) -> datetime | None:
        """An instant, or None where the column is null."""
        return None if stored is None else self.instant(stored)

    def day(self, stored: Any) -> date:
        """A date; SQLite keeps it as text."""
        return date.fromisoformat(stored) if isinstance(stored, str) else stored

    def optional_day(self, stored: Any) -> date | None:
        """A date, or None where the column is null."""
        return None if stored is None else self.day(stored)

    def memory(self, row: Sequence[Any]) -> Memory:
        """A row of `live` or `stored`; what stands before our columns is the store's own.

        Written out, because a recall reads ten of these: a loop over names took as long again as all the rest.
        """
        # fmt: off
        (owner, id_, agent, visibility, scope, text, category, tier, status, importance, created_at, created_day,
         pinned, contested, expires_at, valid_from, valid_until, restored_at, source, trust, subject, attribute,
         supersedes, superseded_by, derived_from, compaction_depth, tags, metadata, tokens, digest, fingerprint,
         lifetime, harm, held_at, last_accessed_at, used_day, recall_count, level, due_at,
         due_day) = row[len(row) - len(COLUMNS) :]
        # fmt: on
        instant, json = self.instant, self.json
        return Memory(
            owner=owner,
            id=id_,
            agent=agent,
            visibility=_VISIBILITIES[visibility],
            # A stored scope is normalised already: making it again would cost more than reading it.
            scope=str.__new__(Scope, scope),
            text=text,
            category=category,
            tier=TIERS[tier],
            status=STATUSES[status],
            importance=importance,
            lifetime=LIFETIMES[lifetime],
            harm=harm,
            held_at=None if held_at is None else instant(held_at),
            created_at=instant(created_at),
            created_day=created_day,
            pinned=bool(pinned),
            contested=bool(contested),
            expires_at=None if expires_at is None else instant(expires_at),
            valid_from=None if valid_from is None else instant(valid_from),
            valid_until=None if valid_until is None else instant(valid_until),
            restored_at=None if restored_at is None else instant(restored_at),
            source=self.source(source),
            trust=trust,
            subject=subject,
            attribute=attribute,
            supersedes=tuple(json(supersedes)),
            superseded_by=superseded_by,
            derived_from=tuple(json(derived_from)),
            compaction_depth=compaction_depth,
            tags=tuple(json(tags)),
            metadata=json(metadata),
            tokens=tokens,
            digest=digest,
            fingerprint=fingerprint,
            last_accessed_at=instant(last_accessed_at),
            used_day=used_day,
            recall_count=recall_count,
            level=level,
            due_at=None if due_at is None else instant(due_at),
            due_day=due_day,
        )

    def event(self, row: Sequence[Any]) -> Event:
        seq, at, kind, memory, batch, actor, session, reason, detail = row
        return Event(seq, self.instant(at), EventKind(kind), memory, batch, actor, session, reason, self.json(detail))

    def traces(self, rows: Sequence[Sequence[Any]]) -> Traces:
        """Rows of the query `traces` as columns."""
        handles, ids, categories, tiers, scopes, *numbers, lifetimes, harms = (
            zip(*rows, strict=True) if rows else [()] * 16
        )
        # One array of all numbers: a second one for each of them took longer than reading the rows.
        pinned, importance, created_at, created_day, last_accessed_at, *others = np.array(numbers, dtype=np.float64)
        used_day, recalls, level, asks = others
        return Traces(
            handles=np.array(handles, dtype=np.int64),
            ids=ids,
            categories=categories,
            tiers=[TIERS[tier] for tier in tiers],
            scopes=scopes,
            pinned=pinned > 0,
            importance=importance,
            created_at=created_at,
            created_day=created_day,
            last_accessed_at=last_accessed_at,
            used_day=used_day,
            recalls=recalls,
            level=level,
            asks=asks > 0,
            lifetimes=[LIFETIMES[lifetime] for lifetime in lifetimes],
            harms=harms,
        )


def values_of(memory: Memory) -> dict[str, Any]:
    """A memory as named parameters."""
    values: dict[str, Any] = {name: getattr(memory, name) for name in COLUMNS}
    values["source"] = {name: getattr(memory.source, name) for name in _SOURCE}
    for name in _JSON:
        value = values[name]
        values[name] = Json(list(value) if isinstance(value, tuple) else dict(value))
    return values
