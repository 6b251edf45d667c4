"""What the benches share at the terminal: bars beside the tables, and lists typed with commas."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from .corpus import SMALL_OWNERS


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
