"""The times of a memory that is written: its day of use, when its time to live ends, how long it stays true."""

from __future__ import annotations

from datetime import datetime, timedelta

from ..domain.clock import Moment, calendar_day
from ..domain.memory import Lifetime, Memory
from ..domain.policy import Policy
from ..domain.retention import day_told_of, time_to_live
from ..ports import OwnerState
from .admit import NewMemoryRequest


def told_on_day(created_at: datetime, owner: OwnerState, policy: Policy) -> int:
    day = owner.active_day_at(created_at)
    days = owner.active_days() if day == calendar_day(created_at) else []
    return day_told_of(day, days[0][1], policy) if days else day


def expires_at(request: NewMemoryRequest, created_at: datetime, moment: Moment, policy: Policy) -> datetime | None:
    """As the caller said; else as the policy gives it, from when it was said; from now on where that is over: what is
    told late has not been here to be used."""
    if request.expires_in is not None:
        return created_at + request.expires_in
    if (
        not request.categorised
        and request.lifetime in (Lifetime.YEARS, Lifetime.LIFE)
        and request.trust >= policy.reinforcement.trust_floor
    ):
        return None  # the category was read as the lifetime was, and that says more
    pinned = request.pinned and request.suspicion is None
    span = time_to_live(request.category, request.scope, pinned, request.trust, policy)
    if span is None:
        return None
    end = min(created_at, moment.at) + span
    return end if end > moment.at else moment.at + span


def expires_anew_at(request: NewMemoryRequest, known: Memory, moment: Moment, policy: Policy) -> datetime | None:
    """When what is said again ends: as the caller says; what ended early because nobody trusted it, as if said now."""
    if request.expires_in is not None:
        return moment.at + request.expires_in
    kind = (known.category, known.scope, known.pinned)
    was, is_ = (time_to_live(*kind, trust, policy) for trust in (known.trust, request.trust))
    if known.expires_at is None or was == is_ or known.expires_at != known.created_at + (was or timedelta()):
        return known.expires_at
    return None if is_ is None else moment.at + is_


def longer(one: Lifetime | None, other: Lifetime | None) -> Lifetime | None:
    return max((lifetime for lifetime in (one, other) if lifetime), key=lambda each: each.rank, default=None)
