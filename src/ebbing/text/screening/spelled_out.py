"""A text whose letters or digits are given one by one, with those put together: "p a s s w o r d", "g.h.p", "four two".

What is searched for by its shape is searched for in that reading too. Each of its characters tells where it stood, so
that what is found can be taken out of the text as it was written. Pure and linear.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final, NamedTuple

from ..lazy_regex import lazily

# Single letters, digits and signs with blanks between them: four may be a PIN.
_SPACED = lazily(
    r"(?<!\w)(?:[^\W_](?![^\W_])|[^\w\s](?=\s))(?:[ \t]{1,4}(?:[^\W_](?![^\W_])|(?:[^\w\s]|_)(?=\s|\Z))){3,}"
)
# With the same sign between them: fewer than six may be initials, or a version.
_DOTTED = lazily(
    r"(?<![\w.])[^\W_](?P<sign>[.\-_*·•|~+])[^\W_](?![^\W_])(?:(?P=sign)[^\W_](?![^\W_])){4,}(?!(?P=sign)?[^\W_])"
)
_DIGITS: Final = {
    word: str(digit) for digit, word in enumerate("zero one two three four five six seven eight nine".split())
} | {"oh": "0"}
_DIGIT = rf"(?:{'|'.join(_DIGITS)})"
_COUNTED = lazily(rf"(?i)\b{_DIGIT}(?:[\s,–-]{{1,3}}{_DIGIT}\b){{3,}}")
_WORD = lazily(r"\w+")
# What every text has in which one of these is worth looking for.
_RUN_MIN: Final = 4
_SIGN_AGAIN = lazily(r"([.\-_*·•|~+])[^\W_]\1[^\W_]\1")
_COUNTED_TWICE = lazily(r"(?i)(?:[eor]|ix|ve|en|wo)[\s,–-]{1,3}(?=[zotfsen])" + _DIGIT)


class SpelledOut(NamedTuple):
    """A text with what was spelled out put together."""

    text: str
    places: list[tuple[int, int]]  # for each of its characters, where it begins and ends in the text as it was written

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where this part of it stands in the text as it was written."""
        return self.places[start][0], self.places[end - 1][1]


def spelled_out(text: str) -> SpelledOut | None:
    """The other reading of a text, if it has one."""
    words = text.split()
    tries = [(_SPACED, _without_blanks)] if sum(len(word) == 1 for word in words) >= _RUN_MIN - 1 else []
    tries += [(_DOTTED, _every_other)] if _SIGN_AGAIN.search(text) else []
    tries += [(_COUNTED, _as_digits)] if len(words) >= _RUN_MIN and _COUNTED_TWICE.search(text) else []
    if not tries:
        return None
    runs = sorted(
        (found.start(), found.end(), joined(text, found.start(), found.end()))
        for pattern, joined in tries
        for found in pattern.finditer(text)
    )
    if not runs:
        return None
    letters: list[str] = []
    places: list[tuple[int, int]] = []
    end = 0
    for start, stop, joined in [*runs, (len(text), len(text), [])]:
        if start < end:
            continue  # it is part of the one before
        letters += text[end:start]
        places += ((place, place + 1) for place in range(end, start))
        letters += (letter for letter, _ in joined)
        places += (place for _, place in joined)
        end = stop
    return SpelledOut("".join(letters), places)


_Joined = list[tuple[str, tuple[int, int]]]


def _without_blanks(text: str, start: int, end: int) -> _Joined:
    """Where some gaps are wider than others, those are between words."""
    seen = [place for place in range(start, end) if not text[place].isspace()]
    narrow = min(then - before for before, then in pairwise(seen))
    joined: _Joined = []
    for before, place in pairwise([seen[0], *seen]):
        joined += [(" ", (before + 1, place))] if place - before > narrow else []
        joined.append((text[place], (place, place + 1)))
    return joined


def _every_other(text: str, start: int, end: int) -> _Joined:
    return [(text[place], (place, place + 1)) for place in range(start, end, 2)]


def _as_digits(text: str, start: int, end: int) -> _Joined:
    return [(_DIGITS[word.group().lower()], word.span()) for word in _WORD.finditer(text, start, end)]
