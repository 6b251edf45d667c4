"""Whether a fact that a language model wrote rests on the text it was asked about.

A model may word things in its own way, and make `yesterday` a date. It may not bring names or numbers of its own:
what it says of a text is no more to be trusted than the text, and the text may have told it what to say.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from datetime import datetime

from ..text.dates import When, found
from ..text.normalize import read
from ..text.protected_spans import anchor, is_name, lost, spans
from ..text.terms import STOP_WORDS, terms

CHARACTERS_MAX = 500  # what is longer is no single fact

_WORDS_MIN = 2  # who, and what of them
_KNOWN_WORDS = 0.5  # of a fact: the least share of its words that the text has too
_ROUGH_DAYS = 7  # `two weeks ago` is any day of about a week …
_ROUGH_SHARE = 4  # … `a couple of months ago` any of about three months
_PEOPLE = frozenset(terms("user speaker assistant author writer person"))  # how a model calls whoever says `I`


class Grounds:
    """A text, read once, for the facts that are said to be in it."""

    def __init__(self, text: str, at: datetime, speaker: str | None = None) -> None:
        self._text = text
        self._at = at
        self._terms = {*terms(text), *terms(speaker or ""), *_PEOPLE}
        self._forms = {word.form for word in read(text)}
        self._whens = found(text, at)

    def carry(self, fact: str) -> bool:
        """Whether a fact is of this text: short, plainly written, mostly in its words, with its names and numbers."""
        if not 0 < len(fact) <= CHARACTERS_MAX or _is_unseen(fact):
            return False
        if len(set(terms(fact)) - STOP_WORDS) < _WORDS_MIN:
            return False
        dated = [when for when in found(fact, self._at) if self._is_told(when)]
        words = set(terms(_without(fact, dated))) - STOP_WORDS
        if not words or len(words & self._terms) < _KNOWN_WORDS * len(words):
            return False
        held = [span for span in spans(fact) if not any(when.start < span[1] and span[0] < when.end for when in dated)]
        own = lost(self._text, [fact]) & {anchor(fact, span) for span in held}
        return all(map(self._is_known, own))

    def name(self, words: str) -> bool:
        """Whether the words all stand in the text, in whatever form."""
        said = set(terms(words)) - STOP_WORDS
        return bool(said) and said <= self._terms

    def _is_told(self, when: When) -> bool:
        """Whether the text speaks of those days, be it as `yesterday`; or they are the day it was said."""
        return when.first == when.last == self._at.date() or any(_is_as_exact(when, told) for told in self._whens)

    def _is_known(self, found: str) -> bool:
        """Whether the text has it in another form: `two` for 2, `relocated` for `Relocation`."""
        if is_name(found):
            return set(terms(found)) - STOP_WORDS <= self._terms
        return {word.form for word in read(found)} <= self._forms


def _is_as_exact(when: When, told: When) -> bool:
    """Whether a time is what the text told, or less exact; hardly more, for `a month ago` may be told by a date."""
    if when.first <= told.first and told.last <= when.last:
        return True
    length, of = ((one.last - one.first).days + 1 for one in (when, told))
    inside = told.first <= when.first and when.last <= told.last
    return inside and (of <= _ROUGH_DAYS or length * _ROUGH_SHARE >= of)


def _without(fact: str, whens: Sequence[When]) -> str:
    for when in reversed(whens):
        fact = fact[: when.start] + fact[when.end :]
    return fact


def _is_unseen(fact: str) -> bool:
    return any(unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Co") for letter in fact)
