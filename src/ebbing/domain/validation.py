"""What callers give, checked once, with sentences that say what would be right."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from .errors import Invalid, TooLarge, shown
from .memory import storable

Kind = TypeVar("Kind", bound=StrEnum)
NAME_CHARACTERS_MAX = 256


def name(value: Any, what: str, most: int = NAME_CHARACTERS_MAX) -> str:
    """A short text that names something."""
    if not isinstance(value, str) or not value.strip():
        raise Invalid(f"{what} {shown(value)} is not a name; give a few words of text")
    if len(value) > most:
        raise TooLarge(f"{what} has {len(value)} characters and the limit is {most}")
    bare = value.strip()
    # What can be printed holds neither, which one look tells.
    if not bare.isprintable() and any(unicodedata.category(letter) in ("Cc", "Cs") for letter in bare):
        raise Invalid(f"{what} {shown(value)} holds control or half characters; give plain text")
    return bare


def optional_name(value: Any, what: str) -> str | None:
    """The same, or none."""
    return None if value is None else name(value, what)


def flag(value: Any, what: str) -> bool:
    """Yes or no, and nothing that merely looks like it."""
    if not isinstance(value, bool):
        raise Invalid(f"{what} {shown(value)} is neither True nor False")
    return value


def several(value: Any, what: str) -> tuple[str, ...]:
    """One text or many, as many; each once."""
    if not isinstance(value, str | Iterable):
        raise Invalid(f"{what} {shown(value)} is not text, nor several of them")
    values = (value,) if isinstance(value, str) else tuple(value)
    for one in values:
        if not isinstance(one, str) or not storable(one):
            raise Invalid(f"{what} {shown(one)} is not plain text")
    return tuple(dict.fromkeys(values))


def identifier(value: Any, what: str = "id") -> str:
    """One id, or another name of exactly one thing."""
    return several([value], what)[0]


def optional_some(value: Any, whats: str, what: str) -> tuple[str, ...] | None:
    """The same, or none: at least one, for an empty list would mean everything to one reader and nothing to another."""
    found = None if value is None else several(value, what)
    if found == ():
        raise Invalid(f"{whats} is empty; name at least one {what}, or leave it out")
    return found


def member(kind: type[Kind], value: Any, what: str, among: tuple[Kind, ...] | None = None) -> Kind:
    """A member of an enumeration, or of the part of it that fits here."""
    choices = among if among is not None else tuple(kind)
    if value not in choices:
        raise Invalid(f"{what} {shown(value)} is not one of {', '.join(choices)}")
    return kind(value)


def members(
    kind: type[Kind], value: str | Iterable[str], what: str, among: tuple[Kind, ...] | None = None
) -> tuple[Kind, ...]:
    """One or many of those."""
    return tuple(member(kind, one, what, among) for one in several(value, what))


def share(value: Any, what: str, default: float) -> float:
    """A number from 0 to 1."""
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise Invalid(f"{what} {shown(value)} is not a number between 0 and 1")
    return float(value)


def optional_share(value: Any, what: str) -> float | None:
    """A number from 0 to 1, or none."""
    return None if value is None else share(value, what, 0.0)


def count(value: Any, what: str, most: int, least: int = 1) -> int:
    """A whole number from `least` to `most`."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise Invalid(f"{what} {shown(value)} is not a whole number between {least} and {most:,}")
    return value


def callback(value: Any, what: str) -> Any:
    """Something that can be called, or none; looked at before anything is written."""
    if value is not None and not callable(value):
        raise Invalid(f"{what} {shown(value)} cannot be called; give a function, or leave it out")
    return value


def path(value: Any) -> Path:
    """Where a file is, or is to be."""
    given = os.fspath(value) if isinstance(value, os.PathLike) else value
    if not isinstance(given, str) or not given or "\x00" in given or not _encodable(given):
        raise Invalid(f"{shown(value)} is not the path of a file")
    return Path(given)


def _encodable(path: str) -> bool:
    """Whether the file system can be asked for it; half characters have no bytes."""
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return False
    return True
