"""Sheets onto a stream: tables, bars and colour for a terminal, plain lines for a pipe.

In a pipe a row is one line with a tab between cells, and a memory is six of them: id, status, category,
scope, when it was made, text. Nothing is cut; a line break or tab within a text is written `\\n`, `\\t`.
Text of memories is never read as markup.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import datetime
from typing import TextIO

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from ...model import Memory, Status
from ..curves import Axis, Line, bar, chart
from .sheets import Cell, Outlook, Share, Sheet, Stack, Strength

WIDTH_MAX = 120
_TEXT_MAX = 400  # characters of a memory's text in a list on a terminal; `show` tells all of it
_PICTURE_ROWS = 9
_WORD_MAX = 30  # what is longer may be broken
_BAR_COLUMNS, _SHARE_COLUMNS = 6, 16
_BREAKS = str.maketrans({"\n": "\\n", "\t": "\\t", "\r": "\\r"})


def write(sheet: Sheet, stream: TextIO) -> None:
    """The sheet, as whoever reads the stream reads best; notes beside it."""
    if stream.isatty():
        draw(sheet, Console(file=stream, highlight=False, emoji=False, markup=False))
    else:
        for line in lines(sheet):
            print(line, file=stream)
    for note in sheet.notes:
        print(f"note: {note}", file=sys.stderr)


def lines(sheet: Sheet) -> list[str]:
    """The sheet as lines for a pipe."""
    rows = ["\t".join(part for cell in row for part in _plain(cell)) for row in sheet.rows]
    return [*sheet.sentences, *rows, *("\t".join((name, *_plain(value))) for name, value in sheet.facts)]


def _plain(cell: Cell) -> tuple[str, ...]:
    if isinstance(cell, Memory):
        made = cell.created_at.isoformat()
        return cell.id, str(cell.status), cell.category, str(cell.scope), made, cell.text.translate(_BREAKS)
    if isinstance(cell, Stack):
        return tuple(written for part in cell.parts for written in _plain(part))
    if isinstance(cell, Strength):
        return (f"{cell.value:.3f}",)
    if isinstance(cell, Share):
        return (str(cell.count),)
    if isinstance(cell, datetime):
        return (cell.isoformat(),)
    if isinstance(cell, bool):
        return ("yes" if cell else "no",)
    return ("" if cell is None else str(cell).translate(_BREAKS),)


def draw(sheet: Sheet, console: Console) -> None:
    """The sheet for somebody who watches."""
    width = min(console.width, WIDTH_MAX)
    if sheet.headline:
        console.print(Text(_cut(sheet.headline, sheet.whole_texts), "bold"), width=width)
    for sentence in sheet.sentences:
        console.print(Text(sentence), width=width)
    if sheet.picture is not None:
        console.print()
        for row in _picture(sheet.picture, width):
            console.print(row)
    if sheet.rows:
        console.print(_table(sheet), width=width)
    shown = [(name, value) for name, value in sheet.facts if value not in (None, "")]
    if shown:
        if sheet.rows:
            console.print()
        console.print(_facts(shown, sheet.whole_texts), width=width)
    if sheet.hint:
        console.print(Text(sheet.hint, "dim"), width=width)


def _table(sheet: Sheet) -> RenderableType:
    table = Table(
        box=None,
        padding=(0, 2, 0, 0),
        pad_edge=False,
        header_style="dim",
        show_header=sum(map(bool, sheet.headings)) > 1,
    )
    # Wide cells share what the narrow ones leave, and break; a bar or a word never does.
    wide = {index for row in sheet.rows for index, cell in enumerate(row) if _breaks(cell)}
    for index, heading in enumerate(sheet.headings):
        table.add_column(heading, no_wrap=index not in wide, overflow="fold")
    before: Cell = None
    for row in sheet.rows:
        cells = [_drawn(cell, sheet.whole_texts) for cell in row]
        if isinstance(row[0], str) and not sheet.headings[0]:
            # A name over several rows is said once.
            cells[0] = Text("" if row[0] == before else row[0].replace("_", " "), "dim")
        before = row[0]
        table.add_row(*cells)
    return table


def _picture(outlook: Outlook, width: int) -> list[Text]:
    last = outlook.points[-1][0]
    names = {
        0: "now",
        len(outlook.points) * 2 // 3: f"{outlook.points[len(outlook.points) * 2 // 3][0]} {outlook.unit}",
    }
    line = Line("●", "cyan", [strength for _, strength in outlook.points])
    axis = Axis(len(outlook.points), names if last else {})
    return chart([line], outlook.rungs, axis, width=width, rows=_PICTURE_ROWS)


def _breaks(cell: Cell) -> bool:
    return isinstance(cell, Memory | Stack) or (isinstance(cell, str) and len(cell) > _WORD_MAX)


def _facts(facts: Sequence[tuple[str, Cell]], whole: bool) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, value in facts:
        told = _size(value) if name.endswith("_bytes") and isinstance(value, int) else _drawn(value, whole)
        grid.add_row(Text(name.replace("_", " ")), told)
    return grid


def _size(count: int) -> Text:
    return Text(f"{count / 1e6:,.1f} MB" if count >= 1e5 else f"{count / 1e3:,.1f} kB")


def _drawn(cell: Cell, whole: bool) -> Text:
    if isinstance(cell, Memory):
        return Text.assemble(_cut(cell.text, whole), "\n", (_details(cell), "dim"))
    if isinstance(cell, Stack):
        parts = [_drawn(part, whole) for part in cell.parts if part]
        return Text("\n").join([*parts[:1], *(Text(part.plain, "dim") for part in parts[1:])])
    if isinstance(cell, Strength):
        return Text.assemble(bar(cell.value, _BAR_COLUMNS, cell.style), (f" {cell.value:.2f}", cell.style))
    if isinstance(cell, Share):
        share = cell.count / cell.whole if cell.whole else 0.0
        return Text.assemble(bar(share, _SHARE_COLUMNS, "cyan"), f" {cell.count:,}")
    if isinstance(cell, datetime):
        return Text(f"{cell:%Y-%m-%d %H:%M}")
    return Text(_cut(_plain(cell)[0] if not isinstance(cell, str) else cell, whole))


def _details(memory: Memory) -> str:
    """What stands below a text: the name to call it by, and what is not as it mostly is."""
    details = [memory.id, memory.category, str(memory.scope), f"{memory.created_at:%Y-%m-%d}"]
    details += [] if memory.status is Status.ACTIVE else [str(memory.status)]
    details += [word for word in ("pinned", "contested") if getattr(memory, word)]
    return "  ".join([*details, *(f"#{tag}" for tag in memory.tags)])


def _cut(text: str, whole: bool) -> str:
    return text if whole or len(text) <= _TEXT_MAX else f"{text[:_TEXT_MAX].rstrip()} …"
