"""A use of memories, counted. Saying a thing again and being recalled are uses alike, so both count them here."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from ..domain.event_values import Cause
from ..domain.memory import Memory
from ..domain.retention import raised_by, used
from . import transitions
from .unit_of_work import UnitOfWork


def count_uses(memories: Sequence[Memory], unit: UnitOfWork, cause: Cause) -> None:
    """Count a use of each: it comes back into use, up a tier where that is earned, and waits for no summary any more.

    `memories`: as they stand. What is still faint waits again from the next sweep on: its alarm has come already.
    """
    if not memories:
        return
    earlier = _earlier(memories, unit)
    after = [used(memory, unit.moment, unit.policy, earlier.get(memory.id, ())) for memory in memories]
    pairs = zip(memories, after, strict=True)
    unit.apply([one for pair in pairs for one in transitions.reinforce(*pair, cause)], is_current=True)
    unit.tx.queue.remove([memory.id for memory in memories])


def _earlier(memories: Sequence[Memory], unit: UnitOfWork) -> dict[str, list[datetime]]:
    """When those were used lately whose curve asks for it."""
    curves = {memory.id: curve for memory in memories if (curve := raised_by(memory, unit.policy)) is not None}
    longest = max((float(curve.recent_days) for curve in curves.values()), default=0.0)
    return unit.tx.events.use_times(list(curves), since=unit.moment.at - timedelta(days=longest))
