"""Figures as a table for people and as JSON for machines; targets are marked met or missed as they are."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from .machine import sentence
from .measure import Figure, Spread

GROWTH_MAX = 1.5  # "about 1": an index is a little deeper, and a machine a little noisy
_SWEEPS = ("sweep, nothing due", "sweep, 1000 due")


def across_sizes(figures: Sequence[Figure]) -> list[Figure]:
    """How the cost of the same sweep grew from the smallest store to the largest."""
    found = []
    for store in dict.fromkeys(figure.store for figure in figures):
        for name in _SWEEPS:
            same = [figure for figure in figures if figure.store == store and figure.name == name]
            by_size = {figure.size: figure for figure in reversed(same)}
            if len(by_size) > 1:
                small, large = by_size[min(by_size)], by_size[max(by_size)]
                label = f"{name}: {large.size:,} stored beside {small.size:,}"
                found.append(
                    Figure(store, large.size, label, "ms", large.product, small.product, "", ratio_max=GROWTH_MAX)
                )
    return found


def print_report(
    figures: Sequence[Figure], about: Mapping[str, Any], *, product: str = "Ebbing", floor: str = "floor"
) -> None:
    """Tables on a terminal; when piped, the same as plain text that is a Markdown table too."""
    piped = not sys.stdout.isatty()
    console = Console(width=200 if piped else None, no_color=piped, highlight=False)
    style = box.MARKDOWN if piped else box.HEAVY_HEAD
    console.print(sentence(about), soft_wrap=True)
    for store in dict.fromkeys(figure.store for figure in figures):
        for size in dict.fromkeys(figure.size for figure in figures if figure.store == store):
            chosen = [figure for figure in figures if (figure.store, figure.size) == (store, size)]
            title = f"\n{store}, {size:,} memories" if size else f"\n{store}"
            console.print(_table(title, chosen, product, floor, style))
    growth = across_sizes(figures)
    if growth:
        title = "\na sweep costs what it forgets, not what it holds"
        console.print(_table(title, growth, "many", "few", style))
    missed = [f"{figure.store} {figure.size:,} {figure.name}" for figure in [*figures, *growth] if figure.met is False]
    held = sum(figure.met is not None for figure in [*figures, *growth])
    console.print(f"\n{held - len(missed)} of {held} targets met", soft_wrap=True)
    for miss in missed:
        console.print(f"missed: {miss}", soft_wrap=True)


def write_json(figures: Sequence[Figure], about: Mapping[str, Any], path: Path) -> None:
    """Every figure with its floor, and the machine it was taken on."""
    told = {
        "machine": about,
        "figures": [figure.plain() for figure in figures],
        "across_sizes": [figure.plain() for figure in across_sizes(figures)],
    }
    path.write_text(json.dumps(told, indent=2) + "\n", "utf-8")


def _table(title: str, figures: Sequence[Figure], product: str, floor: str, style: box.Box) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=style)
    table.add_column("operation", no_wrap=True)
    for name in (f"{product} p50", "p95", f"{floor} p50", "p95", "ratio", "target"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("")
    table.add_column("the floor is" if floor == "floor" else "", style="dim")
    for figure in figures:
        table.add_row(*_cells(figure))
    return table


def _cells(figure: Figure) -> Iterator[str]:
    yield figure.name
    for spread in (figure.product, figure.floor):
        yield from _numbers(spread, figure.unit)
    yield "" if figure.ratio is None else f"{figure.ratio:.2f}×"
    yield figure.target
    yield {True: "[green]met[/]", False: "[red]missed[/]", None: ""}[figure.met]
    yield figure.against


def _numbers(spread: Spread | None, unit: str) -> tuple[str, str]:
    if spread is None:
        return "", ""
    several = "" if spread.count == 1 else _number(spread.p95)
    return f"{_number(spread.p50)} {unit}", several


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
