"""The errors of the judge with the numbers it read, the worst first, to be looked at by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ebbing.ports import Judge

Case = dict[str, Any]

# How bad a case of each sort is; the model was the surer of what is wrong, the worse.
_BADNESS: dict[str, Callable[[Case], float]] = {
    "wrongly retired": lambda case: _probability(case, "updates"),
    "retired by another statement": lambda case: _probability(case, "updates"),
    "merged wrongly": lambda case: _probability(case, "same"),
    "not heard": lambda case: -_probability(case, "updates") - _probability(case, "contradicts"),
    "only contested": lambda case: -_probability(case, "updates"),
    "wrongly contested": lambda case: _probability(case, "updates") + _probability(case, "contradicts"),
    "not merged": lambda case: -_probability(case, "same"),
    "false alarm": lambda case: float(case.get("injected", 0.0)),
    "not caught": lambda case: -float(case.get("injected", 0.0)),
    "misread": lambda case: float(case["read"]["kind_probability"]),
    "merged": lambda case: _probability(case, "same"),
}


def with_numbers(cases: Sequence[Case], judge: Judge | None) -> list[Case]:
    """The cases, each pair with the probabilities of its relations.

    Where the history holds none the pair is read now, by itself. A change that was not heard although its numbers are
    high was no candidate, or a rule kept the older statement.
    """
    if judge is None:
        return list(cases)
    return [
        {**case, "relation": judge.relate([(case["older"], case["newer"])])[0].rounded()}
        if "older" in case and "relation" not in case
        else case
        for case in cases
    ]


def print_errors(cases: Sequence[Case], most: int) -> None:
    """The worst of each sort."""
    for wrong, badness in _BADNESS.items():
        found = sorted((case for case in cases if case["wrong"] == wrong), key=badness, reverse=True)
        if found:
            print(f"\n{wrong}: {len(found)}" + (f", the worst {most}" if len(found) > most else ""))
        for case in found[:most]:
            print(_line(case))


def _line(case: Case) -> str:
    if "older" in case:
        numbers = " ".join(f"{name} {value:.2f}" for name, value in case.get("relation", {}).items())
        because = f"\n    because: {case['because']}" if case.get("because") else ""
        return f"  {case.get('life', '')} [{numbers}]\n    older: {case['older']}\n    newer: {case['newer']}{because}"
    if "read" in case:
        written = " ".join(f"{name} {value}" for name, value in case["written"].items())
        read = " ".join(f"{name} {value}" for name, value in case["read"].items())
        return f"  {case['text']}\n    written: {written}\n    read: {read}"
    return f"  [{case.get('injected', '–')}] {case['text']}"


def _probability(case: Case, name: str) -> float:
    return float(case.get("relation", {}).get(name, 0.0))
