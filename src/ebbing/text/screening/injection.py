"""Whether a text looks like an instruction that somebody planted for a model to read.

A memory is read back to a model long after it was written, so a planted order lies in wait. What people tell their own
agent, what they wish from it and what they say about such attacks is no such order: it is what memories are for.

The text is read in every disguise it may wear (deobfuscate.py); each reading is searched for the orders of
`injection_orders.toml`, and what is found must be given there, not reported (quoted_context.py). Pure, bounded, and a
few quick searches for ordinary prose.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterator, Mapping
from importlib import resources
from typing import Any, Final, NamedTuple

from ..lazy_regex import lazily
from .deobfuscate import Rendering, renderings, words_of
from .quoted_context import is_order, is_reported, speaks_of_attacks

_DEPTH_MAX: Final = 2  # encodings within encodings
_CUE_LETTERS: Final = 4  # of a word are enough to look closer
_FIRST_UNSPACED: Final = "\u0590"  # the scripts behind it join words to each other, or to their endings in front
_SPAN: Final = 320  # characters within which the parts of one order stand
_FINDS_MAX: Final = 512  # of one part in one text; a text with more has shown what it is or is noise
# What a blank of a pattern stands for: an order is known however it is laid out. Underscores are decoration too, so
# they are in no word: a run of them must be read in one way only, or a search would try them all.
_BLANK: Final = r"[\W_]{1,8}"
_LETTERS: Final = r"[^\W_]"
_FRAGMENT: Final = re.compile(r"\{([A-Z_]+)\}")
_INDENTED: Final = re.compile(r"(?:\n|\A) {4}")

# The same orders with nothing between the words; only what no ordinary sentence runs together into.
_UNSPACED = lazily(
    r"(?:ignore|disregard|forget|override|bypass)(?:all|any|every|the|your|of|these|those){0,4}"
    r"(?:previous|prior|above|earlier|preceding|foregoing)(?:system|given|user|and|or|prior|above){0,2}"
    r"(?:instruct|prompt|directive|guideline)"
    r"|(?:ignore|disregard|forget|override|bypass|reveal|print)(?:all|of)?your(?:system|previous|initial|original"
    r"|safety|prior)?"
    r"(?:instructions|prompt|directives|guidelines|programming|rules|restrictions)"
    r"|(?:donot|never|dont)(?:tell|inform|mention(?:this|it)to|revealthisto)theuser|withouttellingtheuser"
    r"|youarenowdan|doanythingnow"
)
_UNSPACED_CUES: Final = (
    "instruct prompt directive guideline programming theuser nowdan anythingnow yourrules yourrestrict".split()
)
_UNSPACED_WORDS = lazily(
    r"\b(?:ignore|disregard|forget|override|bypass|reveal|print|tell(?:ing)?|inform|mention"
    r"|dan|anything)\b"
)


class Order(NamedTuple):
    """One thing that planted texts tell a model to do: a row of `injection_orders.toml`, which explains the fields."""

    tells: str
    cues: tuple[frozenset[str], ...]  # each set has one in every text with the order
    parts: tuple[str, ...]  # patterns, compiled when a text first calls for them: there are many, and most never are
    imperative: bool = True
    unless: str | None = None
    beside: str | None = None
    span: int = _SPAN


class Orders(NamedTuple):
    """All orders, and what tells that a text calls for one of them."""

    rows: tuple[Order, ...]
    by_cue: Mapping[str, frozenset[int]]  # to the places of the orders whose first set of cues has it
    marks: tuple[str, ...]  # the cues that are no words
    unspaced: tuple[str, ...]  # the cues in scripts that join words


@functools.cache
def known_orders() -> Orders:
    """The orders of `injection_orders.toml`."""
    file = tomllib.loads(resources.files(__package__).joinpath("injection_orders.toml").read_text("utf-8"))
    rows = tuple(_order(row, file["fragments"]) for row in file["order"])
    first = sorted({cue for row in rows for cue in row.cues[0]})
    every = sorted({cue for row in rows for group in row.cues for cue in group})
    return Orders(
        rows,
        {cue: frozenset(place for place, row in enumerate(rows) if cue in row.cues[0]) for cue in first},
        tuple(cue for cue in every if not cue.isalpha() and cue.isascii()),
        tuple(cue for cue in every if not cue.isascii()),
    )


def _order(row: Mapping[str, Any], fragments: Mapping[str, str]) -> Order:
    def pattern(text: str) -> str:
        return _FRAGMENT.sub(lambda found: pattern(fragments[found[1]]), _INDENTED.sub("", text))

    words = _FRAGMENT.sub(lambda found: fragments[found[1]], row["cues"])
    cues = tuple(frozenset(map(_cue, group.split())) for group in words.split("&"))
    patterns = {name: pattern(row[name]) for name in ("unless", "beside") if name in row}
    return Order(**{**row, **patterns, "cues": cues, "parts": tuple(map(pattern, row["parts"]))})


def _cue(word: str) -> str:
    return word[:_CUE_LETTERS] if word.isalpha() and word[0] < _FIRST_UNSPACED else word


def suspicion(text: str) -> str | None:
    """Why the text looks like an injected instruction, in one sentence; nothing for harmless text."""
    found = _judged(text, 0)
    return None if found is None else f"It {found}."


def _judged(text: str, depth: int) -> str | None:
    lower = ""
    for reading in renderings(text):
        lower = lower or reading.text  # the text itself comes first
        tells = _told_kind(reading) if reading.spaced else _run_together(reading, lower)
        if tells is None and reading.opened and depth < _DEPTH_MAX:
            tells = _judged(reading.opened, depth + 1)
        if tells is not None and not (reading.disguise and speaks_of_attacks(lower)):
            return f"{tells}, hidden {reading.disguise}" if reading.disguise and ", hidden" not in tells else tells
    return None


def _told_kind(reading: Rendering) -> str | None:
    text = reading.text
    orders = known_orders()
    cues = {word[:_CUE_LETTERS] for word in words_of(text)}
    cues.update(mark for mark in orders.marks if mark in text)
    if not text.isascii():
        cues.update(cue for cue in orders.unspaced if cue in text)
    for place in sorted({place for cue in cues & orders.by_cue.keys() for place in orders.by_cue[cue]}):
        one = orders.rows[place]
        if not any(cues.isdisjoint(group) for group in one.cues[1:]) and _is_given(one, text):
            return one.tells
    return None


def _is_given(one: Order, text: str) -> bool:
    return any(
        (not one.imperative or is_order(text, start, end)) and not is_reported(text, start, end)
        for start, end in _finds(one, text)
    )


def _run_together(reading: Rendering, lower: str) -> str | None:
    if not any(cue in reading.text for cue in _UNSPACED_CUES):
        return None
    match = _UNSPACED.search(reading.text)
    # Where the words stand apart in the text itself, they were judged as they stand.
    if match is None or _UNSPACED_WORDS.search(lower):
        return None
    return "tells a model to set its instructions aside or to keep silent"


@functools.cache
def _compiled(pattern: str) -> re.Pattern[str]:
    pattern = pattern.replace(" ", _BLANK).replace(r"\w+", f"{_LETTERS}+").replace(r"\w*", f"{_LETTERS}*")
    return re.compile(pattern, re.DOTALL)


def _finds(one: Order, text: str) -> Iterator[tuple[int, int]]:
    """Where the order stands in the text, from its first word to its last."""
    first, *others = map(_compiled, one.parts)
    for count, match in enumerate(first.finditer(text)):
        if count == _FINDS_MAX:
            return
        start, end = match.span()
        limit = end + one.span
        for part in others:
            following = part.search(text, end, limit)
            if following is None:
                break
            end = following.end()
        else:
            if one.unless is not None and _compiled(one.unless).match(text, end):
                continue
            if one.beside is None or _compiled(one.beside).search(text, max(0, start - one.span), limit):
                yield start, end
