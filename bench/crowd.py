"""`make bench-crowd`: eight processes at work on one store for a minute, and whether anything was lost.

python -m bench.crowd [--processes 8] [--seconds 60] [--postgres URL | --no-postgres] [--no-sqlite] [--json FILE]
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

from .console import bars, interruptible
from .crowd_check import Promise, Told, promises
from .crowd_life import ROUND, Sought, opened
from .machine import machine, sentence
from .measure import Spread
from .stores import Place, SqliteFolder, postgres

_ROOT = Path(__file__).parents[1]
_SHARED = 20  # memories that all of them use
_SAMPLE = 300  # what each process looks for of what others wrote; the fresh one looks for everything
_LATEST = 100  # of them the last ones: where a process that does not look again would be behind
_PATIENCE_SECONDS = 600  # for starting, and for looking back; a process that takes longer hangs
_TOLD_MAX = 10  # broken cases printed of each promise; all are in the JSON


class Ended(Exception):
    """A process said nothing more; the sentence is the last that it said on stderr."""


class Member:
    """One process of the crowd."""

    def __init__(self, address: str, number: int, shared: Sequence[str], seconds: float) -> None:
        self.number = number
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bench.crowd_life"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=_ROOT,
            env={name: value for name, value in os.environ.items() if not name.startswith("EBBING_")},
        )
        self._watchdog = threading.Timer(seconds + _PATIENCE_SECONDS, self._process.kill)
        self._watchdog.start()
        self.say({"address": address, "number": number, "shared": list(shared)})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._watchdog.cancel()
        self._process.kill()
        self._process.communicate()

    def say(self, said: Any) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # it has ended, which `hear` tells
            self._process.stdin.write(json.dumps(said) + "\n")
            self._process.stdin.flush()

    def hear(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        line = self._process.stdout.readline()
        if not line:
            last = self._process.stderr.read().strip().rpartition("\n")[2]
            raise Ended(f"process {self.number} ended with {self._process.wait()}: {last}")
        heard: dict[str, Any] = json.loads(line)
        return heard


@dataclass
class Outcome:
    """One store after the crowd."""

    store: str
    seconds: float = 0.0
    by_operation: dict[str, list[float]] = field(default_factory=lambda: {name: [] for name in ROUND})
    errors: collections.Counter[str] = field(default_factory=collections.Counter)
    promises: list[Promise] = field(default_factory=list)

    @property
    def kept(self) -> bool:
        return not any(promise.broken for promise in self.promises)


class Crowd:
    """Processes on one address."""

    def __init__(self, store: str, address: str, processes: int, seconds: float) -> None:
        self.address = address
        self.processes = processes
        self.seconds = seconds
        self.outcome = Outcome(store)
        self.told = Told(self._seeded())

    def run(self) -> Outcome:
        """Live, look back, and look into the store."""
        ended: list[str] = []
        found: list[Promise] = []
        try:
            self._together()
            found.append(self._fresh())
        except Ended as why:
            ended.append(str(why))
        complaints = [f"{count} × {error}" for error, count in self.outcome.errors.items()] + ended
        operations = sum(map(len, self.outcome.by_operation.values()))
        first = Promise("no operation met an error", operations, complaints)
        with opened(self.address) as engine:
            looked_up = list(promises(engine, self.told))
        self.outcome.promises = [first, *looked_up, *self.outcome.promises, *found]
        return self.outcome

    def _seeded(self) -> list[str]:
        with opened(self.address) as engine:
            said = [f"shared fact {number} about topic {number}" for number in range(_SHARED)]
            return [memory.id for memory in engine.remember_many(said).memories]

    def _together(self) -> None:
        with contextlib.ExitStack() as stack:
            crowd = [stack.enter_context(self._member(number)) for number in range(self.processes)]
            for member in crowd:
                member.hear()
            began = time.perf_counter()
            for member in crowd:
                member.say(self.seconds)
            _wait(self.outcome.store, self.seconds)
            lives = [member.hear() for member in crowd]
            self.outcome.seconds = time.perf_counter() - began
            for life in lives:
                self.told.add(life)
                for name, seconds in life["seconds"].items():
                    self.outcome.by_operation[name] += seconds
            looked, amiss = 0, []
            for member, life in zip(crowd, lives, strict=True):
                sought = sample(self.told.sought(but=life["remembered"]))
                looked += len(sought)
                member.say(sought)
            for member in crowd:
                amiss += [f"process {member.number}: {line}" for line in member.hear()["amiss"]]
                self.outcome.errors.update(member.hear()["errors"])
            name = "processes that ran all along find what the others wrote, and not what they forgot"
            self.outcome.promises.append(Promise(name, looked, amiss))

    def _fresh(self) -> Promise:
        """Everything, by a process that has seen nothing of it."""
        sought = self.told.sought()
        with self._member(self.processes) as member:
            member.hear()
            member.say(0)
            member.hear()
            member.say(sought)
            amiss = member.hear()["amiss"]
            self.outcome.errors.update(member.hear()["errors"])
        return Promise("a fresh process finds all that is there, and nothing that is gone", len(sought), amiss)

    def _member(self, number: int) -> Member:
        return Member(self.address, number, self.told.shared, self.seconds)


def sample(sought: Sequence[Sought]) -> list[Sought]:
    """The latest, and others evenly over the whole time."""
    early = sought[:-_LATEST]
    step = max(1, len(early) // (_SAMPLE - _LATEST))
    return [*early[::step], *sought[-_LATEST:]]


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and end with 1 if a promise was broken."""
    asked = _parsed(arguments)
    outcomes = []
    with contextlib.ExitStack() as stack:
        stack.enter_context(interruptible())
        about = machine(asked.folder)
        places: list[Place] = [] if asked.no_sqlite else [SqliteFolder(asked.folder)]
        if not asked.no_postgres:
            places.append(stack.enter_context(postgres(asked.postgres, asked.folder)))
        for place in places:
            with place.fresh(asked.processes) as addresses:
                outcomes.append(Crowd(place.store, addresses.product, asked.processes, asked.seconds).run())
    print(sentence(about))
    for outcome in outcomes:
        print_outcome(outcome, asked.processes)
    if asked.json is not None:
        told = {"machine": about, "processes": asked.processes, "stores": [_plain(outcome) for outcome in outcomes]}
        asked.json.write_text(json.dumps(told, indent=2) + "\n", "utf-8")
    return int(not all(outcome.kept for outcome in outcomes))


def print_outcome(outcome: Outcome, processes: int) -> None:
    """How much was done, and which promises were kept."""
    print(f"\n{outcome.store}, {processes} processes for {outcome.seconds:.0f} s\n")
    print("| operation | count | a second | p50 ms | p95 ms | longest ms |\n|---|---|---|---|---|---|")
    for name, row in figures(outcome).items():
        print(
            f"| {name} | "
            + " | ".join(f"{value:,.1f}" if value % 1 else f"{value:,.0f}" for value in row.values())
            + " |"
        )
    print("\n| promise | looked at | broken |\n|---|---|---|")
    for promise in outcome.promises:
        print(f"| {promise.name} | {promise.of:,} | {len(promise.broken) or 'none'} |")
    for promise in outcome.promises:
        for line in promise.broken[:_TOLD_MAX]:
            print(f"broken: {promise.name}: {line}")


def figures(outcome: Outcome) -> dict[str, dict[str, float]]:
    """What was done how often, and how long it took, by operation and of all together."""
    every = [second for several in outcome.by_operation.values() for second in several]
    told = {}
    for name, several in [*outcome.by_operation.items(), ("all", every)]:
        if several:
            spread = Spread.of([1000 * second for second in several])
            told[name] = {
                "count": len(several),
                "a_second": round(len(several) / outcome.seconds, 1),
                "p50_ms": round(spread.p50, 1),
                "p95_ms": round(spread.p95, 1),
                "longest_ms": round(1000 * max(several), 1),
            }
    return told


def _plain(outcome: Outcome) -> dict[str, Any]:
    return {
        "store": outcome.store,
        "seconds": outcome.seconds,
        "figures": figures(outcome),
        "promises": [asdict(promise) for promise in outcome.promises],
    }


def _wait(label: str, seconds: float) -> None:
    """The crowd is left alone; a bar shows for how long."""
    with bars() as progress:
        until = time.perf_counter() + seconds
        for _ in progress.track(range(int(seconds)), description=label):
            time.sleep(max(0.0, min(1.0, until - time.perf_counter())))


def _parsed(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench.crowd", description="Whether many processes lose anything.")
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument(
        "--postgres", metavar="URL", help="a server to use, as a role that may create roles and databases"
    )
    parser.add_argument("--no-postgres", action="store_true", help="SQLite only")
    parser.add_argument("--no-sqlite", action="store_true", help="PostgreSQL only")
    parser.add_argument(
        "--folder", type=Path, default=tempfile.gettempdir(), help="on the disk to be measured (default: %(default)s)"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure there too")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
