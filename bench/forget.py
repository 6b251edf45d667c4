"""`make bench-forget`: what is kept, what it costs, and whether forgetting this way beats age and chance.

python -m bench.forget --data FOLDER [--quick] [--slowdowns 0.5,1,2] [--jobs N] [--json FILE]
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import TypeVar

from rich.progress import (
    Progress,
    TaskID,
)

from ebbing.providers import make_embedder

from .console import bars
from .forget_lives import Life, lives
from .forget_replay import WAYS, EmbeddedOnce, Tally, Whole, remember_all, replay, slowed
from .forget_report import ALL, Point, groups, print_report, write_json

_SLOWDOWNS = (0.125, 0.25, 0.35, 0.5, 0.75, 1.0, 1.5, 2.5, 5.0)
_QUICK = (0.5, 1.5, 4.0)
_K = TypeVar("_K")
_V = TypeVar("_V")
_ours: list[Life] = []  # of this process: every one reads the folder itself, which is quicker than being sent it
_embedders: list[EmbeddedOnce] = []


def main(arguments: list[str] | None = None) -> int:
    """Replay, print, and end with 0: a missed target is a finding, not a failure."""
    asked = _parsed(arguments)
    folder = Path(asked.data)
    found = lives(folder, quick=asked.quick)
    if not found:
        where = "locomo/locomo*.json and longmemeval/lme_s_lite*.json.gz"
        print(f"there is nothing to replay in {folder}; it should hold {where}", file=sys.stderr)
        return 2
    default = slowed(None).curve.slowdown
    slowdowns = sorted({*asked.slowdowns, default})
    pool = ProcessPoolExecutor(asked.jobs, initializer=_prepare, initargs=(folder, asked.quick))
    try:
        points = _measured(found, slowdowns, pool)
    except KeyboardInterrupt:
        pool.shutdown(wait=False, cancel_futures=True)
        return 130
    pool.shutdown()
    print_report(points, default)
    if asked.json is not None:
        write_json(points, asked.json)
    return 0


def _parsed(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench.forget", description="What forgetting keeps, and what it costs.")
    parser.add_argument("--data", required=True, metavar="FOLDER", help="with LoCoMo and LongMemEval in it")
    parser.add_argument("--quick", action="store_true", help="fewer lives and fewer slowdowns: under a minute")
    parser.add_argument("--slowdowns", type=_numbers, help="of the default policy's decay, with commas")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes (default: %(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure there too")
    asked = parser.parse_args(arguments)
    asked.slowdowns = asked.slowdowns or (_QUICK if asked.quick else _SLOWDOWNS)
    return asked


def _numbers(text: str) -> tuple[float, ...]:
    return tuple(float(part) for part in text.split(","))


def _measured(found: Sequence[Life], slowdowns: Sequence[float], pool: ProcessPoolExecutor) -> list[Point]:
    with bars(18) as bar:
        task = bar.add_task("nothing forgotten", total=len(found))
        wholes = _collected({pool.submit(_remember_all, place): place for place in range(len(found))}, bar, task)
        cases = [
            (place, way, slowdown) for way in range(len(WAYS)) for slowdown in slowdowns for place in range(len(found))
        ]
        task = bar.add_task("forgetting", total=len(cases))
        tallies = _collected({pool.submit(_replay, *case, wholes[case[0]]): case for case in cases}, bar, task)
    points = []
    for way in range(len(WAYS)):
        for slowdown in slowdowns:
            mine, theirs = _Groups(), _Groups()
            for place, life in enumerate(found):
                mine.add(life, tallies[place, way, slowdown])
                theirs.add(life, wholes[place].tally)
            for (corpus, group, tally), (_, _, whole) in zip(groups(mine), groups(theirs), strict=True):
                points.append(Point(corpus, group, WAYS[way].name, slowdown, tally, whole))
    return points


class _Groups(dict[tuple[str, str], list[Tally]]):
    """Tallies by corpus, and by group of lives."""

    def add(self, life: Life, tally: Tally) -> None:
        for group in (ALL, *life.groups()):
            self.setdefault((life.corpus, group), []).append(tally)


def _collected(waiting: dict[Future[_V], _K], bar: Progress, task: TaskID) -> dict[_K, _V]:
    results = {}
    for future in as_completed(waiting):
        results[waiting[future]] = future.result()
        bar.advance(task)
    return results


def _prepare(folder: Path, quick: bool) -> None:
    embedder = make_embedder("auto")
    if embedder is None:
        raise SystemExit("this measures the packaged embedder, and there is none")
    _ours.extend(lives(folder, quick=quick))
    _embedders.append(EmbeddedOnce(embedder))


def _remember_all(place: int) -> Whole:
    return remember_all(_ours[place], _embedders[0])


def _replay(place: int, way: int, slowdown: float, whole: Whole) -> Tally:
    return replay(_ours[place], slowdown, WAYS[way], whole, _embedders[0])


if __name__ == "__main__":
    sys.exit(main())
