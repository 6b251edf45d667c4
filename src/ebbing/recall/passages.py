"""The passage of a long memory that a question is most likely about: what the judge reads of it.

The judge was taught on short statements, and reads no more than 192 tokens. Of a longer text it is given
the sentences that stand together and share most words with the question.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from ..text.terms import terms

WORDS_MAX = 110  # a text of so many words is read whole
_CUT_MAX = 130  # words of a single sentence that is longer than that
_BREAK = re.compile(r"(?<=[.!?…])\s+|\n+")


def passage(text: str, asked: Collection[str]) -> str:
    """The text, or the part of it that has most of these words; of equal parts the first."""
    if len(text.split()) <= WORDS_MAX:
        return text
    sentences = [part for part in _BREAK.split(text) if part.strip()]
    lengths = [len(part.split()) for part in sentences]
    held = [set(asked) & set(terms(part)) for part in sentences]
    best, most = 0, (-1, 0)
    ends = []
    for first in range(len(sentences)):
        last, words = first, lengths[first]
        while last + 1 < len(sentences) and words + lengths[last + 1] <= WORDS_MAX:
            last += 1
            words += lengths[last]
        ends.append(last)
        found = len(set().union(*held[first : last + 1]))
        if (found, -words) > most:
            best, most = first, (found, -words)
    return " ".join(" ".join(sentences[best : ends[best] + 1]).split()[:_CUT_MAX])
