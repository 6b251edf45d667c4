"""A clause as who, does what, how it is meant.

Light on purpose: a clause whose subject or verb cannot be told by a few rules of English gives nothing, for nothing
said is better than a thing misread.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from . import lexicon, phrases
from .cutting import clauses, is_helper, opening_last, without_lead_in
from .manner import manner
from .phrases import Chunk, Phrase
from .tokens import Sentence, Sort, Token, stem


@dataclass(frozen=True, slots=True)
class Predicate:
    subject: Phrase
    verb: str  # stem of the main verb; `be` for a copula
    chunks: tuple[Chunk, ...]
    past: bool = False
    perfect: bool = False
    ongoing: bool = False  # is doing
    mood: str = "fact"  # or plan, maybe
    negated: bool = False
    never: bool = False
    ended: bool = False
    changed: bool = False
    adding: bool = False
    condition: str = ""
    written: str = ""  # the main verb as it stands


_HYPOTHETICAL = lexicon.words("if unless suppose imagine assuming whenever when while once")
_ASKING = re.compile(
    r"(?:please |can you|could you|would you|will you|do you|what|how|why|who|where|which|tell me|let me|"
    r"let's|help me|show me|remind me|give me|should i|is it|are there|is there|recommend|suggest)\b"
)
_RULES = lexicon.words(
    "always never use avoid respond reply write answer call keep format include exclude prefer speak"
)
_ASSISTANT = Phrase("assistant", "the assistant", "", named=True)


def predicates(sentence: Sentence, speaker: str | None, before: Phrase | None) -> Iterator[Predicate | None]:
    """What each clause of a sentence says, None for one not understood; `before` is who `she` or `it` may be."""
    last, condition = before, ""
    carried: Phrase | None = None
    previous: Sentence = []
    for clause in clauses(sentence):
        if clause and clause[0].form in ("which", "who"):
            last = _antecedent(previous, speaker) or last
        previous = clause
        line, changed, adding = without_lead_in(clause)
        line = opening_last(line)
        if not line:
            continue
        if line[0].form in _HYPOTHETICAL:
            if line[0].form == "if" or ("," in (token.form for token in line)):
                condition = " ".join(stem(token.form) for token in line[:12] if token.sort is not Sort.PAUSE)
                comma = next((place for place, token in enumerate(line) if token.form == ","), len(line))
                line = line[comma + 1 :]
            if not line or line[0].form in _HYPOTHETICAL:
                continue
        found = _predicate(line, speaker, last, carried)
        if found is None:
            carried = None
            if len(line) > 2 and not _is_asked(line):
                yield None
            continue
        carried = found.subject
        if found.subject.key != phrases.USER:
            last = found.subject
        if changed or adding or condition:
            found = replace(
                found,
                changed=found.changed or changed,
                adding=found.adding or adding,
                condition=found.condition or condition,
            )
        yield found


def _antecedent(line: Sentence, speaker: str | None) -> Phrase | None:
    """What `which` behind a comma means: the phrase before it."""
    places = [place for place, token in enumerate(line) if token.form in lexicon.DEFINITE]
    if not places or len(line) - places[-1] > 8:
        return None
    return phrases.subject(line[places[-1] :], speaker)


def _predicate(line: Sentence, speaker: str | None, before: Phrase | None, carried: Phrase | None) -> Predicate | None:
    if _is_asked(line):
        return None
    place = _verb_place(line)
    if place is None:
        return None
    while place > 1 and (line[place - 1].form in lexicon.ADVERBS or line[place - 1].form in ("no", "longer", "never")):
        place -= 1
    if place == 0:
        who = carried or (_ASSISTANT if line[0].form in _RULES or line[0].form in ("do", "not") else None)
    elif line[0].form in ("it", "he", "she", "they", "which", "who") and place == 1:
        who = before
    else:
        who = phrases.subject(line[:place], speaker)
    if who is None:
        return None
    meant = manner(line, place)
    if meant is None:
        return None
    rest, condition = _without_condition(line[meant.place + 1 :])
    if any(token.form == "that" for token in rest[:1]) or (
        meant.verb in lexicon.ATTRIBUTION and any(is_helper(token.form) for token in rest)
    ):
        return None
    ended = meant.ended or (any(token.form in ("anymore", "longer") for token in rest) and meant.negated)
    tail = {token.form for token in rest}
    return Predicate(
        subject=who,
        verb=meant.verb,
        chunks=tuple(phrases.chunks(rest)),
        past=meant.past,
        perfect=meant.perfect,
        ongoing=meant.ongoing,
        mood="rule" if who is _ASSISTANT else meant.mood,
        negated=meant.negated and not ended,
        never=meant.never,
        ended=ended,
        changed=meant.changed or bool(tail & lexicon.CHANGING_ADVERBS) or who.changed,
        adding=meant.adding or bool(tail & {"also", "too", "another"}) or "as well" in " ".join(t.form for t in rest),
        condition=condition,
        written=line[min(meant.place, len(line) - 1)].form,
    )


def _is_asked(line: Sentence) -> bool:
    return _ASKING.match(" ".join(token.form for token in line[:3])) is not None


def _without_condition(rest: Sentence) -> tuple[Sentence, str]:
    """What stands behind the verb up to `if`, `when` or `unless`, and what those say."""
    for place, token in enumerate(rest):
        if token.form in ("if", "when", "whenever", "unless", "while", "except", "only") and token.sort is Sort.WORD:
            return rest[:place], " ".join(sorted({stem(other.form) for other in rest[place:] if other.form.isalnum()}))
    return rest, ""


def _verb_place(line: Sentence) -> int | None:
    """Where the verb or its first helper stands."""
    first = line[0]
    if first.form in lexicon.FIRST_PERSON or first.form in ("he", "she", "it", "they", "you", "which", "who"):
        if len(line) > 2 and line[1].sort is Sort.NAME and not line[1].written.isupper():  # a title: `I Robot`
            return _verb_behind(line)
        return 1 if len(line) > 1 else None
    if first.sort is Sort.WORD or first.written.istitle():
        if first.form in _RULES or (first.form in ("do", "not") and first.form not in lexicon.DEFINITE):
            return 0
        is_verb = is_helper(first.form) or first.form in lexicon.PAST_FORMS or first.form.endswith("ed")
        if is_verb and first.sort is Sort.WORD:
            return 0
    return _verb_behind(line)


def _verb_behind(line: Sentence) -> int | None:
    """The first finite verb behind a subject that is no pronoun; a verb in a relative clause is passed over."""
    relative = False
    for place, token in enumerate(line[1:], 1):
        if token.sort is not Sort.WORD:
            continue
        if (token.form in lexicon.RELATIVES and token.form != "that") or (
            token.form == "that" and line[place - 1].sort is Sort.WORD and place > 1
        ):
            relative = True
        elif is_helper(token.form):
            if not relative:
                return place
            relative = token.form in lexicon.HAVE
        elif _is_finite(token, line, place):
            if not relative and not _is_reduced(line, place):
                return place
            relative = False
    return None


def _is_finite(token: Token, line: Sentence, place: int) -> bool:
    before = line[place - 1]
    if before.form in lexicon.RELATIVES and place > 1:
        return True
    if before.form in lexicon.DEFINITE or before.form in ("a", "an", "of", "'s") or before.form in lexicon.PREPOSITIONS:
        return False
    form = token.form
    after_name = before.sort is Sort.NAME and before.form not in lexicon.DEFINITE
    if after_name and (form in lexicon.ADVERBS or form in lexicon.NEGATIONS):
        return False
    if form in lexicon.PAST_FORMS:
        return True
    is_inflected = form.endswith(("s", "ed")) and not form.endswith("ss")
    return is_inflected and (stem(form) in lexicon.VERBS or (after_name and len(form) > 3))


def _is_reduced(line: Sentence, place: int) -> bool:
    """`The server used for staging is …`: a participle behind its noun, when the verb still comes."""
    is_participle = line[place].form.endswith("ed") or line[place].form in lexicon.PAST_FORMS
    behind = line[place + 1 :]
    follows = bool(behind) and behind[0].form in lexicon.PREPOSITIONS
    helper = any(token.sort is Sort.WORD and token.form in lexicon.BE for token in behind)
    is_noun = bool(behind) and is_helper(behind[0].form)
    return (is_participle and follows and helper) or is_noun
