"""The demo's pictures of a whole year: the curves, the months, the reasons, the closing numbers."""

from __future__ import annotations

import dataclasses
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from rich.console import Group
from rich.live import Live
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ...domain.memory import Status
from ..terminal_charts import Axis, Line, chart, stacked
from .console import LOOKS, Stage, day_name, line, times
from .story import FIRST_DAY, HOLIDAY, LAST_DAY
from .year import Lowered, Year

# The curves that are drawn, each with its letter and colour.
FOLLOWED = {
    "deploy": ("a", "green"),
    "answers": ("b", "magenta"),
    "pages": ("c", "cyan"),
    "mysql": ("d", "blue"),
    "dinner": ("e", "yellow"),
    "invoices": ("f", "red"),
}
_ROWS = 15
_FRAMES, _DRAWING_BEATS = 48, 12.0
_ENDS = {Status.ARCHIVED: "▼", Status.SUPERSEDED: "✕", Status.FORGOTTEN: "✕"}
_DRAWN = [status.value for status in LOOKS]
_DAYS = (LAST_DAY - FIRST_DAY).days + 1


@dataclass(frozen=True, slots=True)
class Closing:
    """The year in numbers, all of them asked of the engine at its end."""

    remembered: int
    summaries: int
    counts: Mapping[str, int]
    purged: int
    tokens_active: int
    tokens_total: int
    questions: int
    stale_answers: int
    reasons: Mapping[str, int]
    strengths: Mapping[str, float]

    @classmethod
    def of(cls, year: Year) -> Closing:
        memories = year.all_memories()
        return cls(
            remembered=year.remembered,
            summaries=sum(bool(one.derived_from) for one in memories),
            counts={status.value: sum(one.status is status for one in memories) for status in Status},
            purged=year.purged,
            tokens_active=sum(one.tokens for one in memories if one.status is Status.ACTIVE),
            tokens_total=sum(one.tokens for one in memories),
            questions=year.questions,
            stale_answers=year.stale_answers,
            reasons=Counter(one.why for one in year.lowered()),
            strengths=year.evenings[-1].strengths,
        )


def curves(stage: Stage, year: Year) -> None:
    """The strength of six memories over the year, drawn from left to right where somebody watches."""
    stage.chapter("The year", "six memories, as strong as they were on each day")
    lines = [_curve(key, year) for key in FOLLOWED]
    if stage.pace.animated and stage.console.height > _ROWS + 6:
        started = time.monotonic()
        with Live(console=stage.console, auto_refresh=False) as live:
            for frame in range(1, _FRAMES + 1):
                shown = _DAYS * frame // _FRAMES
                live.update(_picture([_until(one, shown) for one in lines], stage), refresh=True)
                stage.pace.wait(_DRAWING_BEATS * frame / _FRAMES, since=started)
    else:
        stage.console.print(_picture(lines, stage))
    stage.console.print()
    stage.show(_legend(stage, year), pause=3.0)


def _picture(lines: list[Line], stage: Stage) -> Padding:
    ladder = stage.policy.ladder
    levels = {"summarize": ladder.summarize, "detach": ladder.detach, "archive": ladder.archive}
    firsts = [FIRST_DAY, *(date(FIRST_DAY.year, month, 1) for month in range(2, 13))]
    names = {(first - FIRST_DAY).days: f"{first:%b}" for first in firsts}
    axis = Axis(_DAYS, names, ((HOLIDAY[0] - FIRST_DAY).days, (HOLIDAY[1] - FIRST_DAY).days), "holiday")
    return Padding(Group(*chart(lines, levels, axis, width=stage.width - 2, rows=_ROWS)), (0, 0, 0, 1), expand=False)


def _curve(key: str, year: Year) -> Line:
    """Drawn while it is in the live tables; a mark says where it left them or came back."""
    letter, style = FOLLOWED[key]
    statuses = [evening.statuses.get(key) for evening in year.evenings]
    values = [
        value if status is not None and (status.live or statuses[max(step - 1, 0)] is not status) else None
        for step, (value, status) in enumerate(zip(year.curve(key), statuses, strict=True))
    ]
    marks: dict[int, str] = {}
    for step in range(1, len(statuses)):
        before, now = statuses[step - 1], statuses[step]
        if before is not None and now is not None and before is not now:
            mark = _ENDS.get(now) if before.live else "▲"
            marks |= {step: mark} if mark else {}
    faint = [status is Status.DETACHED for status in statuses]
    return Line(letter, style, values, faint, marks)


def _until(curve: Line, step: int) -> Line:
    return dataclasses.replace(curve, values=curve.values[:step])


def _legend(stage: Stage, year: Year) -> Table:
    table = stage.table("", "memory", "asked", "today", "strength", text_columns=(1,))
    for key, (letter, style) in FOLLOWED.items():
        memory = year.memory(key)
        strength = stage.strength(year.evenings[-1].strengths[key])
        name, asked = Text(letter, f"bold {style}"), times(memory.recall_count)
        table.add_row(name, line(memory.text, style), asked, memory.status, strength)
    return table


def months(stage: Stage, year: Year) -> None:
    """How many memories stood where at the end of each month."""
    stage.chapter("The year", "where its memories stood at the end of each month")
    ends = {evening.on.month: evening for evening in year.evenings}
    most = max(sum(evening.counts.values()) for evening in ends.values())
    columns = stage.width - 40
    table = stage.table("", "", "active", "detached", "archived", text_columns=())
    for evening in ends.values():
        parts = [(evening.counts[status], *look) for status, look in LOOKS.items()]
        figures = (Text(f"{count}", style, justify="right") for count, _, style in parts)
        table.add_row(f"{evening.on:%b}", stacked(parts, most, columns), *figures)
    stage.show(table, pause=2.5)
    last = year.evenings[-1].counts
    stage.say(f"At the end of the year recall searches {last[Status.ACTIVE]} memories of {sum(last.values())}.")


def reasons(stage: Stage, year: Year) -> None:
    """Each reason that is on record, how often, and one memory it holds for."""
    found = year.lowered()
    table = stage.table("", "became", "because", "such as", "on", text_columns=(2, 3))
    for (status, why), those in sorted(_grouped(found), key=lambda group: -len(group[1])):
        example = max(those, key=lambda one: (one.memory.id in year.ids.values(), one.memory.recall_count))
        when = day_name(example.event.at)
        table.add_row(f"{len(those):>4}", status, line(why), line(example.memory.text, "dim"), when)
    stage.show(table, pause=3.0)
    stage.say(f"{len(found)} are out of recall. Each has its event, and each can come back.")


def _grouped(found: list[Lowered]) -> Iterator[tuple[tuple[str, str], list[Lowered]]]:
    groups: dict[tuple[str, str], list[Lowered]] = {}
    for one in found:
        groups.setdefault((one.memory.status.value, one.why), []).append(one)
    yield from groups.items()


def summary(stage: Stage, closing: Closing) -> None:
    """The closing numbers, and what to do next."""
    stage.chapter("The end", "one year in numbers")
    table = stage.table("", "", "", text_columns=())
    table.show_header = False
    table.add_row(Text("remembered", "bold"), Text(f"{closing.remembered:>4}", "bold"))
    if closing.summaries:
        table.add_row("summaries", f"{closing.summaries:>4}")
    for name, count in {**closing.counts, "purged": closing.purged}.items():
        if count:
            character, style = LOOKS[Status(name)] if name in _DRAWN else ("░", "")
            columns = max(1, round(count / closing.remembered * (stage.width - 24)))
            table.add_row(name, f"{count:>4}", Text(character * columns, style))
    stage.show(table, pause=1.5)
    share = closing.tokens_active / max(closing.tokens_total, 1)
    tokens = f"{closing.tokens_active:,} of {closing.tokens_total:,} tokens are in play ({share:.0%})"
    stage.say(f"{tokens}; the rest is a restore away.", pause=1.0)
    stale = closing.stale_answers or "none"
    stage.say(f"{closing.questions} questions asked, {stale} answered with a fact that had been replaced.", pause=1.0)
    stage.console.print()
    stage.say(("Your turn", "bold"), pause=0.2)
    for advice in _NEXT:
        stage.say(advice, pause=0.1)


_NEXT = (
    "  import ebbing",
    '  memory = ebbing.open("memory.db")',
    '  memory.remember("The deploy key is in the vault")',
    '  memory.recall("where is the deploy key?")',
    "",
    "  ebbing doctor         look after your file",
    "  docs/why-forget.md    the idea, in two pages",
)
