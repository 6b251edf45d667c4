"""Every row of the judge's data is of its form: a wrong index would teach the model something nobody wrote."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from training.examples import KINDS, LIFETIMES

TRAINING = Path(__file__).parents[2] / "training"
_SCENARIO = {"o", "same", "updates", "contradicts", "adds", "q", "near"}


def rows(*folders: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for path in sorted(path for folder in folders for path in (TRAINING / folder).glob("*.jsonl")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
            yield f"{path.name}:{number + 1}", json.loads(line)


def fault(row: dict[str, Any]) -> str | None:
    """What is wrong with a row; None when nothing is."""
    if "facts" in row:
        return fault_of_facts(row)
    if "keep" in row:
        return None if row["input"] and all(isinstance(fact, str) for fact in row["keep"]) else "not a whole input"
    if "silent" in row:
        return fault_of_recall(row)
    if "statements" in row:
        return fault_of_life(row)
    if "asks" in row:
        count = len(row["memories"])
        named = [number for asked in row["asks"] for key in ("yes", "part", "hard") for number in asked[key]]
        return None if all(0 <= number < count for number in named) else "a question names no memory"
    if "o" in row:
        return None if row.keys() >= _SCENARIO and len(row["updates"]) >= 2 and row["same"] else "not a whole scenario"
    if "old" in row:
        return None if row["label"] in ("same", "updates", "keep") else "an unknown label"
    if row["inj"] not in (0, 1):
        return "neither injected nor not"
    known = row.get("kind", KINDS[0]) in KINDS and row.get("life", LIFETIMES[0]) in LIFETIMES
    return None if known and row.get("harm", 0) in range(4) else "an unknown kind, lifetime or harm"


def fault_of_life(life: dict[str, Any]) -> str | None:
    count = len(life["statements"])
    listed = [tuple(pair) for key in ("retired", "same", "partial") for pair in life.get(key, ())]
    if any(not 0 <= older < newer < count for older, newer in listed):
        return "a pair is not of an older and a newer statement"
    if {tuple(pair) for pair in life["retired"]} & {tuple(pair) for pair in life.get("same", ())}:
        return "a pair is both retired and the same"
    answers = [number for asked in life["questions"] for number in (*asked["now"], *asked.get("stale", ()))]
    return None if all(0 <= number < count for number in answers) else "a question names no statement"


def fault_of_facts(row: dict[str, Any]) -> str | None:
    """Facts of a person with their lifetimes, and orders to forget some of them."""
    if any(fact["lifetime"] not in LIFETIMES or fact["harm"] not in range(4) for fact in row["facts"]):
        return "an unknown lifetime or harm"
    named = [number for one in row["forget"] for number in (one["target"], *one["keep"])]
    return None if all(0 <= number < len(row["facts"]) for number in named) else "an order names no fact"


def fault_of_recall(row: dict[str, Any]) -> str | None:
    """Memories with what should come first for each question, and questions that nothing answers."""
    asked = [number for ask in row["asks"] for number in (ask["best"], *ask.get("also", ()), *ask.get("wrong", ()))]
    named = asked + [number for pair in row["superseded"] for number in pair]
    return None if all(0 <= number < len(row["memories"]) for number in named) else "an index names no memory"


def texts(row: dict[str, Any]) -> Iterator[str]:
    """What a row says."""
    yield from (statement["text"] for statement in row.get("statements", ()))
    yield from (row[key] for key in ("o", "t", "old", "new") if key in row)
    yield from (fact["text"] for fact in row.get("facts", ()))
    yield from (memory["text"] for memory in row.get("memories", ()) if "silent" in row)
    yield from (text for key in ("same", "updates", "adds") if "o" in row for text in row[key])


def test_every_row_is_of_its_form() -> None:
    assert [(place, wrong) for place, row in rows("data", "evaluation") if (wrong := fault(row))] == []


def test_nothing_of_the_evaluation_is_trained_on() -> None:
    """A figure over sentences the model has seen would say nothing. Of short pairs one half may be said by anybody."""
    trained = {text for _, row in rows("data") for text in texts(row)}
    evaluated = [(place, row) for place, row in rows("evaluation")]
    whole = {text for _, row in evaluated if "old" not in row for text in texts(row)}
    assert len(whole) > 2000
    assert whole & trained == set()
    assert [place for place, row in evaluated if "old" in row and {row["old"], row["new"]} <= trained] == []
