"""Memories as they were at an earlier time: told by their events, because nothing else remembers it.

What was said later is unknown, what was retired later still holds, and each has the strength it had then. What its
owner has asked to forget since stays forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from ..domain.clock import Moment
from ..domain.events import Event, EventKind, Merged, Superseded
from ..domain.memory import Memory, Status
from ..domain.results import Recollection
from ..domain.retention import strength_of
from ..lifecycle.history import rewound, status_after
from ..lifecycle.operation_context import OperationContext
from ..ports import OwnerState, ReadTransaction
from .score import recency, scored

LOOKED_AT_MIN = 100  # how many of the most relevant are looked at: what each was then is told by its events alone
_DAY = timedelta(days=1)
_REWOUND = (
    "importance",
    "lifetime",
    "harm",
    "trust",
    "pinned",
    "category",
    "expires_at",
    "tier",
    "level",
)  # what ranking asks for


def results_as_of(
    found: Sequence[Recollection], include: Sequence[Status], work: OperationContext, at: datetime
) -> list[Recollection]:
    """What was found, at the strength it had at an earlier time and in that order; without what was not in use then."""
    policy = work.policy
    rules = policy.recall
    with work.read() as tx:
        moment = Moment(at, tx.owner.active_day_at(at))
        was = {m.id: m for m in as_they_were([one.memory for one in found], moment, tx)}
    statuses = (Status.ACTIVE, *include)
    results: list[Recollection] = []
    for one in found:
        memory = was.get(one.memory.id)
        if memory is None or memory.status not in statuses:
            continue
        strength = strength_of(memory, moment, policy)
        lately = float(recency((at - memory.last_accessed_at) / _DAY, rules))
        score = float(scored(one.parts["probability"], strength, lately, rules))
        parts = {**one.parts, "recency": lately}
        results.append(replace(one, memory=memory, score=score, strength=strength, parts=parts))
    return sorted(results, key=lambda one: (-one.score, one.memory.id))


def as_they_were(memories: Iterable[Memory], moment: Moment, tx: ReadTransaction) -> list[Memory]:
    """Those that were known by then, each as it was; without those that are forgotten by now."""
    existing = [m for m in memories if m.created_at <= moment.at and m.status is not Status.FORGOTTEN]
    above = tx.memories.get(sorted({m.superseded_by for m in existing if m.superseded_by is not None}))
    earlier = [_as_it_was(memory, tx.events.of_memory(memory.id), above, moment, tx.owner) for memory in existing]
    return [memory for memory in earlier if memory.expires_at is None or memory.expires_at > moment.at]


def _as_it_was(
    memory: Memory, history: Sequence[Event], above: Mapping[str, Memory], moment: Moment, owner: OwnerState
) -> Memory:
    before = [event for event in history if event.at <= moment.at]
    since = [event for event in history if event.at > moment.at]
    uses = [event.at for event in before if event.kind is EventKind.REINFORCED]
    changed: dict[str, Any] = {"recall_count": len(uses), "status": _status(memory, before, above, moment.at)}
    used_at = max([memory.created_at, *uses])
    changed |= {
        "last_accessed_at": used_at,
        "used_day": owner.active_day_at(used_at) if uses else memory.created_day,
    }
    changed |= rewound(memory, since, _REWOUND)[0]
    winner = above.get(memory.superseded_by or "")
    if changed["status"] is not Status.SUPERSEDED or winner is None:
        changed |= {"superseded_by": None, "valid_until": _valid_until(memory, since)}
    return memory.with_(**changed)


def _valid_until(memory: Memory, since: Sequence[Event]) -> datetime | None:
    """Until when it was true by its own words, before something replaced it."""
    for event in since:
        if isinstance(event.change, Superseded | Merged):
            return event.change.was_valid_until
    return memory.valid_until if memory.superseded_by is None else None


def _status(memory: Memory, before: Sequence[Event], above: Mapping[str, Memory], at: datetime) -> Status:
    status = status_after(before)
    winner = above.get(memory.superseded_by or "")
    if memory.status is not Status.SUPERSEDED or winner is None:
        return status
    # Not when the store was told of it, but since when the one that won holds.
    if winner.created_at <= at:
        return Status.SUPERSEDED
    return Status.ACTIVE if status is Status.SUPERSEDED else status
