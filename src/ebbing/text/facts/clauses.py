"""A sentence as the single things it says, each a sentence of its own in the text's own words.

The rules (parentheticals.py, coordination.py) are tried in order until none applies: what somebody says by the way
first, then clauses, then verbs, then lists. A fact never says more than the text: reasons stay with what they explain,
reports with their source, conditions and negations with what they limit; where the grammar leaves a doubt the sentence
stays whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ..lazy_regex import lazily
from .coordinated_nouns import examples, joined_nouns, joined_qualities
from .coordination import joined_clauses, joined_reports, joined_verbs
from .faithful import is_faithful
from .parentheticals import appositions, brackets, defined, relatives, trailing
from .structure import without_end
from .tagger import tagged
from .tokenizer import FINITE, Kind, Phrase, has_clause, written
from .word_classes import EXAMINING

Rule = Callable[[Phrase], list[Phrase] | None]

# Each rule with what a sentence must have for it to apply at all: of each set one.
_RULES: tuple[tuple[Rule, tuple[frozenset[Kind], ...]], ...] = (
    (brackets, (frozenset({Kind.PAREN}),)),
    (relatives, (frozenset({Kind.REL}), frozenset({Kind.COMMA}))),
    (appositions, (frozenset({Kind.COMMA}),)),
    (joined_reports, (frozenset({Kind.SUB}), frozenset({Kind.CC}))),
    (joined_clauses, (frozenset({Kind.CC, Kind.BREAK, Kind.SUB}),)),
    (trailing, (frozenset({Kind.COMMA}), frozenset({Kind.ING}))),
    (defined, (frozenset({Kind.REL, Kind.PART}), frozenset({Kind.AUX}))),
    (joined_verbs, (frozenset({Kind.CC}),)),
    (examples, (frozenset({Kind.PREP}),)),
    (joined_qualities, (frozenset({Kind.CC}), frozenset({Kind.AUX}))),
    (joined_nouns, (frozenset({Kind.CC}),)),
)
_FACTS_MAX = 24  # of one sentence; more is a table in disguise, and is left whole
_WORDS_MAX = 120  # nobody wrote a longer sentence for its grammar
# Ties a sentence to the one before and says nothing itself.
_TIE = lazily(
    r"""(?:(?:however|therefore|thus|hence|additionally|moreover|furthermore|similarly|overall|anyway|in\ fact|indeed
      |for\ example|for\ instance|in\ addition|in\ other\ words|as\ a\ result|consequently|also|likewise|meanwhile
      |nevertheless|nonetheless|besides|finally|of\ course|to\ be\ honest|honestly|actually|basically|by\ the\ way|well
      |oh|ah|hey|hi|hello|yes|yeah|yep|no|nope|ok|okay|sure|so|and|but|anyways|wow|thanks|thank\ you|great|cool|awesome
      |nice|right|lol|haha|hmm|um|uh|absolutely|definitely|exactly|btw|fyi|ps|p\.s\.|note\ that|in\ conclusion
      |in\ summary|on\ (?:a\ different|another)\ note|speaking\ of\ [\w\ ]{1,30}|firstly|secondly|first|second|third
      |lastly|then|plus)\s*[,!.:–—-]+\s+|(?:and|but|also)\ (?=\w)
      |so\ (?=(?:i|we|he|she|it|they|the|my|our|this)\b))+""",
    re.VERBOSE | re.IGNORECASE,
)
_WORTH_NOTING = lazily(
    r"(?:it(?:['’]s| is) (?:important|worth|good) (?:to note|noting|to mention|mentioning|to remember|to know)"
    r"|please note|note|keep in mind|remember|as you (?:may )?know)(?:,| that|:)\s+",
    re.IGNORECASE,
)


def clauses(sentence: str) -> list[str]:
    """What one sentence says, one thing at a time."""
    return [text for text in map(as_sentence, phrases(sentence)) if text]


def phrases(sentence: str) -> list[Phrase]:
    """The same as words that know what they are."""
    tokens = without_scene(without_end(tagged(without_ties(sentence))))
    if not tokens:
        return []
    if len(tokens) > _WORDS_MAX or any(token.kind is Kind.END for token in tokens[:-1]):
        return [tokens]  # too long, or several sentences that belong together
    found = _taken_apart(tokens, _FACTS_MAX)
    return found if len(found) <= _FACTS_MAX else [tokens]


def _taken_apart(tokens: Phrase, budget: int) -> list[Phrase]:
    if budget < 2 or len(tokens) < 4:
        return [tokens]
    kinds = {token.kind for token in tokens}
    for rule, needs in _RULES:
        if all(not need.isdisjoint(kinds) for need in needs):
            parts = rule(tokens)
            if parts and all(len(part) > 1 for part in parts) and is_faithful(parts, tokens):
                return [fact for part in parts for fact in _taken_apart(without_end(part), budget // 2) if fact]
    return [tokens]


def without_ties(sentence: str) -> str:
    """`However, it failed` without the `However`; what is left must still be a sentence."""
    for pattern in (_TIE, _WORTH_NOTING):
        tie = pattern.match(sentence)
        rest = sentence[tie.end() :] if tie else ""
        if len(rest.split()) > 1:
            sentence = rest
    return sentence


def without_scene(tokens: Phrase) -> Phrase:
    """`After reviewing the options, the team recommends …`: how they came to it is no part of what they recommend."""
    first = tokens[1:2] if tokens and tokens[0].lower in ("after", "upon", "having", "on") else tokens[:1]
    if not first or first[0].lower not in EXAMINING or first[0].kind not in (Kind.ING, Kind.PART):
        return tokens
    for place, token in enumerate(tokens):
        if token.kind in FINITE or token.kind in (Kind.NEG, Kind.NUM, Kind.NAME):
            return tokens
        if token.kind is Kind.COMMA and has_clause(tokens[place + 1 :]) and tokens[place + 1].kind is not Kind.CC:
            return tokens[place + 1 :]
    return tokens


def as_sentence(tokens: Phrase) -> str:
    """Words as a sentence: a capital first, no comma or conjunction at either end."""
    start = 0
    while start < len(tokens) and tokens[start].kind in (Kind.COMMA, Kind.CC, Kind.BREAK):
        start += 1
    text = written(without_end(tokens[start:])).strip()
    first = re.sub(r"['’,]", "", text.partition(" ")[0])
    return text[:1].upper() + text[1:] if first.isalpha() and first.islower() else text
