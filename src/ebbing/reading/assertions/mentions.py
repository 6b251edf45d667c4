"""Amounts and dates that a sentence mentions on the way: `my new budget of 50 dollars`, `our $600 annual budget`.

In talk a value often changes inside a longer sentence about something else; these phrases say it all by themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from . import lexicon, phrases
from .phrases import Chunk
from .predicates import Predicate
from .statements import Claim, described, when
from .tokens import Sentence, Sort, Token, stem

_TIMES = (Sort.DATE, Sort.CLOCK)
_AMOUNTS = (Sort.NUMBER, *_TIMES)
_BEGINS = frozenset((*lexicon.DEFINITE, "a", "an", "my", "our"))
_UNREAL = lexicon.words("if would could might may should want wish maybe perhaps suppose")
_TRYING = lexicon.words("trying try aim aiming hope hoping plan planning reach achieve need under below within above")
_REACH = 6  # words before the noun
_THE = Token("the", "the", Sort.WORD)


def mentions(sentence: Sentence) -> Iterator[Claim]:
    """What the sentence says of amounts and deadlines besides its clauses."""
    if not any(token.sort in _AMOUNTS for token in sentence):
        return  # and most sentences mention none
    for place, token in enumerate(sentence):
        if token.sort is Sort.WORD and place and stem(token.form) in lexicon.MEASURES:
            if any(other.form in _UNREAL for other in sentence[max(0, place - 12) : place]):
                continue
            before = _before(sentence[max(0, place - _REACH) : place])
            if before is not None and not _is_aimed_at(sentence[max(0, place - 12) : place], before):
                yield from _mention(before, token, sentence[place + 1 :])


def _is_aimed_at(line: Sequence[Token], phrase: Sequence[Token]) -> bool:
    """Whether somebody only tries to get there; what is called new or raised is there already."""
    return any(token.form in _TRYING for token in line) and not any(token.form in phrases.NEW for token in phrase)


def _before(line: Sequence[Token]) -> list[Token] | None:
    """The phrase up to its noun; None where it has no beginning."""
    for start in range(len(line) - 1, -1, -1):
        if line[start].form in _BEGINS:
            return list(line[start:])
        if line[start].sort is Sort.PAUSE or line[start].form in lexicon.PREPOSITIONS or line[start].form in lexicon.BE:
            return None
    return None


def _mention(before: Sequence[Token], noun: Token, behind: Sequence[Token]) -> Iterator[Claim]:
    inner = [token for token in before if token.sort is Sort.NUMBER and token.unit]
    words = [token for token in before if token not in inner]
    filler, rest = inner[:1], list(behind)
    if not filler and len(rest) > 1 and rest[0].form == "of" and rest[1].sort in (Sort.NUMBER, *_TIMES):
        filler, rest = rest[1:2], rest[2:]
    if not filler:
        return
    who = phrases.subject([words[0] if words[0].form in lexicon.MINE else _THE, *words[1:], noun, *_purpose(rest)])
    if who is None or not who.head or not who.about:
        return
    said = Predicate(who, "be", ())
    chunk = Chunk("", tuple(filler))
    # In passing nobody says of which project or month; only a word of change makes it an update.
    if filler[0].sort in _TIMES:
        yield from (replace(made, sure=False) for made in when(said, who, [chunk]))
    else:
        yield replace(described(said, phrases.value(filler), (), who), sure=False)


def _purpose(rest: Sequence[Token]) -> list[Token]:
    """`for the kitchen` behind a value."""
    line = [token for token in rest[:7] if token.form != ","]
    if not line or line[0].form != "for":
        return []
    end = next(
        (
            place
            for place, token in enumerate(line[1:], 1)
            if token.sort in (Sort.PAUSE, *_TIMES)
            or token.form in lexicon.PREPOSITIONS
            or token.form in lexicon.RELATIVES
        ),
        len(line),
    )
    return line[:end] if end < 5 else []
