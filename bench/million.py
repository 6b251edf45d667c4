"""`make bench-million`: what one owner's operations cost in a file of a million memories, beside a file of its own.

python -m bench.million [--size 1000000] [--owner-size 10000] [--quick] [--keep FOLDER] [--folder PATH] [--json FILE]
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from .console import bars, interruptible
from .machine import machine
from .million_load import Progress, build, cores, kept
from .million_measure import Measured
from .million_owners import owners
from .operations import QUICK, Repetitions
from .report import print_report, write_json

_SIZES = (1_000_000, 10_000)
_QUICK_SIZES = (100_000, 2_000)
_LABEL_COLUMNS = 12


def main(arguments: list[str] | None = None, often: Repetitions | None = None) -> int:
    """Measure, print, and end with 0: a missed target is a finding, not a failure.

    `often` replaces the repetitions of the command line, for a test that needs the figures but not their precision.
    """
    asked = _parsed(arguments)
    size, of_owner, writers = asked.size, asked.owner_size, asked.writers
    about = machine(asked.folder)
    with (
        interruptible(),
        _told() as tell,
        tempfile.TemporaryDirectory(prefix="ebbing-bench-", dir=asked.folder) as made,
    ):
        folder = Path(made)
        if asked.keep is None:
            files = build(folder, size, of_owner, writers, tell)
        else:
            files = kept(asked.keep, folder, size, of_owner, writers, tell)
        taken = sum(file.stat().st_size for file in folder.glob("many.db*"))
        often = often or (QUICK if asked.quick else Repetitions())
        run = Measured(files, size, of_owner, often, tell)
        figures = run.run()
    print(f"One owner's {of_owner:,} of {size:,} memories in a file of {taken / 1e9:.2f} GB, and alone in a file.")
    print_report(figures, about, product="among many", floor="alone")
    print(f"{run.answered_alike} of {run.asked} questions had the same answers in the same order in both files")
    if asked.json is not None:
        write_json(figures, about, asked.json)
    return 0


def _parsed(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench.million", description="Whether an owner feels other owners' data.")
    parser.add_argument("--size", type=int, help="memories in the large file (default 1000000)")
    parser.add_argument("--owner-size", type=int, help="of them the measured owner's (default 10000)")
    parser.add_argument("--quick", action="store_true", help="100,000 and 2,000, fewer repetitions")
    parser.add_argument("--writers", type=int, default=cores(), help="processes that load (default: %(default)s)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the loaded files there for the next run")
    parser.add_argument(
        "--folder", type=Path, default=tempfile.gettempdir(), help="on the disk to be measured (default: %(default)s)"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure there too")
    asked = parser.parse_args(arguments)
    size, of_owner = _QUICK_SIZES if asked.quick else _SIZES
    asked.size, asked.owner_size = asked.size or size, asked.owner_size or of_owner
    try:
        owners(asked.size, asked.owner_size)
    except ValueError as why:
        parser.error(str(why))
    return asked


@contextlib.contextmanager
def _told() -> Iterator[Progress]:
    """A bar for each thing that takes long."""
    with bars(_LABEL_COLUMNS) as progress:
        tasks = {}

        def tell(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = progress.add_task(what)
                if not progress.console.is_terminal:
                    progress.console.print(what)
            progress.update(tasks[what], completed=done, total=total)

        yield tell


if __name__ == "__main__":
    sys.exit(main())
