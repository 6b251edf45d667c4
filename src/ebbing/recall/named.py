"""The names in a question, and whether a memory has one of them.

Another person's fact is no answer, however well its words fit. A judge mostly sees that; where it is unsure, and where
there is none, a name that stands nowhere in a memory is evidence against it. A word is a name by its capital, or where
the memories found never write it small: questions are often written without capitals. One wrong letter is forgiven.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..domain.memory import Memory
from ..text.dates.calendar import MONTHS, WEEKDAYS
from ..text.terms import STOP_WORDS
from .wordings import is_slip

_TOKEN = re.compile(r"[^\W_][\w’'-]*|[.!?:]")
_OWNING = re.compile(r"['’]s?$")
_NO_NAMES = {*STOP_WORDS, *(name.lower() for name in (*MONTHS, *WEEKDAYS))}
_NO_NAMES |= {f"i{mark}{rest}" for mark in "'’" for rest in ("m", "ve", "ll", "d")}
_SHORTEST_FORGIVEN = 3  # letters; a letter less, more or else makes another name of a shorter one
_WORDS_MAX = 100  # of a question, looked for in every memory: a longer one is a text, and need not be read to its end


@dataclass(frozen=True, slots=True)
class _Word:
    written: str
    opens: bool  # a sentence, so that its capital may not be its own
    owns: bool  # `Ada's`: what is said to own something is a name more often than not

    @property
    def is_large(self) -> bool:
        return self.written[:1].isupper()


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a question, and which of them each memory has."""

    asked: tuple[str, ...]
    held: tuple[frozenset[str], ...]  # for each memory, in the order given

    def is_absent(self, place: int) -> bool:
        """Whether the question names somebody or something, and the memory at this place has none of it."""
        return bool(self.asked) and not self.held[place]

    @property
    def is_unknown(self) -> bool:
        """Whether a name of the question is in none of the memories."""
        return not frozenset(self.asked) <= frozenset().union(*self.held)


def names(question: str, memories: Sequence[Memory]) -> Names:
    """The names in a question as these memories know them."""
    texts = [_text_of(memory) for memory in memories]
    asked = tuple(dict.fromkeys(_names_in(question, texts)))
    if not asked:
        return Names((), tuple(frozenset() for _ in memories))
    held = []
    for text in texts:
        in_text = {word.written.lower() for word in _words(text)}
        held.append(
            frozenset(name for name in asked if name in in_text or any(_is_near(name, word) for word in in_text))
        )
    return Names(asked, tuple(held))


def _names_in(question: str, texts: Sequence[str]) -> Iterator[str]:
    is_shouted = question.isupper()
    together = "\n".join(texts)
    looked_for: set[str] = set()
    for word in _words(question):
        lower = word.written.lower()
        if len(lower) < 2 or lower in _NO_NAMES or not lower[0].isalpha():
            continue
        looked_for.add(lower)
        if len(looked_for) > _WORDS_MAX:
            return
        # Large in the middle of a sentence it is a name whatever the texts say; otherwise they decide.
        is_large = word.is_large and not is_shouted and (not word.opens or word.owns)
        if is_large or _is_always_large(lower, together):
            yield lower


def _is_always_large(word: str, text: str) -> bool:
    """Whether a word occurs in a text, and always with a capital."""
    large = word[0].upper() + word[1:]
    if large not in text and word.upper() not in text:
        return False
    return any(True for _ in _occurrences(large, text)) and not any(True for _ in _occurrences(word, text))


def _occurrences(word: str, text: str) -> Iterator[int]:
    """The positions at which a word occurs as a whole word."""
    place = text.find(word)
    while place >= 0:
        end = place + len(word)
        if not (text[place - 1 : place].isalnum() or text[end : end + 1].isalnum()):
            yield place
        place = text.find(word, place + 1)


def _text_of(memory: Memory) -> str:
    """The fields that may name whom a memory is about, its speaker included."""
    parts = (memory.source.actor, memory.subject, *memory.tags, memory.text)
    return ". ".join(part for part in parts if part)


def _words(text: str) -> Iterator[_Word]:
    opens = True
    for found in _TOKEN.finditer(text):
        if found[0] in ".!?:":
            opens = True
            continue
        bare = _OWNING.sub("", found[0])
        yield _Word(bare, opens, bare != found[0])
        opens = False


def _is_near(one: str, other: str) -> bool:
    return min(len(one), len(other)) >= _SHORTEST_FORGIVEN and one[0] == other[0] and is_slip(one, other)
