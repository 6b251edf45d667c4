"""Whether what a sentence was taken apart into is what it says: the last word, whatever the rules have found.

Each part keeps the words of the sentence in their order and in their form, but for what grammar adds when a subject is
carried over: `is` for an apposition, `likes` for one of two who `like`, `the` for `a` thing spoken of again. Together
the parts keep every word that tells something. Each is a sentence by itself. Where one of these
does not hold, the sentence stays whole: in its own words it is true.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .structure import main_clause
from .tagger import tagged
from .tokenizer import NOMINAL, Kind, Phrase, Token, verb_base
from .word_classes import BE, May, third_person

_ADDED = frozenset({*BE, "'s", "'", "the", "include", "includes", "included"})
_TELLING = frozenset({*NOMINAL, Kind.VERB, Kind.ADJ, Kind.PART, Kind.ING, Kind.BASE, Kind.NEG})
_NAMED = frozenset({"called", "named", "titled"})
_PAUSING = frozenset({Kind.COMMA, Kind.BREAK, Kind.END, Kind.CC})


def is_faithful(parts: Sequence[Phrase], whole: Phrase) -> bool:
    """Whether these parts say what the sentence says, and all of it."""
    said = list(_opened(whole))
    if not all(_keeps_words(part, said) and _is_sentence(part, whole) for part in parts):
        return False
    kept = {token.lower for part in parts for token in part}
    return all(_is_kept(token, kept) for token in whole if token.kind in _TELLING)


def _opened(whole: Phrase) -> Iterator[Token]:
    """The words of a sentence, those in brackets too."""
    for token in whole:
        yield token
        if token.kind is Kind.PAREN:
            yield from tagged(token.text[1:-1])


def _keeps_words(part: Phrase, said: Sequence[Token]) -> bool:
    """Whether the words of a part stand in the sentence, in its order."""
    rest = iter(said)
    return all(
        any(_is_same_word(token, one) for one in rest)
        for token in part
        if token.kind not in _PAUSING and token.lower not in _ADDED
    )


def _is_same_word(token: Token, said: Token) -> bool:
    if token.lower == said.lower:
        return True
    if not token.may and said.kind is not Kind.VERB:
        return False
    if said.kind is Kind.ING:  # `…, earning 3 million`, told of what is over: parentheticals.py
        return bool(token.may & May.PAST) and verb_base(token) == verb_base(said)
    return token.lower == third_person(said.lower) or said.lower == third_person(token.lower)


def _is_kept(token: Token, kept: set[str]) -> bool:
    forms = (token.lower, third_person(token.lower)) if token.kind is Kind.VERB else (token.lower,)
    return not kept.isdisjoint(forms) or token.kind is Kind.ING


def _is_sentence(part: Phrase, whole: Phrase) -> bool:
    """Whether a part that does not begin as the sentence does is one by itself: not `a dog called Rex`."""
    if part[0].lower == whole[0].lower or main_clause(whole) is None:
        return True
    main = main_clause(part)
    return main is not None and part[main.verb].lower not in _NAMED
