"""The words of a sentence and what each is in it: a noun, the verb that makes it a clause, a conjunction.

First what a word and its neighbours decide alone, from left to right; then, stretch by stretch, which word is the
verb (finite_verbs.py).
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Final

from . import word_classes
from .finite_verbs import mark_verbs, place_before
from .tokenizer import NOMINAL, PAUSES, Kind, Phrase, Token, Word, words_in
from .word_classes import May

_MODIFIES: Final = frozenset({Kind.DET, Kind.ADJ, Kind.POSS, Kind.PREP, Kind.NUM})

_KEPT = 128  # a sentence is looked at for what it asks, and then for what it says
_SPANS = frozenset("day week month year time morning evening night summer winter same".split())
_BEHIND_IS = frozenset("it he she that there who what here where how this".split())


@functools.lru_cache(maxsize=_KEPT)
def tagged(sentence: str) -> Phrase:
    """The words of one sentence."""
    words = list(words_in(sentence))
    kinds = _by_neighbours(words)
    mark_verbs(words, kinds)
    return tuple(
        Token(text, kind, spaced, may, lower) for (text, lower, spaced, may, _), kind in zip(words, kinds, strict=True)
    )


_PHRASES: Final = {
    **dict.fromkeys(("as well as", "and/or"), Kind.CC),
    **dict.fromkeys(("such as", "due to", "because of", "according to", "instead of", "rather than"), Kind.PREP),
    **dict.fromkeys(("so that", "even though", "even if", "as long as", "as soon as", "in case"), Kind.SUB),
    **dict.fromkeys(("as if", "only if"), Kind.SUB),
    **dict.fromkeys(("each other", "one another"), Kind.OBJ),
    **dict.fromkeys(("more than", "less than", "at least", "at most", "up to"), Kind.ADV),
    "in order to": Kind.TO,
    "no longer": Kind.NEG,
}
_BY_GROUP: Final = {
    "quote": Kind.NAME,
    "paren": Kind.PAREN,
    "name": Kind.NAME,
    "date": Kind.NUM,
    "number": Kind.NUM,
    "comma": Kind.COMMA,
    "end": Kind.END,
    "break": Kind.BREAK,
    "other": Kind.NOUN,
}


def _closed() -> dict[str, Kind]:
    found: dict[str, Kind] = {}
    for kind, words in (
        (Kind.ADV, frozenset("however therefore thus then also too very quite".split())),
        (Kind.PREP, word_classes.PREPOSITIONS),
        (Kind.SUB, word_classes.SUBORDINATORS | {"what", "whatever"}),
        (Kind.REL, word_classes.RELATIVES - {"that", "where"}),
        (Kind.CC, word_classes.COORDINATORS),
        (Kind.DET, word_classes.DETERMINERS - {"whose"}),
        (Kind.PRON, word_classes.SUBJECTS),
        (Kind.OBJ, word_classes.OBJECTS - {"whom"}),
        (Kind.AUX, word_classes.AUXILIARIES),
        (Kind.BE, frozenset({"be", "been", "being"})),
        (Kind.TO, frozenset({"to"})),
        (Kind.NEG, frozenset({"not", "n't", "never"})),
    ):
        found |= dict.fromkeys(words, kind)
    number = "one two three four five six seven eight nine ten eleven twelve dozen hundred thousand million billion"
    return found | dict.fromkeys(number.split(), Kind.NUM)


_CLOSED: Final = _closed()
_IN_TWO: Final = frozenset(
    """that like her there this these those some all both many most each several few more less so yet where have do had
    may will can might must""".split()
)
_NOUNISH = May.NOUN | May.ADJECTIVE | May.ING


def _by_neighbours(words: Sequence[Word]) -> list[Kind]:
    kinds: list[Kind] = []
    for place, word in enumerate(words):
        if word.group == "short":
            kinds.append(_short(words, place))
        elif word.group == "phrase":
            kinds.append(_PHRASES[word.lower])
        elif word.group != "word":
            kinds.append(_BY_GROUP[word.group])
        else:
            closed = _CLOSED.get(word.lower)
            is_named = place and word.text in ("May", "Will", "US", "IT") and kinds[-1] not in PAUSES
            if closed is not None and not is_named:
                kinds.append(_of_closed(closed, words, kinds, place))
            else:
                kinds.append(_of_open(words, kinds, place))
    return kinds


def _short(words: Sequence[Word], place: int) -> Kind:
    lower = words[place].lower
    if lower == "n't":
        return Kind.NEG
    if lower != "'s":
        return Kind.AUX
    before = words[place - 1].lower if place else ""
    behind = words[place + 1].lower if place + 1 < len(words) else ""
    if before == "let":
        return Kind.OBJ
    if before in _BEHIND_IS or behind in ("a", "an", "the", "not", "been", "going", "in", "on", "at", "from", "very"):
        return Kind.AUX
    return Kind.POSS


def _of_closed(closed: Kind, words: Sequence[Word], kinds: Sequence[Kind], place: int) -> Kind:
    """What a word of a closed class is here: the class itself, but for some that belong to two."""
    lower = words[place].lower
    if lower not in _IN_TWO:
        return closed
    near = place_before(kinds, place)
    before = kinds[near] if near >= 0 else Kind.END
    behind = words[place + 1] if place + 1 < len(words) else None
    if lower == "that":
        return _that(words, kinds, place)
    if lower == "like":
        return _like(words, near, before)
    if lower == "her":
        return Kind.DET if behind and behind.group == "word" and _opens_noun(behind) else Kind.OBJ
    if lower == "there":
        return Kind.PRON if behind and (_CLOSED.get(behind.lower) is Kind.AUX or behind.group == "short") else Kind.ADV
    if lower in ("more", "most", "less") and behind and behind.may & (May.ADJECTIVE | May.ADVERB):
        return Kind.ADV
    if closed is Kind.DET:
        follows = _CLOSED.get(behind.lower) if behind else None
        return Kind.PRON if behind is None or follows in (Kind.AUX, Kind.PREP) or behind.group == "short" else Kind.DET
    return _by_word_before(closed, lower, words[near].lower if near >= 0 else "", before, opens=near < 0)


def _by_word_before(closed: Kind, lower: str, word: str, before: Kind, *, opens: bool) -> Kind:
    if lower == "so":
        return Kind.CC if before in PAUSES and not opens else Kind.ADV
    if lower == "yet":
        return Kind.CC if before is Kind.COMMA else Kind.ADV
    if lower == "where":
        return Kind.REL if before in NOMINAL or before is Kind.COMMA else Kind.SUB
    if lower in ("have", "do"):
        return Kind.BASE if before in (Kind.TO, Kind.AUX) else closed
    if lower == "had":
        return Kind.PART if before is Kind.AUX and word in word_classes.HAVE else closed
    return Kind.NOUN if before in (Kind.DET, Kind.ADJ) else closed  # a will, the can


def _like(words: Sequence[Word], near: int, before: Kind) -> Kind:
    if before is Kind.PRON:
        return Kind.VERB
    is_auxiliary = before is Kind.AUX and words[near].lower not in word_classes.BE | word_classes.HAVE
    return Kind.BASE if before is Kind.TO or is_auxiliary else Kind.PREP


def _that(words: Sequence[Word], kinds: Sequence[Kind], place: int) -> Kind:
    behind = words[place + 1] if place + 1 < len(words) else None
    before = kinds[place - 1] if place else Kind.END
    follows = _CLOSED.get(behind.lower) if behind else None
    is_verb_behind = behind is not None and (
        follows in (Kind.AUX, Kind.BE)
        or behind.group == "short"
        or (follows is None and bool(behind.may & (May.SINGULAR | May.PAST)) and not behind.text[0].isupper())
    )
    if behind is not None and behind.lower in _SPANS:
        return Kind.DET
    if before in (Kind.NOUN, Kind.NAME, Kind.NUM, Kind.PAREN, Kind.COMMA) and place:
        if is_verb_behind or (behind is not None and behind.may & May.BASE and before is not Kind.COMMA):
            return Kind.REL
        return Kind.SUB
    if is_verb_behind or behind is None or behind.group in ("comma", "end"):
        return Kind.PRON
    if place == 0 or before in (Kind.PREP, Kind.CC):
        return Kind.DET if follows is None else Kind.PRON
    return Kind.SUB


def _opens_noun(word: Word) -> bool:
    return _CLOSED.get(word.lower) in (None, Kind.NUM) and bool(word.may & (_NOUNISH | May.BASE | May.PARTICIPLE))


def _of_open(words: Sequence[Word], kinds: Sequence[Kind], place: int) -> Kind:
    """What an open word is where its neighbours settle it; a noun for now where they do not."""
    word = words[place]
    may = word.may
    near = place_before(kinds, place)
    before = kinds[near] if near >= 0 else Kind.END
    if word.text[0].isupper() and (place or not may & ~May.NOUN):
        return Kind.NAME
    if not word.text[1:].islower() and any(map(str.isupper, word.text[1:])):
        return Kind.NAME  # macOS, JSONB
    if may == May.ADVERB:
        return Kind.ADV
    if may & May.BASE and (before is Kind.TO or _is_bare_auxiliary(words, near, before)):
        return Kind.BASE
    if may & (May.PARTICIPLE | May.PAST) and before in (Kind.AUX, Kind.BE):
        return Kind.PART
    if may & May.ING:
        return Kind.NOUN if before in (Kind.DET, Kind.POSS) and _ends_noun(words, place) else Kind.ING
    if before is Kind.PRON and may & (May.BASE | May.SINGULAR | May.PAST) and kinds[place - 1] is not Kind.AUX:
        return Kind.VERB
    if before is Kind.REL and may & (May.BASE | May.SINGULAR | May.PAST) and not may & May.ADJECTIVE:
        return Kind.VERB
    if may & May.ADVERB and not may & (May.ADJECTIVE | May.NOUN):
        return Kind.ADV
    if may & May.ADJECTIVE:
        follows = words[place + 1] if place + 1 < len(words) else None
        is_last = follows is None or follows.group != "word" or follows.lower in _CLOSED
        return Kind.NOUN if may & May.NOUN and is_last and before in _MODIFIES else Kind.ADJ
    if may & May.PARTICIPLE and before in _MODIFIES:
        return Kind.PART
    return Kind.NOUN


def _ends_noun(words: Sequence[Word], place: int) -> bool:
    """Whether a noun phrase may end here: `the meeting was`, `the meeting, which`; not `the growing team`."""
    follows = words[place + 1] if place + 1 < len(words) else None
    if follows is None or follows.group in ("comma", "end", "break", "short"):
        return True
    return _CLOSED.get(follows.lower) in (Kind.AUX, Kind.REL, Kind.PREP) and follows.group == "word"


def _is_bare_auxiliary(words: Sequence[Word], near: int, before: Kind) -> bool:
    """Whether an infinitive follows: `will go`, `does not go`, `did you go`."""
    if before in (Kind.PRON, Kind.NAME) and near > 0:
        near -= 1
    lower = words[near].lower if near >= 0 else ""
    return lower in word_classes.MODALS or (lower in word_classes.DO and before is Kind.AUX)
