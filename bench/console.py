"""What the benches share at the terminal: bars beside the tables, tasks in several processes, lists with commas."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from .corpus import SMALL_OWNERS

Figures = TypeVar("Figures")


@contextlib.contextmanager
def bars(label_columns: int = 8) -> Iterator[Progress]:
    """Bars on stderr, so that a pipe gets the tables alone."""
    columns = (
        TextColumn(f"{{task.description:<{label_columns}}}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        yield bar


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Ctrl-C leaves no database behind and no traceback."""
    try:
        yield
    except KeyboardInterrupt:
        sys.exit(130)


def sizes(text: str) -> tuple[int, ...]:
    """How many memories, smallest first."""
    several = tuple(sorted(int(part.replace("_", "")) for part in text.split(",")))
    if several[0] < 10 * SMALL_OWNERS:
        raise argparse.ArgumentTypeError(f"a size is at least {10 * SMALL_OWNERS:,}: half is spread over many owners")
    return several


def measured(tasks: Sequence[Callable[[], Figures]], jobs: int, name: str, bar: Progress) -> Iterator[Figures]:
    """What each task returns, in the order of the tasks, so that a run tells the same whichever task ends first."""
    task = bar.add_task(name, total=len(tasks))
    if jobs == 1:
        for each in tasks:
            yield each()
            bar.advance(task)
        return
    with ProcessPoolExecutor(jobs) as pool:
        waiting = [pool.submit(each) for each in tasks]
        try:
            for _ in as_completed(waiting):
                bar.advance(task)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        yield from (future.result() for future in waiting)
