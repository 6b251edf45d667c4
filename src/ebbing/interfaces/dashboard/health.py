"""Health: how much there is and where, which models are in use, when the last sweep came by, and who may come in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ... import __version__
from ..api_tokens import public
from ..clients.hooks import last_firings
from ..tools import Right
from .visit import Visit

_SCOPES = 50


def read(visit: Visit) -> Mapping[str, Any]:
    """Counters, models and sweeps; of tokens those of this owner, for whoever has the right admin."""
    engine = visit.engine
    scopes = engine.scopes(after=visit.text("after") or "", limit=_SCOPES)
    tokens = [public(one) for one in engine.store.tokens.all() if one.owner == visit.caller.owner]
    return {
        "overview": engine.overview(),
        "scopes": scopes,
        "next": visit.address(after=scopes[-1].scope) if len(scopes) == _SCOPES else None,
        "owner": visit.caller.owner,
        "agents": sorted({str(one["agent"]) for one in tokens if one["agent"] is not None}),
        "tokens": tokens if visit.may(Right.ADMIN) else None,
        "worker": visit.worker,
        "version": __version__,
        # What ran on this machine is told to whoever is on it, and to nobody who comes in through the network.
        "hooks": last_firings() if visit.caller.is_host or visit.caller.anonymous else None,
        "schedule": engine.policy.sweep.cron,
        "rights": sorted(right.value for right in visit.caller.rights),
    }
