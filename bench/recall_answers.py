"""Whether recall answers or stays silent: small stores, questions that a memory answers, and others that none does.

python -m bench.recall_answers [--rows FILE] [--judge auto|off] [--embedder packaged,none] [--json FILE]

`training/evaluation/recall_1.jsonl` was written by people who had seen neither the data nor the code: `best` answers a
question, `also` answers it too, `wrong` looks as if it did, and `silent` are questions that nothing answers. Everything
is told at its date with the judge on, and asked a day after the last, at the policy's floor.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table

import ebbing
from ebbing.testing import FrozenClock

from .console import bars
from .recall_models import ONNX, PACKAGED, WORDS, model

ROWS = Path(__file__).parent.parent / "training" / "evaluation" / "recall_1.jsonl"
_LIMIT = 10


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back for one question."""

    answerable: bool
    found: int
    best_first: bool = False  # the best answer stands first
    right_first: bool = False  # … or another that answers too
    reached: bool = False  # the best answer is among what came back
    wrong_before: bool = False  # something that only looks like an answer stands before every answer
    right: int = 0  # of what came back, how much answers
    seconds: float = 0.0


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and end with 0: a missed target is a finding, not a failure."""
    asked = _parsed(arguments)
    rows = [json.loads(line) for line in asked.rows.read_text("utf-8").splitlines()]
    told: dict[str, Any] = {}
    with bars() as bar:
        for name in asked.embedder.split(","):
            answers = [one for row in bar.track(rows, description=name) for one in answered(row, name, asked)]
            told[name] = figures(answers)
    _print(told, asked)
    if asked.json is not None:
        asked.json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    return 0


def answered(row: Mapping[str, Any], embedder: str, asked: argparse.Namespace) -> Iterator[Answer]:
    """One store told and asked."""
    clock = FrozenClock("2020-01-01")
    with ebbing.open(":memory:", clock=clock, embedder=model(embedder, None), judge=asked.judge) as engine:
        engine.sweeper = None
        ids: dict[str, int] = {}
        for number, one in enumerate(row["memories"]):
            at = datetime.fromisoformat(one["at"]).replace(tzinfo=UTC, hour=9) + timedelta(minutes=number)
            clock.set(at)
            ids.setdefault(str(engine.remember(one["text"]).id), number)
        clock.advance(days=1)
        for one in row["asks"]:
            yield _asked(engine, one, ids, asked.min_score)
        for text in row["silent"]:
            yield _asked(engine, {"q": text}, ids, asked.min_score)


def _asked(engine: ebbing.Engine, one: Mapping[str, Any], ids: Mapping[str, int], floor: float | None) -> Answer:
    start = time.perf_counter()
    found = engine.recall(one["q"], limit=_LIMIT, min_score=floor, reinforce=False)
    seconds = time.perf_counter() - start
    came = [ids.get(each.memory.id, -1) for each in found]
    if "best" not in one:
        return Answer(False, len(came), seconds=seconds)
    good = {one["best"], *one["also"]}
    first = next((number for number in came if number in good or number in one["wrong"]), None)
    return Answer(
        True,
        len(came),
        best_first=came[:1] == [one["best"]],
        right_first=bool(came) and came[0] in good,
        reached=one["best"] in came,
        wrong_before=first in one["wrong"],
        right=len(good & set(came)),
        seconds=seconds,
    )


def figures(answers: Sequence[Answer]) -> dict[str, float]:
    """Shares of the questions, in percent, and milliseconds."""
    able = [one for one in answers if one.answerable]
    none = [one for one in answers if not one.answerable]
    returned = sum(one.found for one in able)
    seconds = sorted(one.seconds for one in answers)
    return {
        "right first": _percent([one.right_first for one in able]),
        "the best first": _percent([one.best_first for one in able]),
        "the best among them": _percent([one.reached for one in able]),
        "a look-alike before it": _percent([one.wrong_before for one in able]),
        "silent wrongly": _percent([not one.found for one in able]),
        "silent where nothing answers": _percent([not one.found for one in none]),
        "precision": round(100 * sum(one.right for one in able) / returned, 1) if returned else 0.0,
        "returned": round(returned / max(len(able), 1), 2),
        "p50 ms": round(1000 * median(seconds), 1),
        "p95 ms": round(1000 * seconds[int(0.95 * (len(seconds) - 1))], 1),
    }


def _percent(several: Sequence[bool]) -> float:
    return round(100 * sum(several) / len(several), 1) if several else 0.0


def _print(told: Mapping[str, Mapping[str, float]], asked: argparse.Namespace) -> None:
    table = Table(title=f"Answers and silence: {asked.rows.name}, judge {asked.judge}")
    table.add_column("figure")
    for name in told:
        table.add_column(name, justify="right")
    for figure in next(iter(told.values())):
        table.add_row(figure, *(f"{values[figure]:g}" for values in told.values()))
    Console().print(table)


def _parsed(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench.recall_answers", description="Whether recall answers or is silent.")
    parser.add_argument("--rows", type=Path, default=ROWS, metavar="FILE")
    parser.add_argument("--judge", choices=("auto", "off"), default="auto")
    parser.add_argument("--embedder", default=PACKAGED, help=f"of {PACKAGED}, {ONNX}, {WORDS}, with commas between")
    parser.add_argument("--min-score", type=float, metavar="NUMBER", help="another floor than the policy's")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure there too")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
