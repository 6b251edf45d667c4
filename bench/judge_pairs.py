"""Pairs of statements, each told to an owner of its own, the newer a month after the older."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import ebbing
from ebbing.testing import FrozenClock

from .judge_figures import count_change, count_lookalike, recorded
from .remember_figures import Tally

_CHUNK = 100  # pairs a task
_LABELS = ("updates", "contradicts", "adds", "same")


@dataclass(frozen=True, slots=True)
class Labelled:
    """Two statements and how the newer relates to the older: updates, contradicts, keep (both hold) or same."""

    older: str
    newer: str
    label: str
    group: str


def scenario_pairs(scenarios: Iterable[dict[str, Any]]) -> Iterator[Labelled]:
    """The first statement of each scenario with each of the others."""
    for scenario in scenarios:
        for label in _LABELS:
            said = "keep" if label == "adds" else label
            yield from (Labelled(scenario["o"], text, said, scenario["source"]) for text in scenario[label])
        yield from (Labelled(scenario["o"], text, "keep", scenario["source"]) for text in scenario.get("near", ()))


def tasks(pairs: Sequence[Labelled], judge: str) -> list[Callable[[], Tally]]:
    """The pairs in pieces."""
    return [partial(measure, pairs[start : start + _CHUNK], judge) for start in range(0, len(pairs), _CHUNK)]


def measure(pairs: Sequence[Labelled], judge: str) -> Tally:
    """Tell each pair to an owner of its own and count what became of the older statement."""
    tally, clock = Tally(), FrozenClock()
    with ebbing.open(":memory:", clock=clock, judge=judge) as engine:
        for number, pair in enumerate(pairs):
            owner = engine.for_owner(f"pair-{number}")
            clock.advance(minutes=1)
            first = owner.remember(pair.older)
            clock.advance(days=30)
            second = owner.remember(pair.newer)
            known = {memory.id for memory in (*first.memories, *first.quarantined)}
            touched = [memory.id for memory in (*second.superseded, *second.contested) if memory.id in known]
            count(
                tally,
                pair,
                retired=any(memory.id in known for memory in second.superseded),
                contested=any(memory.id in known for memory in second.contested),
                merged=bool(second.reinforced or second.merged),
                why=recorded(owner, touched[0]) if touched else {},
            )
    return tally


def count(
    tally: Tally, pair: Labelled, *, retired: bool, contested: bool, merged: bool, why: Mapping[str, Any]
) -> None:
    """What became of the older statement, by label."""
    case = {"older": pair.older, "newer": pair.newer, **why}
    if pair.label == "updates":
        count_change(tally, pair.group, retired, contested, False, case)
    elif pair.label == "contradicts":
        tally.add("contradictions/contested", pair.group, contested and not retired)
        tally.add("contradictions/retired", pair.group, retired)
    else:
        count_lookalike(tally, pair.group, retired, contested, case)
    tally.add("same/merged" if pair.label == "same" else "different/merged", pair.group, merged)
    if merged and pair.label != "same":
        tally.cases.append({"wrong": "merged wrongly", **case})
    if pair.label == "same" and not merged:
        tally.cases.append({"wrong": "not merged", **case})
