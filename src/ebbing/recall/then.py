"""Memories as they were at an earlier time: told by their events, because nothing else remembers it.

What was said later is unknown, what was retired later still holds, and each has the strength it had then. What its
owner has asked to forget since stays forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from ..clock import Moment
from ..model import Event, EventKind, Memory, Status, Tier, instant
from ..ports import Reading

# Where each kind of event puts a memory.
_PUTS = {
    EventKind.DETACHED: Status.DETACHED,
    EventKind.ARCHIVED: Status.ARCHIVED,
    EventKind.SUPERSEDED: Status.SUPERSEDED,
    EventKind.MERGED: Status.SUPERSEDED,
    EventKind.FORGOTTEN: Status.FORGOTTEN,
}
_USES = (EventKind.REINFORCED,)
_INSTANTS = ("expires_at",)


def as_they_were(memories: Iterable[Memory], moment: Moment, tx: Reading) -> list[Memory]:
    """Those that were known by then, each as it was; without those that are forgotten by now."""
    standing = [m for m in memories if m.created_at <= moment.at and m.status is not Status.FORGOTTEN]
    above = tx.get(sorted({m.superseded_by for m in standing if m.superseded_by is not None}))
    told = [_as_it_was(memory, tx.history(memory.id), above, moment, tx) for memory in standing]
    return [memory for memory in told if memory.expires_at is None or memory.expires_at > moment.at]


def _as_it_was(
    memory: Memory, history: Sequence[Event], above: Mapping[str, Memory], moment: Moment, tx: Reading
) -> Memory:
    before = [event for event in history if event.at <= moment.at]
    since = [event for event in history if event.at > moment.at]
    uses = [event.at for event in before if event.kind in _USES]
    changed: dict[str, Any] = {"recall_count": len(uses), "status": _status(memory, before, above, moment.at)}
    used_at = max([memory.created_at, *uses])
    changed |= {"last_accessed_at": used_at, "used_day": tx.day_at(used_at) if uses else memory.created_day}
    for event in reversed(since):
        # Undone one by one, the latest first: what each says it was before.
        changed |= _was(event)
    winner = above.get(memory.superseded_by or "")
    if changed["status"] is not Status.SUPERSEDED or winner is None:
        changed |= {"superseded_by": None, "valid_until": None}
    return memory.with_(**changed)


def _status(memory: Memory, before: Sequence[Event], above: Mapping[str, Memory], at: datetime) -> Status:
    status = Status.ACTIVE
    for event in before:
        if event.kind in _PUTS:
            status = _PUTS[event.kind]
        elif event.kind is EventKind.RESTORED:
            status = Status(event.detail.get("to", Status.ACTIVE))
        elif "status" in event.detail:
            status = Status(event.detail["status"])
    winner = above.get(memory.superseded_by or "")
    if status is Status.SUPERSEDED and winner is not None and winner.created_at > at:
        # Told of later than it held: the one that won was not said yet.
        return Status.ACTIVE
    return status


def _was(event: Event) -> dict[str, Any]:
    """What an event says a memory was before it."""
    if event.kind in (EventKind.PINNED, EventKind.UNPINNED):
        return {"pinned": event.kind is EventKind.UNPINNED}
    if "was_tier" in event.detail:
        return {"tier": Tier(event.detail["was_tier"])}
    was = event.detail.get("was")
    if event.kind is not EventKind.EDITED or not isinstance(was, Mapping):
        return {}
    found = {name: value for name, value in was.items() if name in ("importance", "trust", "pinned", "category")}
    for name in _INSTANTS:
        if name in was:
            found[name] = None if was[name] is None else instant(was[name])
    return found
