"""Whether to sweep now. Pure: what happened, how full it is, when one swept last; no clock and no store.

Sweeping is cheap, but not so cheap that each sentence should ask for it. A scope at its soft limit asks
once; again when a tenth more has come, or when it has rested long enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from ..domain.policy import Policy

_TENTH = 10


class Trigger(StrEnum):
    """What asks for a sweep."""

    INGEST_COMPLETE = "ingest_complete"  # something was remembered, and its scope is at the soft limit
    QUERY_COMPLETE = "query_complete"  # something was recalled, and a scope is at the soft limit
    CRON = "cron"  # the policy's time has come
    MEMORY_PRESSURE = "memory_pressure"  # the host asks for room: always
    MANUAL = "manual"  # somebody asks: always


@dataclass(frozen=True, slots=True)
class Asked:
    """When a trigger last led to a sweep, and how full the fullest scope was then; 0 where nobody knew."""

    at: datetime
    active: int


def sweeps(trigger: Trigger, active: int | None, last: Asked | None, now: datetime, policy: Policy) -> bool:
    """Whether a trigger leads to a sweep; `active` memories stand in the fullest scope it is about.

    A question touches no scope: whether one is full has to be looked up first, and not for each question.
    """
    if trigger not in (Trigger.INGEST_COMPLETE, Trigger.QUERY_COMPLETE):
        return True
    if active is not None and active < policy.sweep.soft_limit:
        return False
    if last is None or not last.at <= now < last.at + policy.sweep.rest:
        return True
    return active is not None and active >= last.active + max(1, last.active // _TENTH)
