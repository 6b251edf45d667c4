"""docs/pictures/*.svg: how strength falls under policies, drawn from the curves that rank and sweep.

Nothing here knows a formula: a picture asks the policy for its curve, and the curve for its strength day by day.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from ...domain.curves import Trace
from ...domain.memory import Lifetime, Tier
from ...domain.policy import Policy
from ...domain.policy.loader import load, presets

_WIDTH, _HEIGHT = 720, 340
_DAYS = 180
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 200, 34, 44
_COLOURS = ("#0b7285", "#d9480f", "#5f3dc4", "#2b8a3e", "#c2255c", "#495057", "#1864ab", "#e67700")
_DASHES = ("none", "8 4", "2 3", "10 3 2 3", "5 2", "1 4", "12 5", "3 6")  # to be told apart without colour, too


@dataclass(frozen=True, slots=True)
class Curve:
    """One line: its name, and the strength on each day."""

    name: str
    strengths: Sequence[float]


def all_pictures() -> Mapping[str, str]:
    """Every picture by its name."""
    policy = load()
    return {
        "importance": _picture(
            "Default policy: a fact that nobody asks for, by importance",
            [Curve(f"importance {value:.1f}", _fading(policy, importance=value)) for value in (0.9, 0.7, 0.5, 0.3)],
            policy,
        ),
        "lifetimes": _picture(
            "Default policy: importance 0.5, by how long it stays true",
            [
                Curve(lifetime.value, _fading(policy, lifetime=lifetime))
                for lifetime in (Lifetime.LIFE, Lifetime.YEARS, Lifetime.MONTHS, Lifetime.WEEKS, Lifetime.DAYS)
            ],
            policy,
        ),
        "categories": _picture(
            "Default policy: importance 0.5, by category where no lifetime is known",
            [
                Curve(name.replace("_", " "), _fading(policy, name))
                for name in ("decision", "fact", "observation", "session_state")
            ],
            policy,
        ),
        "recalls": _picture(
            "Default policy: a fact of importance 0.5, recalled on some days",
            [
                Curve("never recalled", _fading(policy)),
                Curve("recalled on day 20", _fading(policy, recalled_on=(20,))),
                Curve("on days 20, 50 and 90", _fading(policy, recalled_on=(20, 50, 90))),
            ],
            policy,
        ),
        "presets": _picture(
            "The presets: a fact of importance 0.5 that nobody asks for",
            [Curve(name, _fading(load(name))) for name in presets() if name != "fast"],
        ),
    }


def _fading(
    policy: Policy,
    category: str = "fact",
    *,
    importance: float = 0.5,
    lifetime: Lifetime | None = None,
    recalled_on: Sequence[int] = (),
) -> list[float]:
    """Strength day by day of a memory used every day on which something else was."""
    curve = policy.curve_of(category, Tier.SEMANTIC, lifetime)
    trace = Trace(importance=importance, weight=policy.categories[category].weight)
    found = []
    for day in range(_DAYS + 1):
        if day in recalled_on:
            trace = replace(trace, idle_days=0.0, recalls=trace.recalls + 1)
        found.append(float(cast(float, curve.strength(trace))))
        trace = trace.later(1.0)
    return found


def _picture(title: str, curves: Sequence[Curve], rungs_of: Policy | None = None) -> str:
    """A line chart as SVG, readable on light and dark pages."""
    days = len(curves[0].strengths) - 1
    frame = f'viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{title}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {frame} font-family="sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>',
        f'<text x="{_LEFT}" y="20" font-size="14" font-weight="bold">{title}</text>',
        *_axes(days),
    ]
    if rungs_of is not None:
        parts += _rungs(rungs_of, days)
    for number, curve in enumerate(curves):
        parts += _line(number, curve, days)
    return "\n".join([*parts, "</svg>", ""])


def _axes(days: int) -> list[str]:
    floor, end = _y(0), _x(days, days)
    parts = [f'<path d="M{_LEFT} {_y(1)} V{floor} H{end}" fill="none" stroke="#868e96"/>']
    parts += [
        f'<text x="{_LEFT - 8}" y="{_y(tenth / 10) + 4}" text-anchor="end">{tenth / 10:.1f}</text>'
        for tenth in range(0, 11, 2)
    ]
    parts += [
        f'<text x="{_x(day, days)}" y="{floor + 16}" text-anchor="middle">{day}</text>'
        for day in range(0, days + 1, 30)
    ]
    middle = (_LEFT + end) / 2
    parts.append(f'<text x="{middle:.0f}" y="{floor + 34}" text-anchor="middle">days of use</text>')
    return parts


def _rungs(policy: Policy, days: int) -> list[str]:
    parts = []
    for name, height in (
        ("summarize", policy.ladder.summarize),
        ("detach", policy.ladder.detach),
        ("archive", policy.ladder.archive),
    ):
        level, end = _y(height), _x(days, days)
        parts.append(f'<path d="M{_LEFT} {level} H{end}" stroke="#adb5bd" stroke-dasharray="2 4"/>')
        parts.append(f'<text x="{end - 4}" y="{level - 4}" text-anchor="end" fill="#868e96">{name} {height:g}</text>')
    return parts


def _line(number: int, curve: Curve, days: int) -> list[str]:
    colour, dash = _COLOURS[number % len(_COLOURS)], _DASHES[number % len(_DASHES)]
    points = " ".join(f"{_x(day, days)},{_y(value)}" for day, value in enumerate(curve.strengths))
    pen = f'stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}" fill="none"'
    left, level = _WIDTH - _RIGHT + 14, _TOP + 14 + number * 20
    return [
        f'<polyline points="{points}" {pen}/>',
        f'<path d="M{left} {level - 4} h26" {pen}/>',
        f'<text x="{left + 34}" y="{level}">{curve.name}</text>',
    ]


def _x(day: int, days: int) -> float:
    return round(_LEFT + (_WIDTH - _LEFT - _RIGHT) * day / days, 1)


def _y(strength: float) -> float:
    return round(_TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - strength), 1)
