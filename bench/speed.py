"""`make bench-speed`: what each operation costs, beside the bare floor of that operation, in one run.

python -m bench.speed [--sizes 10000,100000] [--quick] [--postgres URL | --no-postgres] [--json FILE]
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from . import peers
from .console import interruptible, sizes
from .corpus import Corpus
from .judged import sizes as sizes_installed
from .machine import machine
from .measure import Figure
from .operations import QUICK, Measured, Repetitions
from .operations import Progress as Tell
from .report import print_report, write_json
from .stores import Place, SqliteFolder, postgres

_SIZES = (10_000, 100_000)


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and end with 0: a missed target is a finding, not a failure."""
    asked = _parsed(arguments)
    often = QUICK if asked.quick else Repetitions()
    figures: list[Figure] = []
    with contextlib.ExitStack() as stack:
        stack.enter_context(interruptible())
        folder = Path(asked.folder)
        about = machine(folder)
        places: list[Place] = [] if asked.no_sqlite else [SqliteFolder(folder)]
        if not asked.no_postgres:
            places.append(stack.enter_context(postgres(asked.postgres, folder)))
        for size in asked.sizes:
            for place in places:
                with place.fresh(size) as addresses, _progress(f"{place.store} {size:,}") as tell:
                    tell("make texts", 0, 1)
                    figures += Measured(place, addresses, Corpus(size), often, tell).run()
    figures.sort(key=lambda figure: (figure.store != "sqlite", figure.size))
    figures += sizes_installed()
    print_report(figures, about)
    if asked.json is not None:
        write_json(figures, about, asked.json)
    if asked.peers:
        return peers.main(["--folder", asked.folder, *(["--quick"] if asked.quick else [])])
    return 0


def _parsed(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench.speed", description="How fast Ebbing is beside its floors.")
    parser.add_argument("--sizes", type=sizes, help="memories, comma-separated (default 10000,100000)")
    parser.add_argument(
        "--quick", action="store_true", help="10,000 only unless --sizes says otherwise, fewer repetitions"
    )
    parser.add_argument(
        "--postgres", metavar="URL", help="a server to use, as a role that may create roles and databases"
    )
    parser.add_argument("--no-postgres", action="store_true", help="SQLite only")
    parser.add_argument("--no-sqlite", action="store_true", help="PostgreSQL only")
    parser.add_argument(
        "--folder", default=tempfile.gettempdir(), help="on the disk to be measured (default: %(default)s)"
    )
    parser.add_argument("--peers", action="store_true", help="then beside YourMemory and mem0, installed for it")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure of the floors there too")
    asked = parser.parse_args(arguments)
    asked.sizes = asked.sizes or (_SIZES[:1] if asked.quick else _SIZES)
    return asked


@contextlib.contextmanager
def _progress(label: str) -> Iterator[Tell]:
    """A bar on stderr, so that a pipe gets the tables alone."""
    columns = (TextColumn("{task.description:<36}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(label)

        def tell(what: str, done: int, total: int) -> None:
            bar.update(task, description=f"{label}: {what}", completed=done, total=total)
            if not console.is_terminal and done in (0, total):
                console.print(f"{label}: {what}")

        yield tell


if __name__ == "__main__":
    sys.exit(main())
