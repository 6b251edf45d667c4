"""What changes beside a memory's text, as events tell it, and how it is taken back.

One that says the same as another gives it its tags, its weight and what else was said with it. Where it turns out to
say something of its own, the other gives that back, unless somebody has changed it since.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..domain.clock import Moment
from ..domain.events import Edited, Event, EventKind
from ..domain.memory import Memory
from ..domain.policy import Policy
from ..domain.retention import armed
from ..ports import NewEvent, Reading, Writing

_PINNING = (EventKind.PINNED, EventKind.UNPINNED)
# What else may change, `contested` and `supersedes`, hangs on where others stand: restoring those sets it right.
_GIVEN_BACK = (
    *("importance", "lifetime", "harm", "trust", "pinned", "tags", "metadata", "subject", "attribute", "expires_at"),
    "valid_until",
)


def fields_of(memory: Memory, names: Iterable[str]) -> dict[str, Any]:
    """Some fields of a memory, as an edit keeps those that it changes."""
    return {name: getattr(memory, name) for name in names}


def given_by_of(event: Event) -> str | None:
    """The memory that was merged with an edited one and gave it what was new; None for any other event."""
    return event.change.given_by if isinstance(event.change, Edited) else None


def given_by(merged: str, tx: Reading) -> list[Event]:
    """How the one that it was merged with was edited, when that was done."""
    batches = [event.batch for event in tx.history(merged) if event.kind is EventKind.MERGED]
    return [event for event in tx.batch(batches[-1]) if given_by_of(event) == merged] if batches else []


def take_back(edits: Iterable[Event], tx: Writing, moment: Moment, policy: Policy, why: str) -> list[NewEvent]:
    """Put fields back to what they were before they were edited, the last edit first; tells what that changed."""
    changes: list[NewEvent] = []
    for edit in sorted(edits, key=lambda event: event.seq, reverse=True):
        if edit.kind is not EventKind.EDITED or edit.memory is None:
            continue
        memory = tx.get([edit.memory]).get(edit.memory)
        if memory is None:
            continue
        was = {name: value for name, value in edit.change.found.items() if name in _GIVEN_BACK}
        later = [event for event in tx.history(memory.id) if event.seq > edit.seq]
        if any(event.kind in _PINNING for event in later):
            was.pop("pinned", None)  # somebody has decided about it since
        now = fields_of(memory, was)
        back = {name: _without(now[name], _left(name, later, now), value) for name, value in was.items()}
        changed = [name for name in was if back[name] != now[name]]
        if changed:
            tx.change([armed(memory.with_(**{name: back[name] for name in changed}), moment, policy)])
            changes.append(NewEvent(EventKind.EDITED, memory.id, why, Edited(was=fields_of(memory, changed)).encode()))
    return changes


def _left(name: str, later: Iterable[Event], now: Mapping[str, Any]) -> Any:
    """How an edit left a field, by those that came later: as the first that changed it found it."""
    found = (event.change.found for event in later if event.kind is EventKind.EDITED)
    return next((was[name] for was in found if name in was), now[name])


def _without(now: Any, left: Any, was: Any) -> Any:
    """A value without what an edit gave it, which found it one way and left it another; what others gave it stays."""
    if now == left:
        return was
    if isinstance(now, tuple) and isinstance(left, tuple):
        return tuple(one for one in now if one in was or one not in left)
    if isinstance(now, Mapping) and isinstance(left, Mapping):
        kept = {key: value for key, value in now.items() if key not in left or value != left[key] or key in was}
        return kept | {key: was[key] for key in kept if key in was and key in left and kept[key] == left[key]}
    return now
