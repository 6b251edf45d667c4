"""The demo's stage: a console, a pace, and the few shapes in which things are shown on it.

Colours are the terminal's own sixteen, so they fit a dark and a light background; in a pipe
there are none, and the text says everything alone.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import date, datetime

from rich.console import Console, RenderableType
from rich.live import Live
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from ...domain.memory import Status
from ...domain.policy import Policy
from ...domain.results import Recollection
from ..terminal_charts import bar
from .year import Evening, Year

WIDTH_MIN, WIDTH_MAX = 60, 120
BEAT_SECONDS, SLOW_BEAT_SECONDS = 0.27, 0.42
LONGEST_SECONDS = 50.0  # after this the demo no longer pauses: it promises a year in under a minute
LOOKS = {  # how a rung is drawn: a character and a colour
    Status.ACTIVE: ("█", "green"),
    Status.DETACHED: ("▒", "yellow"),
    Status.ARCHIVED: ("░", "blue"),
}
_INDENT = 2
_BAR_COLUMNS, _BAR_COLUMNS_NARROW = 8, 5
_NARROW = 96


class Pace:
    """How fast it is told: the length of a beat, 0 when there is nobody to read along."""

    def __init__(self, beat_seconds: float) -> None:
        self.beat_seconds = beat_seconds
        self._over_at = time.monotonic() + LONGEST_SECONDS

    @property
    def animated(self) -> bool:
        return self.beat_seconds > 0

    def pause(self, beats: float) -> None:
        """Time to read."""
        self.wait(beats, since=time.monotonic())

    def wait(self, beats: float, *, since: float) -> None:
        """Until so many beats have passed; what was worked in them is not waited for again."""
        now = time.monotonic()
        until = min(since + beats * self.beat_seconds, self._over_at)
        if self.animated and until > now:
            time.sleep(until - now)


class Stage:
    """Where the chapters are shown."""

    def __init__(self, console: Console, pace: Pace, policy: Policy) -> None:
        self.console = console
        self.pace = pace
        self.policy = policy
        self.width = min(max(console.width, WIDTH_MIN), WIDTH_MAX)
        self.narrow = self.width < _NARROW

    def chapter(self, month: str, title: str) -> None:
        """A heading, with a breath before it."""
        self.pace.pause(1.2)
        self.console.print()
        heading = Text.assemble((month, "bold cyan"), ("  ", ""), (title, "bold"))
        self.console.print(Rule(heading, align="left", style="dim"), width=self.width)
        self.pace.pause(0.6)

    def say(self, *parts: str | Text | tuple[str, str], pause: float = 1.0) -> None:
        """A sentence; a part is plain, or (text, style)."""
        for row in Text.assemble(*parts).wrap(self.console, self.width - _INDENT) or [Text()]:
            row.rstrip()
            self.console.print(Text.assemble(" " * _INDENT, row) if row else "", width=self.width)
        self.pace.pause(pause)

    def show(self, what: RenderableType, pause: float = 1.0) -> None:
        """Anything, indented."""
        self.console.print(Padding(what, (0, 0, 0, _INDENT), expand=False), width=self.width)
        self.pace.pause(pause)

    def table(self, *columns: str, text_columns: tuple[int, ...] = (0,)) -> Table:
        """A table without lines. Text columns give way when it is narrow; the others never break."""
        table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
        for index, name in enumerate(columns):
            # Of columns that may wrap Rich takes room first; `line` then keeps their text from wrapping.
            table.add_column(name, no_wrap=index not in text_columns)
        return table

    def strength(self, value: float) -> Text:
        """A bar and a number, coloured by the rung it stands on."""
        columns = _BAR_COLUMNS_NARROW if self.narrow else _BAR_COLUMNS
        return Text.assemble(bar(value, columns, self.colour(value)), (f" {value:.2f}", self.colour(value)))

    def colour(self, strength: float) -> str:
        """By the thresholds of the policy."""
        ladder = self.policy.ladder
        if strength < ladder.detach:
            return "red"
        return "yellow" if strength < ladder.summarize else "green"

    def question(self, question: str) -> None:
        """What is asked."""
        self.say(("? ", "bold magenta"), (question, "italic"), pause=0.7)

    def answers(self, found: Sequence[Recollection], pause: float = 1.8) -> None:
        """What recall gave."""
        if not found:
            self.say(("  nothing comes to mind", "dim"), pause=pause)
            return
        table = self.table("score", "strength", "memory", text_columns=(2,))
        for one in found:
            rung = one.memory.status
            note = "" if rung is Status.ACTIVE else f" ({rung})"
            table.add_row(f"{one.score:.2f}", self.strength(one.strength), line(one.memory.text + note))
        self.show(Padding(table, (0, 0, 0, 2), expand=False), pause=pause)

    def live(self, year: Year, last: date, beats: float = 4.0) -> Evening:
        """Let time pass until a day. Somebody who watches sees the days go by."""
        days = (last - year.today).days
        if not self.pace.animated:
            for _ in year.live_until(last):
                pass
            return year.evenings[-1]
        started = time.monotonic()
        with Live(console=self.console, transient=True, auto_refresh=False) as live:
            for number, evening in enumerate(year.live_until(last), 1):
                live.update(self._passing(evening), refresh=True)
                self.pace.wait(beats * number / days, since=started)
        return year.evenings[-1]

    def _passing(self, evening: Evening) -> Text:
        text = Text.assemble((f"\n  {day_name(evening.on)}  ", "bold"))
        for status, (character, style) in LOOKS.items():
            count = evening.counts[status]
            most = max((self.width - 52) // len(LOOKS), 4)
            text.append(character * min(count, most), style)
            text.append(f" {count} {status}  ", "dim")
        return text


def line(text: str, style: str = "") -> Text:
    """Text that is cut short rather than wrapped."""
    return Text(text, style, no_wrap=True, overflow="ellipsis")


def times(count: int) -> str:
    """How often, in words."""
    return "never" if not count else "once" if count == 1 else f"{count} times"


def day_name(on: date | datetime) -> str:
    """Short, without the year: the story has only one."""
    return f"{on:%b} {on.day}"
