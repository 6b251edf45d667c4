"""The way in, section by section, as tables for people and as JSON for machines; what is missed is marked as missed."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from .remember_figures import HALVES, Line, Tally, written


@dataclass(frozen=True, slots=True)
class Told:
    """A section that was measured."""

    name: str
    title: str
    lines: Sequence[Line]
    tally: Tally
    groups: Sequence[str] = HALVES  # the columns beside "all"

    def plain(self) -> dict[str, Any]:
        """As JSON types."""
        return {
            "section": self.name,
            "title": self.title,
            "notes": self.tally.notes,
            "figures": [line.plain(self.tally, self.groups) for line in self.lines],
        }


class Report:
    """Each section as soon as it is measured: tables on a terminal; when piped, plain text that is Markdown too."""

    def __init__(self, *, quick: bool) -> None:
        piped = not sys.stdout.isatty()
        self._console = Console(width=180 if piped else None, no_color=piped, highlight=False)
        self._style = box.MARKDOWN if piped else box.HEAVY_HEAD
        if quick:
            self._say("A quick look at a part of the data: no figure of it is to be quoted.")

    def tell(self, section: Told) -> None:
        """One section's table."""
        self._say(f"\n[bold]{section.title}[/]")
        for note in section.tally.notes:
            self._say(f"note: {note}")
        if section.lines:
            self._console.print(_table(section, self._style))
        elif not section.tally.notes:
            self._say("nothing to measure: the folder does not hold its data")
        sys.stdout.flush()

    def conclude(self, sections: Sequence[Told]) -> None:
        """How many targets are met, and which are not."""
        held = [
            (section, line) for section in sections for line in section.lines if line.met(section.tally) is not None
        ]
        missed = [f"{section.name}, {line.label}" for section, line in held if not line.met(section.tally)]
        self._say("")
        if any(section.groups == HALVES for section in sections):
            self._say("even: the half to look at while rules are written; odd: the half that is only measured")
        self._say(f"{len(held) - len(missed)} of {len(held)} targets met")
        for miss in missed:
            self._say(f"missed: {miss}")

    def _say(self, sentence: str) -> None:
        self._console.print(sentence, soft_wrap=True)


def write_json(sections: Sequence[Told], path: Path) -> None:
    """Every figure, and every case that is worth a look, with its texts: the file is as private as the data."""
    told = {
        "sections": [section.plain() for section in sections],
        "cases": [case for section in sections for case in section.tally.cases],
    }
    path.write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n", "utf-8")


def _table(section: Told, style: box.Box) -> Table:
    table = Table(box=style)
    table.add_column("measure", no_wrap=True)
    for name in ("all", "of", *section.groups, "target"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    table.add_column("beside", style="dim")
    for line in section.lines:
        table.add_row(*_cells(line, section))
    return table


def _cells(line: Line, section: Told) -> Iterator[str]:
    tally = section.tally
    yield line.label
    yield written(line.value(tally, None), line.unit)
    yield f"{tally.count(line.counted):,}"
    for value in line.by_group(tally, section.groups).values():
        yield written(value, line.unit)
    yield line.target.told(line.unit) if line.target else ""
    yield {True: "[green]met[/]", False: "[red]missed[/]", None: ""}[line.met(tally)]
    yield line.beside
