"""Spans of time as people write them: `12h`, `30d`, `2w`, `6mo`, `1y`, `P30D`.

`6m` means six months: nobody keeps a memory for six minutes and says so, and minutes have
`min`. A month is 30 days and a year 365: a span is a length, not a place in the calendar.
"""

from __future__ import annotations

import re
from datetime import timedelta

from .errors import Invalid, shown

_UNITS = {
    "s": timedelta(seconds=1),
    "min": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
    "m": timedelta(days=30),
    "mo": timedelta(days=30),
    "y": timedelta(days=365),
}
_SHORT = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(s|min|h|d|w|mo|m|y)\s*", re.IGNORECASE)
_NUMBER = r"(\d+(?:[.,]\d+)?)"
_ISO = re.compile(
    rf"\s*P(?=\S)(?:{_NUMBER}Y)?(?:{_NUMBER}M)?(?:{_NUMBER}W)?(?:{_NUMBER}D)?"
    rf"(?:T(?=\S)(?:{_NUMBER}H)?(?:{_NUMBER}M)?(?:{_NUMBER}S)?)?\s*",
    re.IGNORECASE,
)
_ISO_UNITS = ("y", "mo", "w", "d", "h", "min", "s")
LONGEST = timedelta(days=365_000)  # a thousand years: added to any instant (memory.py) it stays in the calendar


def duration(value: str | timedelta) -> timedelta:
    """`value` as a span of time; longer than nothing, or `Invalid`."""
    span = value if isinstance(value, timedelta) else _parse(value)
    if span <= timedelta(0):
        raise Invalid(f"duration {shown(value)} must be positive; write one such as '12h' or '30d'")
    if span > LONGEST:
        raise Invalid(f"duration {shown(value)} is longer than a thousand years; leave it out for what never ends")
    return span


def written(span: timedelta) -> str:
    """`span` in the largest unit that says it exactly; `duration` reads it back."""
    for unit in ("y", "w", "d", "h", "min", "s"):
        if span >= _UNITS[unit] and not span % _UNITS[unit]:
            return f"{span // _UNITS[unit]}{unit}"
    return f"{span.total_seconds():f}s"


def _parse(value: object) -> timedelta:
    if not isinstance(value, str):
        raise Invalid(f"duration {shown(value)} is not text; write one such as '12h', '30d', '6mo' or 'P30D'")
    try:
        if short := _SHORT.fullmatch(value):
            return float(short[1]) * _UNITS[short[2].lower()]
        if iso := _ISO.fullmatch(value):
            parts = zip(iso.groups(), _ISO_UNITS, strict=True)
            return sum(
                (float(number.replace(",", ".")) * _UNITS[unit] for number, unit in parts if number),
                timedelta(),
            )
    except OverflowError:
        raise Invalid(f"duration {shown(value)} is longer than a calendar can hold; write at most '1000y'") from None
    raise Invalid(
        f"duration {shown(value)} is not understood; write '90min', '12h', '30d', '2w', '6mo' (or '6m'), '1y' or 'P30D'"
    )
