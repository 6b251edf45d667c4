"""An earlier state of a memory, computed from its events: its status, its fields, the changes still in force.

Recall as of a date, undo, explain and simulate use this module.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from ..domain.event_values import Cause
from ..domain.events import (
    Archived,
    Change,
    Edited,
    Event,
    EventKind,
    Forgotten,
    Moved,
    Reinforced,
    Restored,
    Stepped,
    TakenOut,
)
from ..domain.memory import Memory, Status

_Moved = TypeVar("_Moved", bound=Moved)


# How the reasons of events begin that were written before causes were recorded.
_EARLIER_REASONS = {
    "said again": Cause.RESTATED,
    "used": Cause.USED,
    "asked to restore": Cause.REQUESTED,
    "undo of ": Cause.UNDONE,
}


def cause_of(event: Event) -> Cause | None:
    """Why a memory was used, edited or brought back; None: another change caused it."""
    change = event.change
    if not isinstance(change, Reinforced | Edited | Restored):
        return None
    if "cause" in event.detail or event.reason is None:
        return change.cause
    return next((cause for start, cause in _EARLIER_REASONS.items() if event.reason.startswith(start)), change.cause)


def batch_undone_by(event: Event) -> str | None:
    """The batch whose undoing an event is part of."""
    change = event.change
    if isinstance(change, Restored) and change.batch is not None:
        return change.batch
    return (event.reason or "").removeprefix("undo of ") if cause_of(event) is Cause.UNDONE else None


def status_after(events: Iterable[Event], first: Status = Status.ACTIVE) -> Status:
    """The status after these events, oldest first, of a memory that had the status `first` before them."""
    status = first
    for event in events:
        status = event.change.status or status
    return status


def rewound(
    memory: Memory, events: Sequence[Event], names: Collection[str]
) -> tuple[dict[str, Any], dict[int, dict[str, Any]]]:
    """Fields of a memory as they were before its events, and by the number of each event what it made of those that it
    changed. The events are the memory's last ones, oldest first."""
    values = {name: getattr(memory, name) for name in names}
    made: dict[int, dict[str, Any]] = {}
    for event in reversed(events):
        found = {name: value for name, value in event.change.found.items() if name in values}
        if found:
            made[event.seq] = {name: values[name] for name in found}
            values |= found
    return values, made


def changes_in_force(events: Iterable[Event]) -> list[tuple[str, TakenOut]]:
    """The changes that took a memory out of use and were not undone, each with its batch, oldest first.

    Where a change was undone below a later one, the later one holds the status from before both.
    """
    in_force: list[tuple[str, TakenOut]] = []
    for event in events:
        change = event.change
        if isinstance(change, Restored):
            if change.undoes is not None:
                in_force = _without(in_force, change.undoes)
            while change.undoes is None and in_force and in_force[-1][1].status is not change.status:
                in_force.pop()
        elif isinstance(change, TakenOut):
            in_force.append((event.batch, change))
    return in_force


def _without(in_force: Sequence[tuple[str, TakenOut]], batch: str) -> list[tuple[str, TakenOut]]:
    kept: list[tuple[str, TakenOut]] = []
    undone: TakenOut | None = None
    for one, change in in_force:
        if one == batch:
            undone = change
        else:
            kept.append((one, change if undone is None else found_as(change, undone)))
            undone = None
    return kept


def found_as(change: _Moved, before: Change) -> _Moved:
    """A change with the status and tier that an earlier change found, as if that had not happened."""
    if isinstance(before, Moved) and before.was is not None:
        change = replace(change, was=before.was)
    if isinstance(change, Stepped) and isinstance(before, Stepped) and before.was_tier is not None:
        change = replace(change, was_tier=before.was_tier)
    return change


def removal_of_summary(events: Iterable[Event]) -> Forgotten | Restored | None:
    """The change by which a summary went, or by which it stays away, because the batch that made it was undone; None
    when it was not, or when that was undone in its turn."""
    made: str | None = None
    found: Forgotten | Restored | None = None
    for event in events:
        change = event.change
        if event.kind is EventKind.SUMMARIZED:
            made = event.batch
        elif isinstance(change, Forgotten | Restored) and change.undoes is not None and change.undoes == made:
            found = change
        elif isinstance(change, Restored) and change.undoes is None:
            found = None
    return found


def last_taken_out(events: Sequence[Event]) -> TakenOut | None:
    """The last change that took a memory out of use."""
    changes = (event.change for event in reversed(events))
    return next((change for change in changes if isinstance(change, TakenOut)), None)


def last_archived(events: Sequence[Event]) -> Archived | Restored | None:
    """What last put a memory into the archive, or back where it had been archived for a summary."""
    for event in reversed(events):
        change = event.change
        again = isinstance(change, Restored) and change.to is Status.ARCHIVED and change.into is not None
        if isinstance(change, Archived) or (isinstance(change, Restored) and again):
            return change
    return None
