"""Whole lives told to the engine through its public names: what is retired, contested or merged, rightly and wrongly.

A life is a list of dated statements with the pairs (older, newer) that are retired (training/README.md). Every life is
an engine of its own; statements are remembered one by one at their dates.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import ebbing
from ebbing.testing import FrozenClock

from .judge_figures import count_change, count_lookalike, recorded
from .remember_figures import Tally

_CHUNK = 10  # lives a task

Life = dict[str, Any]
Pairs = set[tuple[int, int]]


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def tasks(lives: Sequence[Life], group_of: Callable[[str], str], judge: str) -> list[Callable[[], Tally]]:
    """The lives in pieces; `group_of` names the column of a life by its id."""
    grouped = [(life, group_of(life["id"])) for life in lives]
    return [partial(measure, grouped[start : start + _CHUNK], judge) for start in range(0, len(lives), _CHUNK)]


def measure(grouped: Sequence[tuple[Life, str]], judge: str) -> Tally:
    """Tell every life to an engine of its own and count."""
    tally = Tally()
    for life, group in grouped:
        clock = FrozenClock(f"{life['statements'][0]['at']}T09:00:00Z")
        with ebbing.open(":memory:", clock=clock, judge=judge) as engine:
            count(tally, group, life, tell(life["statements"], engine, clock))
    return tally


@dataclass(slots=True)
class Happened:
    """What became of the statements of a life, by their numbers."""

    retired: dict[int, int] = field(default_factory=dict)  # the older by the newer
    contested: Pairs = field(default_factory=set)
    merged: Pairs = field(default_factory=set)
    recorded: dict[tuple[int, int], dict[str, Any]] = field(default_factory=dict)  # what the engine's history says


def tell(statements: Sequence[dict[str, str]], engine: ebbing.Engine, clock: FrozenClock) -> Happened:
    """Remember the statements one by one. A statement that was merged shares the fate of the one it was merged with."""
    happened = Happened()
    said: dict[str, set[int]] = {}  # the statements that a memory stands for, by its id
    for newer, statement in enumerate(statements):
        clock.set(max(clock.now().isoformat(), f"{statement['at']}T09:00:00+00:00"))
        clock.advance(minutes=1)
        result = engine.remember(statement["text"])
        for memory in (*result.memories, *result.merged, *result.quarantined):
            said[memory.id] = {newer}
        for memory in result.reinforced:
            happened.merged.add((min(said[memory.id]), newer))
            said[memory.id].add(newer)
        for memory in result.superseded:
            for older in said[memory.id] - {newer}:
                happened.retired.setdefault(older, newer)
        happened.contested |= {(older, newer) for memory in result.contested for older in said[memory.id]}
        for memory in (*result.superseded, *result.contested):
            happened.recorded |= {(older, newer): recorded(engine, memory.id) for older in said[memory.id]}
    return happened


def count(tally: Tally, group: str, life: Life, happened: Happened) -> None:
    """Hold what happened to what the life says."""
    truth = {(older, newer) for older, newer in life["retired"]}
    same = {(older, newer) for older, newer in life.get("same", ())}
    partly = {(older, newer) for older, newer in life.get("partial", ())}  # both outcomes are right
    texts = [statement["text"] for statement in life["statements"]]

    def case(older: int, newer: int) -> dict[str, Any]:
        why = happened.recorded.get((older, newer), {})
        return {"life": life["id"], "older": texts[older], "newer": texts[newer], **why}

    for older in range(len(texts)):
        by = happened.retired.get(older)
        rivals = {newer for one, newer in happened.contested if one == older}
        if any(one == older for one, _ in truth):
            changed_by = {newer for one, newer in truth if one == older}
            heard = changed_by & rivals
            newer = by if by is not None else min(heard or changed_by)
            another = by is not None and by not in changed_by and (older, by) not in partly
            count_change(tally, group, by in changed_by, bool(heard), another, case(older, newer))
        else:
            wrong = by is not None and (older, by) not in partly
            rivals -= {newer for one, newer in partly if one == older}
            if wrong or rivals:
                count_lookalike(tally, group, wrong, bool(rivals), case(older, by if by is not None else min(rivals)))
            else:
                count_lookalike(tally, group, False, False, {})
    _count_merged(tally, group, happened.merged, (truth, same), len(texts), case)


def _count_merged(
    tally: Tally,
    group: str,
    merged: Pairs,
    labels: tuple[Pairs, Pairs],
    statements: int,
    case: Callable[[int, int], dict[str, Any]],
) -> None:
    """A merge is wrong where the life says what is the same and not this; else, where the older has ended by then."""
    truth, same = labels
    wrong = {
        (older, newer) for older, newer in merged - same if same or any((older, k) in truth for k in range(newer + 1))
    }
    tally.add("same/merged", group, len(merged & same), len(same))
    tally.add("statements/merged", group, len(merged), statements)
    tally.add("different/merged", group, len(wrong), statements)
    tally.cases += [
        {"wrong": "merged wrongly" if pair in wrong else "merged", **case(*pair)} for pair in sorted(merged)
    ]
