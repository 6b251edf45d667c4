"""The pictures are drawn to scale, fit where they stand, and can be read without colours."""

from __future__ import annotations

from rich.text import Text

from ebbing.interfaces.terminal_charts import Axis, Line, bar, chart, sparkline, stacked
from tests.tables import each_row

AXIS = Axis(steps=100, names={0: "Jan", 50: "Feb"}, heavy=(60, 70), heavy_name="holiday")
LEVELS = {"detach": 0.15, "archive": 0.05}


def drawn(*lines: Line, width: int = 60, rows: int = 12) -> list[str]:
    return [row.plain for row in chart(lines, LEVELS, AXIS, width=width, rows=rows)]


def heights(rows: list[str]) -> list[int]:
    """For each column that holds a dot, the row of its highest."""
    columns = range(max(map(len, rows)))
    tops = [
        [row for row, text in enumerate(rows) if column < len(text) and is_braille(text[column])] for column in columns
    ]
    return [min(top) for top in tops if top]


def is_braille(character: str) -> bool:
    return "⠀" < character <= "⣿"


@each_row("width", [58, 78, 118])
def test_a_chart_keeps_to_its_width(width: int) -> None:
    """The levels' names and the axis included."""
    rows = drawn(Line("a", "red", [0.5] * 100), width=width)
    assert max(map(len, rows)) <= width


def test_where_there_is_no_room_there_is_no_picture() -> None:
    """Ten columns beside numbers and names are the least; no terminal is too small to ask for one."""
    rows = [drawn(Line("a", "red", [0.5] * 100), width=width) for width in range(40)]
    assert [width for width, found in enumerate(rows) if found] == list(range(27, 40))


def test_a_name_near_the_end_of_the_axis_moves_to_the_left() -> None:
    """It is read whole, and stands within the picture."""
    rows = chart([Line("", "red", [0.5] * 100)], {}, Axis(100, {0: "now", 95: "archive"}), width=60, rows=4)
    assert rows[-1].plain.split() == ["now", "archive"]
    assert len(rows[-1].plain) == len(rows[-2].plain)


def test_a_curve_that_falls_is_drawn_falling() -> None:
    """From the upper left to the lower right, in every column."""
    tops = heights(drawn(Line("a", "red", [1 - step / 99 for step in range(100)])))
    assert tops == sorted(tops)
    assert (tops[0], tops[-1]) == (0, 11)


def test_a_level_is_drawn_where_a_value_of_it_would_be() -> None:
    """A curve that stays on the threshold lies on its line."""
    rows = drawn(Line("a", "red", [None] * 50 + [0.15] * 50))
    labelled = next(index for index, row in enumerate(rows) if row.rstrip().endswith("detach"))
    assert heights(rows) == [labelled] * len(heights(rows))


def test_curves_can_be_told_apart_without_colours() -> None:
    """Each begins with its letter, also when two begin in the same place, and ends with its mark."""
    rows = "\n".join(drawn(*(Line(letter, "red", [0.5] * 20 + [None] * 80, marks={19: "▼"}) for letter in "ab")))
    assert "ab" in rows
    assert rows.count("▼") == 2


def test_a_faint_stretch_has_fewer_dots() -> None:
    """What is out of recall is drawn as a broken line."""
    solid = drawn(Line("a", "red", [0.5] * 100))
    faint = drawn(Line("a", "red", [0.5] * 100, faint=[step > 10 for step in range(100)]))
    assert sum(map(is_braille, "".join(faint))) < sum(map(is_braille, "".join(solid)))


def test_the_axis_names_its_spans() -> None:
    """Months below, and the heavy stretch with its name."""
    below = "\n".join(drawn(Line("a", "red", [0.5] * 100))[-3:])
    assert all(word in below for word in ("Jan", "Feb", "━━━", "↑ holiday"))


@each_row(("value", "full"), [(-1.0, 0), (0.0, 0), (0.5, 4), (1.0, 8), (2.0, 8)])
def test_a_bar_has_one_length(value: float, full: int) -> None:
    """Whatever the value, and never outside of it."""
    text = bar(value, 8).plain
    assert (len(text), text.count("━")) == (8, full)


def test_a_sparkline_rises_with_its_values() -> None:
    """And is blank where there was nothing."""
    text: Text = sparkline([None, None, 0.0, 0.3, 0.6, 1.0], 6)
    assert text.plain.startswith("  ▁")
    assert list(text.plain[2:]) == sorted(text.plain[2:])
    assert sparkline([], 3).plain == "   "


def test_what_is_there_is_never_invisible() -> None:
    """One of a thousand still has its character."""
    assert stacked([(1, "█", ""), (999, "░", ""), (0, "▒", "")], 1000, 20).plain == "█" + "░" * 20
