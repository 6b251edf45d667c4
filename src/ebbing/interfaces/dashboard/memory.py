"""A memory's life: its curve with every event on it, why it stands where it stands, and what can be done about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..tools import Right
from .visit import Visit


def read(visit: Visit) -> Mapping[str, Any]:
    """Everything about one memory."""
    engine = visit.engine
    explanation = visit.call("explain", id=visit.parts["id"])
    return {
        "memory": explanation.memory,
        "explanation": explanation,
        "life": engine.life(visit.parts["id"]),
        # Forecasts and levers, which are shown by themselves, are its lists.
        "because": [said for said in explanation.lines(quoting=False) if not said.startswith("- ") and said[-1] != ":"],
        "categories": sorted(engine.policy.categories),
    }


def read_purge(visit: Visit) -> Mapping[str, Any]:
    """What is about to be erased. Who may not erase anything is told so before anything else."""
    visit.dispatcher.allow(Right.PURGE, visit.caller)
    life = visit.engine.life(visit.parts["id"])
    return {"memory": life.memory, "goes_with_it": [*life.replaces, *life.summaries]}
