"""Browse: every memory, by filters and words, a page at a time; what is selected is changed or exported together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...domain.memory import Status, Tier
from .visit import PAGE_ROWS, Visit


def read(visit: Visit) -> Mapping[str, Any]:
    """One page of memories, newest first; by words, the best of them."""
    engine = visit.engine
    words = visit.text("q")
    memories = engine.browse(
        words=words,
        scope=visit.text("scope"),
        categories=visit.texts("category"),
        tags=visit.texts("tag"),
        status=visit.texts("status"),
        tier=visit.text("tier"),
        pinned=visit.truth("pinned"),
        agent=visit.text("agent"),
        before=visit.text("before"),
        limit=PAGE_ROWS,
    )
    is_full = len(memories) == PAGE_ROWS and words is None
    return {
        "memories": memories,
        "next": visit.address(before=memories[-1].id) if is_full else None,
        "strengths": engine.strengths(memories),
        "filters": {name: visit.text(name) for name in ("q", "scope", "category", "tag", "status", "tier", "agent")},
        "statuses": [status.value for status in Status],
        "tiers": [tier.value for tier in Tier],
        "categories": sorted(engine.policy.categories),
    }
