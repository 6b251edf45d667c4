"""What was put away, batch by batch, and what was erased: with reason, actor and count, and what brings it back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .visit import Visit

_BATCHES, _MEMBERS = 20, 50


def read(visit: Visit) -> Mapping[str, Any]:
    """A page of batches, newest first."""
    purged = visit.text("show") == "purged"
    batches = visit.engine.batches(purged=purged, before=visit.text("before"), limit=_BATCHES)
    overview = visit.engine.overview()
    return {
        "show": "purged" if purged else "away",
        "batches": batches,
        "next": visit.address(before=batches[-1].id) if len(batches) == _BATCHES else None,
        "by_status": overview.by_status,
    }


def read_batch(visit: Visit) -> Mapping[str, Any]:
    """One batch with its memories, a page at a time."""
    found = visit.engine.batch(visit.parts["id"], after=visit.count("after", 0, 2**62, least=0), limit=_MEMBERS)
    memories = [one.memory for one in found.members if one.memory is not None]
    return {
        "batch": found.batch,
        "members": found.members,
        "strengths": visit.engine.strengths(memories),
        "next": None if found.next is None else visit.address(after=found.next),
    }
