"""The recall bench: what a question finds, with the parts of each score; what it does not find, and why; and exactly
the block that an agent would get."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .visit import Visit

_LIMIT, _BUDGET, _BUDGET_MOST = 10, 1000, 100_000
_LEFT_SHOWN = 10  # the others can be unfolded
_PLAIN = ("below_floor", "beyond_limit")  # told after the reasons that surprise


def read(visit: Visit) -> Mapping[str, Any]:
    """The answer to a question, if one is asked. Nothing is strengthened."""
    query, scope = visit.text("q"), visit.text("scope")
    limit = visit.count("limit", _LIMIT, 50)
    budget = visit.count("budget", _BUDGET, _BUDGET_MOST)
    min_score, as_of = visit.share("min_score"), visit.instant("as_of")
    engine, report, context = visit.engine, None, None
    if query is not None:
        report = engine.recall_report(query, limit=limit, scope=scope, min_score=min_score, as_of=as_of)
        if as_of is None:
            context = engine.context(query, budget_tokens=budget, scope=scope, min_score=min_score, reinforce=False)
    return {
        "query": query,
        "asked": {
            "scope": scope,
            "limit": limit,
            "budget": budget,
            "min_score": min_score,
            "as_of": visit.text("as_of"),
        },
        "report": report,
        "found": [] if report is None else list(report.found),
        "left_out": [] if report is None else sorted(report.left_out, key=lambda one: one.why in _PLAIN),
        "left_shown": _LEFT_SHOWN,
        "context": context,
    }
