"""What forgetting keeps and costs, as tables, a curve and JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from ebbing.interfaces.terminal_charts import Axis, Line, chart

from .forget_lives import TOLD
from .forget_replay import TOP, Tally

SHARE = 0.55  # of memories still active, at which other systems publish
ALL = "all"  # lives of a corpus
KEEP_LEAST, KEEP_AIM = 0.90, 0.97  # of the evidence recall, at that share
_ROWS = 18
_STEPS = 101  # a percent each


@dataclass(frozen=True, slots=True)
class Point:
    """Lives of one corpus, led in one way at one slowdown, added up."""

    corpus: str
    group: str  # of lives
    way: str
    slowdown: float
    tally: Tally
    whole: Tally  # the same lives with nothing forgotten

    @property
    def share(self) -> float:
        return self.tally.active / self.tally.told

    def recall(self, place: int) -> float:
        return self.tally.found[place] / self.tally.questions

    def kept(self, place: int) -> float:
        return self.tally.found[place] / self.whole.found[place]

    def kept_by_age(self, place: int) -> float:
        return self.tally.by_age[place] / self.whole.found[place]

    def kept_at_random(self, place: int) -> float:
        return self.tally.at_random[place] / self.whole.found[place]

    def plain(self) -> dict[str, Any]:
        """For a program to read."""
        tops = {
            f"@{top}": {
                "recall": round(self.recall(place), 4),
                "kept": round(self.kept(place), 4),
                "kept_by_age": round(self.kept_by_age(place), 4),
                "kept_at_random": round(self.kept_at_random(place), 4),
                "recall_in_summaries": round(self.tally.in_summaries[place] / self.tally.questions, 4),
            }
            for place, top in enumerate(TOP)
        }
        return {
            "corpus": self.corpus,
            "group": self.group,
            "way": self.way,
            "slowdown": self.slowdown,
            "active": round(self.share, 4),
            "active_tokens": round(self.tally.active_tokens / self.tally.told_tokens, 4),
            "evidence_active": round(self.tally.evidence_active / self.tally.evidence, 4),
            "tokens_per_query": round(self.tally.returned_tokens / self.tally.questions, 1),
            **tops,
        }


def at_share(points: Sequence[Point], share: float, value: Callable[[Point, int], float]) -> float | None:
    """A value of the longest `TOP` at a share, between the nearest points; None below what was measured."""
    ends = sorted([(1.0, 1.0), *((point.share, value(point, len(TOP) - 1)) for point in points)])
    for (low, under), (high, over) in pairwise(ends):
        if low <= share <= high:
            return under if high == low else under + (over - under) * (share - low) / (high - low)
    return None


def print_report(points: Sequence[Point], default_slowdown: float) -> None:
    """Tables and a curve for each corpus; when piped, the tables are Markdown too."""
    piped = not sys.stdout.isatty()
    console = Console(width=160 if piped else None, no_color=piped, highlight=False)
    style = box.MARKDOWN if piped else box.HEAVY_HEAD
    whole_corpora = [point for point in points if point.group == ALL]
    for corpus in dict.fromkeys(point.corpus for point in points):
        chosen = [point for point in whole_corpora if point.corpus == corpus]
        console.print(f"\n{_sentence(chosen[0])}", soft_wrap=True)
        console.print(_table(chosen, default_slowdown, style))
        console.print(f"evidence recall@{TOP[-1]} (up) against the share of memories still active (right)")
        for row in _curve(chosen, console.width):
            console.print(row, no_wrap=True, crop=True)
    console.print(_summary(points, style))
    console.print(_choice(whole_corpora, "everywhere"), soft_wrap=True)
    parted = {point.corpus for point in points if point.group == TOLD}
    told = [point for point in points if point.group == (TOLD if point.corpus in parted else ALL)]
    if parted:
        console.print(_choice(told, "everywhere of what was told"), soft_wrap=True)


def write_json(points: Sequence[Point], path: Path) -> None:
    """Every point."""
    path.write_text(json.dumps({"points": [point.plain() for point in points]}, indent=2) + "\n", "utf-8")


def _sentence(point: Point) -> str:
    whole = point.whole
    recalls = ", ".join(f"@{top} {whole.found[place] / whole.questions:.3f}" for place, top in enumerate(TOP))
    return (
        f"{point.corpus}: {whole.told:,} memories of {whole.told_tokens / whole.told:.0f} tokens, "
        f"{whole.questions:,} questions. With nothing forgotten: evidence recall {recalls}, "
        f"{whole.returned_tokens / whole.questions:.0f} tokens a query"
    )


def _table(points: Sequence[Point], default_slowdown: float, style: box.Box) -> Table:
    table = Table(box=style)
    table.add_column("importance, life", no_wrap=True)
    for name in ("slowdown", "active", "tokens", "evidence", "tok/query"):
        table.add_column(name, justify="right", no_wrap=True)
    for top in TOP:
        table.add_column(f"recall@{top}", justify="right", no_wrap=True)
    for name in (*(f"kept@{top}" for top in TOP), "by age", "random"):
        table.add_column(name, justify="right", no_wrap=True)
    summaries = any(sum(point.tally.in_summaries) for point in points)
    if summaries:
        table.add_column("in summaries", justify="right", no_wrap=True)
    before = points[0].way
    for point in points:
        if point.way != before:
            table.add_section()
        before = point.way
        table.add_row(*_cells(point, default_slowdown, summaries))
    return table


def _cells(point: Point, default_slowdown: float, summaries: bool) -> Iterator[str]:
    tally, last = point.tally, len(TOP) - 1
    yield point.way
    yield f"{'default ' if point.slowdown == default_slowdown else ''}{point.slowdown:g}"
    yield _percent(point.share)
    yield _percent(tally.active_tokens / tally.told_tokens)
    yield _percent(tally.evidence_active / tally.evidence)
    yield f"{tally.returned_tokens / tally.questions:.0f}"
    for place in range(len(TOP)):
        yield f"{point.recall(place):.3f}"
    for place in range(len(TOP)):
        yield _percent(point.kept(place))
    yield _percent(point.kept_by_age(last))
    yield _percent(point.kept_at_random(last))
    if summaries:
        yield f"{tally.in_summaries[last] / tally.questions:.3f}"


def _curve(points: Sequence[Point], width: int) -> list[Any]:
    """Each way as far as it was measured, beside age and chance along the longest of them."""
    whole = points[0].whole.found[-1] / points[0].whole.questions
    ways = list(dict.fromkeys(point.way for point in points))
    longest = [point for point in points if point.way == min(points, key=lambda point: point.share).way]
    lines = [
        _line("A", "yellow", longest, Point.kept_by_age, whole),
        _line("R", "red", longest, Point.kept_at_random, whole),
        *(
            _line(letter, colour, [point for point in points if point.way == way], Point.kept, whole)
            for way, letter, colour in zip(ways, "CEU", ("blue", "green", "cyan"), strict=True)
        ),
    ]
    axis = Axis(_STEPS, {step: f"{step}%" for step in (0, 25, 55, 75)})
    told = "A oldest first  R at random  C constant  E estimated  U estimated and recalled in use"
    return [*chart(lines, {"all kept": whole}, axis, width=min(width, 110), rows=_ROWS), told]


def _line(letter: str, style: str, points: Sequence[Point], value: Callable[[Point, int], float], whole: float) -> Line:
    shares = [step / (_STEPS - 1) for step in range(_STEPS)]
    kept = [at_share(points, share, value) for share in shares]
    return Line(letter, style, [None if one is None else one * whole for one in kept])


def _summary(points: Sequence[Point], style: box.Box) -> Table:
    title = (
        f"\nrecall@{TOP[-1]} kept where {SHARE:.0%} are still active (at least {KEEP_LEAST:.0%}, aim {KEEP_AIM:.0%})"
    )
    table = Table(title=title, title_justify="left", title_style="bold", box=style)
    for name in ("corpus", "lives", "importance, life"):
        table.add_column(name, no_wrap=True)
    for name in ("kept", "by age", "random"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("")
    for group in sorted({(point.corpus, point.group, point.way): None for point in points}, key=lambda group: group[0]):
        chosen = [point for point in points if (point.corpus, point.group, point.way) == group]
        kept = at_share(chosen, SHARE, Point.kept)
        others = [at_share(chosen, SHARE, value) for value in (Point.kept_by_age, Point.kept_at_random)]
        table.add_row(*group, *map(_percent, (kept, *others)), _verdict(kept))
    return table


def _verdict(kept: float | None) -> str:
    if kept is None:
        return "never so few"
    if kept >= KEEP_AIM:
        return "[green]aim met[/]"
    return "[green]met[/]" if kept >= KEEP_LEAST else "[red]missed[/]"


def _choice(points: Sequence[Point], where: str) -> str:
    """The fastest forgetting that keeps what is aimed at in each corpus."""
    said = []
    for way in dict.fromkeys(point.way for point in points):
        by_slowdown: dict[float, list[Point]] = {}
        for point in points:
            if point.way == way:
                by_slowdown.setdefault(point.slowdown, []).append(point)
        good = [slow for slow, some in by_slowdown.items() if all(p.kept(len(TOP) - 1) >= KEEP_AIM for p in some)]
        if good:
            fastest = min(good)
            active = ", ".join(f"{p.corpus} {_percent(p.share)} active" for p in by_slowdown[fastest])
            said.append(f"{way}: slowdown {fastest:g} is the fastest that keeps {KEEP_AIM:.0%} {where} ({active})")
    return "\n".join(said)


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{value:.1%}"


def groups(tallies: Mapping[tuple[str, str], Sequence[Tally]]) -> Iterator[tuple[str, str, Tally]]:
    """Tallies by corpus and group of lives, added up; a group that all lives of a corpus are in is told once."""
    for (corpus, group), some in tallies.items():
        if group == ALL or len(some) < len(tallies[corpus, ALL]):
            yield corpus, group, total(some)


def total(tallies: Sequence[Tally]) -> Tally:
    """All of them as one."""
    result = tallies[0]
    for tally in tallies[1:]:
        result += tally
    return result
