"""Count uses of memories: recalls, reported uses and restatements."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from ..domain.event_values import Cause
from ..domain.memory import Memory
from ..domain.retention import raised_by, used
from . import transitions
from .unit_of_work import UnitOfWork


def count_uses(memories: Sequence[Memory], unit: UnitOfWork, cause: Cause) -> list[Memory]:
    """Count a use of each: it becomes active, may be promoted, and leaves the summary queue.

    `memories`: in their present state. One that is still below the threshold is queued again by the next sweep.
    """
    if not memories:
        return []
    earlier = _earlier(memories, unit)
    after = [used(memory, unit.moment, unit.policy, earlier.get(memory.id, ())) for memory in memories]
    pairs = zip(memories, after, strict=True)
    counted = unit.apply([one for pair in pairs for one in transitions.reinforce(*pair, cause)], is_current=True)
    unit.tx.queue.remove([memory.id for memory in memories])
    return counted


def _earlier(memories: Sequence[Memory], unit: UnitOfWork) -> dict[str, list[datetime]]:
    """The recent uses of memories whose curve needs them."""
    curves = {memory.id: curve for memory in memories if (curve := raised_by(memory, unit.policy)) is not None}
    longest = max((float(curve.recent_days) for curve in curves.values()), default=0.0)
    return unit.tx.events.use_times(list(curves), since=unit.moment.at - timedelta(days=longest))
