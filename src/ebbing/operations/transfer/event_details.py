"""What the detail of an event may hold, as far as it is read again.

`restore`, `explain`, `simulate` and others look up in the log where a memory stood before. A file that says nonsense
there would make them fail long after it was imported, so it is refused. What nobody reads again may be anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from ...domain.errors import Invalid
from ...domain.memory import EventKind, Status, Tier, instant, storable

Detail = Mapping[str, Any]
_NUMBER_MAX = 1e15  # of what a judge has read: shares and counts
_FIRST_YEAR = 1970  # before it no clock of this program has recorded anything


def event_faults(kind: str, at: str, detail: Detail) -> Iterator[str]:
    """What is wrong with an event of the right shape; nothing when all is well."""
    if instant(at).year < _FIRST_YEAR:
        yield f"at is {at}, and nothing was recorded before the year {_FIRST_YEAR}"
    for name, (says, holds) in _RULES.items():
        if name in detail and not holds(detail[name]) and not (kind == EventKind.REEMBEDDED and name == "to"):
            yield f"detail.{name} must be {says}"
    if "was" in detail:
        yield from _was_faults(kind, detail["was"])
    if "was_tier" in detail and "tier" not in detail:
        yield "detail.was_tier needs detail.tier"


def missing_details(kind: str, detail: Detail) -> Iterator[str]:
    """What is missing of an event of a memory that stands in the file. One that was purged left its events empty."""
    if missing := [name for name in _NEEDED.get(kind, ()) if name not in detail]:
        yield f"the detail of {kind} has no {', '.join(missing)}"


def _was_faults(kind: str, was: Any) -> Iterator[str]:
    """`was` is where a memory stood; of an edit, the fields that it changed as they were."""
    if kind != EventKind.EDITED:
        if not _is_status(was):
            yield f"detail.was must be {_STATUS}"
    elif not isinstance(was, Mapping):
        yield "detail.was of an edit must be an object"
    else:
        for name, (says, holds) in _FIELDS.items():
            if name in was and not holds(was[name]):
                yield f"detail.was.{name} must be {says}"


def _is_status(value: Any) -> bool:
    return isinstance(value, str) and value in list(Status)


def _is_tier(value: Any) -> bool:
    return isinstance(value, str) and value in list(Tier)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_share(value: Any) -> bool:
    return _is_number(value) and 0 <= value <= 1


def _is_name(value: Any) -> bool:
    return value is None or (isinstance(value, str) and storable(value))


def _is_moment(value: Any) -> bool:
    try:
        return value is None or (isinstance(value, str) and bool(instant(value)))
    except Invalid:
        return False


def _are_names(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_name, value))


def _is_finite(value: Any) -> bool:
    return _is_number(value) and abs(value) <= _NUMBER_MAX


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and storable(value)


def _is_object_of(value: Any, *kinds: Callable[[Any], bool]) -> bool:
    return isinstance(value, Mapping) and all(any(holds(one) for holds in kinds) for one in value.values())


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


Rule = tuple[str, Callable[[Any], bool]]
_STATUS: Final = f"one of {', '.join(Status)}"
_TIER: Final = f"one of {', '.join(Tier)}"
_NAME: Final[Rule] = ("text or null", _is_name)
_FLAG: Final[Rule] = ("true or false", _is_flag)
_SHARE: Final[Rule] = ("a number from 0 to 1", _is_share)
_MOMENT: Final[Rule] = ("an ISO 8601 time or null", _is_moment)
_RULES: Final[Mapping[str, Rule]] = {
    "to": (_STATUS, _is_status),
    "status": (_STATUS, _is_status),
    "tier": (_TIER, _is_tier),
    "was_tier": (_TIER, _is_tier),
    "was_level": ("a number of at least 0", lambda value: _is_number(value) and value >= 0),
    "was_valid_until": _MOMENT,
    "into": _NAME,
    "by": _NAME,
    "given_by": _NAME,
    "with": ("a list of ids", _are_names),
    "against": ("a list of ids", _are_names),
    "judge": _NAME,
    "evidence": ("an object of numbers", lambda value: _is_object_of(value, _is_finite)),
    "reading": ("an object of numbers and texts", lambda value: _is_object_of(value, _is_finite, _is_text)),
}
_FIELDS: Final[Mapping[str, Rule]] = {
    "importance": _SHARE,
    "trust": _SHARE,
    "pinned": _FLAG,
    "contested": _FLAG,
    "tags": ("a list of texts", lambda value: _are_names(value) and None not in value),
    "metadata": ("an object", lambda value: isinstance(value, Mapping)),
    "subject": _NAME,
    "attribute": _NAME,
    "category": ("text", lambda value: value is not None and _is_name(value)),
    "expires_at": _MOMENT,
}
_NEEDED: Final[Mapping[str, tuple[str, ...]]] = {
    EventKind.RESTORED: ("to",),
    EventKind.FORGOTTEN: ("was",),
    EventKind.CONTESTED: ("by",),
}
