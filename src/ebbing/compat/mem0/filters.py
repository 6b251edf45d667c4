"""The filters of mem0: who a memory belongs to, and conditions on what it says of itself.

{"user_id": "mara", "AND": [{"topic": {"in": ["travel", "food"]}}, {"NOT": [{"done": True}]}]}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...domain.errors import Invalid, shown
from ...domain.memory import storable

_Compare = Callable[[Any, Any], bool]
_COMPARISONS: Mapping[str, _Compare] = {
    "eq": lambda held, wanted: held == wanted,
    "ne": lambda held, wanted: held != wanted,
    "in": lambda held, wanted: held in wanted,
    "nin": lambda held, wanted: held not in wanted,
    "gt": lambda held, wanted: held > wanted,
    "gte": lambda held, wanted: held >= wanted,
    "lt": lambda held, wanted: held < wanted,
    "lte": lambda held, wanted: held <= wanted,
    "contains": lambda held, wanted: wanted in held,
    "icontains": lambda held, wanted: str(wanted).casefold() in str(held).casefold(),
}
_ANY = "*"  # whatever the value, if there is one
OWNERS = ("user_id", "agent_id", "run_id")


@dataclass(frozen=True, slots=True)
class Belongs:
    """Whose memories are meant: any of the three may be given."""

    user_id: str | None = None
    agent_id: str | None = None
    run_id: str | None = None
    conditions: Mapping[str, Any] = field(default_factory=dict)  # what else must hold

    @property
    def is_anybody(self) -> bool:
        """Whether none of the three is given."""
        return self.user_id is None and self.agent_id is None and self.run_id is None


def belongs(filters: Any, **given: Any) -> Belongs:
    """The ids that were given, by themselves or at the top of a filter, and the rest of the filter."""
    if filters is not None and not isinstance(filters, Mapping):
        raise Invalid(f"filters {shown(filters)} are no mapping; give for example {{'user_id': 'mara'}}")
    rest = dict(filters or {})
    found: dict[str, str | None] = {}
    for name in OWNERS:
        value = given.get(name)
        if value is None and isinstance(rest.get(name), str) and rest[name] != _ANY:
            value = rest[name]
        if rest.get(name) in (value, _ANY):
            rest.pop(name, None)
        if value is not None and not (isinstance(value, str) and value.strip() and storable(value)):
            raise Invalid(f"{name} {shown(value)} is no id; give a text")
        found[name] = value
    return Belongs(**found, conditions=rest)


def holds(conditions: Mapping[str, Any], memory: Mapping[str, Any]) -> bool:
    """Whether a memory, as mem0 would answer it, meets all conditions."""
    flat = {**(memory.get("metadata") or {}), **{key: one for key, one in memory.items() if key != "metadata"}}
    return all(_holds(name, wanted, flat) for name, wanted in conditions.items())


def _holds(name: str, wanted: Any, flat: Mapping[str, Any]) -> bool:
    if name in ("AND", "OR", "NOT"):
        if not isinstance(wanted, list) or any(not isinstance(one, Mapping) for one in wanted):
            raise Invalid(f"{name} takes a list of filters, not {shown(wanted)}")
        each = [all(_holds(key, value, flat) for key, value in one.items()) for one in wanted]
        return all(each) if name == "AND" else any(each) if name == "OR" else not any(each)
    if isinstance(wanted, Mapping):
        unknown = sorted(str(one) for one in wanted if one not in _COMPARISONS)
        if unknown:
            raise Invalid(f"filter {name} has no operator {', '.join(unknown)}; there are {', '.join(_COMPARISONS)}")
        return all(_compares(operator, flat.get(name), value) for operator, value in wanted.items())
    return (name in flat and flat[name] is not None) if wanted == _ANY else flat.get(name) == wanted


def _compares(operator: str, held: Any, wanted: Any) -> bool:
    if held is None and operator not in ("eq", "ne", "nin"):
        return False
    try:
        return _COMPARISONS[operator](held, wanted)
    except TypeError:
        return False  # a text is neither above nor below a number
