"""A policy told: as the file that would make it, in what it differs from another, and in words.

`loader.py` reads files into policies; this is the way out. It goes by the shape of the value, so a
setting added to policy/__init__.py is written, compared and read again without a word here.
"""

from __future__ import annotations

import dataclasses
import json
import math
import re
from collections.abc import Iterator, Mapping
from datetime import timedelta
from enum import Enum
from typing import Any

from ..curves import Trace
from ..durations import written
from ..memory import Lifetime
from . import Policy

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_LINE_MAX = 100  # a list that would be longer is broken into one line an entry
_RUNGS = {"summarize": "summarized", "detach": "detached", "archive": "archived"}
_ENDINGS = {
    "ttl": "Archived when its time is over",
    "archive_after": "Archived at an age",
    "compact_after": "Summarized with its topic at an age",
}
_DAY = timedelta(days=1)


@dataclasses.dataclass(frozen=True, slots=True)
class Difference:
    """One setting that two policies give otherwise; None where one of them has no such setting."""

    field: str
    one: Any
    other: Any


def table(policy: Policy) -> dict[str, Any]:
    """The whole policy as it would stand in a file: tables, lists, text and numbers."""
    plain: dict[str, Any] = _plain(policy)
    return plain


def dump(policy: Policy) -> str:
    """The whole policy as TOML; loaded, it is an equal policy."""
    return "\n".join(_table_lines(table(policy), ())) + "\n"


def differences(one: Policy, other: Policy) -> list[Difference]:
    """Every setting in which they differ, in the order of the file."""
    first, second = dict(_leaves(table(one), ())), dict(_leaves(table(other), ()))
    return [
        Difference(field, first.get(field), second.get(field))
        for field in dict.fromkeys([*first, *second])
        if first.get(field) != second.get(field)
    ]


def in_words(policy: Policy) -> list[str]:
    """What the policy does to memories, in sentences."""
    grace, restored = _span(policy.time.grace), _span(policy.time.restored_grace)
    return [
        _fading(policy),
        "Days are days of use: a holiday ages nothing."
        if policy.time.clock == "activity"
        else "Days are days of the calendar.",
        f"Fading leaves a new memory alone for {grace}, and one that was restored for {restored}.",
        _protection(policy),
        *_endings(policy),
        *_lifetimes(policy),
    ]


def _fading(policy: Policy) -> str:
    """When a memory that was told nothing special about goes where, if nobody asks for it."""
    what = policy.defaults
    memory = f"A memory of category {what.category} and importance {what.importance:g} that nobody asks for"
    if policy.protects(what.category, "/", False):
        return f"{memory} never fades."
    curve = policy.curve_of(what.category, what.tier)
    trace = Trace(importance=what.importance, weight=policy.categories[what.category].weight)
    reached = [
        f"{_RUNGS.get(rung.name, rung.name)} {_when(float(curve.days_until(trace, threshold)), policy)} "
        f"(below {threshold:g})"
        for rung in dataclasses.fields(policy.ladder)
        if isinstance(threshold := getattr(policy.ladder, rung.name), int | float)
        and not (rung.name == "summarize" and policy.compaction.depth_max == 0)
    ]
    return f"{memory} is {', '.join(reached)}."


def _lifetimes(policy: Policy) -> Iterator[str]:
    """When a memory goes of which it is known how long it stays true."""
    rules, what = policy.lifetimes, policy.defaults
    if not policy.goes_by_lifetime:
        return
    trace = Trace(importance=what.importance)
    curves = {lifetime: policy.lasting_curves[lifetime, 0, rules.tiers[lifetime]] for lifetime in Lifetime}
    left = {lifetime: float(curve.days_until(trace, policy.ladder.detach)) for lifetime, curve in curves.items()}
    spans = ", ".join(f"{lifetime} {_when(days, policy)}" for lifetime, days in left.items())
    yield f"One of importance {what.importance:g} that is known to stay true for so long is detached: {spans}."


def _when(days: float, policy: Policy) -> str:
    if math.isinf(days):
        return "never"
    # Strictly below: on the day that is reached exactly a memory is kept.
    below = max(math.floor(days) + 1, math.ceil(policy.time.grace / _DAY))
    return f"after {_span(below * _DAY)}"


def _span(span: timedelta) -> str:
    """A span in days where it is some; so it can be compared with the others."""
    days, rest = divmod(span, _DAY)
    return written(span) if rest else f"{days:,} day{'' if days == 1 else 's'}"


def _protection(policy: Policy) -> str:
    kept = policy.protection
    protected = [*kept.categories, *(f"what lies under {scope}" for scope in kept.scopes), "what is pinned"]
    harm = f"; what has harm {kept.harm} is pinned" if kept.harm is not None else ""
    unread = ", where nobody says its harm," if kept.harm is not None else ""
    pins = f"; a text that matches a pattern ({len(kept.auto_pin)} of them){unread} is pinned" if kept.auto_pin else ""
    asks = f" What has harm {kept.review_harm} leaves recall only after review." if kept.review_harm is not None else ""
    return f"Never fades: {', '.join(protected)}{harm}{pins}.{asks}"


def _endings(policy: Policy) -> Iterator[str]:
    for setting, happens in _ENDINGS.items():
        spans = [
            (span, name) for name, each in policy.categories.items() if (span := getattr(each, setting)) is not None
        ]
        if spans:
            endings = ", ".join(f"{name} after {_span(span)}" for span, name in sorted(spans))
            yield f"{happens}, whatever its strength: {endings}."


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value):
        return {entry.name: _plain(getattr(value, entry.name)) for entry in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, timedelta):
        return written(value)
    if isinstance(value, re.Pattern):
        return value.pattern
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, str):
        return str(value)  # a scope is text to a file
    return "never" if value is None else value  # so that it is taken away where the file below gives one


def _leaves(plain: Mapping[str, Any], above: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    for name, value in plain.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, (*above, name))
        else:
            yield ".".join((*above, name)), value


def _table_lines(plain: Mapping[str, Any], above: tuple[str, ...]) -> Iterator[str]:
    """What a table holds itself comes before the tables in it, or it would belong to the last of them."""
    for name, value in plain.items():
        if not isinstance(value, Mapping):
            yield f"{_key(name)} = {_value(value)}"
    for name, value in plain.items():
        if isinstance(value, Mapping):
            path = (*above, name)
            if not value or not all(isinstance(item, Mapping) for item in value.values()):
                yield ""
                yield f"[{'.'.join(map(_key, path))}]"
            yield from _table_lines(value, path)


def _key(name: str) -> str:
    return name if _BARE_KEY.fullmatch(name) else _quoted(name)


def _value(value: Any) -> str:
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        items = [_value(item) for item in value]
        line = f"[{', '.join(items)}]"
        return line if len(line) <= _LINE_MAX else "[\n" + "".join(f"    {item},\n" for item in items) + "]"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(name)} = {_value(item)}" for name, item in value.items()) + " }"
    return repr(value)


def _quoted(text: str) -> str:
    """Text with backslashes, such as a pattern, as it is; other text with what TOML does not allow in it escaped."""
    if "\\" in text and "'" not in text and text.isprintable():
        return f"'{text}'"
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
