"""What `make judge` counts for lives and pairs alike, and the targets it is held to."""

from __future__ import annotations

from typing import Any

import ebbing

from .remember_figures import Line, Tally, Target, share

RETIRED, HEARD = Target("≥", 0.80), Target("≥", 0.90)
WRONGLY_RETIRED, WRONGLY_MERGED = Target("≤", 0.03), Target("≤", 0.005)


def recorded(engine: ebbing.Engine, memory: str) -> dict[str, Any]:
    """Why a memory was retired or contested just now, with the numbers, as its history has it."""
    event = engine.history(memory)[-1]
    numbers = event.detail.get("evidence")
    return {"because": event.reason, **({"relation": dict(numbers)} if numbers else {})}


def count_change(tally: Tally, group: str, retired: bool, contested: bool, another: bool, case: dict[str, Any]) -> None:
    """An older statement that a newer one ended. `another`: it was retired, but by a statement that did not end it."""
    heard = retired or (contested and not another)
    tally.add("changes/retired", group, retired)
    tally.add("changes/heard", group, heard)
    tally.add("changes/another", group, another)
    if not retired:
        wrong = "retired by another statement" if another else "only contested" if heard else "not heard"
        tally.cases.append({"wrong": wrong, **case})


def count_lookalike(tally: Tally, group: str, retired: bool, contested: bool, case: dict[str, Any]) -> None:
    """An older statement that stays true."""
    tally.add("kept/retired", group, retired)
    tally.add("kept/contested", group, contested and not retired)
    if retired or contested:
        tally.cases.append({"wrong": "wrongly retired" if retired else "wrongly contested", **case})


def relation_lines(tally: Tally) -> list[Line]:
    """The rows of a table about lives or pairs; what was not counted is left out."""
    found = [
        share("changes retired", "changes/retired", RETIRED),
        share("changes retired or contested", "changes/heard", HEARD),
        share("changes retired by another statement", "changes/another"),
        share("contradictions contested", "contradictions/contested"),
        share("contradictions retired", "contradictions/retired"),
        share("look-alikes wrongly retired", "kept/retired", WRONGLY_RETIRED),
        share("look-alikes wrongly contested", "kept/contested"),
        share("merged, of all statements", "statements/merged"),
        share("merged, of what says the same", "same/merged"),
        share("merged wrongly", "different/merged", WRONGLY_MERGED),
    ]
    return [line for line in found if tally.count(line.counted)]
