"""Where statements meet: under a point stand those that may say the same, or contradict each other.

A point is a short hash. Both stores keep an index of them, so that a newcomer finds whom it repeats or retires
by looking up a few, however much is stored. Points propose and decide nothing: `sameness.same` and
`claims.judge` do.
"""

from __future__ import annotations

import functools
import hashlib

from ..terms import STOP_WORDS, terms
from ..wording import EMPHASIS, SYNONYMS
from .claims import points as claimed

_CHARACTERS_MAX = 2_000  # a text that says more is no statement, and repeats none
_KEPT = 4_096  # a text is asked about before it is written and again when it is
# What says the same in other words, or comes and goes: none of it tells where a statement stands.
_VARYING = frozenset(term for word in (*STOP_WORDS, *EMPHASIS, *SYNONYMS, *SYNONYMS.values()) for term in terms(word))
_DIGITS = {
    word: str(number)
    for number, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
}


@functools.lru_cache(maxsize=_KEPT)
def points(text: str) -> tuple[str, ...]:
    """The points of a text; none for what is too long to be one statement."""
    if len(text) > _CHARACTERS_MAX:
        return ()
    return tuple(dict.fromkeys((sketch(text), *claimed(text))))


@functools.lru_cache(maxsize=_KEPT)
def sketch(text: str) -> str:
    """Equal for texts that may be the same: the letters of their words, whatever the order, ending or spacing."""
    words = [_DIGITS.get(word, word) for word in terms(text) if word not in _VARYING]
    return point("sketch", "".join(sorted("".join(words))))


def point(*parts: str) -> str:
    """A point out of its parts; as long as two different ones of an owner are unlikely to meet by chance."""
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=6).hexdigest()
