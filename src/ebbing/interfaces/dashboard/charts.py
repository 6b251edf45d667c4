"""The pictures of the pages: a memory's curve, what is due, how counts would have gone. Every strength in them was
computed by the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from itertools import groupby
from typing import Any

from markupsafe import Markup

from ...domain.events import EventKind
from ...domain.memory import excerpt
from ...domain.overviews import Horizon, Life, Mark, Strength, Upcoming
from ...domain.results import Explanation
from . import svg
from .wording import Wording

WIDE, NARROW = 860, 320
_HEIGHT = 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 36, 18, 26, 34
_DAY = timedelta(days=1)
_Scale = Callable[[float], float]
_LINES_APART = 13.0  # of two labels
# How the mark of an event looks; those of one look differ by their names alone.
_LOOKS = {
    EventKind.REINFORCED: "use",
    EventKind.CONTESTED: "doubt",
    EventKind.SETTLED: "doubt",
    EventKind.DETACHED: "down",
    EventKind.ARCHIVED: "down",
    EventKind.FORGOTTEN: "down",
    EventKind.SUPERSEDED: "down",
    EventKind.MERGED: "down",
    EventKind.DEMOTED: "down",
    EventKind.RESTORED: "up",
    EventKind.PROMOTED: "up",
}


def meter(strength: float, detach: float = 0.15) -> Markup:
    """A strength as a bar; the number stands beside it."""
    parts = [
        svg.element("rect", class_="meter-track", x=0, y=1, width=48, height=6, rx=3),
        svg.element("rect", class_="meter-fill", x=0, y=1, width=f"{max(48 * strength, 1):.1f}", height=6, rx=3),
        svg.line(48 * detach, 0, 48 * detach, 8, "meter-mark"),
    ]
    low = " meter-low" if strength < detach else ""
    return svg.element("svg", *parts, viewBox="0 0 48 8", class_=f"meter{low}", aria_hidden="true", focusable="false")


def life(shown: Life, explanation: Explanation, w: Wording, width: int = WIDE) -> Markup:
    """A memory's curve from its first day on, with its events, and both ways it may go."""
    last = shown.now + (shown.ahead[-1][0] if shown.ahead else 7) * _DAY
    axis = svg.TimeAxis(shown.past[0].at, last, _LEFT, width - _RIGHT)
    floor, top = _HEIGHT - _BOTTOM, _TOP

    def y(strength: float) -> float:
        return floor - strength * (floor - top)

    parts: list[Markup] = [*_frame(axis, w, y, width)]
    parts += _thresholds(shown, w, y, width)
    parts += _past(shown.past, axis, y, floor)
    now = axis.x(shown.now)
    if shown.after_use:
        parts.append(svg.path([(axis.x(shown.now + day * _DAY), y(s)) for day, s in shown.after_use], "curve-use"))
    if shown.ahead:
        parts.append(svg.path([(axis.x(shown.now + day * _DAY), y(s)) for day, s in shown.ahead], "curve-ahead"))
    parts.append(svg.line(now, top - 8, now, floor, "now"))
    side = "end" if now > width * 0.8 else "start"
    parts.append(svg.text(w.say("chart.now"), now + (4 if side == "start" else -4), top - 10, "chart-label", side))
    parts += [_mark(mark, axis.x(mark.at), y(mark.strength), w) for mark in _thinned(shown.marks, axis)]
    for forecast in explanation.forecasts:
        if forecast.at is not None and shown.now <= forecast.at <= last and shown.ahead:
            days = min(int((forecast.at - shown.now) / _DAY), len(shown.ahead) - 1)
            where = (axis.x(forecast.at), y(shown.ahead[days][1]))
            named = f"{w.word('step', forecast.rung)}: {w.day(forecast.at)}"
            parts.append(
                svg.element(
                    "circle",
                    svg.element("title", named),
                    cx=f"{where[0]:.1f}",
                    cy=f"{where[1]:.1f}",
                    r=4.5,
                    class_="mark-forecast",
                )
            )
    said = w.say(
        "chart.life",
        strength=w.number(explanation.strength),
        first=w.day(shown.past[0].at),
        last=w.day(last),
        events=len(shown.marks),
    )
    return svg.picture(said, width, _HEIGHT, parts, "chart")


def _frame(axis: svg.TimeAxis, w: Wording, y: _Scale, width: int) -> Iterable[Markup]:
    for strength in (0.0, 0.5, 1.0):
        yield svg.line(_LEFT, y(strength), width - _RIGHT, y(strength), "grid")
        yield svg.text(w.number(strength, 1), _LEFT - 6, y(strength) + 4, "chart-label", "end")
    ticks = axis.ticks(7 if width > NARROW else 3)
    is_far = axis.last - axis.first > 300 * _DAY
    for at in ticks:
        x = axis.x(at)
        yield svg.line(x, y(0.0), x, y(0.0) + 4, "tick")
        yield svg.text(_day_label(at, w, is_far=is_far), x, y(0.0) + 18, "chart-label", "middle")


def _day_label(at: datetime, w: Wording, *, is_far: bool) -> str:
    month = w.say("date.short_months").split()[at.month - 1]
    return f"{month} {at.year}" if is_far else w.say("date.short_day", day=str(at.day), month=month)


def _thresholds(shown: Life, w: Wording, y: _Scale, width: int) -> Iterable[Markup]:
    below = float("inf")
    for name, strength in sorted(shown.thresholds.items(), key=lambda entry: -entry[1]):
        yield svg.line(_LEFT, y(strength), width - _RIGHT, y(strength), f"threshold threshold-{name}")
        at = y(strength) - 4
        if abs(below - at) >= _LINES_APART:
            yield svg.text(w.say(f"threshold.{name}"), _LEFT + 4, at, "threshold-label")
            below = at


def _past(past: Sequence[Strength], axis: svg.TimeAxis, y: _Scale, floor: float) -> Iterable[Markup]:
    """The line so far: drawn fully where the memory was in use."""
    before: tuple[float, float] | None = None
    for live, run in groupby(past, key=lambda one: one.status.live):
        points = [(axis.x(one.at), y(one.strength)) for one in run]
        joined = points if before is None else [before, *points]
        if live:
            yield svg.area(joined, floor, "curve-area")
        yield svg.path(joined, "curve" if live else "curve-away")
        before = points[-1]


def _thinned(marks: Sequence[Mark], axis: svg.TimeAxis) -> list[Mark]:
    """Of uses that would cover one another only the last; everything else is shown."""
    kept: list[Mark] = []
    for mark in marks:
        near = kept and kept[-1].kind is mark.kind is EventKind.REINFORCED
        if near and axis.x(mark.at) - axis.x(kept[-1].at) < 3:
            kept[-1] = mark
        else:
            kept.append(mark)
    return kept


def _mark(mark: Mark, x: float, y: float, w: Wording) -> Markup:
    look = _LOOKS.get(mark.kind, "plain")
    named = f"{w.word('event', mark.kind)}, {w.instant(mark.at)}"
    title = svg.element("title", named if mark.reason is None else f"{named}: {mark.reason}")
    shapes = {
        "down": f"M{x - 5:.1f} {y - 4:.1f}H{x + 5:.1f}L{x:.1f} {y + 5:.1f}Z",
        "up": f"M{x - 5:.1f} {y + 4:.1f}H{x + 5:.1f}L{x:.1f} {y - 5:.1f}Z",
        "doubt": f"M{x:.1f} {y - 6:.1f}L{x + 6:.1f} {y:.1f}L{x:.1f} {y + 6:.1f}L{x - 6:.1f} {y:.1f}Z",
    }
    if look in shapes:
        return svg.element("path", title, d=shapes[look], class_=f"mark mark-{look}")
    return svg.element(
        "circle", title, cx=f"{x:.1f}", cy=f"{y:.1f}", r=3 if look == "use" else 4.5, class_=f"mark mark-{look}"
    )


_LANES = ("wait", "merge", "demote", "review", "detach", "archive")
_LANE_HEIGHT, _DOT = 34, 4.2


def horizon(shown: Horizon, w: Wording, width: int = WIDE) -> Markup:
    """What is due on a time axis, a lane for each step: one dot for each memory, a link to it."""
    steps = [lane for lane in _LANES if any(one.step == lane for one in shown.upcoming)] or ["detach", "archive"]
    left = 172 if width > NARROW else _LEFT
    axis = svg.TimeAxis(shown.now, shown.until, left, width - _RIGHT - 6)
    name_height = 0 if width > NARROW else 14
    lane_height = _LANE_HEIGHT + name_height
    bottom = _TOP + len(steps) * lane_height
    parts: list[Markup] = []
    for at in axis.ticks(8 if width > NARROW else 4):
        parts.append(svg.line(axis.x(at), _TOP - 6, axis.x(at), bottom, "grid"))
        parts.append(svg.text(_day_label(at, w, is_far=False), axis.x(at), bottom + 17, "chart-label", "middle"))
    for lane, step in enumerate(steps):
        y = _TOP + lane * lane_height + name_height + _LANE_HEIGHT / 2
        parts.append(svg.line(left, y, width - _RIGHT, y, "lane"))
        if name_height:
            parts.append(svg.text(w.word("step", step), left, y - _LANE_HEIGHT / 2 + 2, "lane-label"))
        else:
            parts.append(svg.text(w.word("step", step), left - 12, y + 4, "lane-label", "end"))
        parts += _dots([one for one in shown.upcoming if one.step == step], axis, y, w)
    parts.append(svg.line(left, _TOP - 10, left, bottom, "now"))
    parts.append(svg.text(w.say("chart.now"), left + 4, _TOP - 12, "chart-label"))
    title = w.say("chart.horizon", count=len(shown.upcoming), first=w.day(shown.now), last=w.day(shown.until))
    return svg.group_picture(title, width, bottom + 26, parts, "chart")


def _dots(due: Sequence[Upcoming], axis: svg.TimeAxis, y: float, w: Wording) -> Iterable[Markup]:
    """Those that would cover one another stand beside each other, up and down from the lane."""
    placed: list[tuple[float, float]] = []
    for one in due:
        x = axis.x(one.at)
        taken = {other for at, other in placed if abs(at - x) < 2 * _DOT + 1}
        offset = next((o for n in range(24) if (o := (n + 1) // 2 * (2 * _DOT + 0.6) * (-1) ** n) not in taken), 0.0)
        offset = max(min(offset, _LANE_HEIGHT / 2 - 2), 2 - _LANE_HEIGHT / 2)
        placed.append((x, offset))
        named = f"{w.day(one.at)}: {excerpt(one.memory.text, 80)}"
        dot = svg.element(
            "circle",
            svg.element("title", named),
            cx=f"{x:.1f}",
            cy=f"{y + offset:.1f}",
            r=_DOT,
            class_=f"due due-{one.step.value}",
        )
        yield svg.element("a", dot, href=f"/memory/{one.memory.id}", aria_label=named, tabindex="-1")


def comparison(result: Mapping[str, Any], w: Wording, width: int = WIDE) -> Markup:
    """How many memories are in use, day by day, under two policies."""
    then, now = result["then"], result["now"]
    axis = svg.TimeAxis(_midnight(then[0].date), _midnight(then[-1].date), _LEFT + 8, width - _RIGHT)
    floor, most = 220 - _BOTTOM, max([1, *(int(point.active) for point in (*then, *now))])

    def y(active: int) -> float:
        return float(floor - active / most * (floor - _TOP))

    parts: list[Markup] = []
    for active in dict.fromkeys((0, most // 2, most)):
        parts.append(svg.line(_LEFT + 8, y(active), width - _RIGHT, y(active), "grid"))
        parts.append(svg.text(w.number(active), _LEFT + 2, y(active) + 4, "chart-label", "end"))
    is_far = axis.last - axis.first > 300 * _DAY
    parts += [
        svg.text(_day_label(at, w, is_far=is_far), axis.x(at), floor + 18, "chart-label", "middle")
        for at in axis.ticks(7 if width > NARROW else 3)
    ]
    parts.append(svg.path([(axis.x(_midnight(one.date)), y(one.active)) for one in now], "curve-away"))
    parts.append(svg.path([(axis.x(_midnight(one.date)), y(one.active)) for one in then], "curve"))
    at = axis.x(result["at"])
    parts.append(svg.line(at, _TOP - 8, at, floor, "now"))
    parts.append(svg.text(w.say("chart.now"), at - 4, _TOP - 10, "chart-label", "end"))
    said = w.say(
        "chart.comparison",
        first=w.day(then[0].date),
        last=w.day(then[-1].date),
        then=then[-1].active,
        now=now[-1].active,
    )
    return svg.picture(said, width, 220, parts, "chart")


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
