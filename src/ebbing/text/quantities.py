"""How much, how many, when: the numbers of a text with what they count, and whether a newer text tells them anew.

Two texts that tell the same quantity of the same thing differently, the newer with a word of change, are an old and
a new value. That is enough to put the newer first where both are told; to retire the older it is not.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import NamedTuple

from .lazy_regex import lazily
from .terms import question_terms

_CHARACTERS_MAX = 4_000  # what stands further down is seldom what a memory is found for
_CODE = lazily(r"```.*?(?:```|\Z)", re.DOTALL)
_SENTENCE = lazily(r"[^.!?\n]+(?:[.!?](?=\S)[^.!?\n]*)*[.!?]*")
_CHANGE = lazily(
    r"\b(?:now|new|newly|recent(?:ly)?|lately|instead|currently|latest|no longer|so far|meanwhile|"
    r"(?:updat|increas|decreas|reduc|rais|lower|extend|postpon|reschedul|shift|shorten|adjust|improv|switch|upgrad|"
    r"expand|chang|mov|bump|push|reach|dropp?|grow|revis|cut|delay|add|hit|achiev|boost)(?:e|e?d|ing|es|s|n|th)?|"
    r"grew|grown|rose|risen|fell|fallen|additional|up to|down to|total of)\b",
    re.IGNORECASE,
)
_WORDED = "one two three four five six seven eight nine ten eleven twelve".split()
_NUMBER_WORDS = frozenset(_WORDED)
_DIGIT = lazily(r"\d")
_WORD = lazily(r"\w+")
_NUMBER = r"\d[\d,]*(?:\.\d+)?"
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_QUANTITY = lazily(
    rf"(?P<money>[$€£]\s?{_NUMBER}\s?[km]?\b)"
    rf"|(?P<share>{_NUMBER}\s?%)"
    r"|(?P<clock>\b\d{1,2}(?::\d\d)?\s?[ap]\.?m\b\.?|\b\d{1,2}:\d\d\b)"
    rf"|(?P<date>\b{_MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?\b|\b\d{{1,2}}(?:st|nd|rd|th)?\s{_MONTH}(?!\w))"
    rf"|(?P<count>\b(?:{_NUMBER}|{'|'.join(_WORDED)}))[ -]?(?P<unit>[a-z]{{1,20}})",
    re.IGNORECASE,
)


class _Quantity(NamedTuple):
    """One sentence that tells a quantity."""

    words: frozenset[str]
    amounts: Mapping[str, frozenset[str]]  # by what they count
    changed: bool


def retold(older: str, newer: str) -> int:
    """How many telling words a newer text shares with the older one about a quantity that it tells anew; 0: none."""
    if not (tells_a_quantity(newer) and tells_a_quantity(older) and _CHANGE.search(newer)):
        return 0
    best = 0
    for now in _quantities_in(newer):
        if not now.changed:
            continue
        for was in _quantities_in(older):
            units = [
                unit for unit, amounts in now.amounts.items() if was.amounts.get(unit) and amounts != was.amounts[unit]
            ]
            if units:
                best = max(best, len(now.words & was.words))
    return best


@functools.lru_cache(maxsize=4_096)
def tells_a_quantity(text: str) -> bool:
    """Whether there is a number in a text; most have none, and that is soon seen."""
    return _DIGIT.search(text) is not None or not _NUMBER_WORDS.isdisjoint(_WORD.findall(text.lower()))


@functools.lru_cache(maxsize=1_024)
def _quantities_in(text: str) -> tuple[_Quantity, ...]:
    plain = _CODE.sub(" ", text[:_CHARACTERS_MAX])
    return tuple(found for sentence in _SENTENCE.findall(plain) if (found := _read(sentence)) is not None)


def _read(sentence: str) -> _Quantity | None:
    amounts: dict[str, set[str]] = {}
    for found in _QUANTITY.finditer(sentence):
        kind = found.lastgroup or ""
        unit = found["unit"].lower().rstrip("s") if kind == "unit" else kind
        value = (found["count"] if kind == "unit" else found[kind]).lower().replace(",", "").replace(" ", "")
        amounts.setdefault(unit, set()).add(value)
    if not amounts:
        return None
    words = frozenset(word for word in question_terms(sentence) if not word.isdigit() and word not in amounts)
    by_unit = {unit: frozenset(several) for unit, several in amounts.items()}
    return _Quantity(words, by_unit, bool(_CHANGE.search(sentence)))
