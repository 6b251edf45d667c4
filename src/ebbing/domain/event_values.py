"""How the values in the details of events are checked, read from JSON and written to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import Field, field
from enum import StrEnum
from typing import Any, Final, NamedTuple

from .errors import Invalid
from .memory import HARM_MAX, Lifetime, Status, Tier, instant, storable

_LIFETIMES = [lifetime.value for lifetime in Lifetime]
_HARMS = range(HARM_MAX + 1)
_NUMBER_MAX = 1e15  # of what a judge has read: shares and counts


class Cause(StrEnum):
    """Why a memory was used, edited or brought back."""

    RECALLED = "recalled"  # a question found it
    USED = "used"  # a caller reported its use
    KEPT = "kept after review"
    RESTATED = "said again"
    REQUESTED = "asked to restore"
    UNDONE = "undo"  # a batch was undone


class Codec(NamedTuple):
    """One kind of value in the details of events."""

    says: str  # what it must be, for whoever wrote something else
    holds: Callable[[Any], bool]  # whether a value from JSON can be read
    load: Callable[[Any], Any] = lambda value: value
    dump: Callable[[Any], Any] = lambda value: value
    is_checked: bool = True  # whether an import refuses a file that has something else there


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and storable(value)


def _is_finite(value: Any) -> bool:
    return _is_number(value) and abs(value) <= _NUMBER_MAX


def _is_instant(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(instant(value))
    except Invalid:
        return False


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _are_ids(value: Any) -> bool:
    return isinstance(value, list) and all(one is None or _is_text(one) for one in value)


def _is_object_of(value: Any, *kinds: Callable[[Any], bool]) -> bool:
    return isinstance(value, Mapping) and all(any(holds(one) for holds in kinds) for one in value.values())


def _or_null(codec: Codec) -> Codec:
    return codec._replace(says=f"{codec.says} or null", holds=lambda value: value is None or codec.holds(value))


def _ids_from(value: Iterable[Any]) -> tuple[str, ...]:
    return tuple(str(one) for one in value)


STATUS = Codec(f"one of {', '.join(Status)}", lambda value: isinstance(value, str) and value in list(Status), Status)
TIER = Codec(f"one of {', '.join(Tier)}", lambda value: isinstance(value, str) and value in list(Tier), Tier)
INSTANT = _or_null(Codec("an ISO 8601 time", _is_instant, lambda value: None if value is None else instant(value)))
INSTANT = INSTANT._replace(dump=lambda value: None if value is None else value.isoformat())
CAUSE = Codec(f"one of {', '.join(Cause)}", lambda value: isinstance(value, str) and value in list(Cause), Cause)
LIFETIME = _or_null(
    Codec(f"one of {', '.join(Lifetime)}", lambda value: isinstance(value, str) and value in _LIFETIMES)
)
LIFETIME = LIFETIME._replace(load=lambda value: None if value is None else Lifetime(value))
NAME = _or_null(Codec("text", _is_text))
IDS = Codec("a list of ids", _are_ids, _ids_from, list)
FLAG = Codec("true or false", lambda value: isinstance(value, bool))
SHARE = Codec("a number from 0 to 1", lambda value: _is_number(value) and 0 <= value <= 1)
LEVEL = Codec("a number of at least 0", lambda value: _is_number(value) and value >= 0)
NUMBERS = Codec("an object of numbers", lambda value: _is_object_of(value, _is_finite), dict, dict)
READING = Codec("an object of numbers and texts", lambda value: _is_object_of(value, _is_finite, _is_text), dict, dict)
# What nobody but people reads again: any value may stand there in a file.
NUMBER = Codec("a number", _is_number, is_checked=False)
PAIR = Codec(
    "a list of two numbers",
    lambda value: isinstance(value, list) and len(value) == 2 and all(map(_is_number, value)),
    tuple,
    list,
    is_checked=False,
)
TEXT = NAME._replace(is_checked=False)
TEXTS = Codec("a list of texts", _are_texts, tuple, list, is_checked=False)
MARK = FLAG._replace(is_checked=False)

# The fields of a memory that an edit may have found otherwise, and how each is kept in its event.
MEMORY_FIELDS: Final[Mapping[str, Codec]] = {
    "importance": SHARE,
    "trust": SHARE,
    "pinned": FLAG,
    "contested": FLAG,
    "tags": Codec("a list of texts", _are_texts, tuple, list),
    "metadata": Codec("an object", lambda value: isinstance(value, Mapping), dict, dict),
    "subject": NAME,
    "attribute": NAME,
    "category": Codec("text", _is_text),
    "expires_at": INSTANT,
    "valid_until": INSTANT,
    "lifetime": LIFETIME,
    "harm": Codec(f"a whole number from 0 to {HARM_MAX}", lambda value: _is_number(value) and value in _HARMS),
}
SUPERSEDES = Codec("a list of ids", _are_ids, _ids_from, list, is_checked=False)
_AS_KEPT: Final[Mapping[str, Codec]] = {**MEMORY_FIELDS, "supersedes": SUPERSEDES}
_ANY = Codec("anything", lambda _: True, dump=lambda value: list(value) if isinstance(value, tuple) else value)


def _load_fields(value: Mapping[str, Any]) -> dict[str, Any]:
    codecs = ((name, _AS_KEPT.get(name, _ANY), kept) for name, kept in value.items())
    return {name: codec.load(kept) for name, codec, kept in codecs if codec.holds(kept)}


def _dump_fields(value: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _AS_KEPT.get(name, _ANY).dump(kept) for name, kept in value.items()}


FIELDS = Codec("an object", lambda value: isinstance(value, Mapping), _load_fields, _dump_fields)


def part(codec: Codec, *, key: str | None = None, default: Any = None, always: bool = False) -> Any:
    """A field of a change. `key`: its name in the JSON, where that is another; `always`: written though it is None."""
    return field(default=default, metadata={"codec": codec, "key": key, "always": always})


class Place(NamedTuple):
    """Where a field of a change stands in the JSON."""

    name: str
    key: str
    codec: Codec
    default: Any
    always: bool

    @classmethod
    def of(cls, one: Field[Any]) -> Place:
        """The place of a field that `part` made."""
        kept = one.metadata
        return cls(one.name, kept["key"] or one.name, kept["codec"], one.default, kept["always"])


def with_trust_at_most(detail: Mapping[str, Any], most: float) -> Mapping[str, Any]:
    """Details as stored, so that whoever undoes an edit gives back no more trust than this."""
    was = detail.get("was")
    if not isinstance(was, Mapping) or "trust" not in was:
        return detail
    return {**detail, "was": {**was, "trust": min(was["trust"], most)}}
