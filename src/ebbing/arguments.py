"""What callers give, checked once, with sentences that say what would be right."""

from __future__ import annotations

import math
from collections.abc import Iterable
from enum import StrEnum
from typing import Any, TypeVar

from .errors import Invalid, TooLarge

Kind = TypeVar("Kind", bound=StrEnum)
NAME_CHARACTERS_MAX = 256


def name(value: Any, what: str) -> str:
    """A short text that names something."""
    if not isinstance(value, str) or not value.strip():
        raise Invalid(f"{what} {value!r} is not a name; give a few words of text")
    if len(value) > NAME_CHARACTERS_MAX:
        raise TooLarge(f"{what} has {len(value)} characters and the limit is {NAME_CHARACTERS_MAX}")
    if "\x00" in value:
        raise Invalid(f"{what} holds a NUL character; give plain text")
    return value.strip()


def several(value: str | Iterable[str], what: str) -> tuple[str, ...]:
    """One text or many, as many; each once."""
    values = (value,) if isinstance(value, str) else tuple(value)
    for one in values:
        if not isinstance(one, str):
            raise Invalid(f"{what} {one!r} is not text")
    return tuple(dict.fromkeys(values))


def member(kind: type[Kind], value: Any, what: str, among: tuple[Kind, ...] | None = None) -> Kind:
    """A member of an enumeration, or of the part of it that fits here."""
    choices = among if among is not None else tuple(kind)
    if value not in choices:
        raise Invalid(f"{what} {value!r} is not one of {', '.join(choices)}")
    return kind(value)


def share(value: Any, what: str, default: float) -> float:
    """A number from 0 to 1."""
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or not 0 <= value <= 1:
        raise Invalid(f"{what} {value!r} is not a number between 0 and 1")
    return float(value)


def count(value: Any, what: str, most: int) -> int:
    """A whole number from 1 to `most`."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise Invalid(f"{what} {value!r} is not a whole number between 1 and {most:,}")
    return value
