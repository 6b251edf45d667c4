"""Whether a language model's wording may stand for notes: it keeps what must be kept and adds nothing.

What a model says of notes is no more to be trusted than the notes, and those may have told it what to say. So it may
leave words out and put them in another order, and what it says no to, whom, and which way things go must be as it was
written. Where that cannot be told, the plain summary stands: it only chose.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ..anchors import lost, sentence_spans, spans
from ..terms import terms
from ..wording import Kind, read, told

_KNOWN_WORDS = 0.8  # of the wording: the least share of words that the notes have too
# Before a word, which end of something it is: from Porto to Berlin is not from Berlin to Porto.
_WAYS = frozenset("from to into onto before after until till since than without by over under above below".split())


def faithful(text: str, plain: str, originals: Sequence[str]) -> bool:
    """Whether a text says what the plain summary of these notes says: no name or number more or less, hardly another
    word, the same denials, and everything the same way round."""
    whole = "\n".join(originals)
    words, known = frozenset(terms(text)), frozenset(terms(whole))
    if not words or len(words & known) < _KNOWN_WORDS * len(words) or lost(text, originals) or lost(whole, [text]):
        return False
    if any(unicodedata.category(letter) in ("Cc", "Cf", "Cs") for letter in text if letter != "\n"):
        return False
    denied = set(_denials(text))
    return set(_denials(plain)) <= denied <= set(_denials(whole)) and set(_ways(text)) <= set(_ways(whole))


def _denials(text: str) -> Iterator[tuple[str, str, str]]:
    """Each negation, with what stands before it and what it denies."""
    for start, end in sentence_spans(text, spans(text)):
        before, negation = "", ""
        for word in read(text[start:end]):
            telling = " ".join(told(word.written))
            if word.kind is Kind.NEGATION:
                negation = word.form
            elif telling:
                if negation:
                    yield before, negation, telling
                before, negation = telling, ""
        if negation:
            yield before, negation, ""


def _ways(text: str) -> Iterator[tuple[str, str]]:
    words = text.casefold().split()
    for way, behind in pairwise(words):
        if way in _WAYS:
            yield way, " ".join(terms(behind))
