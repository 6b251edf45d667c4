"""`make bench-recall`: whether the right memory comes back, with several embedders, with and without strength.

python -m bench.recall --data FOLDER [--embedder packaged,none,onnx] [--only turns,…] [--quick] [--cache FOLDER]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from rich.progress import Progress

from .console import bars
from .recall_models import ONNX, PACKAGED, WORDS, model
from .recall_report import print_report, write_json
from .recall_run import AS_IT_IS, SWEPT, WAYS, Figure, floor, measured
from .recall_tasks import SESSIONS, SUMMARIES, TURNS, Task, tasks

_EMBEDDERS = (PACKAGED, ONNX, WORDS)
_CORPORA = {"turns": TURNS, "summaries": SUMMARIES, "sessions": SESSIONS}


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and end with 0: a missed target is a finding, not a failure."""
    asked = _parsed(arguments)
    wanted = {_CORPORA[name] for name in asked.only}
    found = [task for task in tasks(asked.data, quick=asked.quick) if task.corpus in wanted]
    if not found:
        where = "locomo/locomo*.json and longmemeval/lme_s_lite*.json.gz"
        print(f"there is nothing to ask in {asked.data}; it should hold {where}", file=sys.stderr)
        return 2
    figures = [figure for task in found for figure in floor(task)]
    with bars() as bar:
        for name in asked.embedder:
            figures += _measured(found, name, asked.cache, asked.ways, bar)
    print_report(figures)
    if asked.json is not None:
        write_json(figures, asked.json)
    return 0


def _measured(
    found: Sequence[Task], name: str, cache: Path | None, ways: Sequence[str], bar: Progress
) -> Iterator[Figure]:
    embedder = model(name, cache)
    for task in bar.track(found, description=name):
        # By summaries nothing is ever swept: there are few of them, and each is of its own kind.
        yield from measured(task, name, embedder, [way for way in ways if way != SWEPT or task.corpus != SUMMARIES])
    if embedder is not None:
        embedder.keep()


def _parsed(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench.recall", description="Whether the right memory comes back.")
    parser.add_argument("--data", required=True, type=Path, metavar="FOLDER", help="with LoCoMo and LongMemEval in it")
    parser.add_argument("--embedder", type=_some(_EMBEDDERS), default=[PACKAGED, WORDS], help=", ".join(_EMBEDDERS))
    parser.add_argument("--only", type=_some(tuple(_CORPORA)), default=list(_CORPORA), help=", ".join(_CORPORA))
    parser.add_argument("--ways", type=_some(WAYS), default=list(WAYS), help=", ".join(WAYS))
    parser.add_argument("--quick", action="store_true", help=f"a part of everything, {AS_IT_IS}: under a minute")
    parser.add_argument("--cache", type=Path, metavar="FOLDER", help="keep what a slow model has embedded there")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure there too")
    return parser.parse_args(arguments)


def _some(names: tuple[str, ...]) -> Callable[[str], list[str]]:
    """Reads several of these with commas between them."""

    def read(text: str) -> list[str]:
        several = text.split(",")
        unknown = [name for name in several if name not in names]
        if unknown:
            raise argparse.ArgumentTypeError(f"{', '.join(unknown)}: not among {', '.join(names)}")
        return several

    return read


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
