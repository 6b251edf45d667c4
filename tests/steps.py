"""How many steps Python code takes, counted and not timed: the same on every machine, however busy."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any

import ebbing

_PACKAGE = ebbing.__file__.rsplit("/", 1)[0]


def steps(run: Callable[[], object]) -> int:
    """The lines and calls of the package that `run` executes; each round of a loop counts, also in one line.

    What C code does inside one call (a regular expression, a slice) is not seen.
    """
    counted = 0

    def called(frame: FrameType, _event: str, _: Any) -> Any:
        nonlocal counted
        if not frame.f_code.co_filename.startswith(_PACKAGE):
            return None
        counted += 1
        return inside

    def inside(_frame: FrameType, event: str, _: Any) -> Any:
        nonlocal counted
        if event == "line":
            counted += 1
        return inside

    before = sys.gettrace()
    sys.settrace(called)
    try:
        run()
    finally:
        sys.settrace(before)
    return counted


def faster_than_linear(reader: Callable[[str], object], unit: str, length: int) -> str | None:
    """What to report where four times the text, made of `unit` over and over, costs more than about four times.

    A quadratic reader takes 16 times the steps. Fewer than four steps a character are no cost to speak of. The first
    run, which is not counted, fills the caches of single words.
    """
    text, longer = filled(unit, length), filled(unit, 4 * length)
    reader(f"{longer} again")
    one, four = steps(partial(reader, text)), steps(partial(reader, longer))
    is_slow = four > 6 * max(one, 4 * length)
    return f"{unit!r}: {one:,} steps, and {four:,} for four times the text" if is_slow else None


def filled(unit: str, length: int) -> str:
    """A text of so many characters; `{n}` in the unit is another number, and `{w}` another word, each time."""
    if "{" not in unit:
        return (unit * (length // len(unit) + 1))[:length]
    found: list[str] = []
    size = place = 0
    while size < length:
        found.append(unit.replace("{n}", str(place)).replace("{w}", _word(place)))
        size += len(found[-1])
        place += 1
    return "".join(found)[:length]


def _word(number: int) -> str:
    letters = ""
    number += 26 * 26
    while number:
        number, letter = divmod(number, 26)
        letters = chr(ord("a") + letter) + letters
    return letters
