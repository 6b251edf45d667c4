"""Pictures made of characters: line charts in braille, bars, sparklines.

Numbers in, Rich text out. It knows nothing of memories. Whatever a colour says, a letter or
a shape says too, so that the pictures can be read in a pipe, and by everybody.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rich.text import Text

# The bit of each dot of a braille cell, by column and row from the top.
_DOTS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
_BRAILLE = 0x2800
_SEVENTHS = "▁▂▃▄▅▆▇"  # not the full block: rows that touch would become one
_LEVEL, _UPRIGHT = "┈", "┊"
_QUIET = "dim"
LABEL_COLUMNS = 5  # the numbers of the axis
NAME_COLUMNS = 11  # the names of the levels
COLUMNS_MIN = 10  # between the two; in less no curve is seen to fall


@dataclass(frozen=True, slots=True)
class Line:
    """One curve: a value from 0 to the top of the scale per step, or None where there is nothing to draw."""

    letter: str  # where it begins; empty: nothing stands there
    style: str
    values: Sequence[float | None]
    faint: Sequence[bool] = ()  # the steps to be drawn with every other dot
    marks: Mapping[int, str] = field(default_factory=dict)  # a character at a step, such as where it ends


@dataclass(frozen=True, slots=True)
class Axis:
    """What stands below a chart: a name where a span begins, and a stretch to be drawn heavily."""

    steps: int
    names: Mapping[int, str]
    heavy: tuple[int, int] | None = None
    heavy_name: str = ""
    upright: int | None = None  # a step at which a line stands


@dataclass(frozen=True, slots=True)
class Scale:
    """What the height of a chart means, and which heights have their number beside them."""

    top: float = 1.0
    numbered: Sequence[float] = (1.0, 0.5)  # shares of the height
    written: Callable[[float], str] = "{:.2f}".format
    name: str = ""


@dataclass(frozen=True, slots=True)
class Strip:
    """A second measure over the same steps, as one row below the curves."""

    name: str
    number: str  # what its highest is worth
    style: str
    values: Sequence[float | None]  # from 0 to 1


_SHARES = Scale()


@dataclass(slots=True)
class _Canvas:
    columns: int
    rows: int
    dots: dict[tuple[int, int], int] = field(default_factory=dict)
    styles: dict[tuple[int, int], str] = field(default_factory=dict)
    letters: dict[tuple[int, int], tuple[str, str]] = field(default_factory=dict)

    def dot(self, x: int, y: int, style: str) -> None:
        """Dots count from the lower left."""
        down = self.rows * 4 - 1 - y
        cell = (x // 2, down // 4)
        self.dots[cell] = self.dots.get(cell, 0) | _DOTS[x % 2][down % 4]
        self.styles[cell] = style

    def row(self, row: int, level: bool, upright: int | None) -> Text:
        text = Text()
        for column in range(self.columns):
            cell = (column, row)
            if cell in self.letters:
                text.append(*self.letters[cell])
            elif cell in self.dots:
                text.append(chr(_BRAILLE + self.dots[cell]), self.styles[cell])
            elif column == upright:
                text.append(_UPRIGHT, _QUIET)
            else:
                text.append(_LEVEL if level else " ", _QUIET if level else "")
        return text


def chart(
    lines: Sequence[Line],
    levels: Mapping[str, float],
    axis: Axis,
    *,
    width: int,
    rows: int,
    scale: Scale = _SHARES,
    strips: Sequence[Strip] = (),
) -> list[Text]:
    """The curves above their axis, with the levels marked, in `width` columns; nothing where that is no picture."""
    columns = width - LABEL_COLUMNS - 1 - NAME_COLUMNS
    if columns < COLUMNS_MIN:
        return []
    canvas = _Canvas(columns, rows)
    scaled = [replace(line, values=[_share(value, scale) for value in line.values]) for line in lines]
    for line in scaled:
        _draw(line, canvas, axis.steps)
    for line in scaled:
        _letter(line, canvas, axis.steps)
    names = {_row_of(value / scale.top, rows): (scale.written(value), name) for name, value in levels.items()}
    numbers = {_row_of(share, rows): (scale.written(share * scale.top), "") for share in scale.numbered}
    labels = numbers | ({0: (scale.written(scale.top), scale.name)} if scale.name else {}) | names
    upright = None if axis.upright is None else _column_of(axis.upright, axis, columns)
    drawn = []
    for row in range(rows):
        number, name = labels.get(row, ("", ""))
        drawn.append(_labelled_row(number, canvas.row(row, row in names, upright), name))
    drawn_strips = [(strip, sparkline(strip.values, columns, strip.style)) for strip in strips]
    drawn += [_labelled_row(strip.number, drawn_strip, strip.name) for strip, drawn_strip in drawn_strips]
    return [*drawn, *_below(axis, columns)]


def _share(value: float | None, scale: Scale) -> float | None:
    return None if value is None else value / scale.top


def _labelled_row(number: str, drawn: Text, name: str) -> Text:
    left = f"{number:>{LABEL_COLUMNS - 1}} {'┤' if number else '│'}"
    return Text.assemble((left, _QUIET), drawn, (f" {name}".rstrip(), _QUIET))


def _draw(line: Line, canvas: _Canvas, steps: int) -> None:
    before: tuple[int, int] | None = None
    for step, value in enumerate(line.values):
        if value is None:
            before = None
            continue
        x, y = _place(step, value, canvas, steps)
        faint = bool(line.faint) and line.faint[step]
        _join(before or (x, y), (x, y), canvas, line.style, faint=faint)
        before = (x, y)


def _join(start: tuple[int, int], end: tuple[int, int], canvas: _Canvas, style: str, *, faint: bool) -> None:
    """A stroke between two points that touches every dot on its way; a faint one those in every other column."""
    (x0, y0), (x1, y1) = start, end
    count = max(abs(x1 - x0), abs(y1 - y0), 1)
    for step in range(count + 1):
        x, y = x0 + round((x1 - x0) * step / count), y0 + round((y1 - y0) * step / count)
        if not faint or x % 4 < 2:
            canvas.dot(x, y, style)


def _letter(line: Line, canvas: _Canvas, steps: int) -> None:
    """The curve's letter where it begins, and its marks; the second to come to a place stands right of it."""
    for step, character in {**_first(line), **line.marks}.items():
        value = line.values[step] if step < len(line.values) else None
        if value is None:
            continue
        x, y = _place(step, value, canvas, steps)
        column, row = x // 2, canvas.rows - 1 - y // 4
        while (column, row) in canvas.letters:
            column += 1
        canvas.letters[column, row] = (character, f"bold {line.style}")


def _first(line: Line) -> dict[int, str]:
    begun = next((step for step, value in enumerate(line.values) if value is not None), None)
    return {} if begun is None or not line.letter else {begun: line.letter}


def _place(step: int, value: float, canvas: _Canvas, steps: int) -> tuple[int, int]:
    x = round(step / max(steps - 1, 1) * (canvas.columns * 2 - 1))
    return x, round(min(max(value, 0.0), 1.0) * (canvas.rows * 4 - 1))


def _row_of(value: float, rows: int) -> int:
    return rows - 1 - round(value * (rows * 4 - 1)) // 4


def _column_of(step: int, axis: Axis, columns: int) -> int:
    return min(round(step / max(axis.steps - 1, 1) * (columns * 2 - 1)) // 2, columns - 1)


def _below(axis: Axis, columns: int) -> list[Text]:
    margin = " " * LABEL_COLUMNS
    ruler, names = ["─"] * columns, [" "] * columns
    for step, name in axis.names.items():
        at = _column_of(step, axis, columns)
        ruler[at] = "┬"
        # Near the end a name moves to the left. One that does not fit beside those before it is left out.
        at = min(at, columns - len(name))
        if at >= 0 and not "".join(names[max(at - 1, 0) : at + len(name) + 1]).strip():
            names[at : at + len(name)] = name
    below = [Text(margin + "└" + "".join(ruler), _QUIET), Text(f"{margin} {''.join(names)}".rstrip(), _QUIET)]
    if axis.heavy is not None:
        first, last = (_column_of(step, axis, columns) for step in axis.heavy)
        stretch = "━" * (last - first + 1)
        below[0] = Text.assemble(
            (f"{margin}└{''.join(ruler[:first])}", _QUIET), (stretch, "bold"), ("".join(ruler[last + 1 :]), _QUIET)
        )
        below.append(Text(margin + " " * (first + 1) + "↑ " + axis.heavy_name, "bold"))
    return below


def bar(value: float, columns: int, style: str = "") -> Text:
    """A value from 0 to 1 as a bar of fixed length."""
    full = round(min(max(value, 0.0), 1.0) * columns)
    return Text.assemble(("━" * full, style), ("╌" * (columns - full), _QUIET))


def stacked(parts: Sequence[tuple[int, str, str]], whole: int, columns: int) -> Text:
    """Counts side by side, each as (count, character, style), to one scale; what is there is never invisible."""
    text = Text()
    for count, character, style in parts:
        if count:
            text.append(character * max(1, round(count / max(whole, 1) * columns)), style)
    return text


def sparkline(values: Sequence[float | None], columns: int, style: str = "") -> Text:
    """A curve in one line of text; blank where there is nothing."""
    text = Text(style=style)
    for column in range(columns):
        value = values[min(column * len(values) // columns, len(values) - 1)] if values else None
        text.append(" " if value is None else _SEVENTHS[min(int(value * len(_SEVENTHS)), len(_SEVENTHS) - 1)])
    return text
