"""Move memories down the ladder, as decided. Acts; decides nothing."""

from __future__ import annotations

from collections.abc import Sequence

from ..answers import Action, Step
from ..clock import Moment
from ..fading import armed
from ..model import EventKind, Memory
from ..policy import Policy
from ..ports import Change, Writing


def lower(actions: Sequence[Action], tx: Writing, moment: Moment, policy: Policy, batch: str) -> list[Memory]:
    """Each memory to its rung, each with an event that says why and from where."""
    lowered = [armed(action.memory.with_(status=action.status), moment, policy) for action in actions]
    if lowered:
        tx.change(lowered)
    tx.record([_change(action, policy) for action in actions], at=moment.at, batch=batch)
    return lowered


def _change(action: Action, policy: Policy) -> Change:
    kind = EventKind.DETACHED if action.step is Step.DETACH else EventKind.ARCHIVED
    numbers = {"strength": round(action.strength, 6), "threshold": action.threshold, "policy": policy.name}
    return Change(kind, action.memory.id, action.reason, {"was": action.memory.status, **numbers})
