"""What a sentence states before, or inside, what it asks: `I fly to Rome on Friday, can you help me pack?`

Only the asking clause is left out. What stands before it was said; so was what is said by the way inside it (`…, which
was moved to Friday, …?`, `considering I have never been there`) and what somebody is reminded of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..lazy_regex import lazily
from .parentheticals import relatives
from .structure import is_conditional, main_clause, noun_phrase_start, without_end
from .tagger import tagged
from .tokenizer import FINITE, NOMINAL, PAUSES, Kind, Phrase, Token, has_clause, made, verb_base, written
from .word_classes import AUXILIARIES, BE, DEMONSTRATIVES, DO, HAVE, MODALS, REPORTING

_WH = frozenset("what how why who where when which whose what's how's who's where's".split())
_ALSO_RELATIVE = frozenset("which who when where whose".split())
_JOINTS = frozenset("and but so or then plus yet".split())
_ASKED = frozenset("can could would will wo".split())  # of you; `you can` tells
_GIVEN = frozenset("considering given since because as".split())
_SEEKING = tuple(
    tuple(phrase.split())
    for phrase in """i 'm wondering|i am wondering|i was wondering|i wonder|i 'm just wondering|i 'm also wondering
    |i 'm curious|i am curious|i 'd like to know|i 'd love to know|i would like to know|i 'd like to understand
    |i 'd like your|i 'd love to hear|i 'd love your|i 'd appreciate|i would appreciate|i need your help|i need help
    |i could use some|i 'm asking|i wanted to ask|i want to ask|i 'm not sure if|i 'm not sure what|i 'm not sure how
    |i 'm not sure which|i 'm not sure whether|any idea|any ideas|any tips|any advice|any suggestions
    |any recommendations|any thoughts|please|let me know|help me|tell me|show me|remind me|do n't you think|is n't it
    |maybe you|perhaps you|you know""".split("|")
)
_LACKING = frozenset("looking need want could after".split())
_SOUGHT = frozenset(
    "recommendations suggestions tips advice ideas help information resources guidance feedback".split()
)
_SOUGHT_WITHIN = 8  # words behind `I need`, and no further
# Nothing without one of these asks: most sentences need no closer look.
_MAY_ASK = lazily(
    r"[?？؟]|\b(?:how|what|why|should|you|your|please|wonder\w*|curious|asking|any|not sure|need|want"
    r"|(?:let|help|tell|show|remind) me)\b|\b(?:looking (?:for|after)|I['’]d|I would|I could)\b",
    re.IGNORECASE,
)
_REMINDING = frozenset("remind remember note mention tell know hear".split())
_POINTED_OUT = frozenset("note remember be keep find see".split())  # please …: and then comes what is stated
_STRESSED = frozenset("especially particularly".split())
_IN_DOUBT = frozenset("if whether unless suppose imagine assuming".split())
_OPENED_BY = frozenset("since because as although though while whereas".split())
_LED_BY = frozenset("now given seeing considering".split())  # … that
_STATED_MIN = 3  # words: `Ok cool` states nothing


def stated(sentence: str) -> list[str] | None:
    """The parts of a sentence that state something; None where it asks nothing, and all of it is stated."""
    if not _MAY_ASK.search(sentence):
        return None
    is_question = sentence.rstrip("\"'”’») ").endswith(("?", "？", "؟"))
    found: list[Phrase] = []
    rest = tagged(sentence)
    if (start := _asking_start(rest, is_question=is_question)) is None:
        return None
    while start is not None:
        end = _asking_end(rest, start)
        found += (*_before(rest[:start]), *_inside(rest[start:end]))
        rest = rest[end:]
        start = _asking_start(rest, is_question=is_question, by_default=None)
    found += _before(rest)
    return [written(part) for part in found if len(part) >= _STATED_MIN]


def _asking_start(tokens: Phrase, *, is_question: bool, by_default: int | None = 0) -> int | None:
    """Where the clause begins that asks; the whole sentence where no other does but it ends in a question mark."""
    for place in range(len(tokens) - 1):
        before = tokens[place - 1] if place else None
        is_joined = before is not None and before.lower in _JOINTS
        if before is not None and not is_joined and before.kind not in PAUSES:
            continue
        if _asks(tokens[place:], is_question=is_question, is_joined=is_joined) and (
            not place or tokens[place].lower not in BE | HAVE | DO or has_clause(tokens[:place])
        ):  # My boss, Anna, is the best
            return place
    return by_default if is_question else None


def _asking_end(tokens: Phrase, start: int) -> int:
    """Where somebody goes on telling behind what they asked: `can you help, I have never been there`."""
    for place in range(start + 2, len(tokens) - 3):
        if tokens[place].kind not in (Kind.COMMA, Kind.BREAK):
            continue
        line = tokens[place + 1 :]
        if line[0].lower in ("and", "but"):
            line = line[1:]
        is_own = line[0].lower in ("i", "we") and line[1].kind in FINITE and line[1].lower not in MODALS
        if is_own and not is_conditional(tokens[start:place]) and not _asks(line, is_question=False, is_joined=False):
            return place + 1
    return len(tokens)


def _asks(line: Phrase, *, is_question: bool, is_joined: bool) -> bool:
    """Whether a clause that begins here asks or requests."""
    words = [token.lower for token in line[:6]]
    if words[0] == "please" and words[1] in _POINTED_OUT:
        return False
    if any(tuple(words[: len(phrase)]) == phrase for phrase in _SEEKING):
        return is_question or not is_joined or words[0] == "i"
    if words[0] == "i" and not _LACKING.isdisjoint(words[1:5]):
        end = next((place for place, token in enumerate(line) if token.kind in PAUSES), len(line))
        return any(token.lower in _SOUGHT for token in line[2 : min(end, 2 + _SOUGHT_WITHIN)])
    if words[0] in _ASKED:
        place = 2 if words[1:2] == ["n't"] else 1
        if words[place : place + 1] == ["you"]:
            return True
    if not is_question:
        return _is_open_question(words)
    if words[0] in _WH:
        return _is_inverted(line[1:]) if words[0] in _ALSO_RELATIVE else _is_asked_by_word(line)
    return words[0] in AUXILIARIES and line[0].kind is Kind.AUX and line[0].text[:1] != "'" and _has_subject(line[1:])


def _is_open_question(words: Sequence[str]) -> bool:
    """Whether this asks even without its mark: `how can I`, `should I`, `what's the best way`."""
    if words[0] in ("how", "what", "why", "where") and words[1] in AUXILIARIES:
        return words[2:3] in (["i"], ["we"], ["you"]) or words[1:4] == ["'s", "the", "best"]
    return words[0] in ("should", "do") and words[1] in ("i", "we", "you") and words[:2] != ["do", "i"]


def _is_asked_by_word(line: Phrase) -> bool:
    """`what are your ideas`, `how can I`, `how much time do I`; not `what I need is`."""
    if "'s" in line[0].lower or line[1].lower == "'s":
        return True
    return line[1].lower in AUXILIARIES or _is_inverted(line[1:]) or line[1].lower in ("about", "if", "else")


def _is_inverted(line: Phrase) -> bool:
    """Whether a helping verb stands before its subject: `(which) kind of camera should I`; not `(which) is my own`."""
    for place, token in enumerate(line[:6]):
        if token.kind is Kind.AUX or token.lower in AUXILIARIES:
            subject = line[place + 1 : place + 2]
            return _has_subject(line[place + 1 :]) and (place > 0 or (bool(subject) and subject[0].kind is Kind.PRON))
        if token.kind in (Kind.PRON, Kind.COMMA, Kind.REL, Kind.VERB):
            return False
    return False


def _has_subject(line: Phrase) -> bool:
    first = next((token for token in line if token.kind not in (Kind.NEG, Kind.ADV)), None)
    return first is not None and (
        first.kind in (Kind.PRON, Kind.DET, Kind.NAME) or first.lower in DEMONSTRATIVES or first.lower == "there"
    )


def _before(tokens: Phrase) -> Iterator[Phrase]:
    """What was said before the question: `I fly on Friday, so`, `Since I fly on Friday,`."""
    line = without_end(tokens)
    while line and line[-1].lower in _JOINTS:
        line = without_end(line[:-1])
    line, reason = _without_open_reason(line)
    line = _without_subordinator(line)
    if reason:
        yield (*reason, made(".", Kind.END, spaced=False))
    if not line or line[0].lower in _IN_DOUBT or line[0].lower in _WH or not has_clause(line):
        return
    main = main_clause(line)
    is_reported = main is not None and verb_base(line[main.verb]) in REPORTING and main.verb + 2 >= len(line)
    if not is_reported:  # Anna asked, can you come?
        yield (*line, made(".", Kind.END, spaced=False))


def _without_open_reason(line: Phrase) -> tuple[Phrase, Phrase]:
    """`I sing, and since I have a cold,` without the reason that waits for the question; and that, where it holds."""
    for place in range(len(line) - 3, 0, -1):
        if line[place].kind is Kind.CC and line[place + 1].kind in (Kind.SUB, Kind.PREP):
            opens, clause = line[place + 1], line[place + 2 :]
            if opens.lower not in (*_OPENED_BY, *_IN_DOUBT, "when", "after", "before", "once"):
                continue
            if any(token.kind is Kind.COMMA for token in clause):
                continue
            holds = opens.lower in ("since", "because", "although", "though") and has_clause(clause)
            return without_end(line[:place]), clause if holds else ()
    return line, ()


def _without_subordinator(line: Phrase) -> Phrase:
    """`Since I fly on Friday` and `now that I fly on Friday` as `I fly on Friday`."""
    if not line:
        return line
    rest = line
    if line[0].lower in _LED_BY and len(line) > 1 and line[1].lower == "that":
        rest = line[2:]
    elif line[0].lower in _OPENED_BY and len(line) > 1 and line[1].kind is Kind.PRON:
        rest = line[1:]
    is_one = rest is line or not any(token.kind is Kind.COMMA for token in rest)
    return rest if is_one else line


def _inside(tokens: Phrase) -> Iterator[Phrase]:
    """What is said by the way while asking."""
    for place, token in enumerate(tokens[:-3]):
        behind = tokens[place + 1 :]
        if token.lower == "that" and place and _reminds(tokens[:place]):
            yield from _clause(behind)
            return
        is_aside = place > 0 and (tokens[place - 1].kind is Kind.COMMA or tokens[place - 1].lower in _STRESSED)
        if token.lower in _GIVEN and (is_aside or token.lower == "since"):
            start = 1 if behind[0].lower == "that" else 0
            if behind[start].kind in (Kind.PRON, Kind.DET, Kind.NAME):
                yield from _clause(behind[start:])
        elif token.lower == "which" and place and tokens[place - 1].kind is Kind.COMMA:
            yield from _relative(tokens, place)


def _reminds(asked: Phrase) -> bool:
    """`can you remind me that`, `did I mention that`, `please note that`; not `do you think that`."""
    verb = next((token for token in reversed(asked) if token.kind not in (Kind.OBJ, Kind.PRON)), None)
    words = {token.lower for token in asked}
    if verb is None or verb_base(verb) not in _REMINDING or len(asked) > 6:
        return False
    return "if" not in words and (verb_base(verb) in ("remind", "remember", "note") or {"did", "i"} <= words)


def _clause(line: Sequence[Token]) -> Iterator[Phrase]:
    """One clause up to the comma or the end, where it has a subject and a verb."""
    end = next((place for place, token in enumerate(line) if token.kind in PAUSES), len(line))
    said = tuple(line[:end])
    if has_clause(said) and not any(token.lower in _IN_DOUBT for token in said):
        yield (*said, made(".", Kind.END, spaced=False))


def _relative(tokens: Phrase, place: int) -> Iterator[Phrase]:
    """`the call, which was moved to Friday,`: what is said of the call."""
    end = next((spot for spot in range(place + 1, len(tokens)) if tokens[spot].kind in PAUSES), len(tokens))
    start = noun_phrase_start(tokens, place - 1)
    noun = tokens[start : place - 1]
    if not noun or noun[0].lower in ("a", "an", "any", "some") or noun[-1].kind not in NOMINAL:
        return
    # A sentence around it, so that the one rule for such asides decides whether it is said of that noun.
    whole = (
        *noun,
        *tokens[place - 1 : end],
        made(",", Kind.COMMA, spaced=False),
        made("is", Kind.AUX),
        made("so", Kind.ADV),
    )
    told = relatives(whole)
    if told:
        yield (*told[1], made(".", Kind.END, spaced=False))
