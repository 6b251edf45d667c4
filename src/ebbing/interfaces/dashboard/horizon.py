"""The horizon: what will be forgotten today, this week and this month, as the sweep itself would decide."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from ...domain.clock import next_midnight
from .visit import Visit

DAYS = 30
_ALARMS = 50  # looked at for one page; each is lived through, in half a millisecond


def read(visit: Visit) -> Mapping[str, Any]:
    """What is due within a month, of the next alarms."""
    found = visit.engine.horizon(days=DAYS, limit=_ALARMS, after=visit.text("after"))
    ends = windows(found.now)
    within = visit.text("within") if visit.text("within") in ends else "month"
    shown = [one for one in found.upcoming if one.at <= ends[str(within)]]
    overview = visit.engine.overview()
    return {
        "horizon": found,
        "within": within,
        "counts": {name: sum(one.at <= end for one in found.upcoming) for name, end in ends.items()},
        "shown": shown,
        "next": None if found.next is None else visit.address("/", after=found.next),
        "active": overview.by_status.get("active", 0),
        "detached": overview.by_status.get("detached", 0),
        "swept_at": overview.swept_at,
    }


def windows(now: datetime) -> Mapping[str, datetime]:
    """When today, this week and this month end: a week and a month from now."""
    return {"today": next_midnight(now), "week": now + timedelta(days=7), "month": now + timedelta(days=DAYS)}
