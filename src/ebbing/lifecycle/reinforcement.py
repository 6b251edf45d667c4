"""A use of memories, counted: what it makes of each, and what the log says of it.

Saying a thing again and being recalled are uses alike, so both ways count them here.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from ..domain.clock import Moment
from ..domain.events import EventKind
from ..domain.memory import Memory
from ..domain.policy import Policy
from ..domain.retention import armed, raised_by, used
from ..ports import NewEvent, Writing


def count_use(memories: Sequence[Memory], tx: Writing, moment: Moment, policy: Policy, reason: str) -> list[NewEvent]:
    """Count a use of each: it comes back into use, up a tier where that is earned, and out of the waiting room.

    `memories`: as they stand. What is still faint waits again from the next sweep on: its alarm has come already.
    """
    if not memories:
        return []
    earlier = _earlier(memories, tx, moment, policy)
    after = [armed(used(memory, moment, policy, earlier.get(memory.id, ())), moment, policy) for memory in memories]
    tx.under(policy.fingerprint)
    tx.change(after, {memory.id: memory for memory in memories})
    tx.wait_no_more([memory.id for memory in memories])
    pairs = zip(memories, after, strict=True)
    return [change for before, risen in pairs for change in _told(before, risen, reason)]


def _earlier(memories: Sequence[Memory], tx: Writing, moment: Moment, policy: Policy) -> dict[str, list[datetime]]:
    """When those were used lately whose curve asks for it."""
    curves = {memory.id: curve for memory in memories if (curve := raised_by(memory, policy)) is not None}
    longest = max((float(curve.recent_days) for curve in curves.values()), default=0.0)
    return tx.uses(list(curves), since=moment.at - timedelta(days=longest))


def _told(before: Memory, after: Memory, reason: str) -> list[NewEvent]:
    levels: dict[str, Any] = {}
    if after.level != before.level:
        levels = {"was_level": before.level, "level": after.level}
    changes = [NewEvent(EventKind.REINFORCED, before.id, reason, levels)]
    if before.status is not after.status:
        # What is of use again belongs where it is found.
        was = {"was": before.status, "to": after.status}
        changes.append(NewEvent(EventKind.RESTORED, before.id, reason, was))
    if before.tier is not after.tier:
        why = f"of use {after.recall_count} times"
        changes.append(NewEvent(EventKind.PROMOTED, before.id, why, {"was_tier": before.tier, "tier": after.tier}))
    return changes
