"""Views onto a stream: drawn for a person (draw.py), or as plain lines for a pipe.

In a pipe a row is one line with a tab between cells, and a memory is six of them: id, status, category,
scope, when it was made, text. Nothing is cut; a line break or tab within a text is written `\\n`, `\\t`.
No character of a memory is obeyed (output.py).
"""

from __future__ import annotations

import sys
from datetime import datetime
from typing import TextIO

from ...domain.memory import Memory
from .loading import loaded
from .output import is_watched, one_line, visible
from .views import Cell, Share, Stack, Strength, View


def write(view: View, stream: TextIO) -> None:
    """Write the view: drawn for a person, as lines for a pipe; notes go to stderr."""
    if is_watched(stream):
        loaded(".draw:draw_on")(view, stream)
    else:
        for line in lines(view):
            print(line, file=stream)
    for note in map(visible, view.notes):
        if sys.stderr.isatty():
            loaded(".draw:draw_note")(note)
        else:
            print(f"note: {note}", file=sys.stderr)


def lines(view: View) -> list[str]:
    """The view as lines for a pipe."""
    rows = ["\t".join(part for cell in row for part in plain_cell(cell)) for row in view.rows]
    facts = ["\t".join((one_line(name), *plain_cell(value))) for name, value in view.facts]
    return [*map(visible, view.sentences), *rows, *facts, *(line for part in view.below for line in lines(part))]


def plain_cell(cell: Cell) -> tuple[str, ...]:
    """A cell as the parts of a line."""
    if isinstance(cell, Memory):
        made = cell.created_at.isoformat()
        return cell.id, str(cell.status), one_line(cell.category), str(cell.scope), made, one_line(cell.text)
    if isinstance(cell, Stack):
        return tuple(written for part in cell.parts for written in plain_cell(part))
    if isinstance(cell, Strength):
        return (f"{cell.value:.3f}",)
    if isinstance(cell, Share):
        return (str(cell.count),)
    if isinstance(cell, datetime):
        return (cell.isoformat(),)
    if isinstance(cell, bool):
        return ("yes" if cell else "no",)
    return ("" if cell is None else one_line(str(cell)),)
