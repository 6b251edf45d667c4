"""What a sentence says by the way: in brackets, in `which …` between commas, in an apposition, in `…, doing so`.

Each rule gives the sentence without the aside and the aside as a sentence of its own, or None where it does not
apply. What limits (`the people who live here`) is no aside and stays where it is.
"""

from __future__ import annotations

import re

from .structure import (
    agrees,
    copula,
    definite,
    finite_form,
    is_negated,
    is_past,
    is_several,
    main_clause,
    noun_phrase_start,
    subject_of,
    without_end,
)
from .tagger import tagged
from .tokenizer import FINITE, NOMINAL, Kind, Phrase, Token, has_clause, made, verb_base
from .word_classes import BE, POSSESSIVES, May, is_known_verb

# What follows of the whole sentence rather than of the thing named last.
_OF_THE_WHOLE = frozenset(
    """mean make cause lead result allow leave bring give create ensure include follow depend enable help force prompt
    explain suggest show require let increase reduce prevent cost take happen be have range use consist contain involve
    vary comprise feature cover span represent total average""".split()
)
# What somebody does who has not done the rest of it.
_NOT_YET = frozenset(
    """start begin commence end finish expire arrive leave depart open close run last hope plan aim try expect want
    intend wait prepare look consider think promise offer ask""".split()
)
_BUYING = frozenset("buy purchase order get rent book hire".split())
_DAY = re.compile(r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:Yester|To)day|Tomorrow", re.IGNORECASE)
_PLACES = frozenset("in at on".split())
_STATES = frozenset("located based situated known called named considered hosted written used designed".split())
_THEN = frozenset("then former formerly once previously".split())
_TIMES = frozenset("last this next every each one today yesterday tomorrow".split())
_NAMING = frozenset("in at from of to near around outside".split())


def brackets(tokens: Phrase) -> list[Phrase] | None:
    """`Anna (born in 1990) sings` says two things; `Anna (1990)` and `the API (REST)` one."""
    for place, token in enumerate(tokens):
        if token.kind is not Kind.PAREN or not place:
            continue
        inner = tagged(token.text[1:-1])
        rest = (*tokens[:place], *tokens[place + 1 :])
        opening = inner[1] if len(inner) > 2 and inner[0].kind is Kind.ADV else inner[0] if inner else token
        start = noun_phrase_start(tokens, place)
        is_of_it = opening.lower in _STATES or opening.lower in ("born", "founded", "established") or start == 0
        if opening.kind is Kind.PART and len(inner) > 1 and start < place and is_of_it and not has_clause(inner):
            about = definite(tokens[start:place])
            past = opening.lower not in _STATES
            return [rest, (*about, copula(about, past=past), *without_end(inner))]
        if has_clause(inner) and inner[0].kind in (Kind.PRON, Kind.DET, Kind.NAME) and len(inner) > 3:
            return [rest, without_end(inner)]
    return None


def relatives(tokens: Phrase) -> list[Phrase] | None:
    """`the library, which was released in 2019, …`"""
    for place in range(1, len(tokens) - 2):
        if tokens[place].kind is Kind.COMMA and tokens[place + 1].kind is Kind.REL:
            found = _relative(tokens, place)
            if found:
                return found
    return None


def _relative(tokens: Phrase, comma: int) -> list[Phrase] | None:
    end = _aside_end(tokens, comma)
    start = noun_phrase_start(tokens, comma)
    if end is None or start == comma:
        return None
    word = tokens[comma + 1].lower
    inner = tokens[comma + 2 : end]
    told = _told_of(tokens, start, comma, word, inner)
    if told is None:
        return None
    rest = tokens[end:] if end < len(tokens) and tokens[end].kind is not Kind.COMMA else tokens[end + 1 :]
    return [(*tokens[:comma], *rest), told]


def _told_of(tokens: Phrase, start: int, comma: int, word: str, inner: Phrase) -> Phrase | None:
    """What a relative clause says, with what it says it of."""
    about = tokens[start:comma]
    first = next((token for token in inner if token.kind is not Kind.ADV), None)
    if first is None:
        return None
    if word == "whose":
        return (*definite(about), made("'s", Kind.POSS, spaced=False), *inner) if has_clause(inner) else None
    if word == "where":
        place = tokens[start - 1] if start else None
        if place is None or place.lower not in _PLACES or not has_clause(inner):
            return None
        return (place.respelled(place.text.capitalize()), *about, made(",", Kind.COMMA, spaced=False), *inner)
    if first.kind in FINITE:
        is_owned = any(token.kind is Kind.POSS for token in about)
        is_price = _is_price(tokens, start, first, inner)
        if word == "which" and not is_price and (is_owned or _is_of_the_whole(first, inner, about)):
            return None
        agreeing = _agreeing(tokens, start, comma, first)
        return (*definite(agreeing), *inner) if agreeing else None
    return None


def _is_price(tokens: Phrase, start: int, verb: Token, inner: Phrase) -> bool:
    """`I bought a lamp, which cost 40 pounds`: the lamp, for what is bought has a price."""
    place = start - 1
    while place > 0 and tokens[place].kind is Kind.ADV:
        place -= 1
    is_bought = place >= 0 and verb_base(tokens[place]) in _BUYING and tokens[place].kind in (Kind.VERB, Kind.PART)
    return is_bought and verb_base(verb) == "cost" and len(inner) > 1 and inner[1].kind is Kind.NUM


def _is_of_the_whole(verb: Token, inner: Phrase, about: Phrase) -> bool:
    if verb.kind is Kind.VERB:
        return verb_base(verb) in _OF_THE_WHOLE and (
            not agrees(about, verb) or not any(t.kind is Kind.NAME for t in about)
        )
    if verb.lower in ("is", "was", "'s") and len(inner) > 1 and inner[1].kind in (Kind.SUB, Kind.ADJ, Kind.ADV):
        return not any(token.kind is Kind.NAME for token in about)
    return False


def _agreeing(tokens: Phrase, start: int, end: int, verb: Token) -> Phrase | None:
    """The noun phrase before a relative clause that alone can be its subject; None where two can."""
    nearest = tokens[noun_phrase_start(tokens, end, of=False) : end]
    if nearest and _DAY.fullmatch(nearest[-1].text):
        return None
    candidates = [nearest] if nearest and nearest[-1].kind is not Kind.NUM else []
    if start < end - len(nearest):
        candidates.append(tokens[start:end])
    if start > 1 and tokens[start - 1].kind is Kind.CC and tokens[start - 1].lower == "and":
        candidates.append(tokens[noun_phrase_start(tokens, start - 1) : end])
    while start > 1 and tokens[start - 1].kind is Kind.PREP and tokens[start - 2].kind in NOMINAL:
        start = noun_phrase_start(tokens, start - 1)
        candidates.append(tokens[start:end])
    if candidates and candidates[0] and all(token.kind is Kind.NAME for token in candidates[0][-1:]):
        candidates = [one for one in candidates if agrees(one, verb)][:1]
    elif (
        start > 3 and tokens[start - 1].kind is Kind.PREP and _is_reduced(tokens, start - 2) and _is_amount(tokens, end)
    ):
        return None  # `the growth of sales made in the shop, which has reached 165`
    fitting = [one for one in candidates if agrees(one, verb)]
    return fitting[0] if len(fitting) == 1 else None


def _is_reduced(tokens: Phrase, place: int) -> bool:
    """Whether a participle hangs on the noun before it: `sales made in`."""
    main = main_clause(tokens)
    is_participle = tokens[place].kind in (Kind.PART, Kind.ING) or bool(tokens[place].may & May.PARTICIPLE)
    return is_participle and tokens[place - 1].kind in NOMINAL and (main is None or main.verb != place)


def _is_amount(tokens: Phrase, comma: int) -> bool:
    return any(token.kind is Kind.NUM for token in tokens[comma + 2 : comma + 7])


def _aside_end(tokens: Phrase, comma: int) -> int | None:
    """Where what begins behind a comma ends: before the verb of the sentence, or with the sentence."""
    main = main_clause(tokens)
    if main is None:
        return None
    if main.verb > comma or not any(token.kind in FINITE for token in tokens[:comma]):
        for place in range(comma + 2, len(tokens) - 1):
            if tokens[place].kind is Kind.COMMA and _goes_on(tokens, place + 1):
                return place
        return None
    for place in range(comma + 2, len(tokens) - 2):
        if tokens[place].kind is Kind.COMMA and tokens[place + 1].kind is Kind.CC:
            behind = tokens[place + 2 :]
            if has_clause(behind) or (behind[0].kind in FINITE and _go_together(tokens[main.verb], behind[0])):
                return place
        if tokens[place].kind is Kind.BREAK:
            return place
    end = len(tokens)
    while end and tokens[end - 1].kind is Kind.END:
        end -= 1
    return end


def _go_together(first: Token, second: Token) -> bool:
    if Kind.AUX in (first.kind, second.kind):
        return not (second.may & May.BASE and first.kind is Kind.AUX)
    return any(first.may & form and second.may & form for form in (May.PAST, May.SINGULAR, May.BASE))


def _goes_on(tokens: Phrase, place: int) -> bool:
    while place < len(tokens) and tokens[place].kind in (Kind.ADV, Kind.NEG):
        place += 1
    return place < len(tokens) and tokens[place].kind in FINITE


def appositions(tokens: Phrase) -> list[Phrase] | None:
    """`Anna, our new CTO, joined` and `we met Anna, the CTO`; also `the firm, founded in 1990, grew`."""
    main = main_clause(_with_verbs_behind_commas(tokens))
    if main is None:
        return None
    commas = [place for place, token in enumerate(tokens) if token.kind is Kind.COMMA]
    for number, comma in enumerate(commas):
        start = noun_phrase_start(tokens, comma)
        end = commas[number + 1] if number + 1 < len(commas) else len(without_end(tokens))
        inner = tokens[comma + 1 : end]
        if start == comma or not inner or end <= comma + 1:
            continue
        about = tokens[start:comma]
        closes = end < len(tokens) and tokens[end].kind is Kind.COMMA
        if closes and start == main.start and _goes_on(_with_verbs_behind_commas(tokens), end + 1):
            verb = _with_verbs_behind_commas(tokens)[main.verb]
            link = _link(about, inner, verb)
            if link:
                rest = (*tokens[:comma], *_as_verb(tokens[end + 1 :]))
                return [rest, (*definite(about), *link, *inner)]
        elif (
            not closes
            and number + 1 == len(commas)
            and main.verb < start
            and _is_told_of_name(tokens, start, comma, inner)
        ):
            return [(*tokens[:comma], *tokens[end:]), (*about, copula(about, past=False), *inner)]
    return None


def _with_verbs_behind_commas(tokens: Phrase) -> Phrase:
    """The same words, where `joined` behind the comma that closes an aside is the verb and no participle."""
    found = list(tokens)
    if any(token.kind in FINITE for token in tokens[: _second_comma(tokens)]):
        return tokens
    place = _second_comma(tokens)
    if (
        0 < place < len(tokens) - 1
        and tokens[place + 1].kind is Kind.PART
        and not any(t.kind in FINITE for t in tokens)
    ):
        found[place + 1] = tokens[place + 1]._replace(kind=Kind.VERB)
    return tuple(found)


def _second_comma(tokens: Phrase) -> int:
    commas = [place for place, token in enumerate(tokens) if token.kind is Kind.COMMA]
    return commas[1] if len(commas) > 1 else 0


def _as_verb(tokens: Phrase) -> Phrase:
    if tokens and tokens[0].kind is Kind.PART:
        return (tokens[0]._replace(kind=Kind.VERB), *tokens[1:])
    return tokens


def _link(about: Phrase, inner: Phrase, verb: Token) -> Phrase | None:
    """What makes a sentence of an apposition: `is`, `was`; None where it is none."""
    first = next((token for token in inner if token.kind is not Kind.ADV), None)
    if first is None or is_negated(inner):
        return None
    if first.kind is Kind.PART and len(inner) > 1:
        dated = any(token.kind is Kind.NUM for token in inner) or first.lower == "born"
        return (copula(about, past=dated or (first.lower not in _STATES and bool(is_past(verb, about)))),)
    if not _is_noun_phrase(inner) or first.lower in _TIMES:
        return None
    if not any(token.kind is Kind.NAME for token in about) and about[0].kind is not Kind.DET:
        return None
    if first.kind is not Kind.DET and not any(token.lower in ("of", "at", "for", "in") for token in inner):
        is_who = all(token.kind is Kind.NAME for token in inner) and about[0].kind is Kind.DET
        if not is_who or any(token.kind is Kind.NAME for token in about):
            return None
    past = any(token.lower in _THEN for token in inner[:2]) or "time" in {token.lower for token in inner[-2:]}
    return (copula(about, past=past),)


def _is_told_of_name(tokens: Phrase, start: int, comma: int, inner: Phrase) -> bool:
    """Whether the sentence ends with a name and who or what it is; not `in Ulm, Germany`, not `A, B and C`."""
    first = inner[0]
    return (
        tokens[comma - 1].kind is Kind.NAME
        and first.kind is Kind.DET
        and (first.lower in ("a", "an", "the") or first.lower in POSSESSIVES)
        and _is_noun_phrase(inner)
        and not any(token.kind is Kind.CC for token in inner)
        and not is_negated(tokens[:start])
    )


def _is_noun_phrase(tokens: Phrase) -> bool:
    """Whether this is a noun phrase; a clause in it hangs on its noun: `the firm that bought us`."""
    owed = 0
    for token in tokens:
        if token.kind is Kind.REL:
            owed += 1
        elif token.kind in FINITE:
            if not owed:
                return False
            owed -= 1
        elif token.kind in (Kind.SUB, Kind.PRON, Kind.BREAK) and not owed:
            return False
    return any(token.kind in NOMINAL for token in tokens)


def trailing(tokens: Phrase) -> list[Phrase] | None:
    """`the film did well, earning 3 million`: the film did well, and it earned 3 million. Only of what is over, and of
    no pronoun: who says `I got the job, starting in May` has not started."""
    main = main_clause(tokens)
    if main is None or any(token.kind is Kind.PRON for token in subject_of(tokens, main)):
        return None
    for comma in range(main.verb + 1, len(tokens) - 2):
        if tokens[comma].kind is not Kind.COMMA:
            continue
        place = comma + 2 if tokens[comma + 1].kind is Kind.ADV else comma + 1
        token = tokens[place]
        past = is_past(tokens[main.verb], subject_of(tokens, main))
        if (
            token.kind is not Kind.ING
            or not past
            or verb_base(token) in _OF_THE_WHOLE | _NOT_YET
            or not is_known_verb(token.lower)
        ):
            continue
        behind = tokens[place + 1 :]
        goes_on = next((one for one in behind if one.kind in (*FINITE, Kind.COMMA, Kind.SUB, Kind.REL)), None)
        is_listed = any(one.kind is Kind.ING for one in tokens[main.verb : comma]) or (
            bool(behind) and behind[0].kind in (Kind.COMMA, Kind.CC)
        )
        if is_listed or (goes_on is not None and goes_on.kind in FINITE):
            continue  # `we spent it hiking, swimming and …`; `…, looking back is a blessing`
        subject = subject_of(tokens, main)
        form = finite_form(verb_base(token), past=True, several=is_several(subject))
        if form is None or is_negated(tokens[main.verb : comma]):
            return None
        told = (
            *subject,
            *tokens[comma + 1 : place],
            made(form, Kind.VERB, may=May.PAST),
            *tokens[place + 1 :],
        )
        return [tokens[:comma], (*tokens[: main.start], *told)]
    return None


def defined(tokens: Phrase) -> list[Phrase] | None:
    """`Anna is a nurse who works nights`, `Dune is a film made by Denis`: what it is, and what else is said of it."""
    main = main_clause(tokens)
    if main is None or tokens[main.verb].lower not in BE or main.verb + 2 >= len(tokens):
        return None
    if tokens[main.verb + 1].lower not in ("a", "an"):
        return None
    subject = subject_of(tokens, main)
    opener = tokens[: main.start]
    for place in range(main.verb + 3, len(tokens) - 1):
        token, before, behind = tokens[place], tokens[place - 1], tokens[place + 1]
        if token.kind in (Kind.COMMA, Kind.BREAK, Kind.SUB, Kind.TO):
            return None
        if before.kind not in NOMINAL:
            continue
        if token.kind is Kind.REL and token.lower in ("that", "which", "who"):
            if behind.kind in FINITE and agrees(subject, behind):
                return [tokens[:place], (*opener, *subject, *tokens[place + 1 :])]
            return None
        if token.kind is Kind.PART and behind.kind in (Kind.PREP, Kind.TO):
            return [tokens[:place], (*opener, *subject, tokens[main.verb], *tokens[place:])]
    return None
