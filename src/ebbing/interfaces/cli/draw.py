"""Views drawn for a person at a terminal: tables, bars and colour.

Text of memories is never read as markup, and no character of it is obeyed (output.py). On a terminal too narrow for a
table first its bars go, then its rows are laid out one cell below another: a number that has lost a digit is another
number.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TextIO

from rich.cells import cell_len
from rich.console import Console, JustifyMethod, RenderableType
from rich.table import Table
from rich.text import Text

from ...domain.memory import Memory, Status
from ..terminal_charts import Axis, Line, Scale, Strip, bar, chart
from .output import visible
from .render import plain_cell
from .views import Cell, Outlook, Share, Stack, Strength, Timeline, View

WIDTH_MAX = 120
_TEXT_MAX = 400  # characters of a memory's text in a list on a terminal; `show` tells all of it
_PICTURE_ROWS = 9
_TOPS = (0.1, 0.2, 0.5, 1.0)  # of pictures of strength: the lowest that holds the whole curve
_WORD_MAX = 26  # as long as an id; a longer word may be broken …
_NAME_MAX = 12  # … and one in a column of names, which is one without a heading
_GAP = 2  # columns between cells
_BAR_COLUMNS, _SHARE_COLUMNS = 6, 16


def draw_on(view: View, stream: TextIO) -> None:
    """Draw the view on a stream that somebody watches."""
    draw(view, Console(file=stream, highlight=False, emoji=False, markup=False))


def draw_note(note: str) -> None:
    """A note on stderr."""
    console = Console(stderr=True, highlight=False, emoji=False, markup=False)
    console.print(Text(f"note: {note}", "dim"), width=min(console.width, WIDTH_MAX))


def draw(view: View, console: Console) -> None:
    """Draw the view for a person at a terminal."""
    width = min(console.width, WIDTH_MAX)
    if view.headline:
        console.print(Text(visible(_cut(view.headline, view.whole_texts)), "bold"), width=width)
    for sentence in view.sentences:
        console.print(Text(visible(sentence)), width=width)
    picture = [] if view.picture is None else _picture(view.picture, width)
    if picture:
        console.print()
        for row in picture:
            console.print(row)
        if view.rows:
            console.print()
    if view.rows:
        console.print(_table(view, width), width=width)
        left = 0 if view.rows_drawn is None else len(view.rows) - view.rows_drawn
        if left > 0:
            console.print(Text(f"… and {left:,} more; --json tells all", "dim"), width=width)
    shown = [(name, value) for name, value in view.facts if value not in (None, "")]
    if shown:
        if view.rows:
            console.print()
        cells = [(name.replace("_", " "), _fact(name, value, view.whole_texts)) for name, value in shown]
        console.print(_facts(cells, width), width=width)
    for part in view.below:
        console.print()
        draw(part, console)
    if view.hint:
        console.print(Text(visible(view.hint), "dim"), width=width)


def _table(view: View, width: int) -> RenderableType:
    """The rows in columns where these have room, otherwise each row as facts."""
    rows = view.rows[: view.rows_drawn]
    headings = [visible(heading) for heading in view.headings]
    for bars in (True, False):
        drawn = _drawn_rows(rows, view.whole_texts, bars=bars)
        widths = _widths(headings, rows, drawn, width)
        if widths is not None:
            return _columns(headings, rows, drawn, widths)
    cells = zip(rows, _drawn_rows(rows, view.whole_texts, bars=False), strict=True)
    return _facts([fact for row, texts in cells for fact in [*_named(headings, row, texts), ("", Text())]][:-1], width)


def _drawn_rows(rows: Sequence[tuple[Cell, ...]], whole: bool, *, bars: bool) -> list[list[Text]]:
    return [
        [Text(f"{cell:,}") if type(cell) is int else _drawn(cell, whole, bars=bars) for cell in row] for row in rows
    ]


def _columns(
    headings: Sequence[str], rows: Sequence[tuple[Cell, ...]], drawn: Sequence[list[Text]], widths: Sequence[int]
) -> Table:
    table = Table(
        box=None,
        padding=(0, _GAP, 0, 0),
        pad_edge=False,
        header_style="dim",
        show_header=sum(map(bool, headings)) > 1,
    )
    for index, (heading, columns) in enumerate(zip(headings, widths, strict=True)):
        side: JustifyMethod = "right" if all(type(row[index]) is int for row in rows) else "left"
        table.add_column(Text(heading), width=columns, overflow="fold", justify=side)
    before: Cell = None
    for row, texts in zip(rows, drawn, strict=True):
        first, *others = texts
        if isinstance(row[0], str) and not headings[0]:
            # A name over several rows is said once.
            first = Text("" if row[0] == before else first.plain.replace("_", " "), "dim")
        before = row[0]
        table.add_row(first, *others)
    return table


def _widths(
    headings: Sequence[str], rows: Sequence[tuple[Cell, ...]], drawn: Sequence[list[Text]], width: int
) -> list[int] | None:
    """How wide each column is: as what stands in it, and where that is too much in all, the widest give way.

    Words give way, to the longest of them; a number, a date and a bar do not. None: there is no room for that.
    """
    room = width - _GAP * (len(headings) - 1)
    least = [_longest(heading.split()) for heading in headings]
    widths = [cell_len(heading) for heading in headings]
    for row, cells in zip(rows, drawn, strict=True):
        for index, (cell, text) in enumerate(zip(row, cells, strict=True)):
            whole = _longest(text.plain.split("\n"))
            word = min(_longest(text.plain.split()), _WORD_MAX if headings[index] else _NAME_MAX)
            least[index] = max(least[index], word if isinstance(cell, str | Memory | Stack) else whole)
            widths[index] = min(max(widths[index], whole), max(room, 0))
    if sum(least) > room:
        return None
    while sum(widths) > room:
        giving = max((index for index in range(len(widths)) if widths[index] > least[index]), key=widths.__getitem__)
        widths[giving] -= 1
    return widths


def _longest(parts: Sequence[str]) -> int:
    return max(map(cell_len, parts), default=0)


def _named(headings: Sequence[str], row: tuple[Cell, ...], drawn: Sequence[Text]) -> list[tuple[str, Text]]:
    """The cells of a row under the names of their columns; what has no heading is a name itself."""
    return [
        (heading, text) if heading else (text.plain, Text())
        for heading, cell, text in zip(headings, row, drawn, strict=True)
        if cell not in (None, "")
    ]


def _picture(picture: Outlook | Timeline, width: int) -> list[Text]:
    return _outlook(picture, width) if isinstance(picture, Outlook) else _timeline(picture, width)


def _outlook(outlook: Outlook, width: int) -> list[Text]:
    last, far = outlook.points[-1][0], len(outlook.points) * 2 // 3
    # The first of them to claim a place below the axis gets it.
    names = {0: "now", **outlook.dated}
    names.setdefault(far, f"{outlook.points[far][0]} {outlook.unit}")
    line = Line("●", "cyan", [strength for _, strength in outlook.points])
    axis = Axis(len(outlook.points), names if last else {}, upright=max(outlook.dated, default=None))
    highest = max(*(strength for _, strength in outlook.points), *outlook.rungs.values())
    scale = Scale(next((top for top in _TOPS if highest <= top), _TOPS[-1]))
    return chart([line], outlook.rungs, axis, width=width, rows=_PICTURE_ROWS, scale=scale)


def _timeline(timeline: Timeline, width: int) -> list[Text]:
    """Memories as a curve, broken where it is foretold, and their tokens below."""
    last, now = len(timeline.dates) - 1, timeline.now
    # The first of them to claim a place below the axis gets it.
    names = {now: "now"} | {step: f"{timeline.dates[step]}" for step in (last, 0) if step != now}
    line = Line("", "cyan", timeline.counts, faint=[step > now for step in range(last + 1)], marks={now: "●"})
    most = max(timeline.tokens)
    tokens = Strip("tokens", _short(most), "cyan", [count / max(most, 1) for count in timeline.tokens])
    scale = Scale(_even_top(max(timeline.counts)), (1.0, 0.5, 0.0), _short, "memories")
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


def _facts(facts: Sequence[tuple[str, Text]], width: int) -> Table:
    grid = Table.grid(padding=(0, _GAP, 0, 0))
    # A name leaves room for an id where it can, and breaks sooner than what it names.
    grid.add_column(style="dim", max_width=max(width - _GAP - _WORD_MAX, width * 3 // 10), overflow="fold")
    grid.add_column(overflow="fold")
    for name, cells in facts:
        grid.add_row(Text(visible(name)), cells)
    return grid


def _fact(name: str, value: Cell, whole: bool) -> Text:
    return _size(value) if name.endswith("_bytes") and isinstance(value, int) else _drawn(value, whole)


def _size(count: int) -> Text:
    return Text(f"{count / 1e6:,.1f} MB" if count >= 1e5 else f"{count / 1e3:,.1f} kB")


def _drawn(cell: Cell, whole: bool, *, bars: bool = True) -> Text:
    if isinstance(cell, Memory):
        return Text.assemble(visible(_cut(cell.text, whole)), "\n", (visible(_details(cell)), "dim"))
    if isinstance(cell, Stack):
        parts = [_drawn(part, whole) for part in cell.parts if part]
        return Text("\n").join([*parts[:1], *(Text(part.plain, "dim") for part in parts[1:])])
    if isinstance(cell, Strength):
        strength = Text(f"{cell.value:.2f}", cell.style)
        return Text.assemble(bar(cell.value, _BAR_COLUMNS, cell.style), " ", strength) if bars else strength
    if isinstance(cell, Share):
        share, count = cell.count / cell.whole if cell.whole else 0.0, Text(f"{cell.count:,}")
        return Text.assemble(bar(share, _SHARE_COLUMNS, "cyan"), " ", count) if bars else count
    if isinstance(cell, datetime):
        return Text(f"{cell:%Y-%m-%d %H:%M}")
    return Text(visible(_cut(cell, whole)) if isinstance(cell, str) else plain_cell(cell)[0])


def _details(memory: Memory) -> str:
    """The line below a text: its id, and whatever differs from the usual."""
    details = [memory.id, memory.category, str(memory.scope), f"{memory.created_at:%Y-%m-%d}"]
    details += [] if memory.status is Status.ACTIVE else [str(memory.status)]
    if memory.lifetime is not None:
        details.append(
            f"true for {memory.lifetime}" if memory.valid_until is None else f"true until {memory.valid_until:%Y-%m-%d}"
        )
    details += [f"harm {memory.harm}"] if memory.harm > 1 else []
    details += [word for word in ("pinned", "contested") if getattr(memory, word)]
    return "  ".join([*details, *(f"#{tag}" for tag in memory.tags)])


def _cut(text: str, whole: bool) -> str:
    return text if whole or len(text) <= _TEXT_MAX else f"{text[:_TEXT_MAX].rstrip()} …"
