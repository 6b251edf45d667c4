"""SVG by hand: elements with escaped text and attributes, and scales. No style is ever written into an element."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from markupsafe import Markup, escape

_STEPS_DAYS = (1, 2, 5, 7, 14, 30, 61, 91, 182, 365, 730, 1825, 3650)
_DAY = timedelta(days=1)


def element(name: str, *within: str | Markup, **attributes: object) -> Markup:
    """One element. A name of an attribute is written with `_` for `-`, and `class_` for class."""
    written = [f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"' for key, value in attributes.items()]
    opened = f"<{name}{''.join(written)}"
    whole = f"{opened}>{Markup('').join(within)}</{name}>" if within else f"{opened}/>"
    return Markup(whole)  # noqa: S704 - every part of it was escaped


def text(said: str, x: float, y: float, class_: str, anchor: str = "start") -> Markup:
    return element("text", said, x=f"{x:.1f}", y=f"{y:.1f}", class_=class_, text_anchor=anchor)


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    return element("line", x1=f"{x1:.1f}", y1=f"{y1:.1f}", x2=f"{x2:.1f}", y2=f"{y2:.1f}", class_=class_)


def path(points: Sequence[tuple[float, float]], class_: str) -> Markup:
    """A line through points."""
    if len(points) < 2:
        return Markup("")
    return element("path", d="M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points), class_=class_)


def area(points: Sequence[tuple[float, float]], floor: float, class_: str) -> Markup:
    """What lies under a line."""
    if len(points) < 2:
        return Markup("")
    ends = [(points[-1][0], floor), (points[0][0], floor)]
    return element("path", d="M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in [*points, *ends]) + "Z", class_=class_)


def picture(title: str, width: float, height: float, parts: Iterable[Markup], class_: str) -> Markup:
    """The whole, with what it shows in words."""
    return element(
        "svg",
        *parts,
        viewBox=f"0 0 {width:g} {height:g}",
        role="img",
        aria_label=title,
        class_=class_,
        focusable="false",
    )


def group_picture(title: str, width: float, height: float, parts: Iterable[Markup], class_: str) -> Markup:
    """The whole of a picture that has links in it, which an image could not have."""
    return element("svg", *parts, viewBox=f"0 0 {width:g} {height:g}", role="group", aria_label=title, class_=class_)


@dataclass(frozen=True, slots=True)
class TimeAxis:
    """Instants across a picture."""

    first: datetime
    last: datetime
    left: float
    right: float

    def x(self, at: datetime) -> float:
        whole = max((self.last - self.first).total_seconds(), 1.0)
        share = (at - self.first).total_seconds() / whole
        return self.left + min(max(share, 0.0), 1.0) * (self.right - self.left)

    def ticks(self, most: int) -> list[datetime]:
        """Midnights to write beneath it, evenly spaced."""
        days = (self.last - self.first) / _DAY
        step = next((step for step in _STEPS_DAYS if days / step <= most), _STEPS_DAYS[-1])
        first = datetime.combine(self.first.astimezone(UTC).date() + _DAY, time(), UTC)
        count = int((self.last - first) / (step * _DAY)) + 1
        return [first + number * step * _DAY for number in range(max(count, 0))]
