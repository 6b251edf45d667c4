"""What a clause with a verb of doing claims: having, using, preferring, counting, and all the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from . import lexicon, phrases
from .phrases import Chunk, Value
from .predicates import Predicate
from .statements import NOTHING, Claim, claim, described, is_several, is_time, key, listed, surroundings, when
from .tokens import Sort, Token, stem

_USING = frozenset(map(stem, "use prefer choose pick adopt select recommend".split()))
_PASSING = frozenset("second minute hour day week month year dollar euro pound meet call appoint".split())
_THE = Token("the", "the", Sort.WORD)
_FOR = Token("for", "for", Sort.WORD)


def doing(said: Predicate) -> Iterator[Claim]:
    """Claims of a clause whose main verb is not `is`."""
    first, *rest = said.chunks or (Chunk("", ()),)
    direct = first if not first.by else Chunk("", ())
    others: list[Chunk] = list(rest) if not first.by else [first, *rest]
    if said.verb in lexicon.LIKING or said.verb in lexicon.DISLIKING:
        yield from _liking(said, direct, others)
    elif said.verb in _USING:
        yield from _using(said, direct, others)
    elif said.verb == "have" or (said.verb == "get" and said.perfect):
        yield from _having(replace(said, verb="have"), direct, others)
    elif said.verb == "wait":  # for one cannot wait, and has waited long
        return
    elif said.verb in lexicon.HABITS:
        yield claim(said, said.verb, NOTHING, single=False, rest=others)
    else:
        yield from _other(said, direct, others)


def _liking(said: Predicate, direct: Chunk, others: Sequence[Chunk]) -> Iterator[Claim]:
    hated = said.verb in lexicon.DISLIKING
    if others and others[0].by in ("than", "to") and not direct.tokens:  # likes to swim
        direct, others = Chunk("", others[0].tokens), others[1:]
    forms = [token.form for token in direct.tokens]
    better = next((chunk for chunk in others if chunk.by == "than"), None)
    if better is not None and forms[-1:] in (["more"], ["better"]):
        yield _rather(said, phrases.value(direct.tokens[:-1]), phrases.value(better.tokens), others)
        return
    for member in listed(direct.tokens):
        value = phrases.value(member)
        if value.text:
            made = _conditioned(said, "like", value, others)
            yield replace(made, negated=made.negated != hated)


def _rather(said: Predicate, winner: Value, loser: Value, others: Sequence[Chunk]) -> Claim:
    """Of two things the one that is preferred."""
    pair = " ".join(sorted((winner.text, loser.text)))
    rest = [chunk for chunk in others if chunk.by not in ("over", "than", "to", "rather", "instead")]
    around = surroundings(rest)
    keys = [key(said.subject, "prefer", pair, around.purpose)]
    return claim(said, f"prefer {pair}", winner, single=True, rest=rest, keys=keys)


def _conditioned(said: Predicate, relation: str, value: Value, others: Sequence[Chunk]) -> Claim:
    """Where, when and with whom somebody likes or uses something limits what is said."""
    around = surroundings(others)
    limits = " ".join(filter(None, (around.when, around.purpose, *sorted(around.extra))))
    made = claim(said, relation, value, single=False, rest=others)
    return replace(made, condition=f"{made.condition} {limits}".strip(), when="", extra=frozenset())


def _using(said: Predicate, direct: Chunk, others: Sequence[Chunk]) -> Iterator[Claim]:
    """`We use PostgreSQL for the shop`: one for a purpose; without one, there may be many."""
    contrast = next((chunk for chunk in others if chunk.by in ("over", "than", "rather")), None)
    to = next((chunk for chunk in others if chunk.by == "to"), None)
    if said.verb == "prefer" and (contrast or to):
        loser = phrases.value([token for token in (contrast or to).tokens if token.form != "than"])  # type: ignore[union-attr]
        winner = phrases.value(direct.tokens)
        if winner.text and loser.text:
            yield _rather(said, winner, loser, others)
        return
    relation = "prefer" if said.verb == "prefer" else "use"
    purpose = surroundings(others).purpose
    members = listed(direct.tokens)
    if said.verb not in ("use", "prefer"):  # what was chosen stays so
        said = replace(said, past=False)
    for member in members:
        value = phrases.value(member)
        if value.text:
            yield using(said, relation, value, others, purpose, alone=len(members) == 1)


def using(said: Predicate, relation: str, value: Value, others: Sequence[Chunk], purpose: str, *, alone: bool) -> Claim:
    who = said.subject
    is_versioned = value.sort is Sort.NUMBER and bool(value.label)
    keys = [key(who, "use", value.label if is_versioned else value.text)]
    if purpose:
        keys.append(key(who, "for", purpose))
    if len(value.stems) > 1 and value.rest and value.rest[-1].sort is Sort.WORD:
        keys.append(key(who, "kind", value.head))
    made = _conditioned(said, relation, value, others)
    is_single = alone and (is_versioned or bool(purpose) or (relation == "prefer" and len(keys) > 1))
    # Many tools may serve one end; of what is itself a tool, such as the database, there is one.
    is_sure = is_versioned or relation == "prefer" or (not said.ongoing and _is_slot(others))
    return replace(made, single=is_single, keys=tuple(keys), sure=is_sure)


def _is_slot(others: Sequence[Chunk]) -> bool:
    ends = [chunk for chunk in others if chunk.by == "for" and chunk.tokens and not is_time(chunk)]
    return bool(ends) and stem(ends[0].tokens[-1].form) in lexicon.TOOLS


def _having(said: Predicate, direct: Chunk, others: Sequence[Chunk]) -> Iterator[Claim]:
    value = phrases.value(direct.tokens)
    who = said.subject
    forms = [token.form for token in direct.tokens]
    if not value.text:
        return
    if "of" in forms and stem(forms[forms.index("of") - 1]) in lexicon.MEASURES:
        cut = forms.index("of")
        yield from _attribute(said, direct.tokens[:cut], Chunk("", direct.tokens[cut + 1 :]), others)
        return
    if value.sort is Sort.NUMBER and value.unit:
        yield from _counted(said, value, others)
        return
    if forms[:1] == ["no"]:
        said, value = replace(said, negated=not said.negated), phrases.value(direct.tokens[1:])
    named = next((place for place, form in enumerate(forms) if form in ("named", "called")), None)
    if named and named > 1:
        thing = phrases.value(direct.tokens[:named])
        name = phrases.value(direct.tokens[named + 1 :])
        keys = [key(who, "have", thing.head, name.text), key(who, "have", thing.head), key(name.text, "alive:")]
        yield claim(
            said, "have", replace(thing, text=f"{thing.text} {name.text}"), single=False, rest=others, keys=keys
        )
        return
    for member in listed(direct.tokens if forms[:1] != ["no"] else direct.tokens[1:]):
        one = phrases.value(member)
        timed = one.head in lexicon.MEETINGS or any(is_time(chunk) for chunk in others)
        if one.head in lexicon.MEETINGS and one.article in ("a", "an"):
            yield from _meeting(said, member, others)
        if one.text:
            keys = list(dict.fromkeys((key(who, "have", one.text), key(who, "have", one.head))))
            yield replace(claim(said, "have", one, single=False, rest=others, keys=keys), event=timed)


def _meeting(said: Predicate, noun: Sequence[Token], others: Sequence[Chunk]) -> Iterator[Claim]:
    """`I have a call with Ana on Monday`: one of perhaps many, which can be moved all the same."""
    company = [chunk for chunk in others if chunk.by in ("with", "about", "on", "for") and not is_time(chunk)]
    tied = [token for chunk in company for token in (Token(chunk.by, chunk.by, Sort.WORD), *chunk.tokens)]
    who = phrases.subject([_THE, *noun[1:], *tied])
    if who is not None and who.about:
        rest = [chunk for chunk in others if chunk not in company]
        yield from (replace(made, event=True) for made in when(said, who, rest))


def _attribute(said: Predicate, noun: Sequence[Token], filler: Chunk, others: Sequence[Chunk]) -> Iterator[Claim]:
    """`I have a deadline of April 1 for the sprint` as `the deadline for the sprint is April 1`."""
    purpose = [chunk for chunk in others if chunk.by == "for" and not is_time(chunk)]
    rest = [chunk for chunk in others if chunk not in purpose]
    start = 1 if noun[0].form in (*lexicon.DEFINITE, "a", "an") else 0
    what_for = [token for chunk in purpose for token in (_FOR, *chunk.tokens)]
    who = phrases.subject([_THE, *noun[start:], *what_for])
    value = phrases.value(filler.tokens)
    if who is not None and said.subject.key != phrases.USER:
        who = phrases.of_owner(who, said.subject)
    if who is None or not value.text or not who.about:  # a deadline, of who knows what
        return
    if value.sort in (Sort.DATE, Sort.CLOCK):
        yield from when(said, who, [filler, *rest])
    else:
        yield described(said, value, rest, who)


def _counted(said: Predicate, value: Value, others: Sequence[Chunk]) -> Iterator[Claim]:
    """`I have three cats`, `it costs 20 dollars`: how many, of which there is one answer at a time."""
    is_event = said.past and not said.perfect
    around = surroundings(others)
    states = lexicon.OWN_STATES if said.subject.key == phrases.USER else lexicon.STATES
    is_passing = said.subject.key == phrases.USER and value.unit in _PASSING and said.verb in ("have", "own")
    is_sure = (said.verb in states and not is_passing) or (
        said.perfect and not around.extra and not around.purpose and value.unit not in _PASSING
    )
    keys = [key(said.subject, said.verb, "number", value.unit)]
    made = claim(said, f"{said.verb} {value.unit}", value, single=not is_event, rest=others, keys=keys)
    yield replace(made, sure=is_sure, event=is_event)


def _other(said: Predicate, direct: Chunk, others: Sequence[Chunk]) -> Iterator[Claim]:
    if direct.tokens:
        yield from _acted_on(said, direct, others)
        return
    filler = next((chunk for chunk in others if chunk.by in lexicon.PREPOSITIONS and not is_time(chunk)), None)
    if filler is None:
        timed = [chunk for chunk in others if is_time(chunk)]
        if timed and said.verb in lexicon.SCHEDULED and not said.past and said.subject.key != phrases.USER:
            yield from when(said, said.subject, others, "is" if said.verb in lexicon.STARTS else said.verb)
        else:
            yield replace(claim(said, said.verb, NOTHING, single=False, rest=others), event=said.past)
        return
    rest = [chunk for chunk in others if chunk is not filler]
    value = phrases.value(filler.tokens)
    relation = lexicon.ONE_AT_A_TIME.get((said.verb, filler.by))
    if value.sort is Sort.NUMBER and value.label and not said.past:
        yield claim(said, value.label, value, single=True, rest=rest, keys=[key(said.subject, value.label)])
        return
    if not value.text:
        return
    is_alike = value.sort in (Sort.NAME, Sort.LITERAL) or bool(value.kind) or not value.article or filler.by == "as"
    single = (relation is not None and is_alike) or (bool(value.kind) and not said.past)
    if said.subject.key == phrases.USER and relation not in lexicon.PERSONAL:
        single = False
    members = listed(filler.tokens) if not single else [list(filler.tokens)]
    for member in members:
        is_one = single and not said.subject.plural and not is_several(value)
        made = claim(said, relation or f"{said.verb} {filler.by}", phrases.value(member), single=is_one, rest=rest)
        yield replace(made, lasting=said.verb in lexicon.LASTING and said.past, event=said.past and not single)


def _acted_on(said: Predicate, direct: Chunk, others: Sequence[Chunk]) -> Iterator[Claim]:
    value = phrases.value(direct.tokens)
    relation = lexicon.ONE_AT_A_TIME.get((said.verb,))
    if value.sort is Sort.NUMBER and value.unit:
        yield from _counted(said, value, others)
    elif (value.kind and not said.past) or (relation and value.sort is Sort.NAME):
        yield claim(said, relation or f"{said.verb} {value.kind}", value, single=True, rest=others)
    else:
        for member in listed(direct.tokens):
            one = phrases.value(member)
            if one.text:
                made = claim(said, said.verb, one, single=False, rest=others)
                yield replace(made, event=said.past or said.perfect)
