"""Where in a sentence its main clause stands: what opens it, who or what it is about, its verb. And what limits it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .tokenizer import FINITE, NOMINAL, PAUSES, Kind, Phrase, Token, made
from .word_classes import BE, CONDITIONS, DO, HAVE, MODALS, NEGATIONS, May, is_plural, past_of, third_person

_OPENING = frozenset({Kind.PREP, Kind.SUB, Kind.ADV, Kind.ING, Kind.TO, Kind.PART, Kind.NUM})
_IN_NOUN_PHRASE = frozenset(
    {Kind.NOUN, Kind.NAME, Kind.NUM, Kind.ADJ, Kind.PART, Kind.DET, Kind.POSS, Kind.PAREN, Kind.ING}
)
_SINGULAR_VERBS = frozenset("is was has does 's".split())
_PLURAL_VERBS = frozenset("are were have do 're 've".split())
_SEVERAL = frozenset("these those many several few both two three four five six seven eight nine ten".split())


class Main(NamedTuple):
    """The main clause of a sentence, by places: what opens it ends at `start`, and the subject at `verb`."""

    start: int
    verb: int


def main_clause(tokens: Phrase) -> Main | None:
    start = _opener_end(tokens)
    verb = _verb_behind(tokens, start)
    if verb is None:
        return None
    subject_end = verb
    while subject_end > start and tokens[subject_end - 1].kind in (Kind.ADV, Kind.NEG):
        subject_end -= 1
    if not any(token.kind in NOMINAL or token.kind in (Kind.PRON, Kind.ING) for token in tokens[start:subject_end]):
        return None
    return Main(start, verb)


def subject_of(tokens: Phrase, main: Main) -> Phrase:
    end = main.verb
    while end > main.start and tokens[end - 1].kind in (Kind.ADV, Kind.NEG, Kind.COMMA):
        end -= 1
    return tokens[main.start : end]


def _opener_end(tokens: Phrase) -> int:
    """Behind the comma of `In 2019,` or `If it rains,`; 0 where nothing opens the sentence so."""
    if not tokens or tokens[0].kind not in _OPENING:
        return 0
    for place, token in enumerate(tokens):
        if token.kind is Kind.COMMA:
            verb = _verb_behind(tokens, place + 1)
            edge = next(
                (spot for spot in range(place + 1, len(tokens)) if tokens[spot].kind in (Kind.COMMA, Kind.BREAK)),
                len(tokens),
            )
            is_clause = verb is not None and verb < edge and tokens[place + 1].kind not in (Kind.CC, Kind.REL)
            has_subject = any(one.kind in NOMINAL or one.kind is Kind.PRON for one in tokens[place + 1 : verb])
            if is_clause and has_subject and all(one.kind is not Kind.PART for one in tokens[place + 1 : place + 3]):
                return place + 1
    return 0


def _verb_behind(tokens: Phrase, start: int) -> int | None:
    """The first finite verb that no relative clause has."""
    owed = 0
    for place in range(start, len(tokens)):
        kind = tokens[place].kind
        if kind is Kind.REL or (kind is Kind.SUB and place > start):
            owed += 1
        elif kind in FINITE:
            if not owed:
                return place
            owed -= 1
    return None


def noun_phrase_start(tokens: Phrase, end: int, *, of: bool = True) -> int:
    """Where the noun phrase that ends before `end` begins; `end` where there is none."""
    place = end
    while place > 0:
        kind = tokens[place - 1].kind
        before = tokens[place - 2].kind if place > 1 else None
        if kind is Kind.DET:
            place -= 2 if before is Kind.DET and tokens[place - 2].lower in ("all", "both") else 1
            if not (of and _joins_by_of(tokens, place)):
                break
            place -= 1
        elif kind is Kind.ING and before not in (Kind.DET, Kind.ADJ, Kind.POSS):
            break  # `streets waving flags`, `for spotting birds`
        elif (
            kind in _IN_NOUN_PHRASE
            or (kind is Kind.ADV and place < end and tokens[place].kind is Kind.ADJ)
            or (place < end and of and _joins_by_of(tokens, place))
        ):
            place -= 1
        else:
            break
    while place < end - 1 and tokens[place].kind in (Kind.POSS, Kind.PAREN):
        place += 1
    return place if any(token.kind in NOMINAL for token in tokens[place:end]) else end


def _joins_by_of(tokens: Phrase, place: int) -> bool:
    return place > 1 and tokens[place - 1].lower == "of" and tokens[place - 2].kind in NOMINAL


def is_several(phrase: Sequence[Token]) -> bool:
    """Whether a noun phrase speaks of more than one."""
    head: Token | None = None
    for token in phrase:
        if token.kind is Kind.PREP or token.kind is Kind.REL:
            break
        if token.kind is Kind.CC and token.lower in ("and", "&"):
            return True
        if token.kind in NOMINAL:
            head = token
    if head is None:
        return phrase[0].lower in ("we", "they", "you", "these", "those", "i") if phrase else False
    if phrase[0].lower in _SEVERAL:
        return True
    if phrase[0].lower in ("a", "an", "this", "each", "every", "one"):
        return False
    return (head.kind is Kind.NOUN and is_plural(head.lower)) or (
        head.kind is Kind.NAME and _is_plural_name(phrase, head)
    )


def _is_plural_name(phrase: Sequence[Token], head: Token) -> bool:
    # `Engineers` opens a sentence; `James` may as well, so only what an article makes plural counts inside one.
    return head is phrase[0] and is_plural(head.lower) and len(head.text) > 5


def agrees(phrase: Sequence[Token], verb: Token) -> bool:
    """Whether a verb may have a noun phrase as its subject."""
    several = is_several(phrase)
    if verb.lower in _SINGULAR_VERBS or (verb.kind is Kind.VERB and verb.may & May.SINGULAR):
        return not several
    if verb.lower in _PLURAL_VERBS or (verb.kind is Kind.VERB and verb.may & May.BASE and not verb.may & May.PAST):
        return several or any(token.kind is Kind.CC for token in phrase)
    return True


def is_past(verb: Token, subject: Sequence[Token]) -> bool | None:
    """Whether a finite verb tells of the past; None for `will` and the like, which tell of neither, and in doubt."""
    lower = verb.lower
    if lower in ("was", "were", "had", "did"):
        return True
    if lower in BE | HAVE | DO:
        return False
    if lower in MODALS:
        return None
    if verb.may & May.PAST and verb.may & May.BASE:  # put, spread
        return None if is_several(subject) else True
    return bool(verb.may & May.PAST)


def finite_form(base: str, *, past: bool, several: bool) -> str | None:
    if past:
        return past_of(base)
    return base if several else third_person(base)


def copula(phrase: Sequence[Token], *, past: bool) -> Token:
    several = is_several(phrase)
    text = ("were" if several else "was") if past else ("are" if several else "is")
    return made(text, Kind.AUX)


def is_limited(tokens: Iterable[Token]) -> bool:
    """Whether something here holds only sometimes, or under a condition."""
    return any(
        token.lower in _LIMITING_PHRASES
        or (token.lower in CONDITIONS and (token.kind is Kind.SUB or token.lower not in _ALSO_OF_TIME))
        for token in tokens
    )


def is_conditional(tokens: Iterable[Token]) -> bool:
    """Whether a clause here says when the rest holds."""
    return any(
        token.kind is Kind.SUB and (token.lower in CONDITIONS or token.lower in _LIMITING_PHRASES) for token in tokens
    )


def is_negated(tokens: Iterable[Token]) -> bool:
    return any(token.kind is Kind.NEG or token.lower in NEGATIONS for token in tokens)


_ALSO_OF_TIME = frozenset({"until", "till", "once", "provided", "assuming"})
_LIMITING_PHRASES = frozenset(
    {"even if", "as long as", "as soon as", "in case", "only if", "instead of", "rather than"}
)


def without_end(tokens: Phrase) -> Phrase:
    """A sentence without its full stop, or the comma a cut has left."""
    end = len(tokens)
    while end and (tokens[end - 1].kind in PAUSES or tokens[end - 1].kind is Kind.CC):
        end -= 1
    return tokens[:end]


def definite(phrase: Phrase) -> Phrase:
    """`a library`, spoken of again: `the library`."""
    if phrase and phrase[0].lower in ("a", "an"):
        return (phrase[0].respelled("The" if phrase[0].text[0].isupper() else "the"), *phrase[1:])
    return phrase
