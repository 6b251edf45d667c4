"""Who `she` is, and what `it`: a pronoun as the one thing named before that it can stand for.

One candidate, or none: where the text leaves two, the pronoun stays. Told sentence by sentence, in order.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .structure import Main, definite, is_several, main_clause, noun_phrase_start, subject_of
from .tagger import tagged
from .tokenizer import FINITE, NOMINAL, Kind, Phrase, Token, made, verb_base, written
from .word_classes import BE, DEMONSTRATIVES, POSSESSIVES

_HE = frozenset("he him his himself".split())
_SHE = frozenset("she her hers herself".split())
_IT = frozenset("it its itself".split())
_THEY = frozenset("they them their theirs".split())
_GROUPS = {"he": _HE, "she": _SHE, "it": _IT, "they": _THEY}
_GROUP_OF = {word: group for group, words in _GROUPS.items() for word in words}
_MEN = frozenset("brother father dad son husband uncle grandfather grandpa boyfriend nephew man boy king mr".split())
_WOMEN = frozenset(
    "sister mother mom mum daughter wife aunt grandmother grandma girlfriend niece woman girl queen mrs ms".split()
)
_PEOPLE = (
    _MEN
    | _WOMEN
    | frozenset(
        """cto ceo cfo manager boss colleague friend doctor nurse teacher engineer developer designer lawyer neighbor
        neighbour cousin partner spouse child kid baby parent roommate coworker analyst lead director president founder
        actor actress singer writer author artist scientist professor student candidate client customer user justice
        judge player coach driver owner""".split()
    )
)
_PLACING = frozenset("in at on from near via into through throughout across within outside inside around".split())
_MOVING = frozenset("move go travel fly drive come return relocate emigrate migrate walk ride get".split())
_DAYS = re.compile(
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July|August|September|October"
    r"|November|December|English|German|French|Spanish|Chinese|American|British|European"
)
_ORGANISED = frozenset(
    """team company department group government committee court university school inc corp ltd gmbh project film movie
    album song book""".split()
)


_VAGUE = frozenset(
    """week weeks day days time times year years month months hour hours minute minutes lot bit way thing things kind
    sort weekend morning evening night moment while fun""".split()
)


class _Mention(NamedTuple):
    phrase: Phrase
    is_subject: bool
    is_person: bool | None  # None where it may be one or not
    several: bool
    is_aside: bool = False  # named behind a preposition: `with Anna`


class Mentions:
    """What has been named so far; old names are forgotten after two sentences in which they are not met."""

    def __init__(self) -> None:
        self._before: list[list[Phrase]] = []  # the facts of the two sentences before
        self._current: list[Phrase] = []
        self._unknown: list[set[str]] = []  # the pronouns of the two sentences before that stayed open
        self._settled: dict[str, Phrase | None] = {}  # of this sentence: a pronoun means one thing in it

    def next_sentence(self) -> None:
        # `He married Anna. He …`: whoever he is, he is not somebody named where he was spoken of as `he`.
        self._unknown = [*self._unknown[-1:], {group for group, who in self._settled.items() if who is None}]
        self._settled = {}
        self._before = [*self._before[-1:], self._current]
        self._current = []

    def resolved(self, tokens: Phrase) -> Phrase:
        """A fact with its pronouns replaced where what they stand for is clear and stands outside it."""
        found: list[Token] = []
        told: set[str] = set()  # a second `his` is understood from the first
        for place, token in enumerate(tokens):
            group = _GROUP_OF.get(token.lower)
            who = None
            if group and group not in told and _is_open(tokens, place) and not _stands_in(tokens, place):
                who = self._meant(group, tokens, place)
            if who is not None and group:
                told.add(group)
                found += _put_in(who, token, place)
            elif (
                token.kind is Kind.DET and token.lower in DEMONSTRATIVES and (named := self._named_again(tokens, place))
            ):
                return (*found, *_placed(named, token, place), *tokens[_head_place(tokens, place) + 1 :])
            elif place == 1 and told and token.kind is Kind.AUX:
                found.append(_written_out(tokens, place))
            else:
                found.append(token)
        return tuple(found)

    def note(self, tokens: Phrase) -> None:
        """Remember whom and what a fact names."""
        self._current.append(tokens)

    def _recent(self) -> list[_Mention]:
        return _named(fact for facts in (*self._before, self._current) for fact in facts)

    def _latest(self) -> list[_Mention]:
        return _named(self._current or (self._before[-1] if self._before else ()))

    def _meant(self, group: str, tokens: Phrase, place: int) -> Phrase | None:
        if group not in self._settled:
            if any(group in unknown for unknown in self._unknown):
                self._settled[group] = None
            elif group == "it":
                self._settled[group] = None if _is_empty_it(tokens, place) else self._thing()
            elif group == "they":
                self._settled[group] = self._several()
            else:
                self._settled[group] = self._person(*((_MEN, _WOMEN) if group == "he" else (_WOMEN, _MEN)))
        return self._settled[group]

    def _person(self, same: frozenset[str], other: frozenset[str]) -> Phrase | None:
        people = [m for m in self._recent() if not m.several and m.is_person is not False]
        people = [m for m in people if not _heads(m) & other]
        surely = [m for m in people if m.is_person or _heads(m) & same]
        return (
            _only(surely) if surely and not any(m.is_person is None and m.is_subject for m in people) else _only(people)
        )

    def _thing(self) -> Phrase | None:
        things = [m for m in self._latest() if not m.several and m.is_person is not True]
        thing = _only([m for m in things if not (m.is_aside and m.is_person is None)])  # Anna, in `a walk with Anna`
        # `The serial is X-1, so it's new`: a name may be what something else is called.
        return thing if thing is not None and thing[0].kind in (Kind.DET, Kind.NOUN) else None

    def _several(self) -> Phrase | None:
        last = self._latest()
        several = [m for m in last if m.several]
        singles = [m for m in last if not m.several and m.is_subject and m.is_person is not False]
        return _only(several) if not singles else None

    def _named_again(self, tokens: Phrase, place: int) -> Phrase | None:
        """`these changes`, where `epigenetic changes` were named before."""
        head = _head_place(tokens, place)
        if head != place + 1:
            return None
        word = tokens[head].lower
        found = {
            written(definite(m.phrase)).lower(): definite(m.phrase)
            for m in self._recent()
            if _last_noun(m.phrase).lower == word and len(m.phrase) > 1 and m.phrase[0].kind is not Kind.NUM
        }
        return next(iter(found.values())) if len(found) == 1 else None


def _named(facts: Iterable[Phrase]) -> list[_Mention]:
    return [mention for fact in facts for mention in _mentions(fact)]


def _only(mentions: list[_Mention]) -> Phrase | None:
    """The one thing named, by its longest name; None where it is not one."""
    longest: list[_Mention] = []
    for mention in sorted(mentions, key=lambda one: -len(one.phrase)):
        words = {token.lower for token in mention.phrase if token.kind is not Kind.DET}
        if not any(words <= {token.lower for token in kept.phrase} for kept in longest):
            longest.append(mention)
    return definite(longest[0].phrase) if len(longest) == 1 else None


def _is_open(tokens: Phrase, place: int) -> bool:
    """Whether a pronoun is one that can be resolved: a subject, an owner, or somebody; not `keep at it`."""
    token = tokens[place]
    if token.kind is Kind.DET:
        return token.lower in POSSESSIVES
    if token.kind is Kind.OBJ:
        return token.lower in ("him", "her")
    behind = next((one for one in tokens[place + 1 :] if one.kind not in (Kind.ADV, Kind.NEG)), None)
    return token.kind is Kind.PRON and behind is not None and behind.kind in FINITE


def _stands_in(tokens: Phrase, place: int) -> bool:
    """Whether what a pronoun stands for may be named before it in the same fact."""
    group = _GROUP_OF[tokens[place].lower]
    for mention in _mentions(tokens[:place], whole=False):
        if group == "they":
            return True
        if group == "it" and mention.is_person is not True and not mention.several:
            return True
        if group in ("he", "she") and mention.is_person is not False and not mention.several:
            return True
    return False


def _put_in(who: Phrase, pronoun: Token, place: int) -> Phrase:
    phrase = _placed(who, pronoun, place)
    if pronoun.kind is Kind.DET:
        return (
            *phrase,
            made("'" if who[-1].lower.endswith("s") and is_several(who) else "'s", Kind.POSS, spaced=False),
        )
    return phrase


def _placed(who: Phrase, pronoun: Token, place: int) -> Phrase:
    first = who[0]._replace(spaced=pronoun.spaced)
    if place and first.kind is not Kind.NAME and first.text[1:].islower():
        first = first.respelled(first.text.lower())
    return (first, *who[1:])


def _written_out(tokens: Phrase, place: int) -> Token:
    """`It's` as `the firm is`, `they've` as `the firms have`."""
    token = tokens[place]
    behind = next((one for one in tokens[place + 1 :] if one.kind not in (Kind.ADV, Kind.NEG)), None)
    has = behind is not None and behind.lower in ("been", "got")
    if behind is not None and behind.kind is Kind.PART and not has:
        return token  # `she's moved`, `it's made in Japan`: both may be meant, and the short form says both
    full = {"'s": "has" if has else "is", "'re": "are", "'ve": "have", "'ll": "will", "'d": "had" if has else "would"}
    return token._replace(spaced=True).respelled(full[token.lower]) if token.lower in full else token


def _is_empty_it(tokens: Phrase, place: int) -> bool:
    """`It is raining`, `it is clear that …`, `it takes an hour to …`: nothing is meant."""
    behind = tokens[place + 1 :]
    for token, following in itertools.pairwise((*behind[:6], made("", Kind.END))):
        if token.kind is Kind.SUB or (token.kind is Kind.TO and following.kind is not Kind.NUM):
            return True
    words = {token.lower for token in behind[:4]}
    return bool(words & {"raining", "snowing", "rains", "snows", "time", "o'clock", "monday", "seems", "appears"})


def _mentions(tokens: Phrase, *, whole: bool = True) -> list[_Mention]:
    """Whom and what a fact names; of the beginning of one (not `whole`), every noun phrase."""
    found: list[_Mention] = []
    if not whole:
        ends = [p for p in range(1, len(tokens) + 1) if tokens[p - 1].kind in NOMINAL]
        phrases = [tokens[noun_phrase_start(tokens, end, of=False) : end] for end in ends]
        return [_mention(phrase, is_subject=False) for phrase in phrases if phrase]
    main = main_clause(tokens)
    subject = subject_of(tokens, main) if main else ()
    subject = _trimmed(subject)
    if main is not None and tokens[main.verb].lower in BE and _is_named(tokens[main.verb + 1 :]):
        named = _mention(tokens[main.verb + 1 :], is_subject=True)
        is_person = bool(subject) and _mention(subject, is_subject=True).is_person
        found.append(named._replace(is_person=True) if is_person else named)
    elif subject and subject[0].kind is not Kind.PRON and any(token.kind in NOMINAL for token in subject):
        found.append(_mention(subject, is_subject=True))
    if main is not None and tokens[main.verb].lower not in BE:
        thing = _object_of(tokens, main)
        if thing:
            found.append(_mention(thing, is_subject=False))
    elif main is not None:
        found += (_mention(phrase, is_subject=False) for phrase in _definite_behind(tokens, main))
    for start, end in _names(tokens):
        before = tokens[start - 1] if start else None
        phrase = tokens[start:end]
        is_owner = end < len(tokens) and tokens[end].kind is Kind.POSS
        if is_owner or not any(_is_part(phrase, mention.phrase) for mention in found):
            if before is not None and (before.lower in _PLACING or before.kind is Kind.DET):
                continue
            if before is not None and before.lower == "to" and main and verb_base(tokens[main.verb]) in _MOVING:
                continue
            is_aside = before is not None and before.kind is Kind.PREP
            found.append(_mention(phrase, is_subject=False)._replace(is_aside=is_aside))
    return found


def _is_named(predicate: Phrase) -> bool:
    """Whether a sentence says who somebody is by name: `the oldest was Anna Berg`."""
    return bool(predicate) and all(token.kind is Kind.NAME for token in predicate)


def _trimmed(subject: Phrase) -> Phrase:
    """A subject without what hangs behind it in a clause: `the people who live here`."""
    for place, token in enumerate(subject):
        if token.kind in (Kind.REL, Kind.COMMA, Kind.PAREN) and place:
            return subject[:place] if subject[place - 1].kind in NOMINAL else ()
    return subject


def _object_of(tokens: Phrase, main: Main) -> Phrase:
    place = main.verb + 1
    while place < len(tokens) and tokens[place].kind in (Kind.ADV, Kind.NEG, Kind.BASE, Kind.PART, Kind.BE, Kind.TO):
        place += 1
    end = place
    while end < len(tokens) and tokens[end].kind in (Kind.DET, Kind.ADJ, Kind.NOUN, Kind.NAME, Kind.NUM, Kind.POSS):
        end += 1
    if end == place or tokens[place - 1].kind in (Kind.PREP, Kind.TO) or tokens[end - 1].kind is Kind.NUM:
        return ()
    if tokens[end - 1].lower in _VAGUE or (end < len(tokens) and tokens[end].kind in (Kind.ING, Kind.PART, Kind.REL)):
        return ()
    start = noun_phrase_start(tokens, end, of=False)
    return tokens[max(start, place) : end]


def _definite_behind(tokens: Phrase, main: Main) -> Iterator[Phrase]:
    """`the call` in `I'm afraid of missing the call`."""
    for place in range(main.verb + 2, len(tokens)):
        if tokens[place].kind is Kind.DET and tokens[place].lower in ("the", "my", "our"):
            end = _head_place(tokens, place) + 1
            while end < len(tokens) and tokens[end].kind is Kind.ING:  # the morning meeting
                end += 1
            if tokens[place - 1].kind is Kind.ING and end > place + 1:
                yield tokens[place:end]


def _names(tokens: Phrase) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    start = None
    for place, token in enumerate((*tokens, made("", Kind.END))):
        if token.kind is Kind.NAME and token.text[:1].isupper() and not _DAYS.fullmatch(token.text):
            start = place if start is None else start
        elif start is not None:
            found.append((start, place))
            start = None
    return found


def _is_part(inner: Phrase, outer: Phrase) -> bool:
    return {token.lower for token in inner} <= {token.lower for token in outer}


def _mention(phrase: Phrase, *, is_subject: bool) -> _Mention:
    head = _last_noun(phrase)
    several = is_several(phrase)
    person: bool | None
    if {token.lower for token in phrase} & _PEOPLE and head.lower not in _ORGANISED:
        person = True
    elif head.kind is Kind.NAME and phrase[0].kind is Kind.NAME and _may_be_person(phrase):
        person = None
    else:
        person = False
    return _Mention(phrase, is_subject, person, several)


def _may_be_person(phrase: Phrase) -> bool:
    return all(token.text.isalpha() or "." in token.text or "-" in token.text for token in phrase) and not (
        len(phrase) == 1 and (phrase[0].text.isupper() or any(map(str.isupper, phrase[0].text[1:])))
    )


def _heads(mention: _Mention) -> frozenset[str]:
    return frozenset(token.lower for token in mention.phrase)


def _last_noun(phrase: Phrase) -> Token:
    head = phrase[-1]
    for token in phrase:
        if token.kind in (Kind.PREP, Kind.REL):
            break
        if token.kind in NOMINAL:
            head = token
    return head


def _head_place(tokens: Phrase, place: int) -> int:
    head = place
    for spot in range(place + 1, len(tokens)):
        if tokens[spot].kind not in (Kind.ADJ, Kind.NOUN, Kind.NAME, Kind.PART, Kind.NUM):
            break
        head = spot
    return head


def words_of(text: str) -> Phrase:
    """A name given from outside, as words."""
    return tuple(token._replace(kind=Kind.NAME) for token in tagged(text))
