"""What an order to a model is made of: parts that follow each other closely, and what shows that it is none.

In a pattern a blank stands for whatever may be between two words, line breaks and decoration included, so that an
order is known however it is laid out. Words are those of lower-case readings (deobfuscate.py); whether a find is given
as an order or only spoken about is decided elsewhere (quoted_context.py).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

CUE_LETTERS: Final = 4  # of a word are enough to look closer
_FIRST_UNSPACED: Final = "\u0590"  # the scripts behind it join words to each other, or to their endings in front
_BLANK: Final = r"[\W_]{1,8}"
# Underscores are decoration too, so they are in no word: a run of them must be read in one way only, or a search
# would try them all.
_LETTERS: Final = r"[^\W_]"
_SPAN: Final = 320  # characters within which the parts of one order stand
_FINDS_MAX: Final = 512  # of one part in one text; a text with more has shown what it is or is noise

# Who is spoken to, and who must not hear of it.
AI: Final = (
    r"(?:ai|a\.i\.|llms?|large language models?|language models?|chatbots?|chatgpt|gpt(?:-?\d)?|claude|gemini|copilot"
    r"|ai (?:assistants?|agents?|models?|systems?))"
)
USER: Final = r"(?:the |any |your |this |our |end )*users?\b"
# Users are spoken of at work; the user is whom a model serves.
THE_USER: Final = r"(?:the |any |your |this |end )+(?:user\b|human\b(?! (?:resources|being|rights|body)))"


class Order(NamedTuple):
    """One thing that planted texts tell a model to do."""

    tells: str  # what such a text does, as in "It …"
    cues: tuple[frozenset[str], ...]  # beginnings of words, or marks; each set has one in every text with the order
    parts: tuple[str, ...]  # patterns, made when a text first calls for them: there are many, and most never are
    imperative: bool  # whether it counts only where it is told to somebody
    unless: str | None  # what behind it shows that something else is meant
    beside: str | None  # what must stand near it, before or behind
    span: int


def order(
    tells: str,
    cues: str,
    *parts: str,
    imperative: bool = True,
    unless: str | None = None,
    beside: str | None = None,
    span: int = _SPAN,
) -> Order:
    """An order by its patterns and, divided by `&`, the words or marks that call for a closer look."""
    return Order(
        tells,
        tuple(frozenset(map(_cue, group.split())) for group in cues.split("&")),
        parts,
        imperative,
        unless,
        beside,
        span,
    )


def _cue(word: str) -> str:
    return word[:CUE_LETTERS] if word.isalpha() and word[0] < _FIRST_UNSPACED else word


@functools.cache
def _compiled(pattern: str) -> re.Pattern[str]:
    pattern = pattern.replace(" ", _BLANK).replace(r"\w+", f"{_LETTERS}+").replace(r"\w*", f"{_LETTERS}*")
    return re.compile(pattern, re.DOTALL)


def finds(one: Order, text: str) -> Iterator[tuple[int, int]]:
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
