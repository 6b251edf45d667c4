"""What the events of a memory tell about it: where it stood, and how it was before they happened.

Whoever asks how something was goes through here: recall at an earlier time, undoing, explaining and simulating.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from ..domain.events import PUTS_AWAY, Archived, Event, Restored
from ..domain.memory import Memory, Status


def status_after(events: Iterable[Event], first: Status = Status.ACTIVE) -> Status:
    """Where these events, oldest first, left a memory that was in the status `first` before them."""
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


def last_taken_out(events: Sequence[Event]) -> Event | None:
    """The last event that took a memory out of use."""
    return next((event for event in reversed(events) if event.kind in PUTS_AWAY), None)


def last_archived(events: Sequence[Event]) -> Archived | Restored | None:
    """What last put a memory into the archive, or back where it had been archived for a summary."""
    for event in reversed(events):
        change = event.change
        again = isinstance(change, Restored) and change.to is Status.ARCHIVED and change.into is not None
        if isinstance(change, Archived) or (isinstance(change, Restored) and again):
            return change
    return None
