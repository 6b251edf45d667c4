"""How many times faster, as a table for people and as JSON for machines; what is missing is told with its reason."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from .machine import sentence
from .measure import Spread
from .peers_run import OPERATIONS, Timed

OURS = "ebbing"
TITLES = {OURS: "Ebbing", "mem0": "mem0", "yourmemory": "YourMemory"}
# (peer, memories, operation): at least so many times faster than it.
TARGETS = {("yourmemory", 10_000, "recall"): 100.0, ("mem0", 10_000, "recall"): 20.0}


@dataclass(frozen=True, slots=True)
class Comparison:
    """One operation of one peer at one size, beside ours."""

    size: int
    operation: str
    peer: str
    ours: Spread
    theirs: Spread

    @property
    def faster(self) -> float:
        """How many times the time of ours theirs takes: above 1 we are faster."""
        return self.theirs.p50 / self.ours.p50

    @property
    def target(self) -> float | None:
        return TARGETS.get((self.peer, self.size, self.operation))

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None when there is none."""
        return None if self.target is None else self.faster >= self.target

    def plain(self) -> dict[str, Any]:
        """As JSON types."""
        return {
            "size": self.size,
            "operation": self.operation,
            "peer": self.peer,
            "ebbing_ms": {"p50": self.ours.p50, "p95": self.ours.p95, "count": self.ours.count},
            "peer_ms": {"p50": self.theirs.p50, "p95": self.theirs.p95, "count": self.theirs.count},
            "faster": self.faster,
            "target": self.target,
            "met": self.met,
        }


def compared(size: int, timed: Sequence[Timed]) -> list[Comparison]:
    """Every peer that was measured to the end, operation by operation; nothing when ours was not."""
    whole = {one.name: one for one in timed if not one.ended}
    ours = whole.pop(OURS, None)
    if ours is None:
        return []
    return [
        Comparison(size, operation, name, ours.milliseconds(operation), theirs.milliseconds(operation))
        for operation in OPERATIONS
        for name, theirs in whole.items()
    ]


def print_report(by_size: Mapping[int, Sequence[Timed]], missing: Mapping[str, str], about: Mapping[str, Any]) -> None:
    """A table a size, and what has to be known to read it."""
    piped = not sys.stdout.isatty()
    console = Console(width=160 if piped else None, no_color=piped, highlight=False)
    console.print(sentence(about), soft_wrap=True)
    style = box.MARKDOWN if piped else box.HEAVY_HEAD
    everything: list[Comparison] = []
    for size, timed in by_size.items():
        comparisons = compared(size, timed)
        everything += comparisons
        console.print(_table(f"\n{size:,} memories of one owner", comparisons, style))
        for line in remarks(timed):
            console.print(line, soft_wrap=True, markup=False)
    for name, why in missing.items():
        console.print(f"{TITLES[name]} was not measured: {why}", soft_wrap=True, markup=False)
    for line in verdicts(everything):
        console.print(line, soft_wrap=True, markup=False)


def remarks(timed: Sequence[Timed]) -> Iterator[str]:
    """Which version of each, how many memories it returned, and what came between it and its figures."""
    for one in timed:
        title = f"{TITLES[one.name]} {one.version}".strip()
        if one.ended:
            yield f"{title} was not measured to the end: {one.ended}"
            continue
        told = [f"returned {sum(one.returned) / len(one.returned):.3g} a recall"] if one.returned else []
        yield f"{title}: " + "; ".join([*told, *one.notes])


def verdicts(comparisons: Sequence[Comparison]) -> Iterator[str]:
    """Each target, met or missed; the ones that could not be looked at too."""
    found = {(one.peer, one.size, one.operation): one for one in comparisons}
    for (peer, size, operation), target in TARGETS.items():
        asked = f"{operation} at {size:,}, {target:g}× faster than {TITLES[peer]}"
        one = found.get((peer, size, operation))
        if one is None:
            yield f"not measured: {asked}"
        else:
            yield f"{'met' if one.met else 'missed'}: {asked} ({_times(one.faster)})"


def write_json(
    by_size: Mapping[int, Sequence[Timed]], missing: Mapping[str, str], about: Mapping[str, Any], path: Path
) -> None:
    """Every comparison, what was missing and the machine."""
    told = {
        "machine": about,
        "comparisons": [one.plain() for size, timed in by_size.items() for one in compared(size, timed)],
        "remarks": {str(size): list(remarks(timed)) for size, timed in by_size.items()},
        "missing": dict(missing),
    }
    path.write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n", "utf-8")


def _table(title: str, comparisons: Sequence[Comparison], style: box.Box) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=style)
    table.add_column("operation", no_wrap=True)
    table.add_column("peer", no_wrap=True)
    for name in ("Ebbing p50", "p95", "peer p50", "p95", "Ebbing is faster", "target"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("")
    for one in comparisons:
        spreads = [f"{_number(value)} ms" for spread in (one.ours, one.theirs) for value in (spread.p50, spread.p95)]
        target = "" if one.target is None else f"≥ {one.target:g}×"
        verdict = {True: "[green]met[/]", False: "[red]missed[/]", None: ""}[one.met]
        table.add_row(one.operation, TITLES[one.peer], *spreads, _times(one.faster), target, verdict)
    return table


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _times(ratio: float) -> str:
    return f"{ratio:,.0f}×" if ratio >= 10 else f"{ratio:.2g}×"
