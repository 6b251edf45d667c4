"""Whether a text looks like an instruction that somebody planted for a model to read.

A memory is read back to a model long after it was written, so a planted order lies in wait. What people tell their own
agent, what they wish from it and what they say about such attacks is no such order: it is what memories are for.

The text is read in every disguise it may wear (deobfuscate.py); each reading is searched for orders
(injection_*.py), and what is found must be given there, not reported (quoted_context.py). Pure, bounded, and a few
quick searches for ordinary prose.
"""

from __future__ import annotations

from typing import Final

from ..lazy_regex import lazily
from .deobfuscate import Rendering, renderings, words_of
from .injection_action import TO_ACT
from .injection_grammar import CUE_LETTERS, Order, finds
from .injection_markup import IN_MARKS
from .injection_multilingual import ABROAD
from .injection_override import ABOUT_RULES
from .injection_takeover import TO_OBEY
from .quoted_context import is_order, is_reported, speaks_of_attacks

_ORDERS: Final = (*ABOUT_RULES, *TO_ACT, *TO_OBEY, *IN_MARKS, *ABROAD)
_BY_CUE: Final = {
    cue: frozenset(place for place, one in enumerate(_ORDERS) if cue in one.cues[0])
    for cue in sorted({cue for one in _ORDERS for cue in one.cues[0]})
}
_CUES: Final = sorted({cue for one in _ORDERS for group in one.cues for cue in group})
_MARKS: Final = tuple(cue for cue in _CUES if not cue.isalpha() and cue.isascii())
_UNSPACED_SCRIPTS: Final = tuple(cue for cue in _CUES if not cue.isascii())
_DEPTH_MAX: Final = 2  # encodings within encodings

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
    "instruct",
    "prompt",
    "directive",
    "guideline",
    "programming",
    "theuser",
    "nowdan",
    "anythingnow",
    "yourrules",
    "yourrestrict",
)
_UNSPACED_WORDS = lazily(
    r"\b(?:ignore|disregard|forget|override|bypass|reveal|print|tell(?:ing)?|inform|mention"
    r"|dan|anything)\b"
)


def suspicion(text: str) -> str | None:
    """Why the text looks like an injected instruction, in one sentence; nothing for harmless text."""
    found = _judged(text, 0)
    return None if found is None else f"It {found}."


def _judged(text: str, depth: int) -> str | None:
    lower = ""
    for reading in renderings(text):
        lower = lower or reading.text  # the text itself comes first
        tells = _told(reading) if reading.spaced else _run_together(reading, lower)
        if tells is None and reading.opened and depth < _DEPTH_MAX:
            tells = _judged(reading.opened, depth + 1)
        if tells is not None and not (reading.disguise and speaks_of_attacks(lower)):
            return f"{tells}, hidden {reading.disguise}" if reading.disguise and ", hidden" not in tells else tells
    return None


def _told(reading: Rendering) -> str | None:
    text = reading.text
    cues = {word[:CUE_LETTERS] for word in words_of(text)}
    cues.update(mark for mark in _MARKS if mark in text)
    if not text.isascii():
        cues.update(cue for cue in _UNSPACED_SCRIPTS if cue in text)
    for place in sorted({place for cue in cues & _BY_CUE.keys() for place in _BY_CUE[cue]}):
        one = _ORDERS[place]
        if not any(cues.isdisjoint(group) for group in one.cues[1:]) and _is_given(one, text):
            return one.tells
    return None


def _is_given(one: Order, text: str) -> bool:
    return any(
        (not one.imperative or is_order(text, start, end)) and not is_reported(text, start, end)
        for start, end in finds(one, text)
    )


def _run_together(reading: Rendering, lower: str) -> str | None:
    if not any(cue in reading.text for cue in _UNSPACED_CUES):
        return None
    match = _UNSPACED.search(reading.text)
    # Where the words stand apart in the text itself, they were judged as they stand.
    if match is None or _UNSPACED_WORDS.search(lower):
        return None
    return "tells a model to set its instructions aside or to keep silent"
