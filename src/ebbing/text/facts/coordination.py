"""What `and` joins where verbs are joined: clauses, and what one subject does.

Where the grammar leaves a doubt about what is joined (`Anna said Ben left and went home`), or a condition may hold
for both halves, the sentence stays whole.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from .structure import (
    Main,
    agrees,
    is_conditional,
    is_negated,
    is_past,
    main_clause,
    subject_of,
)
from .tokenizer import FINITE, NOMINAL, Kind, Phrase, Token, has_clause, verb_base
from .word_classes import (
    BE,
    CONDITIONS,
    HAVE,
    HEDGES,
    INTRANSITIVE,
    MODALS,
    REPORTING,
    May,
    base_of,
)

_CONTRASTING = frozenset("while whereas although though".split())
_TIMES = frozenset("now today yesterday tomorrow later then afterwards soon currently ago next last".split())
_OBJECTS = frozenset({*NOMINAL, Kind.DET, Kind.OBJ, Kind.ADJ})
_VERBAL = frozenset({Kind.VERB, Kind.PART, Kind.BASE, Kind.ING})


def joined_clauses(tokens: Phrase) -> list[Phrase] | None:
    """`A does this, and B does that`; `A does this, while B does that`; `although A does this, B does that`."""
    if tokens[0].lower in ("although", "though", "while", "whereas", "even though"):
        return _conceded(tokens)
    main = main_clause(tokens)
    if main is None:
        return None
    for place in range(main.verb + 1, len(tokens) - 2):
        token = tokens[place]
        after_comma = tokens[place - 1].kind in (Kind.COMMA, Kind.BREAK)
        joins = token.kind is Kind.CC and token.lower in ("and", "but", "so", "yet")
        contrasts = after_comma and token.lower in _CONTRASTING
        if token.kind is Kind.BREAK and token.lower in (";", "；", "—", "–", "-", "--"):
            left, right = tokens[:place], tokens[place + 1 :]
        elif joins or contrasts:
            left, right = tokens[: place - 1 if after_comma else place], tokens[place + 1 :]
        else:
            continue
        if _are_two_clauses(main, left, right, firmly=after_comma or token.kind is Kind.BREAK, joint=token.lower):
            return [left, (*_shared_opener(tokens, main, right, token), *_without_hinge(right))]
    return None


def joined_reports(tokens: Phrase) -> list[Phrase] | None:
    """`Anna said that A and that B`: Anna said that A, Anna said that B."""
    thats = [place for place, token in enumerate(tokens) if token.lower == "that" and token.kind is not Kind.REL]
    for place in thats[1:]:
        joint = tokens[place - 1]
        if joint.kind is Kind.CC and joint.lower in ("and", "but") and has_clause(tokens[place + 1 :]):
            end = place - 2 if tokens[place - 2].kind is Kind.COMMA else place - 1
            if has_clause(tokens[thats[0] + 1 : end]) and not is_negated(tokens[: thats[0]]):
                return [tokens[:end], (*tokens[: thats[0]], *tokens[place:])]
    return None


def _conceded(tokens: Phrase) -> list[Phrase] | None:
    for place, token in enumerate(tokens):
        if token.kind is Kind.COMMA and has_clause(tokens[1:place]) and has_clause(tokens[place + 1 :]):
            rest = tokens[place + 1 :]
            if is_conditional(rest) or is_conditional(tokens[1:place]) or rest[0].kind in (Kind.CC, Kind.REL):
                return None
            return [tokens[1:place], rest]
    return None


def _are_two_clauses(main: Main, left: Phrase, right: Phrase, *, firmly: bool, joint: str) -> bool:
    if not _opens_clause(right):
        return False
    inner = left[main.verb + 1 :]
    # What follows `said (that)` may still be said by the same person; what follows `if` may hang on it.
    reported = any(
        verb_base(token) in REPORTING
        for token in left
        if token.kind in (*FINITE, Kind.BASE, Kind.PART) or token.may & May.SINGULAR
    )
    if reported and not any(token.kind is Kind.BREAK for token in inner) and not (firmly and joint in ("but", ";")):
        return False
    if any(token.kind is Kind.REL for token in inner[-4:]) and not any(token.kind in FINITE for token in inner[-3:]):
        return False
    if is_conditional(left) and joint not in ("but", ";"):
        return False
    if any(token.lower in ("between", "both", "either") for token in inner):
        return False
    if any(token.kind is Kind.SUB for token in inner) and not firmly:
        return False
    return joint in ("but", ";", "—", "–") or not is_conditional(right)


def _opens_clause(tokens: Phrase) -> bool:
    """Whether a clause with a subject of its own begins here."""
    main = main_clause(tokens)
    if main is None:
        return False
    subject = subject_of(tokens, main)
    if any(token.kind in (Kind.COMMA, Kind.BREAK, Kind.SUB) for token in _without_aside(subject)):
        return False
    if any(token.kind is Kind.PRON for token in subject[1:]):
        return False  # `mass and energy it has`
    if not agrees(subject, tokens[main.verb]):
        return False
    first = next((token for token in subject if token.kind is not Kind.ADV), None)
    return first is not None and first.kind not in (Kind.VERB, Kind.BASE, Kind.TO, Kind.ING, Kind.PART)


def _without_aside(subject: Phrase) -> Phrase:
    """`my sister Kate, a dentist` as `my sister Kate`."""
    commas = [place for place, token in enumerate(subject) if token.kind is Kind.COMMA]
    if len(commas) != 1 or subject[commas[0] - 1].kind is not Kind.NAME or commas[0] + 2 >= len(subject):
        return subject
    is_aside = subject[commas[0] + 1].kind is Kind.DET and all(
        token.kind in (*NOMINAL, Kind.ADJ, Kind.DET) for token in subject[commas[0] + 1 :]
    )
    return subject[: commas[0]] if is_aside else subject


def _shared_opener(tokens: Phrase, main: Main, right: Phrase, joint: Token) -> Phrase:
    """`In Germany,` holds for both halves, unless the second says when or where itself."""
    opener = tokens[: main.start]
    if not opener or joint.kind is Kind.BREAK or opener[0].kind in (Kind.ADV, Kind.ING, Kind.PART):
        return ()
    behind = main_clause(right)
    has_own = (behind is not None and behind.start > 0) or any(
        token.kind is Kind.NUM or token.lower in _TIMES for token in right
    )
    return () if has_own else opener


def _without_hinge(right: Phrase) -> Phrase:
    """Without `then`, `so` or `therefore` before what is now a sentence of its own."""
    if len(right) > 3 and right[0].kind is Kind.ADV and right[0].lower in ("then", "so", "therefore", "thus", "also"):
        right = right[1:]
        if right[0].kind is Kind.COMMA:
            right = right[1:]
    return right


def joined_verbs(tokens: Phrase) -> list[Phrase] | None:
    """`She moved to Rome and opened a shop`; `it was built and tested`; `they want to sell A and buy B`."""
    main = main_clause(tokens)
    if main is None or is_negated(tokens[: main.verb]):
        return None  # what is denied of the first is not said of the second: `I no longer smoke and live in Ulm`
    for place in range(main.verb + 1, len(tokens) - 1):
        token = tokens[place]
        if token.kind is not Kind.CC or token.lower not in ("and", "but", "then", "as well as"):
            continue
        right = tokens[place + 1 :]
        verb = next((spot for spot, one in enumerate(right) if one.kind not in (Kind.ADV, Kind.NEG)), 0)
        left = tokens[: place - 1] if tokens[place - 1].kind is Kind.COMMA else tokens[:place]
        if is_conditional(right) or _hangs(left[main.verb :], comma=len(left) < place):
            continue
        head = _carried(tokens, main, left, right, verb)
        if head is None:
            continue
        if len(left) == len(head) + 1 and left[-1].kind in _VERBAL and len(right) > verb + 1:
            # `designed and built the bridge`; but who is to `quit and move to Spain` need not quit to Spain
            if right[verb + 1].kind not in _OBJECTS:
                return None
            return [(*left, *right[verb + 1 :]), (*head, *right)]
        return [*_listed(left, head), (*head, *right)]
    return None


def _hangs(group: Sequence[Token], *, comma: bool) -> bool:
    """Whether the second verb may belong to somebody named between: `Anna said Ben left and went home`."""
    verb, *between = group
    if verb_base(verb) in REPORTING:
        for before, token in itertools.pairwise(between):
            is_verb = token.kind in (Kind.PART, Kind.VERB, Kind.AUX) or token.may & (May.SINGULAR | May.PAST)
            if is_verb and (before.kind in NOMINAL or before.kind in (Kind.PRON, Kind.OBJ)):
                return True
    if any(token.kind is Kind.SUB or token.lower in CONDITIONS for token in between):
        return True
    if any(token.kind is Kind.REL for token in between) and not comma:
        return True
    return any(token.kind in FINITE and before.kind is not Kind.COMMA for before, token in itertools.pairwise(group))


def _carried(tokens: Phrase, main: Main, left: Phrase, right: Phrase, at: int) -> Phrase | None:
    """What stands before both verbs: the subject, and of the verb what they share; None if they share none."""
    verb = right[at]
    first = tokens[main.verb]
    subject = tokens[: main.verb]
    if tokens[main.verb - 1].kind is Kind.ADV and tokens[main.verb - 1].lower not in HEDGES:
        subject = tokens[: main.verb - 1]
    if verb.kind is Kind.VERB and verb.may & May.BASE and any(one.kind is Kind.BASE for one in left[main.verb :]):
        return _carried_to_infinitive(left, main, right, at)
    if verb.kind in FINITE and not agrees(subject_of(tokens, main), verb):
        return None
    if verb.kind is Kind.AUX or (verb.kind is Kind.VERB and first.kind is Kind.VERB):
        return subject if verb.kind is Kind.AUX or _is_same_form(first, verb) else None
    if verb.kind not in (Kind.VERB, Kind.PART, Kind.BASE, Kind.ING, Kind.NOUN, Kind.ADJ):
        return None
    if verb.kind in (Kind.VERB, Kind.PART) and first.kind is Kind.VERB:
        return subject if verb.may & May.PAST and first.may & May.PAST else None
    return _carried_from_group(left, main, right, at, subject)


def _is_same_form(first: Token, verb: Token) -> bool:
    return any(first.may & form and verb.may & form for form in (May.PAST, May.SINGULAR, May.BASE, May.ING))


def _carried_from_group(left: Phrase, main: Main, right: Phrase, at: int, subject: Phrase) -> Phrase | None:
    """The same for `was built and tested`, `will go and see`, `wants to buy A and sell B`, `is large but scattered`."""
    verb, first = right[at], left[main.verb]
    behind = right[at + 1] if at + 1 < len(right) else None
    group = main.verb + 1
    while group < len(left) and left[group].kind in (Kind.ADV, Kind.NEG, Kind.BE):
        group += 1
    if group >= len(left):
        return None
    negated = is_negated(left[main.verb : group])
    inner = left[group]
    if first.lower in BE and verb.may & (May.PAST | May.PARTICIPLE):
        shared = left[:group] if inner.kind is Kind.PART else left[: main.verb + 1]
        return _carried_by_be(first, inner, verb, behind, subject, None if negated else shared)
    if first.lower in HAVE and inner.kind is Kind.PART and verb.may & (May.PARTICIPLE | May.PAST):
        return None if negated else left[:group]
    if first.lower in BE and inner.kind is Kind.ING and verb.kind is Kind.ING:
        is_sure = sum(token.kind is Kind.ING for token in left[main.verb :]) == 1
        return left[:group] if is_sure and not negated else None
    if verb.kind is Kind.VERB and verb.may & May.SINGULAR and first.lower in BE | HAVE | {"does"}:
        return subject
    return _carried_to_infinitive(left, main, right, at) if verb.may & May.BASE and verb.kind is not Kind.ADJ else None


def _carried_by_be(
    first: Token, inner: Token, verb: Token, behind: Token | None, subject: Phrase, shared: Phrase | None
) -> Phrase | None:
    """`was built and tested` shares `was`; `was built and won a prize`, `was ill and stayed home` do not."""
    takes_object = behind is not None and behind.kind in _OBJECTS
    if not verb.may & May.PARTICIPLE or (inner.kind is Kind.PART and base_of(verb.lower) in INTRANSITIVE):
        return subject
    if not verb.may & May.PAST:
        return shared
    if inner.kind is Kind.PART or is_past(first, subject):
        return subject if takes_object else shared if inner.kind is Kind.PART else None
    return shared


def _carried_to_infinitive(left: Phrase, main: Main, right: Phrase, at: int) -> Phrase | None:
    if is_negated(left[main.verb :]):
        return None
    behind = right[at + 1] if at + 1 < len(right) else None
    is_object = right[at].may & May.NOUN and (
        behind is None or behind.kind in (Kind.END, Kind.COMMA, Kind.PREP, Kind.CC, Kind.NOUN)
    )
    infinitives = [place for place in range(main.verb, len(left)) if left[place].kind is Kind.BASE]
    if (
        len(infinitives) != 1
        or is_object
        or (right[at].kind is Kind.NOUN and behind is not None and behind.kind in FINITE)
    ):
        return None
    before = left[infinitives[0] - 1]
    if before.kind is Kind.TO or left[main.verb].lower in MODALS:
        return left[: infinitives[0]]
    return None


def _listed(left: Phrase, head: Phrase) -> list[Phrase]:
    """`A does this, does that` before the last `and`: also one by one."""
    for place in range(len(left) - 2, len(head), -1):
        is_verb = left[place + 1].kind in _VERBAL and _is_same_form(left[len(head)], left[place + 1])
        if is_verb and left[place].kind is Kind.COMMA and place > len(head) + 1:
            return [*_listed(left[:place], head), (*head, *left[place + 1 :])]
    return [left]
