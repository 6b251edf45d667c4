"""What waits for a person: contradictions side by side, merges, what looked like an instruction, what is harmful to
lose and would have left recall."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...domain.results import Doubt, Unsettled
from .visit import Visit

_CASES, _HARMFUL = 20, 10
# How each doubt can be settled, in the order of the keys 1, 2, 3.
CHOICES: Mapping[Doubt, tuple[str, ...]] = {
    Doubt.CONTESTED: ("yes", "no", "both"),
    Doubt.MERGED: ("yes", "no"),
    Doubt.QUARANTINED: ("yes", "no"),
    Doubt.LEAVING: ("yes", "no"),
}


def read(visit: Visit) -> Mapping[str, Any]:
    """A page of what waits, newest first. Two that stand against each other are one case."""
    found: list[Unsettled] = visit.call("review", limit=_CASES, before=visit.text("before"))
    seen: set[str] = set()
    cases = []
    for one in found:
        if one.memory.id not in seen:
            cases.append(one)
        seen |= {one.memory.id, *(other.id for other in one.others)}
    engine = visit.engine
    harmful = engine.browse(harmful=True, status="active", limit=_HARMFUL)
    shown = [memory for one in cases for memory in (one.memory, *one.others)] + harmful
    return {
        "cases": cases,
        "choices": {doubt.value: list(words) for doubt, words in CHOICES.items()},
        "harmful": harmful,
        "strengths": engine.strengths(shown),
        "next": visit.address(before=found[-1].memory.id) if len(found) == _CASES else None,
    }
