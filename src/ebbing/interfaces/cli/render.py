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

from rich.console import Console, JustifyMethod, RenderableType
from rich.table import Table
from rich.text import Text

from ...model import Memory, Status
from ..curves import Axis, Line, Scale, Strip, bar, chart
from .sheets import Cell, Course, Outlook, Share, Sheet, Stack, Strength

WIDTH_MAX = 120
_TEXT_MAX = 400  # characters of a memory's text in a list on a terminal; `show` tells all of it
_PICTURE_ROWS = 9
_TOPS = (0.1, 0.2, 0.5, 1.0)  # of pictures of strength: the lowest that holds the whole curve
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
        if sys.stderr.isatty():
            console = Console(stderr=True, highlight=False, emoji=False, markup=False)
            console.print(Text(f"note: {note}", "dim"), width=min(console.width, WIDTH_MAX))
        else:
            print(f"note: {note}", file=sys.stderr)


def lines(sheet: Sheet) -> list[str]:
    """The sheet as lines for a pipe."""
    rows = ["\t".join(part for cell in row for part in _plain(cell)) for row in sheet.rows]
    facts = ["\t".join((name, *_plain(value))) for name, value in sheet.facts]
    return [*sheet.sentences, *rows, *facts, *(line for part in sheet.below for line in lines(part))]


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
            console.print()
    if sheet.rows:
        console.print(_table(sheet), width=width)
        left = 0 if sheet.rows_drawn is None else len(sheet.rows) - sheet.rows_drawn
        if left > 0:
            console.print(Text(f"… and {left:,} more; --json tells all", "dim"), width=width)
    shown = [(name, value) for name, value in sheet.facts if value not in (None, "")]
    if shown:
        if sheet.rows:
            console.print()
        console.print(_facts(shown, sheet.whole_texts), width=width)
    for part in sheet.below:
        console.print()
        draw(part, console)
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
        counts = all(type(row[index]) is int for row in sheet.rows)
        side: JustifyMethod = "right" if counts else "left"
        table.add_column(heading, no_wrap=index not in wide, overflow="fold", justify=side)
    before: Cell = None
    for row in sheet.rows[: sheet.rows_drawn]:
        cells = [Text(f"{cell:,}") if type(cell) is int else _drawn(cell, sheet.whole_texts) for cell in row]
        if isinstance(row[0], str) and not sheet.headings[0]:
            # A name over several rows is said once.
            cells[0] = Text("" if row[0] == before else row[0].replace("_", " "), "dim")
        before = row[0]
        table.add_row(*cells)
    return table


def _picture(picture: Outlook | Course, width: int) -> list[Text]:
    return _outlook(picture, width) if isinstance(picture, Outlook) else _course(picture, width)


def _outlook(outlook: Outlook, width: int) -> list[Text]:
    last = outlook.points[-1][0]
    names = {
        0: "now",
        len(outlook.points) * 2 // 3: f"{outlook.points[len(outlook.points) * 2 // 3][0]} {outlook.unit}",
    }
    line = Line("●", "cyan", [strength for _, strength in outlook.points])
    axis = Axis(len(outlook.points), names if last else {})
    highest = max(*(strength for _, strength in outlook.points), *outlook.rungs.values())
    scale = Scale(next((top for top in _TOPS if highest <= top), _TOPS[-1]))
    return chart([line], outlook.rungs, axis, width=width, rows=_PICTURE_ROWS, scale=scale)


def _course(course: Course, width: int) -> list[Text]:
    """Memories as a curve, broken where it is foretold, and their tokens below."""
    last, now = len(course.dates) - 1, course.now
    # The first of them to claim a place below the axis gets it.
    names = {now: "now"} | {step: f"{course.dates[step]}" for step in (last, 0) if step != now}
    line = Line("", "cyan", course.counts, faint=[step > now for step in range(last + 1)], marks={now: "●"})
    most = max(course.tokens)
    tokens = Strip("tokens", _short(most), "cyan", [count / max(most, 1) for count in course.tokens])
    scale = Scale(_even_top(max(course.counts)), (1.0, 0.5, 0.0), _short, "memories")
    axis = Axis(last + 1, names, upright=now)
    return chart([line], {}, axis, width=width, rows=_PICTURE_ROWS - 1, scale=scale, strips=[tokens])


def _even_top(count: int) -> int:
    """A round number that is no less, and whose half is whole."""
    ten = int(f"1{'0' * (len(str(count)) - 1)}")
    return next(first * ten for first in (2, 4, 6, 8, 10) if first * ten >= count)


def _short(count: float) -> str:
    """A count in four characters."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if count >= size:
            return f"{count / size:.{0 if count >= 10 * size else 1}f}{letter}"
    return f"{count:.0f}"


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
