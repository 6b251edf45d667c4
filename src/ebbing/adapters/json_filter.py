"""Whether a JSON object fits a filter of fields and operators, as LangGraph's stores understand it. Pure.

matches({"score": 4.5, "user": {"tier": "pro"}}, {"score": {"$gte": 4}, "user.tier": "pro"})
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

Filter = Mapping[str, Any]

_NAME = re.compile(r"[\w.-]+", re.ASCII)  # LangGraph's stores over SQL refuse other names
_ABSENT = object()


def _ordered(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    """A comparison that holds between two numbers or two texts, and of nothing else."""

    def compares(value: Any, wanted: Any) -> bool:
        alike = any(isinstance(value, kind) and isinstance(wanted, kind) for kind in ((int, float), str))
        return alike and compare(value, wanted)

    return compares


def _equals(value: Any, wanted: Any) -> bool:
    """As JSON: nothing is null, and true is not 1."""
    value = None if value is _ABSENT else value
    return isinstance(value, bool) == isinstance(wanted, bool) and bool(value == wanted)


_OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    "$eq": _equals,
    "$ne": lambda value, wanted: not _equals(value, wanted),
    "$gt": _ordered(operator.gt),
    "$gte": _ordered(operator.ge),
    "$lt": _ordered(operator.lt),
    "$lte": _ordered(operator.le),
}


def check_filter(wanted: Filter) -> None:
    """`ValueError` for a name or an operator that no store of LangGraph understands."""
    for name, value in wanted.items():
        if not _NAME.fullmatch(name):
            raise ValueError(f"Invalid filter key {name!r:.60}; a key is made of letters, digits, '_', '-' and '.'")
        if _has_operators(value):
            unknown = sorted(set(value) - set(_OPERATORS))
            if unknown:
                raise ValueError(f"unknown operator {', '.join(unknown)}; operators are {', '.join(_OPERATORS)}")


def matches(value: Mapping[str, Any], wanted: Filter) -> bool:
    """Whether every field has the value asked for."""
    return all(_fits(_at(value, name), part) for name, part in wanted.items())


def _fits(value: Any, wanted: Any) -> bool:
    if _has_operators(wanted):
        return all(_OPERATORS[name](value, operand) for name, operand in wanted.items())
    if isinstance(wanted, Mapping):
        return isinstance(value, Mapping) and all(_fits(value.get(key, _ABSENT), one) for key, one in wanted.items())
    if isinstance(wanted, list | tuple):
        alike = isinstance(value, list | tuple) and len(value) == len(wanted)
        return alike and all(map(_fits, value, wanted))
    return _equals(value, wanted)


def _at(value: Mapping[str, Any], name: str) -> Any:
    """A field, by its own name or by the path to it."""
    if name in value:
        return value[name]
    found: Any = value
    for part in name.split("."):
        if not isinstance(found, Mapping) or part not in found:
            return _ABSENT
        found = found[part]
    return found


def _has_operators(wanted: Any) -> bool:
    return isinstance(wanted, Mapping) and any(str(key).startswith("$") for key in wanted)
