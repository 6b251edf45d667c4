"""What changes beside a memory's text, as events tell it, and how it is taken back.

One that says the same as another gives it its tags, its weight and what else was said with it. Where it turns out to
say something of its own, the other gives that back, unless somebody has changed it since.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from .clock import Moment
from .fading import armed
from .model import Event, EventKind, Memory, instant
from .policy import Policy
from .ports import Change, Writing

# What else may change, `contested` and `supersedes`, hangs on where others stand: restoring those sets it right.
_GIVEN_BACK = ("importance", "trust", "pinned", "tags", "metadata", "subject", "attribute", "expires_at")


def told(memory: Memory, names: Iterable[str]) -> dict[str, Any]:
    """Some fields of a memory, as an event keeps them."""
    return {name: _plain(getattr(memory, name)) for name in names}


def take_back(edits: Iterable[Event], tx: Writing, moment: Moment, policy: Policy, why: str) -> list[Change]:
    """Put fields back to what they were before they were edited; tells what that changed."""
    changes: list[Change] = []
    for edit in edits:
        if edit.kind is not EventKind.EDITED or edit.memory is None or "was" not in edit.detail:
            continue
        memory = tx.get([edit.memory]).get(edit.memory)
        if memory is None:
            continue
        later = [event for event in tx.history(memory.id) if event.seq > edit.seq and event.kind is EventKind.EDITED]
        changed_since = {name for event in later for name in event.detail.get("was", ())}
        was = {name: edit.detail["was"][name] for name in _GIVEN_BACK if name in edit.detail["was"]}
        back = memory.with_(**{name: _field(name, value) for name, value in was.items() if name not in changed_since})
        if back != memory:
            tx.change([armed(back, moment, policy)])
            changed = [name for name in was if getattr(back, name) != getattr(memory, name)]
            changes.append(Change(EventKind.EDITED, memory.id, why, {"was": told(memory, changed)}))
    return changes


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return list(value) if isinstance(value, tuple) else value


def _field(name: str, value: Any) -> Any:
    if name == "expires_at":
        return None if value is None else instant(value)
    return tuple(value) if name == "tags" else value
