"""`make bench-loop`: 1,000 calls of `ebbing.aio` at once, and how long the event loop ever stood still meanwhile.

python -m bench.event_loop [--calls 1000] [--postgres URL | --no-postgres] [--json FILE]

The packaged models read every text, as they do for users. They are loaded by the first call, before the clock runs. A
task that does nothing but wake up every millisecond says how late it was woken: the longest delay is how long anything
else in the loop had to wait. At the end the store is asked whether every write is there.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import tempfile
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, assert_type

import ebbing.aio
from ebbing import Memory, Recollections, Remembered

from .machine import machine, sentence
from .measure import Spread
from .stores import Place, SqliteFolder, postgres

_LIMIT_MS = 50.0  # what a person begins to feel, and a heartbeat of a connection bears
_TICK_SECONDS = 0.001


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and end with 1 if a call was lost or the loop was held up too long."""
    parser = argparse.ArgumentParser(
        prog="make bench-loop", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--calls", type=int, default=1000, help="how many at once")
    parser.add_argument("--postgres", metavar="URL", help="a server to use; otherwise one is started")
    parser.add_argument("--no-postgres", action="store_true", help="SQLite only")
    parser.add_argument("--json", metavar="FILE", help="write the figures there, too")
    asked = parser.parse_args(arguments)
    figures: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        folder = Path(name)
        places: list[Place] = [SqliteFolder(folder)]
        if not asked.no_postgres:
            places.append(stack.enter_context(postgres(asked.postgres, folder)))
        for place in places:
            with place.fresh(asked.calls) as addresses:
                figures.append({"store": place.store, **asyncio.run(measured(addresses.product, asked.calls))})
        about = machine(folder)
    print(f"{asked.calls} calls at once. {sentence(about)}\n")
    print("| store | calls | lost | seconds | calls a second | longest delay of the loop, ms | p95, ms |")
    print("|---|---|---|---|---|---|---|")
    for row in figures:
        print(
            f"| {row['store']} | {row['calls']} | {row['lost']} | {row['seconds']:.1f} | {row['a_second']:.0f} "
            f"| {row['longest_ms']:.1f} | {row['p95_ms']:.1f} |"
        )
    if asked.json:
        Path(asked.json).write_text(json.dumps({"machine": about, "figures": figures}, indent=2), encoding="utf-8")
    return int(any(row["lost"] or row["longest_ms"] > _LIMIT_MS for row in figures))


async def measured(address: str, calls: int) -> dict[str, Any]:
    """A quarter each of `remember`, `recall`, `get` and `list`, all under way at once."""
    async with ebbing.aio.open(address) as memory:
        first = assert_type(await memory.remember("The first shelf holds the first box"), Remembered)
        assert_type(await memory.recall("Where is the first box?"), Recollections)
        kept = first.memories[0].id
        late: list[float] = []
        watch = asyncio.create_task(_watch(late))
        begun = time.perf_counter()
        answers = await asyncio.gather(*_calls(memory, kept, calls), return_exceptions=True)
        took = time.perf_counter() - begun
        watch.cancel()
        written = [one for one in answers if isinstance(one, Remembered)]
        stored = assert_type([await memory.get(one.id) for each in written for one in each.memories], list[Memory])
        lost = sum(isinstance(one, BaseException) for one in answers) + len(written) - len(stored)
    spread = Spread.of(late)
    return {
        "calls": calls,
        "lost": lost,
        "seconds": took,
        "a_second": calls / took,
        "longest_ms": max(late),
        "p95_ms": spread.p95,
    }


def _calls(memory: ebbing.aio.AsyncEngine, kept: str, calls: int) -> list[Coroutine[Any, Any, Any]]:
    several: list[Coroutine[Any, Any, Any]] = []
    for number in range(calls // 4):
        several.append(memory.remember(f"Drawer {number} of the archive holds the letters of year {1500 + number}"))
        several.append(memory.recall(f"Which drawer has the letters of {1500 + number}?", limit=3))
        several.append(memory.get(kept))
        several.append(memory.list(limit=5))
    return several


async def _watch(late: list[float]) -> None:
    """How many milliseconds later than asked for the loop wakes a task."""
    while True:
        since = time.perf_counter()
        await asyncio.sleep(_TICK_SECONDS)
        late.append(1000 * (time.perf_counter() - since - _TICK_SECONDS))


if __name__ == "__main__":
    raise SystemExit(main())
